"""Runs among the published models of a table, with what keeps them from being comparable."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lm_eval_zh.analysis.numbers import Bootstrap, Figure, Readings
from lm_eval_zh.analysis.questions import Question, Table
from lm_eval_zh.analysis.runs import Run, merged_questions

OFFICIAL = "official"  # what published tables were scored with
_RECORDED = re.compile(r"^recorded | \d+$")  # `recorded teachers 2` is one of the teachers


@dataclass(frozen=True)
class Remark:
    """One reason why a run does not compare with a table: what differs, the run's and the table's."""

    what: str  # judge, pipeline, questions, edition, unscored, signature, or a field of the signature
    run: str
    table: str

    def __str__(self) -> str:
        return f"{self.what}: {self.run}, in the table {self.table}"


@dataclass(frozen=True)
class Row:
    """A model in the table: published, or a run of ours with intervals and remarks."""

    model: str
    values: Mapping[str, float]  # by number; NaN where there is none
    figures: Mapping[str, Figure]  # of a run
    remarks: Sequence[Remark] = ()

    @property
    def ours(self) -> bool:
        """Whether this is a run, not a published row."""
        return bool(self.figures)


@dataclass(frozen=True)
class Standing:
    """A table with runs in it, the best first by the table's first number."""

    table: Table
    pipeline: str
    rows: Sequence[Row]


def standings(runs: Sequence[Run], pipeline: str, bootstrap: Bootstrap) -> list[Standing]:
    """Each published table that the runs have questions of, with the runs in it; runs of one name stand together.

    Raises SourceError if two runs of one name have a question in common.
    """
    by_name: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if pipeline in run.pipelines:
            by_name.setdefault((run.benchmark.name, run.name), []).append(run)
    tables: dict[str, tuple[Table, list[Row]]] = {}
    for of_name in by_name.values():
        for table in of_name[0].analysis.tables():
            concerned = [run for run in of_name if run.collections & table.collections]
            if table.collections <= frozenset().union(*(run.collections for run in concerned)):
                row = _row(concerned, table, pipeline, bootstrap)
                tables.setdefault(str(table.path) + table.name, (table, []))[1].append(row)
    return [
        Standing(table, pipeline, sorted([*_published(table), *rows], key=lambda row: _rank(row, table)))
        for table, rows in tables.values()
    ]


def _published(table: Table) -> Iterator[Row]:
    for model, values in table.rows.items():
        yield Row(model, values, {})


def _rank(row: Row, table: Table) -> tuple[bool, float]:
    value = row.values[table.columns[0]]
    return math.isnan(value), -value


def _row(runs: Sequence[Run], table: Table, pipeline: str, bootstrap: Bootstrap) -> Row:
    analysis = runs[0].analysis
    questions = {
        id_: question for id_, question in merged_questions(runs).items() if question.collection in table.collections
    }
    readings = Readings(analysis, questions, pipeline)
    numbers = [analysis.named(name) for name in table.columns]
    figures = dict(
        zip(table.columns, readings.figures(numbers, readings.weights(bootstrap), bootstrap.level), strict=True)
    )
    return Row(
        model=runs[0].name,
        values={name: figure.value for name, figure in figures.items()},
        figures=figures,
        remarks=list(_remarks(runs, table, pipeline, questions)),
    )


def _remarks(runs: Sequence[Run], table: Table, pipeline: str, questions: Mapping[str, Question]) -> Iterator[Remark]:
    signatures = [run.signature_fields(pipeline) for run in runs]
    judges = _judges(fields.get("judge", "") for fields in signatures)
    if table.judge and judges != {table.judge}:
        yield Remark("judge", " + ".join(sorted(judges)) or "unknown", table.judge)
    if pipeline != OFFICIAL:
        yield Remark("pipeline", pipeline, OFFICIAL)
    for name, expected in table.signature.items():
        for value in dict.fromkeys(fields[name] for fields in signatures if name in fields):
            if value != expected:
                yield Remark(name, value, expected)
    if len(questions) != table.questions:
        yield Remark("questions", str(len(questions)), str(table.questions))
    if table.edition:
        yield Remark("edition", *table.edition)
    if unscored := sum(not question.readings[pipeline].possible for question in questions.values()):
        yield Remark("unscored", str(unscored), "0")
    if not all(signatures):
        yield Remark("signature", "none", "the benchmark's own run")


def _judges(fields: Iterable[str]) -> set[str]:
    """The judges' names without what says that their words were recorded, and which of several they are."""
    return {_RECORDED.sub("", name) for field in fields for name in field.split("+") if name}
