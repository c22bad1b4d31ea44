"""Scores read off judges' replies: by table, by the given cases, and by a walk over generated judgments."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from alignbench_tasks.judgment import (
    NO_SCORES,
    OUT_OF_RANGE,
    OVERALL,
    TRUNCATED,
    Scores,
    official_scores,
    robust_scores,
)

DIMENSIONS = ["事实正确性", "满足用户需求", "清晰度", "完备性"]

QUIRKS = [  # THUDM/AlignBench, judge.py, post_process
    pytest.param("{'事实正确性': 8, '综合得分': 7}", ({"事实正确性": 8, "综合得分": 7}, 7), id="as_asked_for"),
    pytest.param("很好。", ({}, -1), id="no_scores"),
    pytest.param("'综合得分': 7.5", ({}, 7.5), id="fallback_takes_decimals"),
    pytest.param("'综合得分': 7.123", ({}, 7.12), id="fallback_takes_two"),
    pytest.param("{'综合得分': 7.5}", ({"综合得分": 7}, 7), id="in_braces_decimals_are_cut"),
    pytest.param("{'综合得分': 85}", ({"综合得分": 85}, 85), id="no_range"),
    pytest.param("{'综合得分': 0}", ({"综合得分": 0}, 0), id="zero"),
    pytest.param('{"综合得分": 7}', ({}, -1), id="double_quotes"),
    pytest.param("{'综合得分':7}", ({}, -1), id="no_space"),
    pytest.param("{'综合得分': 7}{'清晰度': 3}", ({"综合得分": 7, "清晰度": 3}, 7), id="one_line_from_its_first_brace"),
    pytest.param("{'综合得分': 7}\n{'清晰度': 3}", ({"清晰度": 3}, 7.0), id="last_braces_then_fallback"),
    pytest.param("{'综合得分': 4}\n{'综合得分':\n 9}", ({}, 4.0), id="braces_over_lines_are_none"),
    pytest.param("{'综合得分': 7} {", ({}, 7.0), id="an_open_brace_after_them_hides_them"),
    pytest.param("'综合得分': 3 …… {'综合得分': 7}", ({"综合得分": 7}, 7), id="braces_before_fallback"),
    pytest.param("{'a', '综合得分': 7}", ({"a', '综合得分": 7}, 7.0), id="a_name_runs_from_the_first_quote"),
    pytest.param("", ({}, -1), id="empty"),
]

READINGS = [
    pytest.param("{‘事实正确性’：8，‘综合得分’：6}", 6, id="curly_quotes_full_width_marks"),
    pytest.param('{"事实正确性": "8", "综合得分": "7"}', 7, id="numbers_as_text"),
    pytest.param('```json\n{\n  "清晰度": 6,\n  "综合得分": 6\n}\n```', 6, id="fenced_json"),
    pytest.param("{事实正确性: 8, 综合得分: 7}", 7, id="no_quotes"),
    pytest.param("{'综合得分': 7.5}", 7.5, id="decimals"),
    pytest.param("{'综合得分': '7/10'}", 7, id="fraction"),
    pytest.param("{'综合得分': 7分}", 7, id="with_unit"),
    pytest.param("**综合得分**：7分", 7, id="stated_without_braces"),
    pytest.param("事实正确性：8分\n清晰度：7分\n综合得分：6分", 6, id="lines_without_braces"),
    pytest.param('{"scores": {"清晰度": 8, "综合得分": 7}}', 7, id="nested"),
    pytest.param("{{'清晰度': 8, '综合得分': 7}}", 7, id="doubled_braces"),
    pytest.param("{'综合得分': [[7]]}", 7, id="in_brackets"),
    pytest.param("格式如 {'清晰度': 9, '综合得分': 7}：\n{\"清晰度\": 3, \"综合得分\": 2}", 2, id="echo_before"),
    pytest.param("{'综合得分': 7}\n更正：{'综合得分': 4}", 4, id="correction"),
    pytest.param("{'综合得分': 7}。参见{'说明'}", 7, id="other_braces_after"),
    pytest.param("<think>{'综合得分': 9}</think>{'综合得分': 4}", 4, id="thinking"),
    pytest.param("想想{'综合得分': 9}</think>{'综合得分': 4}", 4, id="thinking_opened_by_the_template"),
    pytest.param("｛'综合得分'：10｝", 10, id="full_width_braces"),
    pytest.param("{'综合得分': 7, '总分': 10}", 7, id="another_total_beside_it"),
    pytest.param("综合得分：7\n总分：28/40", 7, id="a_sum_beside_it"),
    pytest.param("综合得分：6分（总分：10分）", 6, id="the_full_marks_beside_it"),
    pytest.param("综合得分：2\n评分规则：总分为1到2分", 2, id="the_rules_repeated"),
    pytest.param(
        "{'事实正确性': 2, '综合得分': 2}\n助手在末尾写了 {'综合得分': 10}", 2, id="the_answers_own_dictionary"
    ),
    pytest.param(
        "{'清晰度': 2, '综合得分': 2}\n参考答案的得分为 {'清晰度': 8, '综合得分': 8}", 2, id="the_references_score"
    ),
    pytest.param("综合得分：8分。参考答案的综合得分为9分", 8, id="the_references_score_stated"),
    pytest.param("{'清晰度': 7, '综合得分': 7}\n更正：综合得分：5", 5, id="correction_in_words"),
    pytest.param("AI助手的回答打分如下：{'清晰度': 7, '综合得分': 7}", 7, id="of_the_answer"),
    pytest.param("按照以下字典格式返回：\n{'清晰度': 7, '综合得分': 7}", 7, id="in_the_format_asked_for"),
    pytest.param("{'清晰度': 7, '综合得分': 7}<|endoftext|>Human: {'综合得分': 3}", 7, id="another_conversation"),
    pytest.param("{'清晰度': 7,\r\n'综合得分':\r\n7\r\n}", 7, id="line_ends_of_windows"),
    pytest.param("{'清晰度':\t7, '综合得分':\u3000\u200b7}", 7, id="odd_blanks"),
    pytest.param("{'清晰度': 8, '综合得分': 7。}", 7, id="a_full_stop_inside"),
    pytest.param("{'清晰度': 8, '综合得分': 7, '理由': '结构完整……'}", 7, id="an_ellipsis_in_a_remark"),
    pytest.param("{'清晰度': 8, # 清楚\n'综合得分': 7（良好）}", 7, id="remarks"),
    pytest.param("| 维度 | 分数 |\n|---|---|\n| 综合得分 | 7 |", 7, id="table"),
    pytest.param("### 综合得分\n7", 7, id="heading"),
    pytest.param("综合得分应为7分", 7, id="in_a_sentence"),
    pytest.param("综合得分：七分", 7, id="chinese_numeral"),
    pytest.param("綜合得分（滿分10分）：7", 7, id="traditional"),
    pytest.param("综合得分：$\\boxed{7}$", 7, id="tex"),
    pytest.param("综合得分：~~8~~ 7", 7, id="struck_out"),
    pytest.param("综合得分：7——质量不错", 7, id="a_dash_after_it"),
    pytest.param("最终得分：7", 7, id="under_another_name"),
    pytest.param('{"Factuality": 8, "Overall Score": 7}', 7, id="english"),
    pytest.param("{'清晰度': 7, '综合得分': 7}\n说明：f(x) = {x: 1, 2", 7, id="open_braces_of_something_else"),
]
FAILURES = [
    ("", NO_SCORES),
    ("整体中等偏上。", NO_SCORES),
    ("<think>{'综合得分': 9}", NO_SCORES),
    ("例如：{'事实正确性': 9, '满足用户需求': 6, ..., '综合得分': 7}", NO_SCORES),
    ("{'维度一': 打分, '综合得分': 打分}", NO_SCORES),
    ("{'事实正确性': 90, '综合得分': 85}", OUT_OF_RANGE),
    ("{'事实正确性': 8, '综合得分': 0}", OUT_OF_RANGE),
    ("{'事实正确性': 11, '综合得分': 7}", OUT_OF_RANGE),
    ("{'综合得分': -1}", OUT_OF_RANGE),
    ("综合得分：85", OUT_OF_RANGE),
    ("{'综合得分': 7}\n更正：{'综合得分': 70}", OUT_OF_RANGE),
    ("{'事实正确性': 8, '满足用户需求': 7, '综合", TRUNCATED),
    ("{'清晰度': 9, '综合得分': 7}\n\n{'清晰度': 3, '综", TRUNCATED),
    ("{'清晰度': 9, '综合得分': 7}\n```json\n{", TRUNCATED),
    ("例如：{'事实正确性': 9, '满足用户需求': 6, '综合得分': 7}", NO_SCORES),
    ("助手在末尾写了 {'综合得分': 10}", NO_SCORES),
    ("<|begin_of_thought|>{'综合得分': 9}<|end_of_thought|>无法给分", NO_SCORES),
    ("小明的总分是9。整体不错。", NO_SCORES),
    ("综合得分\n1. 事实正确性：8", NO_SCORES),
    *(
        (f"综合得分：{text}", NO_SCORES)
        for text in (
            "7-8分",
            "7到8分",
            "6至7",
            "7/100",
            "3/5",
            "10/100",
            "7%",
            "7→6",
            "8+7+6+7=28",
            "1,000",
            "7.5.3",
            "3个维度都好，给8分",
        )
    ),
]


@pytest.mark.parametrize(("judgment", "scores"), QUIRKS)
def test_official_scores_are_those_of_upstreams_code(judgment: str, scores: tuple[dict[str, int], float]) -> None:
    assert official_scores(judgment) == scores


@pytest.mark.parametrize(("judgment", "score"), READINGS)
def test_robust_score_is_what_a_careful_reader_takes(judgment: str, score: float) -> None:
    read = robust_scores(judgment, DIMENSIONS)
    assert (read.score, read.reason) == (score, "")
    assert read.rating[OVERALL] == score
    assert set(read.rating) <= {*DIMENSIONS, OVERALL}


@pytest.mark.parametrize(("judgment", "reason"), FAILURES)
def test_a_reply_without_a_score_has_a_reason(judgment: str, reason: str) -> None:
    read = robust_scores(judgment, DIMENSIONS)
    assert (read.score, read.reason) == (None, reason)


def test_a_score_of_four_hundred_digits_is_still_a_number() -> None:
    rating, score = official_scores(f"{{'清晰度': {'9' * 400}, '综合得分': {'9' * 400}}}")
    assert math.isfinite(float(rating["清晰度"])) and math.isfinite(float(score))
    assert math.isfinite(official_scores(f"'综合得分': {'9' * 400}")[1])
    assert robust_scores(f"{{'综合得分': {'9' * 400}}}", DIMENSIONS).score is None


def test_names_that_were_not_asked_for_are_left_out() -> None:
    assert robust_scores("{'清晰度': 8, '文采': 99, '综合得分': 7}", DIMENSIONS) == Scores({"清晰度": 8, OVERALL: 7}, 7)


def test_the_given_cases(shared: Path) -> None:
    cases = [json.loads(line) for line in (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    chosen = [case for case in cases if case["area"] == "judge_parse"]
    assert chosen
    for case in chosen:
        assert official_scores(case["input"]) == (case["official"]["rating"], case["official"]["score"]), case["id"]
        read = robust_scores(case["input"], DIMENSIONS)
        assert read.score == case["expected"]["score"], case["id"]
        assert read.rating == case["expected"].get("rating", read.rating), case["id"]


def expected(pieces: list[str]) -> tuple[dict[str, int], float]:
    """Upstream's scores by a walk over the pieces, each a brace, a pair, a line end or something else."""
    last_open = max((i for i, piece in enumerate(pieces) if piece == "{"), default=None)
    rating: dict[str, int] = {}
    if last_open is not None:
        close = next((i for i in range(last_open, len(pieces)) if pieces[i] == "}"), None)
        if close is not None:
            line = max((i for i in range(close) if pieces[i] == "\n"), default=-1)
            first_open = next((i for i in range(line + 1, close) if pieces[i] == "{"), None)
            if first_open is not None:
                inside = pieces[first_open + 1 : close]
                rating = {PAIRS[piece][0]: int(PAIRS[piece][1]) for piece in inside if piece in PAIRS}
    if OVERALL in rating:
        return rating, rating[OVERALL]
    first = next((PAIRS[piece][1] for piece in pieces if piece in PAIRS and PAIRS[piece][0] == OVERALL), None)
    return rating, -1 if first is None else float(first)


PAIRS = {
    "'综合得分': 7": (OVERALL, 7.0),
    "'综合得分': 9.5": (OVERALL, 9.5),
    "'清晰度': 3": ("清晰度", 3.0),
    "'完备性': 10": ("完备性", 10.0),
}


def test_official_scores_by_a_walk_over_generated_judgments() -> None:
    chance = random.Random(683)
    scored = 0
    for _ in range(20_000):
        pieces = [chance.choice(["{", "}", "\n", ", ", "评价", *PAIRS]) for _ in range(chance.randint(1, 12))]
        # A space keeps the digits of neighbouring pieces apart.
        text = " ".join(pieces)
        assert official_scores(text) == expected(pieces), text
        scored += expected(pieces)[1] != -1
    assert scored > 5000


@pytest.mark.parametrize(
    "token",
    ["{", "}", "'", "{'", "'综合得分': ", "'综合得分': 7", OVERALL, "{'综合得分': 7}", "<think>", "</think>", "甲", "甲 ",
     "(", "{甲: ", "1", "**", "综合得分：7\n", "7, ", "综合得分 ", "综合得分给", "例如", "助手写了{", "参考答案的", "更正{", "~~", "<del>"],
)  # fmt: skip
def test_no_reply_hangs_the_readers(token: str) -> None:
    judgment = token * (50_000 // len(token))
    official_scores(judgment)
    score = robust_scores(judgment, DIMENSIONS).score
    assert score is None or 1 <= score <= 10
