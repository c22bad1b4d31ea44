from __future__ import annotations

from fractions import Fraction

import pytest

from cg_eval_tasks.arithmetic import bare_number, exact_result, stated_number


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("123+298=", "421"),
        ("（16+4）×2=", "40"),
        ("50-12×3=", "14"),
        ("56÷8×3=", "21"),
        ("120÷（90-85）=", "24"),
        ("7÷2", "3.5"),
        ("1÷8=", "0.125"),
        ("1-2", "-1"),
        ("1÷3=", "1/3"),
        ("-1÷4", "-0.25"),
        ("0.1+0.2=", "0.3"),
        ("１２＋３＝", "15"),
        ("[(1+2)×3]÷9", "1"),
        ("-(-3)", "3"),
        (" 2 * 3 ", "6"),
        ("1÷64", "0.015625"),
        ("6✕2✖2∗2", "48"),
        ("6➗2∶3", "1"),
    ],
)
def test_results_are_exact(question: str, result: str) -> None:
    assert exact_result(question) == result


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "a number is missing"),
        ("1+", "a number is missing"),
        ("(1+2", "a bracket is not closed"),
        ("1+2)", r"'\)' was not expected there"),
        ("2²", "powers and indices"),
        ("1 2", "'2' was not expected there"),
        ("5÷0=", "a division by 0"),
        ("2**3", "a number is missing"),
        ("__import__('os')", "'_' is no part of arithmetic"),
        ("1+2=3", "'=' is no part of arithmetic"),
        ("(" * 60 + "1" + ")" * 60, "more than 50 brackets"),
        ("-" * 60 + "1", "more than 50 brackets or signs"),
        ("1+" * 600 + "1", "longer than 1000 characters"),
    ],
)
def test_anything_else_is_refused(question: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        exact_result(question)


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("421", "421"),
        (" 421。\n", "421"),
        ("４２１", "421"),
        ("-5", "-5"),
        ("3.50", "3.50"),
        ("421元", None),
        ("123+298=421", None),
        ("", None),
        ("答案是421", None),
        ("12  345", None),
        ("12\n\n345", None),
    ],
)
def test_a_number_and_nothing_else(reply: str, number: str | None) -> None:
    assert bare_number(reply) == number


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("421", 421),
        ("123+298=421", 421),
        ("123 + 298 = **421**", 421),
        ("答案是421。", 421),
        ("16+4=20，20×2=40", 40),
        ("结果：40。因为16+4=20，20×2=40", 40),
        ("421\n验算：421-298=123", 421),
        ("123加298等于421", 421),
        ("$123+298=421$", 421),
        (r"\boxed{421}", 421),
        ("4,210", 4210),
        ("4{,}210", 4210),
        ("得数为 -3.5", Fraction(-7, 2)),
        ("50-12", None),
        ("答案：5/6", Fraction(5, 6)),
        ("答案：120/24", None),
        ("答案：1/0", None),
        ("16+26= 42 + 0", None),
        ("第1-2步略，得421", 421),
        ("四百二十一", 421),
        ("", None),
        ("首先检查题目，然后计算，得到83。", 83),
        ("4×5=20\n验证：20÷5=4", 20),
        ("90÷3=30，因为30×3=90", 30),
        ("83。解释：先把36加上40得到76，再加上7。", 83),
        ("83\n\n本题考查100以内的加法", 83),
        (r"答案是$\frac{5}{2}$", Fraction(5, 2)),
        ("答案是 - 5", -5),
        ("结果是负5", -5),
        ("1. 先算6×2=12\n2. 12+3=15", 15),
        ("123+298=421，因此 421 是答案", 421),
        ("9" * 2000, None),
    ],
)
def test_the_number_a_reply_states(reply: str, number: Fraction | int | None) -> None:
    assert stated_number(reply) == number
