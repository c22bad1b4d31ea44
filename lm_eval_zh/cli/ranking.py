"""After a run: where it stands among published models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Column, Table
from zh_metrics.bootstrap import LEVEL, RESAMPLES, SEED

from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.wording import judge_part, with_interval
from lm_eval_zh.cli.output import console, fail, plain, print_json, print_line
from lm_eval_zh.cli.run_arguments import Form, Level, Pipeline, PipelineOption, Resamples, RunArgument, Seed
from lm_eval_zh.registry import BENCHMARKS
from lm_eval_zh.report.as_json import standing_record
from lm_eval_zh.sources import SourceError

if TYPE_CHECKING:
    from lm_eval_zh.analysis.standings import Row, Standing

_RIGHT: dict[str, Any] = {"justify": "right"}


def _known_benchmark(name: str | None) -> str | None:
    names = [benchmark.name for benchmark in BENCHMARKS]
    if name is not None and name not in names:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(names)}")
    return name


def leaderboard(
    results: RunArgument,
    benchmark: Annotated[
        str | None, typer.Option(callback=_known_benchmark, help="Only this benchmark's tables.")
    ] = None,
    pipeline: PipelineOption = Pipeline.official,
    parts: Annotated[bool, typer.Option("--parts", help="Show the columns of subjects or categories too.")] = False,
    form: Annotated[Form, typer.Option("--format")] = Form.table,
    resamples: Resamples = RESAMPLES,
    level: Level = LEVEL,
    seed: Seed = SEED,
) -> None:
    """Show runs among the published models, with what keeps them from being comparable."""
    from lm_eval_zh.analysis.numbers import checked
    from lm_eval_zh.analysis.runs import read_runs
    from lm_eval_zh.analysis.standings import standings

    bootstrap = Bootstrap(resamples, level, seed)
    try:
        runs = [run for argument in results for run in checked(read_runs(argument))]
        chosen = [run for run in runs if benchmark in (None, run.benchmark.name)]
        found = standings(chosen, pipeline.value, bootstrap)
    except SourceError as error:
        fail(error)
    if not found:
        tasks = ", ".join(dict.fromkeys(run.task for run in chosen)) or f"none of {benchmark}"
        known = sorted({name for one in BENCHMARKS for table in one.analysis().tables() for name in table.collections})
        fail(
            SourceError(
                f"no published table for the tasks of these runs: {tasks}; there are tables for {', '.join(known)}"
            )
        )
    if form is Form.json:
        print_json([standing_record(standing) for standing in found])
        return
    for standing in found:
        _print_standing(standing, parts)
    print_line(f"{bootstrap.describe()}. Published figures are as printed; none came with an interval.")


def _print_standing(standing: Standing, parts: bool) -> None:
    table = standing.table
    main, *rest = table.columns
    shown = rest if parts or len(rest) < 2 else []
    columns = [Column(name, **_RIGHT) for name in (main, *shown)]
    grid = Table("", "Model", *columns, title=table.title["en"], title_justify="left")
    for row in standing.rows:
        mark = ("*" if row.remarks else ">") if row.ours else ""
        cells = [_standing_cell(row, name, standing) for name in (main, *shown)]
        grid.add_row(mark, escape(plain(row.model)), *cells, style="bold" if row.ours else None)
    console.print(grid)
    judge = f"judge {table.judge}" if table.judge else "no judge"
    print_line(f"Published: {table.source['en']}, {table.date}; {judge}. Runs here: {standing.pipeline} pipeline.")
    if table.note:
        print_line(table.note["en"])
    for row in standing.rows:
        for remark in row.remarks:
            print_line(plain(f"* {row.model} differs from the table in {remark}"))
        for figure in list(row.figures.values())[:1]:
            if told := judge_part(figure):
                print_line(plain(f"{row.model}: {told}"))
    print_line("")


def _standing_cell(row: Row, name: str, standing: Standing) -> str:
    return with_interval(row.figures[name]) if row.ours else standing.table.scale.shown(row.values[name])
