"""From scores to the benchmark's means."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from zh_metrics.judge import JudgeReply, Judgment, PanelRule, Status, Verdict

from alignbench_tasks.categories import CATEGORIES, LANGUAGE, REASONING
from alignbench_tasks.flags import FLAGS, contradictions
from alignbench_tasks.scoring import (
    REPLY_EMPTY,
    ScoreOutcome,
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
DOC = {"category": "logic", "task_questions": 4.0, "dimensions": DIMENSIONS, "reference": "参考" * 10}


def judgment(*replies: str, status: Status = Status.OK, reason: str = "") -> Judgment:
    return Judgment(status, reason, tuple(JudgeReply(text, model="j") for text in replies))


def official(judgments: Sequence[Judgment], rule: PanelRule = PanelRule()) -> ScoreOutcome:  # noqa: B008
    return official_score_outcome(Verdict(tuple(judgments), rule), DOC, "答")


def robust(judgments: Sequence[Judgment], rule: PanelRule = PanelRule()) -> ScoreOutcome:  # noqa: B008
    return robust_score_outcome(Verdict(tuple(judgments), rule), DOC, "答")


def test_the_official_score_is_the_first_replys_whatever_it_is() -> None:
    asked_again = [judgment("很好", "{'事实正确性': 6, '综合得分': 5}")]
    assert official(asked_again)[:3] == ([], -1.0, "unread")
    assert robust(asked_again)[:3] == ([["事实正确性", 6.0], ["综合得分", 5.0]], 5.0, "ok")


def test_several_judges_are_averaged() -> None:
    two = [judgment("{'清晰度': 6, '综合得分': 5}"), judgment("{'清晰度': 8, '综合得分': 8}")]
    for outcome in (official(two), robust(two)):
        assert (outcome.score, dict(map(tuple, outcome.rating))) == (6.5, {"清晰度": 7.0, "综合得分": 6.5})  # type: ignore[arg-type]
    with_failure = [*two[:1], judgment(status=Status.FILTERED, reason="content_filter")]
    assert robust(with_failure).score == 5.0


@pytest.mark.parametrize(
    ("judgments", "of_official", "of_robust"),
    [
        ([], "not_judged", "not_judged"),
        ([judgment(status=Status.EXHAUSTED, reason="timeout")], "exhausted", "exhausted"),
        ([judgment(status=Status.TOO_LONG, reason="context_length_exceeded")], "too_long", "too_long"),
        ([judgment("好", status=Status.UNPARSED)], "unread", "no_scores"),
        ([judgment("{'综合得分': 70}", status=Status.UNPARSED)], "ok", "out_of_range"),
    ],
)
def test_failures_have_their_reason(judgments: list[Judgment], of_official: str, of_robust: str) -> None:
    assert official(judgments).status == of_official
    assert robust(judgments).status == of_robust


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
    for outcome in (official([told]), robust([told])):
        assert outcome.flags == flags
        assert [name for name in FLAGS if measure(DOC, outcome)[f"flag_{name}"]] == flags


THREE = [judgment(f"{{'事实正确性': {n}, '综合得分': {n}}}") for n in (2, 3, 10)]


@pytest.mark.parametrize(
    ("judgments", "rule", "score"),
    [
        pytest.param(THREE, PanelRule("mean", 2), 5.0, id="mean"),
        pytest.param(THREE, PanelRule("median", 2), 3.0, id="median"),
        pytest.param([*THREE[:2], judgment(status=Status.FILTERED)], PanelRule("mean", 2), 2.5, id="quorum reached"),
        pytest.param([THREE[0], judgment(status=Status.FILTERED)], PanelRule("mean", 2), None, id="quorum missed"),
        pytest.param(THREE, PanelRule("mean", 4), None, id="quorum of more judges than there are"),
        pytest.param([], PanelRule("mean", 0), None, id="nobody"),
    ],
)
def test_a_panels_score(judgments: list[Judgment], rule: PanelRule, score: float | None) -> None:
    for outcome in (official(judgments, rule), robust(judgments, rule)):
        assert outcome.score == score
        assert dict(map(tuple, outcome.rating)).get("事实正确性") == score  # type: ignore[arg-type]


def test_too_few_judges_are_a_reason_of_its_own() -> None:
    outcome = robust([THREE[0], judgment("好", status=Status.UNPARSED)], PanelRule("mean", 2))
    assert (outcome.score, outcome.status, outcome.judge_scores) == (None, "below_quorum", [2.0, None])
    values = measure(DOC, outcome)
    assert (values["judge_failed"], values["judge_spread"], values["coverage"]) == ("below_quorum", None, (0.0, 4.0))


def test_the_spread_is_the_sample_standard_deviation_of_the_judges() -> None:
    values = measure(DOC, robust(THREE))
    assert values["judge_spread"] == pytest.approx(math.sqrt((9 + 4 + 25) / 2))  # about the mean of 5
    assert measure(DOC, robust(THREE[:1]))["judge_spread"] is None


def test_judges_asked_in_different_ways_sit_on_one_panel() -> None:
    """A score by dimensions, a single rating, and one as CritiqueLLM gives it."""
    panel = [
        replace(judgment("{'事实正确性': 6, '综合得分': 6}"), reading="dimensions"),
        replace(judgment("好，[[8]]"), reading="rating"),
        replace(judgment("综合得分：4"), reading="critique"),
    ]
    for outcome in (official(panel), robust(panel)):
        assert (outcome.score, outcome.judge_scores) == (6.0, [6.0, 8.0, 4.0])
        assert outcome.rating == [["事实正确性", 6.0], ["综合得分", 6.0]]


@pytest.mark.parametrize(("reading", "of_official"), [("dimensions", -1.0), ("rating", -1.0), ("critique", 5.0)])
def test_what_upstreams_codes_make_of_no_score(reading: str, of_official: float) -> None:
    unread = [replace(judgment("好", status=Status.UNPARSED), reading=reading)]
    assert official(unread)[1:3] == (of_official, "unread")
    assert robust(unread)[1:3] == (None, "no_scores")


@pytest.mark.parametrize(
    ("candidate", "judge", "flagged"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", "qwen-max", True),
        ("/models/DeepSeek-R1-Distill-Qwen-7B/", "qwen-max", True),
        ("THUDM/chatglm3-6b", "CritiqueLLM-6B", True),
        ("Qwen/Qwen2.5-7B-Instruct", "gpt-4-0613", False),
        ("", "", False),
        ("a-model", "a-model", False),
    ],
)
def test_a_judge_of_the_candidates_family_is_flagged(candidate: str, judge: str, flagged: bool) -> None:
    said = Judgment(Status.OK, "", (JudgeReply("{'综合得分': 6}", model=judge),))
    for score in (official_score_outcome, robust_score_outcome):
        outcome = score(Verdict((said,), candidate=candidate), DOC, "答")
        assert outcome.flags == ["same_family"] * flagged
        assert measure(DOC, outcome)["flag_same_family"] == float(flagged)


@pytest.mark.parametrize(
    ("characters", "reference", "flagged"), [(500, 20, True), (499, 20, False), (600, 200, False), (601, 200, True)]
)
def test_a_reply_much_longer_than_the_reference_is_flagged(characters: int, reference: int, flagged: bool) -> None:
    verdict = Verdict((judgment("{'综合得分': 6}"),))
    outcome = robust_score_outcome(verdict, {**DOC, "reference": "参" * reference}, "长" * characters)
    assert outcome.flags == ["long_reply"] * flagged
    assert measure(DOC, outcome)["reply_characters"] == characters


def test_upstreams_minus_one_is_in_the_official_mean_and_counted() -> None:
    unread = [judgment("好", status=Status.UNPARSED)]
    of_official, of_robust = measure(DOC, official(unread)), measure(DOC, robust(unread))
    assert of_official["score_logic"] == -1.0
    assert of_official["judge_failed"] == "unread"
    assert of_official["coverage"] == (1.0, 4.0)
    assert of_robust["score_logic"] is None
    assert of_robust["judge_failed"] == "no_scores"
    assert of_robust["coverage"] == (0.0, 4.0)


def test_a_score_belongs_to_its_category_and_its_dimensions() -> None:
    values = measure(DOC, robust([judgment("{'清晰度': 8, '综合得分': 7}")]))
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
    as_upstream = [(category, -1.0 if score is None else score) for category, score in scored]
    assert reasoning_score(as_upstream) == (3.5 + 4.0) / 2
    assert overall_score(as_upstream) == (3.75 + 3.5) / 2


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
