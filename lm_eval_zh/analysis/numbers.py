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
        self._repeats = {row: reading.repeats for row, reading in enumerate(self.readings) if reading.repeats}
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
        if number.quantity != MAIN or not self._repeats:
            return None
        parts = error_parts(statistic, error, self._repeats)
        return None if math.isnan(parts.judge) else parts

    @staticmethod
    def _count(statistic: Statistic) -> int:
        return int((statistic.possible > 0).any(axis=1).sum())


def checked(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs, after a look at whether their samples give the numbers of their results files.

    Raises SourceError naming the number for samples that aren't those of the run.
    """
    for run in runs:
        labels = [question.labels for question in run.questions.values()]
        parts = [(kind, value) for kind in run.analysis.breakdowns for value in run.analysis.values(kind, labels)]
        numbers = [*run.analysis.headline(labels), *(run.analysis.part(*part) for part in parts)]
        for pipeline in run.pipelines:
            readings = Readings(run.analysis, run.questions, pipeline)
            for number in numbers:
                told = run.metrics.get(f"{number.name},{pipeline}")
                if isinstance(told, (int, float)) and not math.isnan(told):
                    _check(run, pipeline, number.name, float(told), readings.statistic(number).value())
    return runs


def _check(run: Run, pipeline: str, name: str, told: float, found: float) -> None:
    if not math.isclose(told, found, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        raise SourceError(
            f"{run.samples}: {name} by {pipeline} comes to {found!r}, but the results file says {told!r}: are these the "
            "samples of that run?"
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
