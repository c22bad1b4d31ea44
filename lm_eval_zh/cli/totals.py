"""GAOKAO-Bench's totals out of 750."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Column, Table
from zh_metrics.bootstrap import LEVEL, RESAMPLES, SEED

from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.questions import NO_NUMBER
from lm_eval_zh.cli.output import console, fail, plain, print_json, print_line
from lm_eval_zh.cli.run_arguments import Level, Resamples, Seed
from lm_eval_zh.report.as_json import figure_record
from lm_eval_zh.sources import SourceError

if TYPE_CHECKING:
    from gaokao_tasks.exam_totals import ExamTotals
    from lm_eval_zh.analysis.numbers import Figure
    from lm_eval_zh.analysis.runs import Run

EXAMS = ("sciences", "humanities")
Intervals = Mapping[str, "Figure"]


def total(
    results: Annotated[
        list[Path], typer.Argument(help="results_*.json of gaokao, or one of gaokao_obj and one of gaokao_subj.")
    ],
    official_rounding: Annotated[
        bool, typer.Option("--official-rounding", help="Round rates and points as upstream's merge_score.json does.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    resamples: Resamples = RESAMPLES,
    level: Level = LEVEL,
    seed: Seed = SEED,
) -> None:
    """Print the sciences' and humanities' totals out of 750, with the points of each subject.

    Totals have intervals where the samples are beside the results.
    """
    from gaokao_tasks.exam_totals import exam_totals

    bootstrap = Bootstrap(resamples, level, seed)
    try:
        totals = exam_totals(results)
        runs = _runs(results)
        found = [(of_pipeline, _intervals(runs, of_pipeline.pipeline, bootstrap)) for of_pipeline in totals]
    except SourceError as error:
        fail(error)
    if as_json:
        print_json([_as_json(*of_pipeline, official_rounding) for of_pipeline in found])
        return
    for of_pipeline in found:
        _print(*of_pipeline, official_rounding)
    if any(intervals for _, intervals in found):
        print_line(f"{bootstrap.describe()}.")
    else:
        print_line("No intervals: they need the samples of lm_eval --log_samples beside each results file.")


def _runs(results: Sequence[Path]) -> Sequence[Run]:
    """The runs of the exam whose samples are beside the results; none if a file has no samples."""
    from gaokao_tasks.analysis import GAOKAO
    from lm_eval_zh.analysis.numbers import checked
    from lm_eval_zh.analysis.runs import has_samples, read_runs

    if not all(map(has_samples, results)):
        return ()
    return checked([run for path in results for run in read_runs(str(path)) if run.whole == GAOKAO])


def _intervals(runs: Sequence[Run], pipeline: str, bootstrap: Bootstrap) -> Intervals:
    """The totals with their intervals, by exam."""
    from lm_eval_zh.analysis.numbers import Readings
    from lm_eval_zh.analysis.runs import merged_questions

    if not runs:
        return {}
    readings = Readings(runs[0].analysis, merged_questions(runs), pipeline)
    numbers = [runs[0].analysis.named(f"total_{exam}") for exam in EXAMS]
    return dict(zip(EXAMS, readings.figures(numbers, readings.weights(bootstrap), bootstrap.level), strict=True))


def _print(totals: ExamTotals, intervals: Intervals, official_rounding: bool) -> None:
    from gaokao_tasks.question_types import KINDS
    from gaokao_tasks.totals import POINTS

    digits = 3 if official_rounding else 4
    headings = (*KINDS, "together", "of")
    columns = [Column(heading, justify="right") for heading in headings]
    table = Table("Subject", *columns, title=f"{totals.pipeline} pipeline", title_justify="left")
    for subject in dict.fromkeys(subject for subject, _ in POINTS):
        parts = [totals.points(subject, kind, official_rounding) for kind in KINDS]
        most = sum(POINTS[subject, kind] for kind in KINDS)
        table.add_row(subject, *(_shown(part, digits) for part in (*parts, sum(parts))), str(most))
    table.add_section()
    shown = 1 if official_rounding else 4
    for name, value in zip(
        EXAMS, (totals.sciences(official_rounding), totals.humanities(official_rounding)), strict=True
    ):
        table.add_row(name, "", "", f"{_shown(value, shown)}{_interval_text(intervals, name)}", "750")
    console.print(table)
    for half in totals.halves:
        judge = f", judge {half.judge}" if half.judge else ""
        subset = "" if half.subset in ("", "none") else f", only {half.subset} documents"
        print_line(
            plain(f"{half.kind}: {half.model or 'a model without a name'}{judge}{subset}, coverage {half.coverage:.4f}")
        )
    if missing := totals.missing():
        print_line(f"{NO_NUMBER}: no rate for {', '.join(missing)}")
    if len({half.model for half in totals.halves}) > 1:
        print_line(plain(escape("The halves are of models with different names: is this one model's exam?")))
    print_line("")


def _shown(value: float, digits: int) -> str:
    return NO_NUMBER if math.isnan(value) else f"{value:.{digits}f}"


def _interval_text(intervals: Intervals, exam: str) -> str:
    if exam not in intervals or math.isnan(intervals[exam].estimate.low):
        return ""
    _, low, high, _ = intervals[exam].estimate
    return f" [{low:.1f}, {high:.1f}]"


def _as_json(totals: ExamTotals, intervals: Intervals, official_rounding: bool) -> dict[str, Any]:
    from gaokao_tasks.totals import POINTS

    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    return {
        "pipeline": totals.pipeline,
        "sciences": number(totals.sciences(official_rounding)),
        "humanities": number(totals.humanities(official_rounding)),
        "intervals": {exam: figure_record(figure) for exam, figure in intervals.items()},
        "official_rounding": official_rounding,
        "points": {
            f"{subject} {kind}": number(totals.points(subject, kind, official_rounding)) for subject, kind in POINTS
        },
        "halves": [{**vars(half), "path": str(half.path), "coverage": number(half.coverage)} for half in totals.halves],
    }
