"""Intervals and differences of benchmark numbers, by a bootstrap over questions.

The numbers of our benchmarks are sums over cells, such as categories, of a coefficient times a ratio of sums: points over
points, a mean of categories' means, a total of converted points. `Statistic` is that form; resampling it takes two products
of matrices, so that a thousand resamples of thousands of questions take about a second.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RESAMPLES = 1000
LEVEL = 0.95
SEED = 0


@dataclass(frozen=True)
class Statistic:
    """A number of `n` questions: the sum over `c` cells of coefficient times points earned over points possible.

    `earned` and `possible` have the shape (n, c) and are 0 where a question is not in a cell; `coefficients` has shape (c,).
    One cell with coefficient 1 is a rate, or a mean where `possible` is 1.
    """

    earned: Array
    possible: Array
    coefficients: Array

    def value(self) -> float:
        """The number; NaN if a cell has no points possible, for then a part of it is missing."""
        return float(resampled([self], np.ones((1, len(self.earned))))[0, 0])

    def gradient(self) -> Array:
        """By how much the number grows with each question's points earned, of shape (n,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = self.coefficients / self.possible.sum(axis=0)
        gradient: Array = np.where(self.possible > 0, slopes, 0.0).sum(axis=1)
        return gradient


class Estimate(NamedTuple):
    """A number with its interval and standard error; all but the value NaN where one question or none is known."""

    value: float
    low: float
    high: float
    error: float


class PairedDifference(NamedTuple):
    """How much larger the second run's number is, its interval, and the probability of such a difference by chance."""

    value: float
    low: float
    high: float
    p: float


class ErrorParts(NamedTuple):
    """The standard error of a judged number, and what of it is the judge's and the choice of questions'.

    `error` squared is the sum of the two others' squares, as far as the estimates allow. `by_judge` is what the number
    would be by each judge, or each of a judge's turns, alone: what sets judges apart as a whole is in no standard error.
    """

    error: float
    judge: float
    questions: float
    by_judge: tuple[float, ...] = ()


def question_weights(
    strata: Sequence[str],
    clusters: Sequence[str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Array:
    """How often each of `n` questions counts in each resample: shape (resamples, n), mean 1 in each column.

    Questions are drawn with replacement within their stratum, so that each has its share in every resample. Questions of
    one cluster, such as those that share a text, are drawn together; a cluster across strata makes a stratum of its own
    with its like. Of `m` clusters of a stratum `m - 1` are drawn and weigh `m / (m - 1)`: drawing `m` would make the
    variance too small by that factor, which matters where a subject has nine questions. A stratum of one cluster has no
    variance to show and is joined to the others of its kind, or to the smallest stratum; where it is all there is, the
    weights are NaN. Equal arguments give equal weights with one version of numpy.

    Source: Rao and Wu, Resampling inference with complex survey data, JASA 83 (1988), section 2.
    """
    members: dict[str, list[int]] = defaultdict(list)
    for position in range(len(strata)):
        members[clusters[position] if clusters else str(position)].append(position)
    by_stratum: dict[str, list[list[int]]] = defaultdict(list)
    for of_cluster in members.values():
        by_stratum["\n".join(sorted({strata[position] for position in of_cluster}))].append(of_cluster)
    weights = np.ones((resamples, len(strata)))
    for name, units in _without_single_units(by_stratum).items():
        drawn = len(units) - 1
        if not drawn:  # one cluster is all there is
            return np.full_like(weights, np.nan)
        # Each stratum has a stream of its own: a number's interval is the same whatever else is in the run.
        random = np.random.default_rng([seed, *hashlib.sha256(name.encode()).digest()[:8]])
        picked = random.integers(0, len(units), size=(resamples, drawn))
        picked += np.arange(resamples)[:, np.newaxis] * len(units)
        counts = np.bincount(picked.ravel(), minlength=resamples * len(units)).reshape(resamples, len(units))
        unit_of = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
        weights[:, [position for unit in units for position in unit]] = (counts * (len(units) / drawn))[:, unit_of]
    return weights


def _without_single_units(strata: Mapping[str, list[list[int]]]) -> dict[str, list[list[int]]]:
    """The strata, those of one unit joined to each other; a lone one to the smallest of the others."""
    single = {name: units for name, units in strata.items() if len(units) == 1}
    others = {name: units for name, units in strata.items() if len(units) > 1}
    if len(single) == 1 and others:
        smallest = min(others, key=lambda name: (len(others[name]), name))
        return {**others, smallest: others[smallest] + next(iter(single.values()))}
    if single:
        others["\n".join(sorted(single))] = [unit for units in single.values() for unit in units]
    return others


def resampled(statistics: Sequence[Statistic], weights: Array) -> Array:
    """The statistics' values in each resample: shape (resamples, statistics). NaN where a cell came out empty."""
    if not statistics:
        return np.empty((len(weights), 0))
    earned = weights @ np.hstack([statistic.earned for statistic in statistics])
    possible = weights @ np.hstack([statistic.possible for statistic in statistics])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(possible > 0, earned / possible, np.nan)
    ends = np.cumsum([len(statistic.coefficients) for statistic in statistics])[:-1]
    parts = np.split(ratios, ends, axis=1)
    return np.stack([part @ statistic.coefficients for part, statistic in zip(parts, statistics, strict=True)], axis=1)


def estimates(statistics: Sequence[Statistic], weights: Array, level: float = LEVEL) -> list[Estimate]:
    """Each statistic with its percentile interval at `level`, in (0, 1), and its standard error."""
    values = resampled(statistics, weights)
    return [
        Estimate(statistic.value(), *_interval(column, level, _n_questions(statistic)), _error(column, statistic))
        for statistic, column in zip(statistics, values.T, strict=True)
    ]


def paired_differences(
    first: Sequence[Statistic], second: Sequence[Statistic], weights: Array, level: float = LEVEL
) -> list[PairedDifference]:
    """By how much each number of the second run is above the first's, on the same questions in the same order.

    `p` is two-sided: how often resampling moves the difference as far from itself as it is from 0; between
    1 / (resamples + 1) and 1, and 1 if the runs do not differ. NaN where a number is NaN.

    Source: Riezler and Maxwell, On some pitfalls in automatic evaluation and significance testing for MT (2005), as in
    sacrebleu's `PairedTest`.
    """
    differences = []
    columns = (resampled(second, weights) - resampled(first, weights)).T
    for one, other, column in zip(first, second, columns, strict=True):
        value = other.value() - one.value()
        known = column[~np.isnan(column)]
        p = math.nan
        if not math.isnan(value) and len(known):
            # The tolerance is for sums whose order differs: a difference of nothing is 0.
            as_far = int((np.abs(known - value) >= abs(value) - 1e-12).sum())
            p = (as_far + 1) / (len(known) + 1)
        low, high = _interval(column, level, min(_n_questions(one), _n_questions(other)))
        differences.append(PairedDifference(value, low, high, p))
    return differences


def error_parts(statistic: Statistic, error: float, repeats: Mapping[int, Sequence[float | None]]) -> ErrorParts:
    """Parts the standard error `error` of a number whose questions were judged by `j` judges, or `j` times by one.

    `repeats` has a question's scores by its row, one per judge and None from one who gave none, in the unit of `earned`,
    which holds their mean, or median, for which the parts are those of a mean. The judge's part is what asking the same judges about the same replies anew would move the
    number by, from their scatter about each question's mean and each judge's leniency; a question with one score has the
    usual scatter, and one that is not in `repeats` has none. What is left of the error is the choice of questions. NaN
    parts if no question of the number has two scores.
    """
    value, gradient = statistic.value(), statistic.gradient()
    rows = [row for row in repeats if gradient[row]]
    judges = max((len(repeats[row]) for row in rows), default=0)
    scores = np.full((len(rows), judges), np.nan)
    for place, row in enumerate(rows):
        scores[place, : len(repeats[row])] = [math.nan if score is None else score for score in repeats[row]]
    counts = (~np.isnan(scores)).sum(axis=1)
    twice = counts > 1
    if not twice.any() or math.isnan(value) or math.isnan(error):
        return ErrorParts(error, math.nan, math.nan)
    deviations = scores - np.nansum(scores, axis=1, keepdims=True) / np.maximum(counts, 1)[:, np.newaxis]
    n_twice = int(twice.sum())
    seen = (~np.isnan(deviations[twice])).sum(axis=0)
    leniency = np.nansum(deviations[twice], axis=0) / np.maximum(seen, 1) if n_twice > 1 else np.zeros(judges)
    scatter = np.nansum((deviations[twice] - leniency) ** 2, axis=1) / (counts[twice] - 1)
    scatter *= n_twice / max(1, n_twice - 1)  # the leniency was estimated from the same scores
    variances = np.full(len(rows), scatter.mean())
    variances[twice] = scatter
    slopes = gradient[rows]
    of_judge = float((slopes**2 * variances / np.maximum(counts, 1)).sum())
    by_judge = (_by_judge(statistic, rows, column) for column in scores.T)
    of_questions = math.sqrt(max(0.0, error**2 - of_judge))
    return ErrorParts(error, math.sqrt(of_judge), of_questions, tuple(by_judge))


def _by_judge(statistic: Statistic, rows: Sequence[int], scores: Array) -> float:
    """The number with one judge's scores in the place of all judges', over the questions that it scored."""
    earned, possible = statistic.earned.copy(), statistic.possible.copy()
    known = ~np.isnan(scores)[:, np.newaxis]
    inside = possible[rows] > 0
    earned[rows] = np.where(known & inside, np.nan_to_num(scores)[:, np.newaxis], 0.0)
    possible[rows] = np.where(known, possible[rows], 0.0)
    return Statistic(earned, possible, statistic.coefficients).value()


def _n_questions(statistic: Statistic) -> int:
    return int((statistic.possible > 0).any(axis=1).sum())


def _error(values: Array, statistic: Statistic) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 and _n_questions(statistic) > 1 else math.nan


def _interval(values: Array, level: float, n_questions: int) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if not len(known) or n_questions < 2:
        return math.nan, math.nan
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
