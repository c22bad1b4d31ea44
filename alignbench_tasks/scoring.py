"""From the judgments of a reply to its scores, and from scores to the benchmark's means. All on a scale from 1 to 10."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import Any, NamedTuple

from zh_metrics.judge import Judgment, Verdict
from zh_metrics.judge.panel import AGGREGATES, spread

from alignbench_tasks.categories import CATEGORIES, DIMENSION_BY_NAME, LANGUAGE, REASONING
from alignbench_tasks.flags import FLAGS, LONG_REPLY, SAME_FAMILY, contradictions, is_long, same_family
from alignbench_tasks.readings import JudgeScores, reading_of
from lm_eval_zh.replies import MISSING_REPLY

OK = "ok"
# The official pipeline found no score, and counts the one upstream has for that: -1, or CritiqueLLM's 5.
UNREAD = "unread"
REPLY_EMPTY = "reply_empty"  # the model gave no text: nobody was asked to judge it


class ScoreOutcome(NamedTuple):
    """What one pipeline makes of the judgments of one reply."""

    rating: list[list[Any]]  # [name, score], the mean or median of the judges where there are several
    score: float | None  # the overall score; None if there is none: a failure, not a score
    status: str
    flags: list[str]  # names in `FLAGS`: what a reader should look at
    judgments: list[list[Any]]  # as they came: [status, reason, [[model, text], ...]]
    judge_scores: list[float | None]  # the overall score of each judge, None from one that gave none
    characters: int | None  # of the reply; None where there is none


def official_score_outcome(verdict: Verdict, doc: Mapping[str, Any], reply: str) -> ScoreOutcome:
    """Scores as upstream takes them: off each judge's first reply, which it never asks for again.

    Source: THUDM/AlignBench, `judge.py`, `run_sample`.
    """
    read = [
        reading_of(judgment.reading).official(judgment.replies[0].text) if judgment.replies else None
        for judgment in verdict.judgments
    ]
    return _outcome(read, "", verdict, doc, reply)


def robust_score_outcome(verdict: Verdict, doc: Mapping[str, Any], reply: str) -> ScoreOutcome:
    """Scores as a careful reader takes them: off each judge's first reply that can be read."""
    read = [_first_read(judgment, doc["dimensions"]) for judgment in verdict.judgments]
    reasons = [reason for _, reason in read if reason]
    return _outcome([scores for scores, _ in read], reasons[-1] if reasons else "", verdict, doc, reply)


def _first_read(judgment: Judgment, dimensions: Sequence[str]) -> tuple[JudgeScores | None, str]:
    """The scores in the first reply that can be read; without one, why the last could not be."""
    reason = ""
    for reply in judgment.replies:
        scores = reading_of(judgment.reading).robust(reply.text, dimensions)
        if scores.score is not None:
            return JudgeScores(scores.rating, scores.score), ""
        reason = scores.reason
    return None, reason


def without_judgment(status: str) -> ScoreOutcome:
    """The outcome of a reply that nobody was asked to judge."""
    return ScoreOutcome([], None, status, [], [], [], None)


def _outcome(
    by_judge: Sequence[JudgeScores | None], unread: str, verdict: Verdict, doc: Mapping[str, Any], reply: str
) -> ScoreOutcome:
    read = [one for one in by_judge if one is not None]
    scores = [None if one is None else float(one.score) for one in by_judge]
    score = verdict.rule.combine([float(one.score) for one in read])
    if score is None:
        status = verdict.no_score(len(read), unread)
        return ScoreOutcome([], None, status, [], verdict.as_records(), scores, len(reply))
    status = UNREAD if any(one.unread for one in read) else OK
    flags = _flags(read, verdict, doc, reply) if status == OK else []
    rating = _rating(read, verdict.rule.aggregate)
    return ScoreOutcome(rating, score, status, flags, verdict.as_records(), scores, len(reply))


def _flags(read: Sequence[JudgeScores], verdict: Verdict, doc: Mapping[str, Any], reply: str) -> list[str]:
    raised = {flag for one in read for flag in contradictions(one.rating, one.score)}
    if same_family(verdict.candidate, verdict.judgments):
        raised.add(SAME_FAMILY)
    if is_long(reply, doc["reference"]):
        raised.add(LONG_REPLY)
    return [flag for flag in FLAGS if flag in raised]


def _rating(read: Sequence[JudgeScores], aggregate: str) -> list[list[Any]]:
    names = dict.fromkeys(name for one in read for name in one.rating)
    combine = AGGREGATES[aggregate]
    return [[name, combine([float(one.rating[name]) for one in read if name in one.rating])] for name in names]


Scored = tuple[str, float | None]
"""A document's category and overall score; None where it has none."""


def measure(doc: Mapping[str, Any], outcome: ScoreOutcome) -> dict[str, Any]:
    """What one document adds to each metric: its scores where they belong, None elsewhere.

    An answer without a score is in no mean, and is counted in `judge_failed`, `reply_empty` or `reply_missing`; upstream's
    -1 is in the official means, and is counted too.
    """
    scored: Scored = (doc["category"], outcome.score)
    rating = {DIMENSION_BY_NAME[name]: score for name, score in outcome.rating if name in DIMENSION_BY_NAME}
    unscored = outcome.status not in (OK, REPLY_EMPTY, MISSING_REPLY)
    return {
        **dict.fromkeys(("score", "score_reasoning", "score_language"), scored),
        **{f"score_{category}": outcome.score if category == doc["category"] else None for category in CATEGORIES},
        **{f"dimension_{name}": rating.get(name) for name in DIMENSION_BY_NAME.values()},
        "score_of_category": outcome.score,
        "coverage": (0.0 if outcome.score is None else 1.0, doc["task_questions"]),
        "judge_failed": outcome.status if unscored else "",
        "judge_spread": _spread(outcome) if outcome.score is not None else None,
        **{f"flag_{flag}": float(flag in outcome.flags) for flag in FLAGS},
        "reply_empty": outcome.status if outcome.status == REPLY_EMPTY else "",
        "reply_missing": outcome.status if outcome.status == MISSING_REPLY else "",
        "reply_characters": outcome.characters,
    }


def _spread(outcome: ScoreOutcome) -> float | None:
    return spread([score for score in outcome.judge_scores if score is not None])


def mean_score(scores: Iterable[float | None]) -> float:
    """The mean of the scores there are; NaN if there is none."""
    there = [score for score in scores if score is not None]
    return mean(there) if there else math.nan


def group_score(scored: Iterable[Scored], categories: Sequence[str]) -> float:
    """The mean of the categories' means; NaN if one of them has no score."""
    by_category: dict[str, list[float]] = {category: [] for category in categories}
    for category, score in scored:
        if category in by_category and score is not None:
            by_category[category].append(score)
    return mean(map(mean_score, by_category.values()))


def reasoning_score(scored: Iterable[Scored]) -> float:
    """The mean of the two reasoning categories; NaN if one has no score."""
    return group_score(scored, REASONING)


def language_score(scored: Iterable[Scored]) -> float:
    """The mean of the six language categories; NaN if one has no score."""
    return group_score(scored, LANGUAGE)


def overall_score(scored: Iterable[Scored]) -> float:
    """The mean of `reasoning_score` and `language_score`: a reasoning category weighs three times a language one.

    NaN if a category has no score. Source: paper, and THUDM/AlignBench, `show_result.py`.
    """
    values = list(scored)
    return (reasoning_score(values) + language_score(values)) / 2
