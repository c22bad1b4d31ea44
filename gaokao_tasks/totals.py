"""Totals out of 750, from the rates of each subject's objective and subjective questions.

Source: paper, Table 7 (points by subject) and the subjects of the two exams; OpenLMLab/GAOKAO-Bench,
`Bench/merge_OBJ_SUB_score.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from zh_metrics.aggregation import rate

from gaokao_tasks.question_types import KINDS, OBJECTIVE, SUBJECTIVE

SCIENCES = ("chinese", "english", "math_sci", "physics", "chemistry", "biology")
HUMANITIES = ("chinese", "english", "math_hum", "politics", "history", "geography")

Cell = tuple[str, str]
"""A subject and a kind of question: what has a rate and a number of points of its own."""

POINTS: Mapping[Cell, int] = {
    (subject, kind): points
    for subject, objective, subjective in (
        ("chinese", 45, 105),
        ("english", 105, 45),
        ("math_sci", 60, 90),
        ("math_hum", 60, 90),
        ("physics", 44, 66),
        ("chemistry", 50, 50),
        ("biology", 27, 63),
        ("politics", 50, 50),
        ("history", 50, 50),
        ("geography", 40, 60),
    )
    for kind, points in ((OBJECTIVE, objective), (SUBJECTIVE, subjective))
}


def converted_points(rates: Mapping[Cell, float], subject: str, kind: str, official_rounding: bool = False) -> float:
    """The points a rate in [0, 1] is worth in the exam; NaN where there is no rate.

    With `official_rounding` the rate is rounded to three decimals first and the points after, as upstream does.
    """
    part = rates.get((subject, kind), math.nan)
    if official_rounding:
        return round(POINTS[subject, kind] * round(part, 3), 3)
    return POINTS[subject, kind] * part


def total(rates: Mapping[Cell, float], subjects: Iterable[str], official_rounding: bool = False) -> float:
    """The points of all subjects together, in [0, 750]; NaN if a rate is missing, never a smaller number.

    With `official_rounding` each subject is rounded to three decimals and the total to one, as upstream does.
    """
    parts = [sum(converted_points(rates, subject, kind, official_rounding) for kind in KINDS) for subject in subjects]
    return round(sum(round(part, 3) for part in parts), 1) if official_rounding else sum(parts)


Contribution = tuple[str, str, float, float]
"""A document's subject and kind, points earned and points possible; those are 0 for one that was not marked."""


def total_sciences(contributions: Iterable[Contribution]) -> float:
    """The sciences' total of a run, from one contribution per document. In [0, 750], NaN if a part has no document."""
    return total(_rates(contributions), SCIENCES)


def total_humanities(contributions: Iterable[Contribution]) -> float:
    """The humanities' total of a run, as `total_sciences`."""
    return total(_rates(contributions), HUMANITIES)


def _rates(contributions: Iterable[Contribution]) -> dict[Cell, float]:
    pairs: dict[Cell, list[tuple[float, float]]] = {}
    for subject, kind, earned, possible in contributions:
        pairs.setdefault((subject, kind), []).append((earned, possible))
    return {cell: rate(of_cell) for cell, of_cell in pairs.items()}
