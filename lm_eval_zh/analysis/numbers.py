"""Numbers of a run with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from zh_metrics.bootstrap import (
    LEVEL,
    RESAMPLES,
    SEED,
    Array,
    ErrorParts,
    Estimate,
    PairedDifference,
    Statistic,
    error_parts,
    estimates,
    paired_differences,
    question_weights,
)

from lm_eval_zh.analysis.questions import MAIN, Analysis, Number, Question, Reading
from lm_eval_zh.analysis.runs import Run
from lm_eval_zh.sources import SourceError

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made: the number of resamples, the confidence level in (0, 1), the seed."""

    resamples: int = RESAMPLES
    level: float = LEVEL
    seed: int = SEED

    def describe(self) -> str:
        """For a footnote."""
        return f"{100 * self.level:.12g} % bootstrap intervals over questions: {self.resamples:,} resamples, seed {self.seed}"


@dataclass(frozen=True)
class Figure:
    """A number of a run: the estimate, how many questions are in it, and what of its error is the judge's, if known."""

    number: Number
    estimate: Estimate
    questions: int
    error_parts: ErrorParts | None = None

    @property
    def value(self) -> float:
        """The number itself; NaN where a part of it is missing."""
        return self.estimate.value


class Readings:
    """One pipeline's readings of questions, ready for numbers: arrays over the questions, and the bootstrap's weights.

    Weights depend on the questions alone: two runs on the same questions share them, which is what pairs their resamples.
    """

    def __init__(self, analysis: Analysis, questions: Mapping[str, Question], pipeline: str) -> None:
        # By id, so that the order of a run does not move its intervals.
        self.questions = [questions[id_] for id_ in sorted(questions) if pipeline in questions[id_].readings]
        self.readings: list[Reading] = [question.readings[pipeline] for question in self.questions]
        self._analysis = analysis
        self._labels: dict[str, Array] = {}
        self._quantities: dict[str, Array] = {}

    def weights(self, bootstrap: Bootstrap) -> Array:
        """The bootstrap's weights: strata as the benchmark says, questions of one text in one cluster."""
        return question_weights(
            [self._analysis.stratum(question.labels) for question in self.questions],
            ["".join(question.text.split()) for question in self.questions],
            bootstrap.resamples,
            bootstrap.seed,
        )

    def statistic(self, number: Number) -> Statistic:
        """The number as something to be resampled."""
        earned_possible = self._quantity(number.quantity)
        masks = np.stack([self._in(cell.labels) for cell in number.cells], axis=1)
        coefficients = np.array([cell.coefficient for cell in number.cells])
        return Statistic(earned_possible[:, :1] * masks, earned_possible[:, 1:] * masks, coefficients)

    def figures(self, numbers: Sequence[Number], weights: Array, level: float) -> list[Figure]:
        """Each number with its interval and, where questions were judged repeatedly, the judge's part of the error."""
        statistics = [self.statistic(number) for number in numbers]
        return [
            Figure(number, estimate, self._count(statistic), self._parts(number, statistic, estimate.error))
            for number, statistic, estimate in zip(
                numbers, statistics, estimates(statistics, weights, level), strict=True
            )
        ]

    def _quantity(self, name: str) -> Array:
        if name not in self._quantities:
            nothing = (0.0, 0.0)
            pairs = [reading.quantities.get(name, nothing) for reading in self.readings]
            self._quantities[name] = np.array(pairs, dtype=np.float64).reshape(len(pairs), 2)
        return self._quantities[name]

    def _in(self, labels: Mapping[str, str]) -> Array:
        inside = np.ones(len(self.questions))
        for kind, value in labels.items():
            if kind not in self._labels:
                values = [question.labels.get(kind, "") for question in self.questions]
                self._labels[kind] = np.array(values, dtype=object)
            inside = inside * (self._labels[kind] == value)
        return inside

    def _parts(self, number: Number, statistic: Statistic, error: float) -> ErrorParts | None:
        if number.quantity != MAIN:
            return None
        repeats = {row: reading.repeats for row, reading in enumerate(self.readings) if reading.repeats}
        parts = error_parts(statistic, error, repeats) if repeats else None
        return None if parts is None or math.isnan(parts.judge) else parts

    @staticmethod
    def _count(statistic: Statistic) -> int:
        return int((statistic.possible > 0).any(axis=1).sum())


def run_figures(run: Run, pipeline: str, numbers: Sequence[Number], bootstrap: Bootstrap) -> list[Figure]:
    """Numbers of one run. Raises SourceError if one isn't what the run's own results file says."""
    readings = Readings(run.analysis, run.questions, pipeline)
    figures = readings.figures(numbers, readings.weights(bootstrap), bootstrap.level)
    for figure in figures:
        check_against_results(run, pipeline, figure)
    return figures


def check_against_results(run: Run, pipeline: str, figure: Figure) -> None:
    """Raises SourceError if the run's results file has another value under the number's name."""
    told = run.metrics.get(f"{figure.number.name},{pipeline}")
    if not isinstance(told, (int, float)) or math.isnan(told) or math.isnan(figure.value):
        return
    if not math.isclose(told, figure.value, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        raise SourceError(
            f"{run.samples}: {figure.number.name} by {pipeline} comes to {figure.value!r}, but the results file says "
            f"{told!r}: are these the samples of that run?"
        )


def differences(
    first: Readings, second: Readings, numbers: Sequence[Number], weights: Array, level: float
) -> list[PairedDifference]:
    """By how much each number of `second` is above that of `first`, on the same questions."""
    return paired_differences(
        [first.statistic(number) for number in numbers],
        [second.statistic(number) for number in numbers],
        weights,
        level,
    )
