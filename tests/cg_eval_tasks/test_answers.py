"""Final answers: where they are, and what is equal to what."""

from __future__ import annotations

import csv
import json
import time
from fractions import Fraction
from pathlib import Path

import pytest

from cg_eval_tasks.answers import final_answer, official_answer, official_match, robust_match, working
from cg_eval_tasks.final_answers import equivalence, formula_checker, matching
from cg_eval_tasks.final_answers.numerals import numeral_value
from cg_eval_tasks.final_answers.quantities import Quantity, quantity


def test_the_given_cases(shared: Path) -> None:
    seen = 0
    for line in (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["area"] == "math_answer":
            reply, gold = case["input"]["reply"], case["input"]["gold"]
            assert robust_match(reply, gold) is case["expected"]["match"], case["id"]
            if "extracted" in case["expected"]:
                assert final_answer(reply) == case["expected"]["extracted"], case["id"]
            seen += 1
    assert seen >= 5


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("解：略。\n最终答案：12元", "12元"),
        ("最终答案: 12", "12"),
        ("**最终答案：** 12元。", "12元"),
        ("**最终答案**：12元", "12元"),
        ("### 最终答案：\n\n12元", "12元"),
        ("最终答案：\n$$\nx=1\n$$\n以上。", "x=1"),
        ("最终答案：\\[\nx=1\n\\]", "x=1"),
        ("最终答案：5\n更正：\n最终答案：6", "6"),
        ("最終答案：6", "6"),
        ("最终答案是6", "6"),
        ("最终答案为：6", "6"),
        ("按要求在最后一行以“最终答案：”开头。", None),
        ("最终答案：", None),
        ("最终答案：5\n最终答案：", None),
        ("没有。", None),
        ("", None),
        ("<think>最终答案：5</think>最终答案：6", "6"),
        ("<think>最终答案：5", None),
        ("最终答案：`6`", "6"),
        ("最终答案：$$x=1$$ 或 $$x=-3$$", "$$x=1$$ 或 $$x=-3$$"),
        ("最终答案：(1) 3\n(2) 5\n以上。", "(1) 3\n(2) 5"),
        (
            "最终答案：$\\begin{cases}\nx=1\\\\\ny=2\n\\end{cases}$\n以上。",
            "$\\begin{cases}\nx=1\\\\\ny=2\n\\end{cases}$",
        ),
        ("### 最终答案\n6", "6"),
        ("最终答案：```\n6\n```", "6"),
    ],
)
def test_where_the_final_answer_is(reply: str, answer: str | None) -> None:
    assert final_answer(reply) == answer


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        ("解：1+1=2\n最终答案：2", "解：1+1=2"),
        ("解：1+1=2\n**最终答案：** 2", "解：1+1=2"),
        ("解：1+1=2", "解：1+1=2"),
        ("最终答案：2", ""),
    ],
)
def test_the_working_is_what_stands_before_it(reply: str, rest: str) -> None:
    assert working(reply) == rest


@pytest.mark.parametrize(
    ("reply", "reference", "equal"),
    [
        ("最终答案：x=1或x=-3", "x=1或x=-3", True),
        ("最终答案： $x = 1$ 或 $x = -3$ 。", "x=1或x=-3", True),
        ("最终答案：１２元", "12元", True),
        ("最终答案：x=-3或x=1", "x=1或x=-3", False),
        ("最终答案：0.5", "1/2", False),
        ("最终答案：1.5", "15", False),
        ("最终答案：", "", False),
        ("12元", "12元", True),
    ],
)
def test_official_match_compares_texts(reply: str, reference: str, equal: bool) -> None:
    assert official_match(reply, reference) is equal


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("最终答案： $x = 1$ 。", "x=1"),
        ("最终答案：5\n最终答案：６元", "6元"),
        ("**最终答案：** 6", "**6"),
        ("最终答案：5\n以上。", "5以上"),
        ("最终答案：", None),
        ("6", None),
    ],
)
def test_the_text_that_the_official_rule_compares(reply: str, answer: str | None) -> None:
    assert official_answer(reply) == answer


SAME = [
    (r"$\begin{cases}x,&x>0\\-x,&x<0\end{cases}$", r"\begin{cases}x,&x>0\\-x,&x<0\end{cases}"),
    (r"\{1,2\}", r"\{2,1\}"),
    ("x=5或x=-3", "x=-3或x=5"),
    ("x_1=1,x_2=-3", "x=1或x=-3"),
    ("面积=12", "12"),
    ("S=3*4=12", "12"),
    ("48元", "48"),
    ("350千米,2小时", "350,2"),
    ("1,200", "1200"),
    ("y'=2x", "\\frac{dy}{dx}=2x"),
    ("原式=5", "5"),
    ("123+298=421", "421"),
    ("1 1/2", "3/2"),
    ("3人", "3"),
    ("3名同学", "3"),
    ("5千米", "5000米"),
    ("0.5", "1/2"),
    ("50%", "0.5"),
    ("甲=20,乙=30", "乙=30,甲=20"),
    ("60千米/时", "60"),
    ("x=1或x=-3", "x=-3或x=1"),
    ("x_1=1,x_2=-3", "x=1或x=-3"),
    ("x=1,-3", "x=1或x=-3"),
    ("x₁=1，x₂=-3", "x=1或x=-3"),
    ("x1=1,x2=-3", "x=1或x=-3"),
    ("x⁴+1", "x^4+1"),
    ("x¹⁰", "x^{10}"),
    ("10⁻⁴", "0.0001"),
    ("x∈(1,2)", "(1,2)"),
    ("答：12元", "12元"),
    ("一共12元", "12元"),
    ("100 cm²", "100平方厘米"),
    ("x=1 or x=-3", "x=1或x=-3"),
    (r"x=\pm2", "x=2或x=-2"),
    (r"x=\frac{-1\pm\sqrt{5}}{2}", r"x=\frac{-1+\sqrt{5}}{2}或x=\frac{-1-\sqrt{5}}{2}"),
    ("x=1,y=2", "y=2,x=1"),
    (r"\begin{cases}x=1\\y=2\end{cases}", "x=1,y=2"),
    ("1元,1次", "1次,1元"),
    (r"2\frac{1}{4}", "9/4"),
    ("2又1/4", "2.25"),
    (r"\dfrac12", "0.5"),
    (r"-\frac{1}{3}", r"\frac{-1}{3}"),
    ("1,200", "1200"),
    (r"12{,}600千克", "12600千克"),
    ("１２００元", "1200元"),
    ("50%", "0.5"),
    (r"1\times10^{3}", "1000"),
    ("1.2万元", "12000元"),
    ("300厘米", "3米"),
    ("60km/h", "60千米/时"),
    (r"5\text{ 元}", "5元"),
    ("12", "12元"),
    ("原式=5", "5"),
    ("3+2=5", "5"),
    (r"\boxed{5}", "5"),
    ("无解", "无解"),
    ("f’(x)=2x", "y'=2x"),
    ("2x", "y'=2x"),
    ("x^2+c", "x^2+C"),
    (r"\frac{\sqrt{2}}{2}", r"\frac{1}{\sqrt{2}}"),
    (r"\frac{1}{2}\ln(1+x^2)+C", r"\ln\sqrt{1+x^2}+C"),
    ("(x-2y)(x-y)", "(x-y)(x-2y)"),
    ("-(b-a)(a-c)", "(a-b)(a-c)"),
    ("π/2", r"\frac{\pi}{2}"),
    ("30°", r"30^{\circ}"),
    ("1<x", "x>1"),
    (r"[1,+\infty)", r"[1,\infty)"),
    (r"\lim_{x\to0}\frac{\sin x}{x}=1", "1"),
    (r"\int_0^1xdx=\frac12", "0.5"),
    (r"\log_9 27=\frac32", "1.5"),
    ("lg1000=3", "3"),
    (r"\lg 1000=3", "3"),
    ("x^2-1=(x+1)(x-1)", "(x-1)(x+1)"),
    ("(a+b)^2-(a-b)^2=4ab", "4ab"),
    ("x>1", r"(1,+\infty)"),
    (r"\{x|x>1\}", r"(1,+\infty)"),
    (r"\{x\mid x>1\}", "x>1"),
    ("x<1或x>3", r"(-\infty,1)\cup(3,+\infty)"),
    ("{x|x<1或x>3}", "(-∞,1)∪(3,+∞)"),
    ("x≠1", r"(-\infty,1)\cup(1,+\infty)"),
    ("x>=1", "[1,+∞)"),
    ("1<x≤2", "(1,2]"),
    (r"1\le x<2", "[1,2)"),
    ("定义域为[-1,2)∪(2,+∞)", "[-1,2)∪(2,+∞)"),
    ("最小值为4", "4"),
    ("最小值是4", "最小值=4"),
    ("a=2,k=1", "k=1,a=2"),
    (r"x=k\pi+\frac{\pi}{6}(k\in\mathbb{Z})", r"k\pi+\frac{\pi}{6}"),
    (r"x=k\pi+\frac{\pi}{6},k\in Z", r"x=\frac{\pi}{6}+k\pi"),
    ("x^2+C(C为任意常数)", "x^2+C"),
    ("x^2+C，其中C为常数", "x^2+C"),
    (r"\frac12\sin^2x+C", r"-\frac12\cos^2x+C"),
    (r"-\frac14\cos2x+C", r"\frac12\sin^2x+C"),
    (r"\ln|2x|+C", r"\ln|x|+C"),
    (r"\arctan x+C", r"-\arctan\frac1x+C"),
    ("3和5", "3,5"),
    ("x=3和x=5", "x=5,x=3"),
    ("x=1且y=2", "x=1,y=2"),
    ("60度", "60°"),
    ("60", "60°"),
    ("5㎡", "5平方米"),
    (r"\varnothing", r"\emptyset"),
    ("∅", r"\varnothing"),
    ("方程无解", "无解"),
    ("≈5.2", "5.2"),
    ("x≈5.2", "x=5.2"),
    (r"x=\frac{1+\sqrt5}{2}\approx1.618", r"\frac{1+\sqrt5}{2}"),
    (r"x=\frac{1+\sqrt5}{2}\approx1.618", "1.618"),
    (r"\frac{1+\sqrt5}{2}≈1.618", "x≈1.618"),
    (r"\sin30°", r"\sin\frac{\pi}{6}"),
    ("sinx+cosx", r"\cos x+\sin x"),
    ("2lnx", r"2\ln x"),
    ("lg2", r"\lg 2"),
    ("f(1)=2", "2"),
    ("2x+y-5=0", "y=5-2x"),
    ("4x+2y=10", "2x+y-5=0"),
    ("2xdx", "dy=2xdx"),
    (r"\frac{\partial z}{\partial x}=2x", "2x"),
    ("e^{2x}", "exp(2x)"),
    ("0.1x+0.2x", "0.3x"),
    ("x^{0.5}", r"\sqrt{x}"),
    (r"\frac{\sqrt5-1}{4}", r"0.25(\sqrt5-1)"),
    ("{3,5}", r"\{5,3\}"),
    ("x=3，5", "x=5或x=3"),
    ("1024", "2^{10}"),
    (r"3\sqrt2-2\sqrt3", r"-2\sqrt3+3\sqrt2"),
    ("1/2", "0.5"),
    ("-(x-1)", "1-x"),
    ("25/4 ", "6.25"),
    (r"\frac{x+1}{x-1}", r"1+\frac{2}{x-1}"),
    ("R", "x∈R"),
    (r"\mathbb R", r"\mathbf{R}"),
    (r"\dfrac{\pi}{4}", r"\frac\pi4"),
    (r"\ln2", r"\ln 2"),
    ("e-1", "-1+e"),
    ("a^{1/2}b^{2}", r"\sqrt{a}b^2"),
    (r"\frac{1}{a^{2}}", "a^{-2}"),
    ("y=2x", "2x"),
    ("S_n=n^2", "n^2"),
    ("a_n=2n-1", "2n-1"),
    (r"[0,\frac{\pi}{2}]", r"[0,\pi/2]"),
    ("x=±2", "x=2,x=-2"),
    ("杏树62棵，桃树186棵", "桃树有186棵，杏树有62棵"),
    ("杏树：62棵；桃树：186棵", "杏树62棵，桃树186棵"),
    ("62棵，186棵", "杏树62棵，桃树186棵"),
    ("杏树有62棵,桃树有186棵", "62,186"),
    ("兔子12只，鸡23只", "12只兔子，23只鸡"),
    ("甲班52人，乙班46人", "甲班有52人，乙班有46人"),
    ("甲52人，乙46人", "甲班52人，乙班46人"),
    ("甲比乙每小时快2千米", "2千米"),
    ("每小时快2千米", "2千米/小时"),
    ("每小时2千米", "2千米/时"),
    ("2千米每小时", "2千米/小时"),
    ("今年7倍，明年6倍", "7倍，6倍"),
    ("今年是7倍，明年是6倍", "今年7倍，明年6倍"),
    ("1小时30分钟", "90分钟"),
    ("1小时30分", "1.5小时"),
    ("5元6角", "5.6元"),
    ("3吨500千克", "3.5吨"),
    ("2年6个月", "30个月"),
    ("30个月", "2年6个月"),
    ("百分之25", "25%"),
    ("百分之二十五", "25%"),
    ("三分之一", "1/3"),
    ("十五只", "15只"),
    ("二十五", "25"),
    ("一百零五人", "105人"),
    ("3名同学", "3人"),
    ("3位", "3人"),
    ("3天后", "3天"),
    ("需加水30克", "30克"),
    ("(1)30克,(2)10克", "30克,10克"),
    ("(1) 需加水30克；(2) 需加糖10克", "30克，10克"),
    ("①30克②10克", "30克,10克"),
    ("30克和10克", "30克,10克"),
    ("还需要2小时", "2小时"),
    ("2小时后", "2小时"),
    ("这堆煤有6000千克", "6000千克"),
    ("总长为3600米", "3600米"),
    ("3600m", "3600米"),
    ("共可植树64000棵", "64000棵"),
    ("6.4万棵", "64000棵"),
    ("一支铅笔0.2元", "0.2元"),
    ("铅笔每支0.2元", "0.2元"),
    ("0.2元/支", "0.2元/支"),
    ("每行22人", "22人"),
    ("最少需要9分钟", "9分钟"),
    ("至少9分钟", "至少9分钟"),
    ("一班188棵，二班192棵，三班180棵", "188棵、192棵、180棵"),
    ("188棵、192棵、180棵", "一班：188棵；二班：192棵；三班：180棵"),
    ("甲=20 乙=30", "甲=20,乙=30"),
    ("60 km", "60千米"),
    ("12.5%", "1/8"),
    ("本月48万元，上月18万元", "48万元，18万元"),
    ("3小时20分", "200分钟"),
    ("x=2（x=-1舍去）", "x=2"),
    ("x=5（经检验，x=5是原方程的解）", "x=5"),
    ("在(-∞,1)上单调递增，在(1,+∞)上单调递减", "单调增区间(-∞,1)，单调减区间(1,+∞)"),
    ("桌子的单价是55元，椅子的单价是25元", "桌子55元，椅子25元"),
    (r"\frac25x^2\sqrt x", r"\frac25x^{5/2}"),
]
DIFFERENT = [
    ("椅子比桌子贵30元", "桌子比椅子贵30元"),
    ("杏树是桃树的3倍", "桃树是杏树的3倍"),
    ("甲车现在64筐，乙车现在33筐", "甲车原来64筐，乙车原来33筐"),
    (r"\frac{20}{50}", r"\frac{2}{5}"),
    ("x=3.36/1.5", "x=2.24"),
    (r"\frac{12a}{3}", "4a"),
    (r"\frac{x^2}{x^2+x}", r"\frac{x}{x+1}"),
    (r"a^{\frac{1}{4}}\div a^{\frac{4}{3}}", r"a^{-\frac{13}{12}}"),
    (r"[-1,+\infty]", r"[-1,+\infty)"),
    ("2^{10}", "1024"),
    ("2⁻¹", "0.5"),
    (r"\begin{cases}x,&x>0\\-x,&x<0\end{cases}", r"\begin{cases}-x,&x>0\\x,&x<0\end{cases}"),
    (r"\{1,2\}", "(1,2)"),
    ("5!", "5"),
    ("最大值=3，最小值=1", "最大值=1，最小值=3"),
    ("甲=20,乙=30", "甲=30,乙=20"),
    ("长=3,宽=2", "长=2,宽=3"),
    ("极大值=3", "极小值=3"),
    ("5不对", "5"),
    ("5这是错的", "5"),
    ("5千", "5"),
    ("5十", "5"),
    ("5‰", "5"),
    ("5以上", "5"),
    ("5多", "5"),
    ("5分之一", "5"),
    ("5的相反数", "5"),
    ("5次方", "5"),
    ("5 -", "5"),
    ("3百万", "3"),
    ("2x=4", "x=4"),
    ("-x=4", "x=4"),
    ("x^2=4", "x=4"),
    ("x^2=9", "9"),
    ("x/2=4", "4"),
    ("x+y=1", "1"),
    ("x-1=0", "0"),
    ("2x+y=1", "y=1"),
    ("x_1+x_2=3", "x_1=3"),
    ("y''=2", "y'=2"),
    ("\\frac{d^2y}{dx^2}=2", "\\frac{dy}{dx}=2"),
    ("a_1=2", "a_2=2"),
    ("x_{12}=3", "x_{13}=3"),
    ("\\lambda_1=1,\\lambda_2=2", "\\lambda_1=2,\\lambda_2=1"),
    ("x1=1,x2=2", "x1=2,x2=1"),
    ("1:2:3", "1:3:2"),
    ("1 1/2", "11/2"),
    ("3 5", "35"),
    ("1 2 3", "123"),
    ("3个半", "3"),
    ("1.5", "15"),
    ("x=2", r"x=\pm 2"),
    ("x=1", "x=1或x=-3"),
    ("x=1,y=2", "y=1,x=2"),
    ("3米,5米", "5米,3米"),
    ("12千米", "12米"),
    ("5人", "5个"),
    ("0.333", "1/3"),
    ("(1,2)", "(2,1)"),
    ("x>1", "x>=1"),
    ("x^2-3xy+2y^2", "(x-y)(x-2y)"),
    ("2x", "3x"),
    ("25", "25%"),
    ("12元/人", "12元"),
    ("20人,15人", "15人,20人"),
    ("x_1=2,x_2=1", "x_1=1,x_2=3"),
    ("2", "无解"),
    ("a", "b"),
    (r"9^{9^{9^{9}}}", "3"),
    ("__import__('os').system('touch pwned')", "1"),
    ("", "1"),
    ("(" * 300, "1"),
    ("5…", "5"),
    ("5...", "5"),
    ("5+0", "5"),
    ("2+3", "5"),
    (r"2\times 3", "6"),
    (r"\log_9 27", "1.5"),
    (r"\frac{\lg27}{\lg9}", "1.5"),
    (r"\sin18^{\circ}", r"\frac{\sqrt5-1}{4}"),
    (r"\int_0^1 x dx", "0.5"),
    (r"\lim_{x\to0}x", "0"),
    (r"\sum_{n=0}^{\infty}x^n", r"\frac{1}{1-x}"),
    ("A", "a"),
    ("A^T", "A"),
    ("f(1)=2", "f(2)=2"),
    ("f'(x)", "f(x)"),
    ("x'", "x"),
    ("y'(0)=1", "y(0)=1"),
    ("y'(0)=1", "y'=1"),
    ("sin30°", "sin30"),
    ("3.141593", r"\pi"),
    ("2.718281828", "e"),
    ("x>1", r"[1,+\infty)"),
    ("x<1,x>3", "1<x<3"),
    ("x<1或x>3", "(1,3)"),
    ("x^2", "x^2+C"),
    ("x^2+2C", "x^2+C+1"),
    ("x^3+C", "x^2+C"),
    (r"\frac{x}{a}+x+C", r"\frac{x}{a}+C"),
    ("答案不是5", "5"),
    ("最小值不为4", "4"),
    ("最大值为4", "最小值为4"),
    ("x=3或5或7", "3,5"),
    ("3和5和7", "3,5"),
    ("5℃", "5米"),
    ("5°", "5米"),
    ("2x+y-5=0", "y=5+2x"),
    ("2x=4", "x=2"),
    ("x=4/2=3", "x=2"),
    ("x^2=4", "x=2或x=-2"),
    ("x≈5.2", "5.3"),
    ("{3,5}", "(3,5)"),
    ("x≠1", "x=1"),
    ("k∈Z", "Z"),
    ("x∈Z", "x∈R"),
    ("n∈N", "n∈Z"),
    ("C为常数", "C"),
    (r"2\frac{dy}{dx}", "0"),
    ("单调递增", "单调递减"),
    ("(1,2)", "[1,2)"),
    ("1-x", "x-1"),
    ("a/b", "b/a"),
    ("x^2+1=0", "0"),
    ("x+1=2", "2"),
    ("x(x-1)=0", "x=0"),
    ("E(X)=3", "D(X)=3"),
    ("p", "P"),
    (r"\alpha", r"\beta"),
    ("x_1x_2", "x_1+x_2"),
    ("x²", "2x"),
    ("1e3", "e"),
    (r"3\frac{1}{2}", r"\frac{3}{2}"),
    ("∞", "-∞"),
    (r"\ln x", r"\lg x"),
    (r"2\pi", "360"),
    ("x>1且x<3", "x>1或x<3"),
    ("(2,1)", "(1,2)"),
    ("[2,1]", "[1,2]"),
    ("(x+1)^2(x-1)", "(x+1)(x-1)"),
    ("x^2-1", "(x+1)(x-1)"),
    (r"\frac{d}{dx}x^2", "2x"),
    (r"\sin^2 x+\cos^2 x", "1"),
    ("杏树62棵，桃树186棵", "杏树186棵，桃树62棵"),
    ("186棵，62棵", "杏树62棵，桃树186棵"),
    ("兔子12只，鸡23只", "兔子23只，鸡12只"),
    ("12只兔子，23只鸡", "23只兔子，12只鸡"),
    ("1小时30分钟", "1小时"),
    ("5元6角", "5元"),
    ("5元6角", "56元"),
    ("三分之一", "3"),
    ("三角形", "3"),
    ("一半", "1"),
    ("一样", "1"),
    ("最多9分钟", "最少9分钟"),
    ("不是5只", "5只"),
    ("没有5只", "5只"),
    ("不需要5元", "5元"),
    ("5只或6只", "5只"),
    ("甲比乙多2人", "乙比甲多2人"),
    ("增加5%", "减少5%"),
    ("多5人", "少5人"),
    ("上升3米", "下降3米"),
    ("盈利5元", "亏损5元"),
    ("大于5只", "5只"),
    ("超过5只", "5只"),
    ("少于5只", "5只"),
    ("第5个", "5个"),
    ("前5名", "5名"),
    ("5折", "5"),
    ("二十五", "2,5"),
    ("十五", "5"),
    ("百分之25", "25"),
    ("1/3", "三分之二"),
    ("今年7倍，明年6倍", "今年6倍，明年7倍"),
    ("7倍", "7倍多"),
    ("2千米/小时", "2千米"),
    ("5分", "5元"),
    ("3小时20分", "3.2小时"),
    ("3:20", "20:3"),
    ("30克,10克", "10克,30克"),
    ("(1)30克,(2)10克", "10克,30克"),
    ("5除以2", "5"),
    ("8倍余5", "8倍"),
    ("早5分钟", "晚5分钟"),
    ("上午3时", "下午3时"),
]


@pytest.mark.parametrize(("answer", "reference"), SAME)
def test_robust_match_takes_what_says_the_same(answer: str, reference: str) -> None:
    assert robust_match(f"解：略。\n最终答案：{answer}", reference)


@pytest.mark.parametrize(("answer", "reference"), DIFFERENT)
def test_robust_match_refuses_what_does_not(answer: str, reference: str) -> None:
    assert not robust_match(f"解：略。\n最终答案：{answer}", reference)


def test_pairs_that_a_reader_has_judged() -> None:
    """`same` and `different` as a reader says; `missed` are the same to a reader, but not here: a list of what is not read."""
    path = Path(__file__).with_name("answer_pairs.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) > 1000
    taken = {
        verdict: [
            (row["answer"], row["reference"])
            for row in rows
            if row["verdict"] == verdict and robust_match(f"略。\n最终答案：{row['answer']}", row["reference"])
        ]
        for verdict in ("same", "different", "missed")
    }
    assert taken["different"] == []
    assert taken["missed"] == [], "read now: they are to be listed as same"
    refused = {(row["answer"], row["reference"]) for row in rows if row["verdict"] == "same"} - set(taken["same"])
    assert refused == set()


@pytest.mark.parametrize(
    ("answer", "reference", "question", "equal"),
    [
        ("(x-1)(x+1)", "x^2-1", "化简 (x-1)(x+1)", False),
        (r"\int_0^1 2x dx", "1", r"求 \int_0^1 2x dx 的值", False),
        ("48", "48", "48 只鸡有多少？", True),
        ("x^2-1", "(x-1)(x+1)", "分解因式：x^2-1", False),
        ("2x^2-2", "2(x-1)(x+1)", "求函数的导数", True),
        ("2x^2-2", "2(x-1)(x+1)", "因式分解", False),
        ("2x^2-2", "2(x-1)(x+1)", "", False),
        ("x^{2} - 1", "(x-1)(x+1)", "x^2-1", False),
        ("2a(x-y)-b(x-y)", "(2a-b)(x-y)", "2ax-2ay-bx+by", False),
        ("(x-y)(2a-b)", "(2a-b)(x-y)", "2ax-2ay-bx+by", True),
        ("x=2", r"\\log_3 9=2", "互化：3^2=9", False),
        (r"2=\\log_{3}9", r"\\log_3 9=2", "互化：3^2=9", True),
        ("3x**2", "6x", "", False),
        ("x**2", "2x", "", False),
        ("(x+1)**2", "2x+2", "", False),
        (r"\frac{\partial^2 z}{\partial x^2}=6x", r"\frac{\partial^2 z}{\partial x\partial y}=6x", "", False),
        (r"\frac{\partial z}{\partial x}|_{(1,1)}=2", r"\frac{\partial z}{\partial y}|_{(1,1)}=2", "", False),
        ("y''|_{x=1}=4", "y'|_{x=1}=4", "", False),
        ("y|_{x=0}=1", "y'|_{x=0}=1", "", False),
        ("x=2,经检验x=2是增根,原方程无解", "x=2", "", False),
        ("x=-1（经检验是增根）", "x=-1", "", False),
        ("x=0或x=4，经检验，x=0舍去", "x=0或x=4", "", False),
        ("x=4", "x=4，经检验x=4不是原方程的解，原方程无解", "", False),
        ("小明9岁，小明妈妈36岁", "小明36岁，小明妈妈9岁", "", False),
        ("盐50克，盐水200克", "盐200克，盐水50克", "", False),
        ("铅笔2元，铅笔盒10元", "铅笔10元，铅笔盒2元", "", False),
        ("一车间50人，二车间70人", "一车间70人，二车间50人", "", False),
        ("二车间50人", "一车间50人", "", False),
        ("切线y=2", "切线x=2", "", False),
        ("渐近线y=0，渐近线x=1", "渐近线x=0，渐近线y=1", "", False),
        ("线段AB=5", "线段AC=5", "", False),
        ("极大值f(1)=2，极小值f(-1)=-2", "极大值f(-1)=2，极小值f(1)=-2", "求极值", False),
        ("极大值为f(1)=2，极小值为f(-1)=-2", "极大值为f(-1)=2，极小值为f(1)=-2", "求极值", False),
        ("a-b的值为3", "a+b的值为3", "", False),
        ("x的值是3", "y的值是3", "", False),
        ("法线：y=2x+1", "切线方程为y=2x+1", "求切线方程", False),
        ("法线方程y=2x+1", "y=2x+1", "求切线方程", False),
        (r"\ln(x+3)+C", r"\ln|x+3|+C", "", False),
        (r"\frac12\ln(2x+5)+C", r"\frac12\ln|2x+5|+C", "", False),
        ("最大值不存在", "最小值不存在", "", False),
        ("右极限不存在", "左极限不存在", "", False),
        ("(2x+2)(x-2)", "2(x+1)(x-2)", "因式分解", False),
        ("(3x-3y)^2", "9(x-y)^2", "因式分解", False),
        (r"\frac{2x+2}{2x-2}", r"\frac{x+1}{x-1}", "化简", False),
        (r"\frac{1}{x-1}+\frac{1}{x+1}", r"\frac{2x}{x^2-1}", "化简", False),
        ("(a^2)^3", "a^6", "化简", False),
        ("30人没来", "30人", "来了多少人", False),
        ("亏30元", "30元", "盈利多少元", False),
        ("下降20%", "20%", "增长了百分之几", False),
        ("晚到5分钟", "5分钟", "早到几分钟", False),
        ("极值为3", "极大值为3", "", False),
        ("a_2=2,a_3=4", "a_1=2,a_2=4", "", False),
        ("a_1=2,a_3=4", "a_1=4,a_2=2", "", False),
        ("极大值为f(1)=2", "极大值为2", "", True),
        ("极大值f(1)=2，极小值f(-1)=-2", "极大值2，极小值-2", "", True),
        ("**x=1**", "x=1", "", True),
        ("**3**", "3", "", True),
        ("x**2", "x^2", "", True),
        ("2x**10", "2x^{10}", "", True),
        ("a+2b的值为5", "5", "", True),
        ("x的值为1或-3", "x=1或x=-3", "", True),
        (r"\left.\frac{dy}{dx}\right|_{x=1}=2", "2", "", True),
        ("x=3，经检验x=3是原方程的解", "x=3", "", True),
        ("小明妈妈36岁，小明9岁", "小明9岁，小明妈妈36岁", "", True),
        ("一班50人，二班70人", "二班70人，一班50人", "", True),
        ("切线方程：y=2x+1", "y=2x+1", "求切线方程", True),
        (r"\ln|x+3|+C", r"\ln|3+x|+C", "", True),
        ("2(x+1)(x-2)", "2(x-2)(x+1)", "因式分解", True),
        ("提高了20%", "20%", "提高了百分之几", True),
        ("减少20%", "减少20%", "增加或减少百分之几", True),
        ("至少需要5天", "5天", "至少需要多少天", True),
        ("多20%", "20%", "多百分之几", True),
        ("x_1=1,x_2=-3", "x=1或x=-3", "", True),
        ("x_2=-3,x_1=1", "x_1=1,x_2=-3", "", True),
        ("极限不存在", "不存在", "", True),
        ("a_n=2n-1", "2n-1", "", True),
    ],
)
def test_the_question_says_what_is_asked(answer: str, reference: str, question: str, equal: bool) -> None:
    assert robust_match(f"最终答案：{answer}", reference, question) is equal


@pytest.mark.parametrize(
    "unit",
    [
        "5元",
        "5 ",
        "5元6角",
        "1小时",
        "1 又",
        "根号",
        "(",
        "\\boxed{",
        "最终答案：\n$",
        "①",
        r"\text{5}\frac{1}{2}\boxed{",
    ],
)
def test_replies_that_repeat_themselves_have_a_verdict(unit: str) -> None:
    assert not robust_match("最终答案：" + unit * 900, "5元")


def test_a_reply_of_many_lines_without_a_final_answer_matches_nothing() -> None:
    assert not robust_match("解：\n5", "5")
    assert robust_match("5", "5")


def test_a_comparison_that_takes_too_long_is_ended(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert equivalence.compared("y+x", "x+y").equal  # the process is there
    monkeypatch.setattr(equivalence, "SECONDS", 0.1)
    assert equivalence.compared("9^{9^{9^{9}}}", "x") == (False, formula_checker.MOST_SECONDS)  # of ten seconds
    assert "had to be ended: '9^{9^{9^{9}}}', 'x'" in caplog.text
    monkeypatch.undo()
    assert equivalence.compared("y+x+2", "2+x+y").equal  # another one was started


def test_all_formulas_of_an_answer_together_take_bounded_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def slow(found: str, wanted: str, factored: bool) -> equivalence.Comparison:
        asked.append((found, wanted))
        return equivalence.Comparison(False, 9.0)

    monkeypatch.setattr(matching, "compared", slow)
    answer = ",".join(f"x+{number}" for number in range(16))
    assert not robust_match(f"最终答案：{answer}", answer.replace("x", "y"))
    assert len(asked) == 4
    assert caplog.text.count("took too long") == 1


def test_without_math_verify_formulas_are_compared_as_texts_and_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equivalence, "PACKAGE", "no_such_package")
    assert robust_match("最终答案：0.5", r"\frac{1}{2}")
    assert not robust_match("最终答案：b+a+7", "a+b+7")


@pytest.mark.parametrize(
    "text", ["最终答案：" + "1," * 50_000, "最终答案" * 20_000, "x=" * 30_000, "1" * 100_000, "或" * 50_000]
)
def test_time_is_bounded(text: str) -> None:
    start = time.process_time()
    robust_match(text, "x=1或x=2")
    official_match(text, "x=1")
    final_answer(text)
    assert time.process_time() - start < 20  # quadratic time would take minutes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("零", 0),
        ("十五", 15),
        ("二十", 20),
        ("一百零五", 105),
        ("一千零五十", 1050),
        ("一百五十", 150),
        ("两千零一", 2001),
        ("一万零五十", 10_050),
        ("六万四千", 64_000),
        ("三亿五千万", 350_000_000),
        ("一亿零五", 100_000_005),
        ("三百五", None),
        ("三万五", None),
        ("一二三", None),
        ("十百", None),
        ("万", None),
        ("", None),
        ("5", None),
    ],
)
def test_chinese_numerals(text: str, value: int | None) -> None:
    assert numeral_value(text) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", Quantity(5, "")),
        ("1小时30分", Quantity(Fraction(3, 2), "小时")),
        ("5元6角", Quantity(Fraction(28, 5), "元")),
        ("5米30", None),
        ("5米3千克", None),
        ("5厘米3米", None),
        ("三角形", None),
        ("十五只", Quantity(15, "只")),
        ("百分之二十", Quantity(Fraction(1, 5), "")),
        ("-5 元", Quantity(-5, "元")),
        ("3万元", Quantity(30000, "元")),
        ("2x", None),
        ("5xy", None),
        ("x", None),
        ("1/0", None),
        ("10^{99}", None),
        ("1" * 100, None),
    ],
)
def test_quantities(text: str, expected: Quantity | None) -> None:
    assert quantity(text) == expected
