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


@pytest.mark.parametrize(("reply", "maximum", "points"), READINGS)
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


@pytest.mark.parametrize(
    "token",
    ["【总分】", " ", "【总分】 ", "【总分】1", "【总分】1+", "=", "【总分】=1", "1分", "总分1分中得", "【总分】四舍五入", "<think>",
     "</think>", "十", "十点一", "总分十二", "最终得分", "\\boxed{", "1/", "总分为 ", "【总分】满分", "1-", "(", "2分+"],
)  # fmt: skip
def test_no_reply_hangs_the_readers(token: str) -> None:
    reply = token * (50_000 // len(token))
    assert all(mark >= 0 for mark in official_marks(reply))
    points = robust_mark(reply, 10).points
    assert points is None or 0 <= points <= 10
