"""What scoring a run again has changed: questions with another outcome, metrics with another value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lm_eval.utils import sanitize_list

from lm_eval_zh.logged_samples import LoggedQuestion, outcome_text, split_outcome

_ROUNDING = 1e-12  # relative
_FLOAT32 = 1e-6  # an encoder's vectors depend on what else is in the batch, and what the cache has is in none


@dataclass(frozen=True)
class Change:
    """One question of which a pipeline now makes something else."""

    id: str
    pipeline: str
    before: str
    after: str


@dataclass(frozen=True)
class MovedMetric:
    """A number of the results that is another one now; None for one that is not there."""

    name: str  # as in the results file: metric and pipeline
    before: float | None
    after: float | None


def changed_outcomes(
    questions: Iterable[LoggedQuestion], samples: Iterable[Mapping[str, Any]]
) -> tuple[list[Change], int]:
    """The changes, in the order of the samples, and how many outcomes were compared: those that the run recorded.

    `samples` are the harness's, before it writes them. The judges' words are not compared, only what is made of them.
    """
    recorded = {question.id: question.outcomes for question in questions}
    found, compared = [], 0
    for sample in samples:
        id_, pipeline = sample["doc"]["id"], sample["filter"]
        before = recorded.get(id_, {}).get(pipeline)
        if before is None:
            continue
        compared += 1
        written = json.loads(json.dumps(sanitize_list(sample["filtered_resps"][0])))  # as a file will hold it
        _, after = split_outcome(written)
        if not _alike(before, after):
            found.append(Change(id_, pipeline, outcome_text(before), outcome_text(after)))
    return found, compared


def _alike(before: object, after: object) -> bool:
    """Whether two parts of outcomes are the same, numbers as far as single precision goes."""
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_alike, before, after))
    if before == after:
        return True
    try:
        return math.isclose(float(str(before)), float(str(after)), abs_tol=_FLOAT32)
    except ValueError:
        return False


def moved_metrics(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[MovedMetric]:
    """The numbers that differ between two results of a task, in the order of their names; NaN equals NaN.

    By more than rounding: a run of several processes added its values up in another order.
    """
    numbers = [MovedMetric(name, _number(before.get(name)), _number(after.get(name))) for name in {*before, *after}]
    moved = [metric for metric in numbers if not _same(metric.before, metric.after)]
    return sorted(moved, key=lambda metric: metric.name)


def _same(number: float | None, other: float | None) -> bool:
    if number is None or other is None:
        return number is other
    return math.isclose(number, other, rel_tol=_ROUNDING, abs_tol=_FLOAT32 / 10) or (
        math.isnan(number) and math.isnan(other)
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
