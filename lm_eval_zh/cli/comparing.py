"""After several runs: how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Column, Table
from zh_metrics.bootstrap import LEVEL, RESAMPLES, SEED

from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.wording import estimate_text
from lm_eval_zh.cli.output import console, fail, plain, print_json, print_line, warn
from lm_eval_zh.cli.run_arguments import Form, Level, Pipeline, PipelineOption, Resamples, RunArgument, Seed
from lm_eval_zh.report.as_json import figure_record, or_none
from lm_eval_zh.sources import SourceError

if TYPE_CHECKING:
    from lm_eval_zh.analysis.comparison import Compared, Comparison

_RIGHT: dict[str, Any] = {"justify": "right"}
_REPLIES_SHOWN = 60  # characters of what was read off a reply


def compare(
    results: RunArgument,
    pipeline: PipelineOption = Pipeline.robust,
    by: Annotated[
        list[str] | None,
        typer.Option(help="Break down by this: subject, category, year, ...; all there are without it."),
    ] = None,
    changes: Annotated[int, typer.Option(min=0, help="How many changed questions are shown.")] = 10,
    form: Annotated[Form, typer.Option("--format", help="json holds every changed question.")] = Form.table,
    resamples: Resamples = RESAMPLES,
    level: Level = LEVEL,
    seed: Seed = SEED,
) -> None:
    """Compare runs on their common questions: each with the first one, by a paired bootstrap over questions."""
    from lm_eval_zh.analysis.comparison import compare as compare_runs
    from lm_eval_zh.analysis.numbers import checked
    from lm_eval_zh.analysis.runs import read_runs

    if len(results) < 2:
        raise typer.BadParameter("expected the results of two runs or more")
    bootstrap = Bootstrap(resamples, level, seed)
    try:
        first, *others = [checked(read_runs(argument)) for argument in results]
        found = [
            comparison
            for other in others
            for comparison in compare_runs(first, other, pipeline.value, by or (), bootstrap)
        ]
    except SourceError as error:
        fail(error)
    for comparison in found:
        _warn_of_signatures(comparison)
    if form is Form.json:
        print_json([_comparison_record(comparison) for comparison in found])
        return
    for comparison in found:
        _print_comparison(comparison, changes)
    print_line(f"{bootstrap.describe()}; paired, stratified, questions of one text together.")


def _warn_of_signatures(comparison: Comparison) -> None:
    pair = f"{comparison.first} and {comparison.second}"
    if comparison.void:
        fields = "; ".join(str(difference) for difference in comparison.void)
        warn(f"{pair} do not measure the same thing, their signatures differ in {fields}")
    for samples in comparison.unsigned:
        warn(f"{samples}: no signature beside it, so whether {pair} compare is not known")


def _print_comparison(comparison: Comparison, changes: int) -> None:
    void = " (void: see the warning)" if comparison.void else ""
    print_line(
        plain(
            f"{comparison.benchmark.title}, {comparison.whole}, {comparison.pipeline} pipeline: A = {comparison.first}, "
            f"B = {comparison.second}, {comparison.scored:,} questions with a score in both{void}"
        )
    )
    if comparison.only_first or comparison.only_second:
        print_line(f"Left out: {comparison.only_first} questions of A alone, {comparison.only_second} of B alone.")
    table = _comparison_table("Number")
    for compared in comparison.headline:
        table.add_row(escape(compared.number.name), *_comparison_cells(compared))
    console.print(table)
    for kind, rows in comparison.by_part.items():
        if not rows:
            continue
        table = _comparison_table(kind)
        for value, compared in rows:
            table.add_row(escape(plain(value)), *_comparison_cells(compared))
        console.print(table)
    for difference in comparison.signature_differences:
        if not difference.voids:
            print_line(plain(f"Signatures also differ in {difference}"))
    gained = sum(change.gain > 0 for change in comparison.changes)
    lost = sum(change.gain < 0 for change in comparison.changes)
    unscored = len(comparison.changes) - gained - lost
    print_line(
        f"Questions: B has more points in {gained}, fewer in {lost}; in {unscored} only one of them has any score."
    )
    if changes and comparison.changes:
        table = Table(Column("Question", overflow="fold"), Column("B - A", **_RIGHT), "A", "B")
        for change in comparison.changes[:changes]:
            readings = (plain(reading.extracted or reading.status) for reading in (change.first, change.second))
            table.add_row(
                escape(change.question.id),
                f"{change.gain:+g}" if change.gain else "",
                *(escape(text[:_REPLIES_SHOWN]) for text in readings),
            )
        console.print(table)
        if (more := len(comparison.changes) - changes) > 0:
            print_line(f"{more} more changed questions; --format json holds all.")
    print_line("")


def _comparison_table(heading: str) -> Table:
    return Table(heading, *(Column(name, **_RIGHT) for name in ("n", "A", "B", "B - A", "p")))


def _comparison_cells(compared: Compared) -> tuple[str, ...]:
    scale = compared.number.scale
    return (
        f"{compared.first.questions:,}",
        scale.shown(compared.first.value),
        scale.shown(compared.second.value),
        estimate_text(compared.difference, scale, signed=True),
        f"{compared.difference.p:.3f}",
    )


def _comparison_record(comparison: Comparison) -> dict[str, Any]:
    return {
        "benchmark": comparison.benchmark.name,
        "questions_of": comparison.whole,
        "pipeline": comparison.pipeline,
        "first": comparison.first,
        "second": comparison.second,
        "questions": comparison.questions,
        "scored": comparison.scored,
        "only_first": comparison.only_first,
        "only_second": comparison.only_second,
        "void": [difference._asdict() for difference in comparison.void],
        "signature_differences": [difference._asdict() for difference in comparison.signature_differences],
        "unsigned": list(comparison.unsigned),
        "headline": {compared.number.name: _compared_record(compared) for compared in comparison.headline},
        "by_part": {
            kind: {value: _compared_record(compared) for value, compared in rows}
            for kind, rows in comparison.by_part.items()
        },
        "changes": [
            {
                "id": change.question.id,
                "gain": change.gain,
                "first": [change.first.extracted, change.first.status],
                "second": [change.second.extracted, change.second.status],
            }
            for change in comparison.changes
        ],
    }


def _compared_record(compared: Compared) -> dict[str, Any]:
    return {
        "questions": compared.first.questions,
        "first": figure_record(compared.first),
        "second": figure_record(compared.second),
        "difference": {name: or_none(value) for name, value in compared.difference._asdict().items()},
    }
