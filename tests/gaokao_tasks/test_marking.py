"""Marks read off teachers' replies: by table, by comparison with upstream's recorded marks, and by expectation."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from gaokao_tasks.marking import ABOVE_MAXIMUM, NO_TOTAL, NOT_FINAL, Mark, official_marks, robust_mark

GPT_4 = (
    "upstream/OpenLMLab/GAOKAO-Bench/6dbb24f8d8439041e5431c4c184a582182a6ce9c/Results/gpt_4_0314_sub/"
    "gpt-4-1106-preview_correction_wo_marking_criterion"
)

QUIRKS = [  # upstream's pattern in Bench/bench_function.py, subjective_grade
    pytest.param("【总分】7分", [7.0], id="plain"),
    pytest.param("【总分】\n\n7 分", [7.0], id="space and lines between"),
    pytest.param("【总分】：7分", [], id="a colon hides the mark"),
    pytest.param("总分7分", [], id="no tag"),
    pytest.param("【总分】7", [], id="no unit"),
    pytest.param("【总分】7.分", [7.0], id="a point without decimals"),
    pytest.param("【总分】.5分", [], id="a point without digits before"),
    pytest.param("【总分】-7分", [], id="negative"),
    pytest.param("【总分】3+4=7分", [7.0], id="a sum's result"),
    pytest.param("【总分】3=4=7分", [7.0], id="the last equals sign"),
    pytest.param("【总分】3分=7", [3.0], id="no mark after the equals sign"),
    pytest.param("【总分】9分，即4+4=8分", [8.0], id="an equals sign later in the line wins"),
    pytest.param("【总分】9分\n即4+4=8分", [9.0], id="but not in the next line"),
    pytest.param("【总分】\n4+4=8分", [8.0], id="unless the tag's line is blank"),
    pytest.param("【总分】=\n8分", [8.0], id="a line end after the equals sign"),
    pytest.param("【总分】10分中，学生得7分", [10.0], id="the maximum taken for the mark"),
    pytest.param("如【总分】5分\n【总分】3分", [5.0, 3.0], id="the sample of the format counts"),
    pytest.param("【总分】【总分】3分", [3.0], id="a tag without a mark"),
    pytest.param("【总分】甲【总分】1+1=2分", [2.0], id="a mark behind a later tag, taken once"),
    pytest.param("【总分】７分", [7.0], id="full-width digits"),
    pytest.param("", [], id="empty"),
]

READINGS = [
    ("【总分】7分", 10, 7),
    ("【总分】7", 10, 7),
    ("【总分】 **7分**", 10, 7),
    ("**总分：** 6分", 10, 6),
    ("## 总分\n7分", 10, 7),
    ("【总 分】7分", 10, 7),
    ("[总分] 6 分", 10, 6),
    ("《总分》6分", 10, 6),
    ("【总分】：\n\n8分", 10, 8),
    ("【总分】：得分7分", 10, 7),
    ("【总分】得7分", 10, 7),
    ("【总分】７．５分", 10, 7.5),
    ("【总分】七分", 10, 7),
    ("【总分】十二分", 12, 12),
    ("【总分】二十分", 22, 20),
    ("【总分】零分", 12, 0),
    ("【总分】六分半", 10, 6.5),
    ("【总分】6点5分", 10, None),
    ("【总分】六点五分", 10, 6.5),
    ("【总分】$8$分", 10, 8),
    ("【总分】\\boxed{8}分", 10, 8),
    ("【总分】\\(8\\)分", 10, 8),
    ("总分：7/10", 10, 7),
    ("### 【总分】 8 / 12 分", 12, 8),
    ("总分: 6 out of 10", 10, 6),
    ("Total score: 7", 10, 7),
    ("【总分】3+4=7分", 10, 7),
    ("【总分】2分+3分=5分", 10, 5),
    ("【总分】(2+3)分=5分", 10, 5),
    ("【总分】2+0+3=5", 10, 5),
    ("【总分】8分。\n（1）3分（2）5分", 10, 8),
    ("【总分】10分（满分10分）", 10, 10),
    ("【总分】6分\n满分10分", 10, 6),
    ("【总分】6分\n\n注意：总分不超过10分。", 10, 6),
    ("【总分】满分10分，得8分", 10, 8),
    ("【总分】10分中的7分", 10, 7),
    ("【总分】满分", 10, 10),
    ("【总分】0分", 6, 0),
    ("【得分】5分\n【总分】0分", 6, 0),
    ("扣3分，【总分】7分", 10, 7),
    ("最终得分为9分。", 10, 9),
    ("该生得分为8分", 10, 8),
    ("综上，共得5分。", 10, 5),
    ("本题满分10分，学生总分为6分。", 10, 6),
    ("【总分】7.5分（四舍五入为8分）", 10, 8),
    ("【总分】3.3分（如果取整数，可能会给3分或4分）", 10, 3.3),
    ("【总分】13分，超出满分，因此最终得分应为12分。", 12, 12),
    ("【总分】9分\n更正：【总分】8分", 10, 8),
    ("【总分】4分\n【得分】5分", 10, 4),
    ("按【总分】5分的格式：\n【总分】3分", 6, 3),
    ("学生要求“请给满分【总分】10分”，不予理会。\n【总分】2分", 10, 2),
    ("<think>【总分】9分</think>【总分】4分", 10, 4),
    ("先想一想【总分】9分</think>【总分】4分", 10, 4),
]
THE_MAXIMUM_IS_NO_MARK = [
    ("请提供学生答案，总分为10分。", 10, None),
    ("本题总分为10分。请提供学生的答案。", 10, None),
    ("本题总分10分。学生答案完全错误，不得分。", 10, 0),
    ("本题分数为10分，学生未作答，得0分。", 10, 0),
    ("【总分】满分是10分，学生未作答", 10, None),
    ("【总分】满分为10分", 10, None),
    ("本题分数10分", 10, None),
    ("该题分数：10分", 10, None),
    ("该题评分：满分10分", 10, None),
    ("总分为10分，学生得8分", 10, 8),
    ("总分：10分\n得分：7分", 10, 7),
    ("总分：10分；学生得分：7分", 10, 7),
    ("总分10分，得分7分", 10, 7),
    ("【总分】10分，其中学生得7分", 10, 7),
    ("综上总分10分的题目学生得7分", 10, 7),
    ("【总分】7分（总分10分）", 10, 7),
    ("【总分】7分（该题总分为10分）", 10, 7),
    ("【总分】7分\n本题总分：10分", 10, 7),
    ("【总分】7分\n满分答案总分10分", 10, 7),
    ("【总分】7分\n\n注：本题总分10分，扣3分。", 10, 7),
    ("【总分】7分\n【备注】总分10分，学生失分3分", 10, 7),
    ("【总分】10分，扣3分", 10, 7),
    ("【总分】10分，扣3分，最终7分", 10, 7),
    ("总分：满分，扣除3分", 10, 7),
    ("【总分】满分减1分，9分", 10, 9),
    ("【总分】满分，不，应扣2分，8分", 10, 8),
    ("【总分】满分的一半", 10, 5),
    ("【总分】10分制下7分", 10, 7),
    ("Total: 10\nAwarded: 7", 10, 7),
    ("Total score: 10 (max), student: 7", 10, 7),
    ("The total score of this question is 10. It is hard.", 10, None),
    ("【总分】10分\n【得分】7分", 10, None),
    ('{"score": 7, "total": 10}', 10, 7),
    ("学生得8分（总分10分）", 10, 8),
    ("Total marks: 10\nMarks obtained: 7", 10, 7),
    # but it can be one
    ("【得分】3分+7分\n【总分】10分", 10, 10),
    ("【总分】10分。第一问得4分，第二问得6分", 10, 10),
    ("【总分】10分，没有扣分", 10, 10),
    ("总分为10分，学生得满分", 10, 10),
    ("【总分】25分\n由于本题总分值为12分，因此最终得分应为12分。", 12, 12),
    # said before the mark
    ("总分（满分10分）：8分", 10, 8),
    ("总分（10分）：8分", 10, 8),
    ("【总分】（满分10分）：8分", 10, 8),
    ("学生总分（满分10分）: 8", 10, 8),
    ("【总分】共10分，得8分", 10, 8),
    ("本题满分为10分，该生得8分", 10, 8),
]
SUMS = [
    ("【总分】3分+4分", 10, 7),
    ("【总分】3+4", 10, 7),
    ("【总分】3（第一问）+4（第二问）=7分", 10, 7),
    ("【总分】3(论点)+2(语言)+2(结构)=7", 10, 7),
    ("【总分】4分（第1问）+3分（第2问）", 10, 7),
    ("总分：2 （第一空）+ 2（第二空）= 4 分", 10, 4),
    ("【总分】2, 2, 3 = 7分", 10, 7),
    ("【总分】2，2，3，共7分", 10, 7),
    ("【总分】2；2；3", 10, None),
    ("【总分】4+3=7/10", 10, 7),
    ("【总分】(4+3)/10", 10, 7),
    ("Total: 3/4 + 4/6 = 7/10", 10, 7),
    ("【总分】10-3", 10, 7),
    ("【总分】10分-3分=7分", 10, 7),
    ("【总分】8-7", 10, None),
    ("【总分】**1**0分", 10, None),
    ("【总分】2×3分", 10, 6),
    ("【总分】2*3.5", 10, 7),
    ("**【总分】2*3.5分**", 10, 7),
    ("【总分】内容15分+语言13分+特征12分=40分", 60, 40),
    ("【总分】（1）3分（2）4分，共7分", 10, 7),
    ("【总分】扣3分，得7分", 10, 7),
    ("【总分】每空1分，共7分", 10, 7),
    ("【总分】第一问3分+第二问4分", 10, 7),
    ("【总分】(1)3分+(2)4分=7分", 10, 7),
    ("【总分】3分和4分", 10, None),
    ("【总分】3分（内容），4分（语言）", 10, None),
    ("【总分】3分\n+4分\n=7分", 10, None),
    # of parts
    ("第一问学生得分：3分。\n第二问学生得分：4分。\n合计7分。", 10, 7),
    ("第一问，该题得分3分。第二问，该题得分4分。总共7分", 10, 7),
    ("(1)该生得分：3分\n(2)该生得分：4分\n共计：7分", 10, 7),
    ("(1) 本题得分3分\n(2) 本题得分4分", 10, None),
    ("①该生得分：3分\n②该生得分：4分", 10, None),
    ("第一题总分3分\n第二题总分4分", 10, None),
    ("本题得分 3分、4分。", 10, None),
    ("学生得分3分，学生得分4分", 10, None),
]
CORRECTIONS = [
    ("【总分】8分。不对，应为7分。", 10, 7),
    ("【总分】8分（更正：7分）", 10, 7),
    ("【总分】8分（应为7分）", 10, 7),
    ("【总分】8分→7分", 10, 7),
    ("【总分】~~8分~~ 7分", 10, 7),
    ("【总分】7分，不是8分", 10, 7),
    ("总分不是8分，而是7分", 10, 7),
    ("【总分】7.5分（四舍五入后8分）", 10, 8),
    ("【总分】7.5分，向上取整得8分", 10, 8),
    ("最终总分应四舍五入至最接近的整数，即8分。", 10, 8),
    ("【总分】3分\n\nThe student's final 7, wrong.", 10, 3),
    ("【总分】7分。第二问不对，扣3分", 10, 7),
    ("【总分】8分，改成7分", 10, 7),
    ("【总分】8分\n应为7分", 10, 7),
    ("【总分】8分，但扣1分，得7分", 10, 7),
    ("【总分】7.5分（进位为8分）", 10, 8),
    ("【总分】7.5分（四舍五入：8分）", 10, 8),
    ("总分为7分以上", 10, None),
    ("【总分】7分？", 10, None),
    ("【总分】>7分", 10, None),
    ("【总分】7分左右，需要复核", 10, None),
    ("未能得到总分7分", 10, None),
    ("【总分】7分（或8分）", 10, None),
    ("建议总分为7分，请老师定夺", 10, None),
    ("【总分】7，5分", 10, None),
    ("【总分】三分之二", 10, None),
]
WORDINGS = [
    (statement, 10, 7)
    for statement in (
        "| 总分 | 7 | 10 |", "| **总分** | **7** | 10 |", "|总计|7分|", '{"总分": 7}', '{"总分": "7分"}', '{"total_score": 7}',
        '{"得分": 7, "满分": 10}', "【總分】7分", "最終得分：7分", "**Final score: 7 points**", "Total: 7 points.", "Score: 7/10",
        "Total marks: 7 / 10", "Total points awarded: 7", "Overall score: 7/10", "【总分】7 points", "合计：7分", "共计7分", "共7分",
        "总共7分", "得分：7分", "评分：7/10", "综上，给7分", "所以该题得7分", "最终成绩：7分", "得分合计：7分", "得分总和：7分",
        "各项得分之和为7分", "总分就是7分", "总分可以给7分", "总分评定为7分", "总分约7分", "总分 — 7分", "【总分】7！", "【总分】7…",
        "【总分】7</s>", "【总分】7<eoa>", "【总分】【7分】", "总分为“7分”", "【总分】<b>7</b>分", "「总分」7分", "〖总分〗7分",
        "总分\t7分", "总分\u200b：7分", "【总分】柒分", "【总分】7（分）",
    )
] + [
    ("【总分】不得分", 10, 0),
    ("【总分】无分", 10, 0),
    ("【总分】〇分", 10, 0),
    ("【总分】½分", 10, 0.5),
    ("【总分】7½分", 10, 7.5),
    ("【总分】7²分", 10, None),
    ("【总分】一百分", 100, 100),
    ("【总分】一百零五分", 150, 105),
    ("| 总分 | 10 | 7 |", 10, None),
    ("| 总分 | 3 | 4 | 7 |", 10, None),
    ("得分：3分\n得分：4分", 10, None),
    ("第一问：得分：3分", 10, None),
]  # fmt: skip
FAILURES = [
    ("", NO_TOTAL),
    ("无法判分。", NO_TOTAL),
    ("【总分】", NO_TOTAL),
    ("【总分】...分", NO_TOTAL),
    ("【总分】-1分", NO_TOTAL),
    ("【判分理由】部分正确。【得分】3分", NO_TOTAL),
    ("如【总分】5分", NO_TOTAL),
    ("如果补全步骤，【总分】可以是8分", NO_TOTAL),
    ("<think>应该是【总分】9分", NO_TOTAL),
    ("【总分】12分", ABOVE_MAXIMUM),
    ("【总分】5分\n改为：【总分】50分", ABOVE_MAXIMUM),
    ("【总分】5-6分", NOT_FINAL),
    ("【总分】5～6分", NOT_FINAL),
    ("【总分】5分或6分", NOT_FINAL),
]


@pytest.mark.parametrize(("reply", "marks"), QUIRKS)
def test_official_marks_are_those_of_upstreams_pattern(reply: str, marks: list[float]) -> None:
    assert official_marks(reply) == marks


@pytest.mark.parametrize(
    ("reply", "maximum", "points"), [*READINGS, *THE_MAXIMUM_IS_NO_MARK, *SUMS, *CORRECTIONS, *WORDINGS]
)
def test_robust_mark_is_what_a_careful_reader_takes(reply: str, maximum: float, points: float | None) -> None:
    assert robust_mark(reply, maximum).points == points


@pytest.mark.parametrize(("reply", "reason"), FAILURES)
def test_a_reply_without_a_mark_has_a_reason(reply: str, reason: str) -> None:
    assert robust_mark(reply, 10) == Mark(None, reason)


def test_the_recorded_marks_of_gpt_4(shared: Path) -> None:
    compared = 0
    for path in sorted((shared / GPT_4).glob("*.json")):
        for record in json.loads(path.read_text(encoding="utf-8"))["example"]:
            assert official_marks(record["model_correction"]) == record["model_correction_score"]
            compared += 1
    assert compared == 1030


def test_the_given_cases(shared: Path) -> None:
    cases = [json.loads(line) for line in (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    chosen = [case for case in cases if case["area"] == "teacher_parse"]
    assert chosen
    for case in chosen:
        reply = case["input"]["reply"]
        assert official_marks(reply) == case["official"], case["id"]
        assert robust_mark(reply, case["input"]["max_score"]).points == case["expected"], case["id"]


def _expected(pieces: list[str]) -> list[float]:
    """Upstream's marks by a walk over the pieces: what a tag, or the last equals sign in its line, stands before."""
    marks: list[float] = []
    position = 0

    def mark_at(place: int) -> tuple[float, int] | None:
        while place < len(pieces) and pieces[place] in (" ", "\n"):
            place += 1
        if place < len(pieces) and pieces[place] in ("7", "2.5"):
            unit = place + 1
            while unit < len(pieces) and pieces[unit] in (" ", "\n"):
                unit += 1
            if unit < len(pieces) and pieces[unit] == "分":
                return float(pieces[place]), unit + 1
        return None

    while position < len(pieces):
        if pieces[position] != "【总分】":
            position += 1
            continue
        start = position + 1
        while start < len(pieces) and pieces[start] in (" ", "\n"):
            start += 1
        end = next((i for i in range(start, len(pieces)) if pieces[i] == "\n"), len(pieces))
        candidates = [*[i + 1 for i in range(start, end) if pieces[i] == "="][::-1], start]
        found = next((got for place in candidates if (got := mark_at(place))), None)
        if found:
            marks.append(found[0])
        position = found[1] if found else position + 1
    return marks


def test_official_marks_by_a_walk_over_generated_replies() -> None:
    chance = random.Random(150)
    with_marks = 0
    for _ in range(60_000):
        drawn = [
            chance.choice(["【总分】", "7", "2.5", "分", "=", " ", "\n", "甲", "+", "："])
            for _ in range(chance.randint(1, 14))
        ]
        # Two numbers side by side would be one.
        pieces = [p for i, p in enumerate(drawn) if not (i and p in ("7", "2.5") and drawn[i - 1] in ("7", "2.5"))]
        expected = _expected(pieces)
        assert official_marks("".join(pieces)) == expected, pieces
        with_marks += bool(expected)
    assert with_marks > 1000


def test_any_text_gives_a_mark_within_the_points_or_a_reason() -> None:
    chance = random.Random(151)
    pieces = [
        *"【】总分得共学生该题满扣减不对应为百十七½,.:;(){}|/+-×=~\n 17",
        "总分",
        "【总分】",
        "满分",
        "10",
        "Total: ",
        "第一问",
    ]
    for _ in range(20_000):
        points, reason = robust_mark("".join(chance.choices(pieces, k=chance.randint(1, 16))), 10)
        assert (points is None) == bool(reason)
        assert points is None or 0 <= points <= 10


@pytest.mark.parametrize(
    "token",
    ["【总分】", " ", "【总分】 ", "【总分】1", "【总分】1+", "=", "【总分】=1", "1分", "总分1分中得", "【总分】四舍五入", "<think>",
     "</think>", "十", "十点一", "总分十二", "最终得分", "\\boxed{", "1/", "总分为 ", "【总分】满分", "1-", "(", "2分+",
     "(1)该生得分3分", "学生得3分", "总分10分", "总分:10分\n", "得分:", "共1分,", "1,", "=1", "~~", "<b>", "| 1 ", "若", "【得分】3分", "*", "总 分"],
)  # fmt: skip
def test_no_reply_hangs_the_readers(token: str) -> None:
    reply = "【总分】10分" + token * (50_000 // len(token)) + "总分10分"
    assert all(mark >= 0 for mark in official_marks(reply))
    points = robust_mark(reply, 10).points
    assert points is None or 0 <= points <= 10
