"""From one value per document to one number per run, where documents weigh by points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Pair = tuple[float, float]
"""Points earned and points possible of one document; (0, 0) for a document that does not belong to the part."""


def rate(pairs: Iterable[Sequence[float]]) -> float:
    """Points earned over points possible. In [0, 1]; NaN if no document has points, for then there is no rate."""
    earned = possible = 0.0
    for got, of in pairs:
        earned += got
        possible += of
    return earned / possible if possible else math.nan


def share(pairs: Iterable[Sequence[float]]) -> float:
    """How much of a whole there is: pairs of a document's amount and the whole, which is the same in each pair.

    In [0, 1]; NaN if there are no pairs, or nothing in the whole.
    """
    amounts = list(pairs)
    return sum(part for part, _ in amounts) / amounts[0][1] if amounts and amounts[0][1] else math.nan


def total(values: Iterable[float]) -> float:
    """The sum. 0 if there are none."""
    return float(sum(values))


def count(reasons: Iterable[str]) -> int:
    """How many documents have a reason, such as the one why nothing could be read. The empty string is no reason."""
    return sum(1 for reason in reasons if reason)
