"""What a report says, whatever it is written as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lm_eval_zh.analysis.numbers import Bootstrap, Figure, Readings, checked
from lm_eval_zh.analysis.questions import Analysis, Labels, Names, Number, Question, Reading
from lm_eval_zh.analysis.runs import Run, has_number, merged_questions
from lm_eval_zh.analysis.standings import Standing, standings
from lm_eval_zh.run_signature import package_version

OK = "ok"


@dataclass(frozen=True)
class Candidate:
    """The runs of one name, which complete each other."""

    name: str
    runs: Sequence[Run]
    questions: Mapping[str, Question]


@dataclass(frozen=True)
class Slice:
    """The share that one cell has in a stacked number, and the most it could have."""

    labels: Labels
    value: float
    most: float


@dataclass(frozen=True)
class Account:
    """One candidate's numbers by one pipeline."""

    candidate: str
    pipeline: str
    headline: Sequence[Figure]
    parts: Mapping[str, Sequence[tuple[str, Figure]]]  # by kind of label, then label
    stacks: Mapping[str, Sequence[Slice]]  # by number
    outcomes: Mapping[str, int]  # questions by what became of their reply: `ok` or the kind of failure
    statuses: Mapping[str, int]  # the statuses of failures, in the pipeline's words
    flags: Mapping[str, int]


@dataclass(frozen=True)
class Section:
    """The questions of one whole, and the candidates that answered them."""

    whole: str
    analysis: Analysis
    candidates: Sequence[Candidate]
    accounts: Sequence[Account]
    standings: Sequence[Standing]

    @property
    def names(self) -> Mapping[str, Names]:
        """What the benchmark's labels, numbers and statuses are called."""
        return self.analysis.names()


@dataclass(frozen=True)
class Report:
    """A report."""

    sections: Sequence[Section]
    bootstrap: Bootstrap
    version: str  # of this package


def report_of(runs: Sequence[Run], bootstrap: Bootstrap) -> Report:
    """The report of these runs; runs of one name and one whole of questions stand together.

    Raises SourceError if two of them have a question in common, or if samples aren't those of their results file.
    """
    checked(runs)
    wholes: dict[str, dict[str, list[Run]]] = {}
    for run in runs:
        wholes.setdefault(run.whole, {}).setdefault(run.name, []).append(run)
    sections = [_section(whole, by_name, bootstrap) for whole, by_name in wholes.items()]
    return Report(sections, bootstrap, package_version("lm-eval-zh"))


def _section(whole: str, by_name: Mapping[str, Sequence[Run]], bootstrap: Bootstrap) -> Section:
    candidates = [Candidate(name, runs, merged_questions(runs)) for name, runs in by_name.items()]
    runs = [run for candidate in candidates for run in candidate.runs]
    pipelines = list(dict.fromkeys(pipeline for run in runs for pipeline in run.pipelines))
    return Section(
        whole=whole,
        analysis=runs[0].analysis,
        candidates=candidates,
        accounts=[
            _account(candidate, pipeline, bootstrap)
            for candidate in candidates
            for pipeline in pipelines
            if any(pipeline in run.pipelines for run in candidate.runs)
        ],
        standings=[standing for pipeline in pipelines for standing in standings(runs, pipeline, bootstrap)],
    )


def _account(candidate: Candidate, pipeline: str, bootstrap: Bootstrap) -> Account:
    analysis = candidate.runs[0].analysis
    readings = Readings(analysis, candidate.questions, pipeline)
    labels = [question.labels for question in readings.questions]
    headline = [number for number in analysis.headline(labels) if has_number(candidate.runs, number)]
    kinds = [(kind, value) for kind in analysis.breakdowns for value in analysis.values(kind, labels)]
    parts = [part for part in kinds if has_number(candidate.runs, analysis.part(*part))]
    numbers = [*headline, *(analysis.part(*part) for part in parts)]
    figures = readings.figures(numbers, readings.weights(bootstrap), bootstrap.level)
    by_kind: dict[str, list[tuple[str, Figure]]] = {kind: [] for kind in analysis.breakdowns}
    for (kind, value), figure in zip(parts, figures[len(headline) :], strict=True):
        by_kind[kind].append((value, figure))
    failed = [reading for reading in readings.readings if reading.failure]
    return Account(
        candidate=candidate.name,
        pipeline=pipeline,
        headline=figures[: len(headline)],
        parts=by_kind,
        stacks={number.name: list(_slices(readings, number)) for number in headline if number.name in analysis.stacked},
        outcomes=Counter(_outcome(reading) for reading in readings.readings),
        statuses=Counter(reading.status for reading in failed),
        flags=Counter(flag for reading in readings.readings for flag in reading.flags),
    )


def _outcome(reading: Reading) -> str:
    return reading.failure.value if reading.failure else OK


def _slices(readings: Readings, number: Number) -> Iterator[Slice]:
    for cell in number.cells:
        alone = Number(number.name, (cell,), number.quantity, number.scale)
        yield Slice(cell.labels, readings.statistic(alone).value(), cell.coefficient)
