"""Two runs on the same questions: by how much they differ, whether that can be chance, and on which questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zh_metrics.bootstrap import PairedDifference

from lm_eval_zh.analysis.comparability import DIGESTS, FieldDifference, field_differences
from lm_eval_zh.analysis.numbers import Bootstrap, Figure, Readings, differences
from lm_eval_zh.analysis.questions import Analysis, Number, Question, Reading
from lm_eval_zh.analysis.runs import Run, has_number, merged_questions
from lm_eval_zh.registry import Benchmark
from lm_eval_zh.sources import SourceError

Questions = Mapping[str, Question]
_SAME = 1e-9  # points are sums of tenths


@dataclass(frozen=True)
class Compared:
    """One number in both runs."""

    number: Number
    first: Figure
    second: Figure
    difference: PairedDifference  # of the second from the first


@dataclass(frozen=True)
class Change:
    """A question that the two runs were given different points for."""

    question: Question
    first: Reading
    second: Reading
    gain: float  # of the second over the first; 0 where one of them is a failure that is in no number


@dataclass(frozen=True)
class Comparison:
    """Two runs of a benchmark in one pipeline, on the questions that both have."""

    benchmark: Benchmark
    whole: str  # what of the benchmark the questions are
    pipeline: str
    first: str
    second: str
    questions: int  # that both have
    scored: int  # of them those that both have a score for: what the numbers are of
    only_first: int  # questions of the first run that the second does not have
    only_second: int
    signature_differences: Sequence[FieldDifference]
    unsigned: Sequence[str]  # runs without a signature
    headline: Sequence[Compared]
    by_part: Mapping[str, Sequence[tuple[str, Compared]]]  # by kind of label, then by label
    changes: Sequence[Change]

    @property
    def void(self) -> list[FieldDifference]:
        """The differences of the signatures that make the numbers' difference meaningless."""
        return [difference for difference in self.signature_differences if difference.voids]


def compare(
    first: Sequence[Run], second: Sequence[Run], pipeline: str, kinds: Sequence[str], bootstrap: Bootstrap
) -> list[Comparison]:
    """A comparison for each whole of questions of which both have runs; `kinds` are the breakdowns, all that exist if empty.

    Raises SourceError if they share no question, if a question is in two runs of a side, or for an unknown breakdown.
    """
    read = [[run for run in side if pipeline in run.pipelines] for side in (first, second)]
    found = []
    for whole in dict.fromkeys(run.whole for run in read[0]):
        of_first, of_second = ([run for run in side if run.whole == whole] for side in read)
        if of_second:
            comparison = _compare(of_first, of_second, pipeline, kinds, bootstrap)
            if comparison.questions:
                found.append(comparison)
    if not found:
        raise SourceError(
            f"{first[0].samples} and {second[0].samples}: no question is in both with a reading by {pipeline!r}: "
            "expected runs of the same tasks"
        )
    known = dict.fromkeys(kind for comparison in found for kind in comparison.benchmark.analysis().breakdowns)
    for kind in kinds:
        if kind not in known:
            raise SourceError(f"no breakdown {kind!r}: expected one of {', '.join(known)}")
    return found


def _compare(
    first: Sequence[Run], second: Sequence[Run], pipeline: str, kinds: Sequence[str], bootstrap: Bootstrap
) -> Comparison:
    analysis = first[0].analysis
    all_first, all_second = merged_questions(first), merged_questions(second)
    common = sorted(all_first.keys() & all_second.keys())
    # A question that a judge failed in one run would leave the runs with different questions: it is in neither number.
    scored = [id_ for id_ in common if _are_scored(*(side[id_].readings[pipeline] for side in (all_first, all_second)))]
    pair = _readings(analysis, all_first, all_second, common, pipeline)
    compared = _Pair(
        analysis, *_readings(analysis, all_first, all_second, scored, pipeline), bootstrap, (*first, *second)
    )
    labels = [question.labels for question in pair[0].questions]
    return Comparison(
        benchmark=first[0].benchmark,
        whole=first[0].whole,
        pipeline=pipeline,
        first=first[0].name,
        second=second[0].name,
        questions=len(common),
        scored=len(scored),
        only_first=len(all_first) - len(common),
        only_second=len(all_second) - len(common),
        signature_differences=[*_text_differences(*pair), *_signature_differences(first, second, pipeline)],
        unsigned=[str(run.samples) for run in (*first, *second) if not run.signature_fields(pipeline)],
        headline=compared.numbers(analysis.headline(labels)) if scored else [],
        by_part=compared.by_part([kind for kind in analysis.breakdowns if kind in kinds or not kinds])
        if scored
        else {},
        changes=_changes(*pair),
    )


def _readings(
    analysis: Analysis, first: Questions, second: Questions, ids: Sequence[str], pipeline: str
) -> tuple[Readings, Readings]:
    one, other = (Readings(analysis, {id_: side[id_] for id_ in ids}, pipeline) for side in (first, second))
    return one, other


def _are_scored(first: Reading, second: Reading) -> bool:
    """Whether both readings are in the main number, or neither is and both are in others."""
    if first.possible or second.possible:
        return bool(first.possible and second.possible)
    return all(any(possible for _, possible in one.quantities.values()) for one in (first, second))


class _Pair:
    """The two runs' readings of the same questions, and the weights they share."""

    def __init__(
        self, analysis: Analysis, first: Readings, second: Readings, bootstrap: Bootstrap, runs: Sequence[Run]
    ) -> None:
        self._runs = runs
        self._analysis, self._first, self._second, self._level = analysis, first, second, bootstrap.level
        self.labels = [question.labels for question in first.questions]
        self._weights = first.weights(bootstrap)

    def numbers(self, wanted: Sequence[Number]) -> list[Compared]:
        """Those of them that both runs have."""
        numbers = [number for number in wanted if has_number(self._runs, number)]
        figures = (one.figures(numbers, self._weights, self._level) for one in (self._first, self._second))
        found = differences(self._first, self._second, numbers, self._weights, self._level)
        return [Compared(*row) for row in zip(numbers, *figures, found, strict=True)]

    def by_part(self, kinds: Sequence[str]) -> dict[str, list[tuple[str, Compared]]]:
        there = [(kind, value) for kind in kinds for value in self._analysis.values(kind, self.labels)]
        parts = [part for part in there if has_number(self._runs, self._analysis.part(*part))]
        found: dict[str, list[tuple[str, Compared]]] = {kind: [] for kind in kinds}
        numbers = self.numbers([self._analysis.part(*part) for part in parts])
        for (kind, value), compared in zip(parts, numbers, strict=True):
            found[kind].append((value, compared))
        return found


def _signature_differences(first: Sequence[Run], second: Sequence[Run], pipeline: str) -> list[FieldDifference]:
    """Those of each two runs with common questions."""
    found: dict[FieldDifference, None] = {}
    for run in first:
        for other in second:
            if run.questions.keys() & other.questions.keys():
                differences = field_differences(run.signature_fields(pipeline), other.signature_fields(pipeline))
                # Digests are of a whole task's files; what two tasks share is held text against text.
                same_task = run.task == other.task
                found.update(dict.fromkeys(d for d in differences if same_task or d.field not in DIGESTS))
    return sorted(found, key=lambda difference: not difference.voids)


def _text_differences(first: Readings, second: Readings) -> list[FieldDifference]:
    """Whether a question of the same id has another text, reference or instruction in the two runs."""
    pairs = zip(first.questions, second.questions, strict=True)
    other = [one.id for one, another in pairs if _texts(one) != _texts(another)]
    return [FieldDifference("question_texts", other[0], f"{len(other)} such questions")] if other else []


def _texts(question: Question) -> tuple[str, str, str]:
    return question.text, question.reference, question.instruction


def _changes(first: Readings, second: Readings) -> list[Change]:
    """The questions with other points, the largest losses and gains first."""
    found = []
    for question, one, other in zip(first.questions, first.readings, second.readings, strict=True):
        comparable = one.possible > 0 and other.possible > 0
        gain = other.earned - one.earned if comparable else 0.0
        if abs(gain) > _SAME or (one.possible > 0) != (other.possible > 0):
            found.append(Change(question, one, other, gain))
    return sorted(found, key=lambda change: (-abs(change.gain), change.question.id))
