"""The ways in which judges' replies are read, by name: each in two pipelines, and the way such a judge writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zh_metrics.judge.texts import in_digits

from alignbench_tasks.critiques import UNREAD_SCORE, official_critique_score
from alignbench_tasks.judgment import FAILED, OVERALL, Scores, official_scores, robust_scores
from alignbench_tasks.ratings import official_rating, robust_rating

DIMENSIONS, RATING, CRITIQUE = "dimensions", "rating", "critique"


class JudgeScores(NamedTuple):
    """What one judge gives to one reply. Upstream's code always has a score: one for replies it can't read, too."""

    rating: Mapping[str, float]
    score: float
    unread: bool = False  # the score is the one for replies that can't be read


@dataclass(frozen=True)
class Reading:
    """One way: `official` and `robust` read a reply, `as_reply` writes a mark as such a judge would."""

    official: Callable[[str], JudgeScores]
    robust: Callable[[str, Sequence[str]], Scores]
    as_reply: Callable[[float, Sequence[str]], str]


def reading_of(name: str) -> Reading:
    """The way of that name, a member of `READINGS`; the benchmark's own, by dimensions, for ""."""
    return READINGS[name or DIMENSIONS]


def as_dictionary(mark: float, dimensions: Sequence[str]) -> str:
    """A mark the way the benchmark's prompt asks for it, the same for each dimension."""
    return "{" + ", ".join(f"'{name}': {in_digits(mark)}" for name in (*dimensions, OVERALL)) + "}"


def as_rating(mark: float, dimensions: Sequence[str]) -> str:
    """A mark as a single rating, in double brackets."""
    return f"[[{in_digits(mark)}]]"


def _official_dimensions(judgment: str) -> JudgeScores:
    rating, score = official_scores(judgment)
    return JudgeScores(rating, score, unread=score == FAILED)


def _official_rating(judgment: str) -> JudgeScores:
    score = official_rating(judgment)
    return JudgeScores({}, score, unread=True) if score == FAILED else JudgeScores({OVERALL: score}, score)


def _official_critique(judgment: str) -> JudgeScores:
    score = official_critique_score(judgment)
    if score is None:
        return JudgeScores({}, UNREAD_SCORE, unread=True)
    return JudgeScores({OVERALL: score}, score)


def _robust_rating(judgment: str, dimensions: Sequence[str]) -> Scores:
    return robust_rating(judgment)


READINGS = {
    DIMENSIONS: Reading(_official_dimensions, robust_scores, as_dictionary),
    RATING: Reading(_official_rating, _robust_rating, as_rating),
    CRITIQUE: Reading(_official_critique, robust_scores, as_dictionary),
}
