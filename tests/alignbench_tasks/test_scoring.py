"""From scores to the benchmark's means."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from zh_metrics.judge import JudgeReply, Judgment, Status

from alignbench_tasks.categories import CATEGORIES, LANGUAGE, REASONING
from alignbench_tasks.scoring import (
    FLAGS,
    REPLY_EMPTY,
    contradictions,
    group_score,
    language_score,
    mean_score,
    measure,
    official_score_outcome,
    overall_score,
    reasoning_score,
    robust_score_outcome,
    without_judgment,
)

DIMENSIONS = ["事实正确性", "清晰度"]
DOC = {"category": "logic", "task_questions": 4.0, "dimensions": DIMENSIONS}


def judgment(*replies: str, status: Status = Status.OK, reason: str = "") -> Judgment:
    return Judgment(status, reason, tuple(JudgeReply(text, model="j") for text in replies))


def test_the_official_score_is_the_first_replys_whatever_it_is() -> None:
    asked_again = [judgment("很好", "{'事实正确性': 6, '综合得分': 5}")]
    assert official_score_outcome(asked_again, DIMENSIONS)[:3] == ([], -1.0, "unread")
    assert robust_score_outcome(asked_again, DIMENSIONS)[:3] == ([["事实正确性", 6.0], ["综合得分", 5.0]], 5.0, "ok")


def test_several_judges_are_averaged() -> None:
    two = [judgment("{'清晰度': 6, '综合得分': 5}"), judgment("{'清晰度': 8, '综合得分': 8}")]
    for outcome in (official_score_outcome(two, DIMENSIONS), robust_score_outcome(two, DIMENSIONS)):
        assert (outcome.score, dict(map(tuple, outcome.rating))) == (6.5, {"清晰度": 7.0, "综合得分": 6.5})  # type: ignore[arg-type]
    with_failure = [*two[:1], judgment(status=Status.FILTERED, reason="content_filter")]
    assert robust_score_outcome(with_failure, DIMENSIONS).score == 5.0


@pytest.mark.parametrize(
    ("judgments", "official", "robust"),
    [
        ([], "not_judged", "not_judged"),
        ([judgment(status=Status.EXHAUSTED, reason="timeout")], "exhausted", "exhausted"),
        ([judgment(status=Status.TOO_LONG, reason="context_length_exceeded")], "too_long", "too_long"),
        ([judgment("好", status=Status.UNPARSED)], "unread", "no_scores"),
        ([judgment("{'综合得分': 70}", status=Status.UNPARSED)], "ok", "out_of_range"),
    ],
)
def test_failures_have_their_reason(judgments: list[Judgment], official: str, robust: str) -> None:
    assert official_score_outcome(judgments, DIMENSIONS).status == official
    assert robust_score_outcome(judgments, DIMENSIONS).status == robust


@pytest.mark.parametrize(
    ("rating", "score", "flags"),
    [
        ({"事实正确性": 8, "清晰度": 6, "综合得分": 7}, 7, []),
        ({"事实正确性": 8, "清晰度": 6, "综合得分": 6}, 6, []),
        ({"事实正确性": 8, "清晰度": 6, "综合得分": 9}, 9, ["outside_dimensions"]),
        ({"事实正确性": 8, "清晰度": 6, "综合得分": 5}, 5, ["outside_dimensions"]),
        ({"事实正确性": 2, "清晰度": 8, "综合得分": 3}, 3, ["against_rules"]),
        ({"事实正确性": 2, "清晰度": 8, "综合得分": 2}, 2, []),
        ({"事实正确性": 1, "清晰度": 2, "综合得分": 5}, 5, ["outside_dimensions", "against_rules"]),
        ({"综合得分": 5}, 5, []),
    ],
)
def test_a_judgment_that_contradicts_itself_is_flagged(
    rating: dict[str, float], score: float, flags: list[str]
) -> None:
    assert contradictions(rating, score) == flags
    told = judgment(str(rating))
    for outcome in (official_score_outcome([told], DIMENSIONS), robust_score_outcome([told], DIMENSIONS)):
        assert outcome.flags == flags
        assert [name for name in FLAGS if measure(DOC, outcome)[f"flag_{name}"]] == flags


def test_upstreams_minus_one_is_in_the_official_mean_and_counted() -> None:
    unread = [judgment("好", status=Status.UNPARSED)]
    official, robust = (
        measure(DOC, outcome(unread, DIMENSIONS)) for outcome in (official_score_outcome, robust_score_outcome)
    )
    assert official["score_logic"] == -1.0
    assert official["judge_failed"] == "unread"
    assert official["coverage"] == (1.0, 4.0)
    assert robust["score_logic"] is None
    assert robust["judge_failed"] == "no_scores"
    assert robust["coverage"] == (0.0, 4.0)


def test_a_score_belongs_to_its_category_and_its_dimensions() -> None:
    values = measure(DOC, robust_score_outcome([judgment("{'清晰度': 8, '综合得分': 7}")], DIMENSIONS))
    assert values["score"] == ("logic", 7.0)
    assert (values["score_logic"], values["score_mathematics"], values["score_of_category"]) == (7.0, None, 7.0)
    assert (values["dimension_clarity"], values["dimension_factuality"]) == (8.0, None)
    assert (values["judge_failed"], values["reply_empty"]) == ("", "")


def test_an_empty_reply_is_counted_and_scored_by_nobody() -> None:
    values = measure(DOC, without_judgment(REPLY_EMPTY))
    assert values["score"] == ("logic", None)
    assert (values["judge_failed"], values["reply_empty"]) == ("", REPLY_EMPTY)


def test_the_overall_score_by_hand() -> None:
    """Two questions in mathematics, one elsewhere; one failure, which upstream counts as -1."""
    scored: list[tuple[str, float | None]] = [("mathematics", 8.0), ("mathematics", None), ("logic", 4.0)]
    scored += [(category, float(number)) for number, category in enumerate(LANGUAGE, start=1)]  # 1 to 6: 3.5
    assert reasoning_score(scored) == 6.0
    assert language_score(scored) == 3.5
    assert overall_score(scored) == 4.75
    official = [(category, -1.0 if score is None else score) for category, score in scored]
    assert reasoning_score(official) == (3.5 + 4.0) / 2
    assert overall_score(official) == (3.75 + 3.5) / 2


def test_a_category_without_a_score_leaves_no_overall_score() -> None:
    without_logic: list[tuple[str, float | None]] = [(c, 5.0) for c in CATEGORIES if c != "logic"]
    assert math.isnan(overall_score(without_logic))
    assert math.isnan(overall_score([*without_logic, ("logic", None)]))
    assert math.isnan(reasoning_score(without_logic))
    assert language_score(without_logic) == 5.0
    assert math.isnan(overall_score([]))
    assert math.isnan(mean_score([]))
    assert math.isnan(mean_score([None]))
    assert group_score([("logic", 3.0), ("logic", 5.0), ("writing", 9.0)], ["logic"]) == 4.0


@pytest.mark.parametrize("name", ["alignbench_judged_by_gpt-4-0613.csv", "alignbench_judged_by_critiquellm.csv"])
def test_the_published_rows_obey_the_aggregation(shared: Path, name: str) -> None:
    with (shared / "leaderboards" / name).open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    assert len(rows) == 17
    for row in rows:
        scored = [(category, float(row[category])) for category in CATEGORIES]
        for printed, ours in (("overall", overall_score), ("reasoning", reasoning_score), ("language", language_score)):
            assert ours(scored) == pytest.approx(float(row[printed]), abs=0.011), (row["model"], printed)
    assert set(REASONING) | set(LANGUAGE) == set(CATEGORIES)


def test_the_leaderboard_file_is_the_published_one(shared: Path) -> None:
    with (Path(__file__).parents[2] / "alignbench_tasks" / "leaderboards" / "models.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        rows = list(csv.DictReader(file))
    for judge, name in (("gpt-4-0613", "gpt-4-0613"), ("CritiqueLLM", "critiquellm")):
        with (shared / "leaderboards" / f"alignbench_judged_by_{name}.csv").open(encoding="utf-8", newline="") as file:
            assert [row for row in rows if row["judge"] == judge] == [
                {"judge": judge, **row} for row in csv.DictReader(file)
            ]
