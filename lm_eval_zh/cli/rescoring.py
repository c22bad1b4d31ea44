"""After a run: scoring it again, without generating."""

from __future__ import annotations

import math
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Column, Table

from lm_eval_zh.analysis.questions import NO_NUMBER
from lm_eval_zh.cli.judge_arguments import JudgeArgs, JudgeOption, judge_setting
from lm_eval_zh.cli.output import console, fail, plain, print_line
from lm_eval_zh.sources import SourceError

if TYPE_CHECKING:
    from lm_eval_zh.outcome_changes import Change, MovedMetric
    from lm_eval_zh.rescoring import Rescored, RescoredTask

_LISTED = 20  # rows of a table on the screen; the files have all of them


class Missing(str, Enum):
    """What is done about questions without a reply and replies without a question."""

    error = "error"
    skip = "skip"


def rescore(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Results folders, samples_*.jsonl or results_*.json of lm_eval, or replies in another shape that the model "
            "`answers` takes."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output_path", "-o", help="A new folder for results, samples and the list of changes.")
    ],
    judge: JudgeOption = None,
    judge_args: JudgeArgs = "",
    tasks: Annotated[str, typer.Option(help="Only these tasks, separated by commas.")] = "",
    missing: Annotated[
        Missing, typer.Option(help="skip: leave out and count questions without reply, replies without question.")
    ] = Missing.error,
    name: Annotated[str, typer.Option(help="The model whose replies they are, where the files do not say.")] = "",
) -> None:
    """Score recorded replies again: filters, judge and metrics of now, without generating. Overwrites nothing."""
    from zh_metrics.judge import JudgeSettingsError

    from lm_eval_zh.matching import AnswersError
    from lm_eval_zh.rescored_files import refuse_to_overwrite, write_all
    from lm_eval_zh.rescoring import Options, rescored

    chosen = [task.strip() for task in tasks.split(",") if task.strip()]
    try:
        refuse_to_overwrite(output)
        options = Options(judge_setting(judge, judge_args), chosen, missing.value, name.strip())
        written = write_all((one for path in dict.fromkeys(paths) for one in rescored(path, options)), output)
    except (SourceError, AnswersError, JudgeSettingsError, OSError) as error:
        fail(error)
    for done, results in written:
        _print(done, results)


def _print(done: Rescored, results: Path) -> None:
    from lm_eval.utils import make_table

    print_line(plain(f"{done.source}: scored again in {results}"))
    for note in done.notes:
        print_line(plain(f"  {note}"))
    for task in done.tasks:
        _print_task(task)
    if not any(task.compared for task in done.tasks):  # the first numbers there are
        print_line(make_table(done.results))


def _print_task(task: RescoredTask) -> None:
    told = f"{task.name}: {task.questions} questions"
    if task.compared:
        told += f", {len(task.changes)} of {task.compared} outcomes changed, {len(task.moved)} numbers moved"
    print_line(plain(told))
    for name, (before, after) in task.signature_changes.items():
        print_line(plain(f"  signature: {name} was {before or 'absent'}, is {after or 'absent'}"))
    if task.changes:
        _print_changes(task.changes)
    if task.moved:
        _print_moved(task.moved)


def _print_changes(changes: list[Change]) -> None:
    table = Table(Column("Question", overflow="fold"), "Pipeline", "Before", "After")
    for change in changes[:_LISTED]:
        texts = (change.id, change.pipeline, change.before, change.after)
        table.add_row(*(escape(plain(text)) for text in texts))
    console.print(table)
    if len(changes) > _LISTED:
        print_line(f"  {len(changes) - _LISTED} more in the file changes_*.jsonl beside the results")


def _print_moved(moved: list[MovedMetric]) -> None:
    number = {"justify": "right"}
    table = Table(Column("Metric", overflow="fold"), *(Column(head, **number) for head in ("Before", "After")))  # type: ignore[arg-type]
    for metric in moved[:_LISTED]:
        table.add_row(escape(plain(metric.name)), _shown(metric.before), _shown(metric.after))
    console.print(table)
    if len(moved) > _LISTED:
        print_line(f"  {len(moved) - _LISTED} more numbers moved")


def _shown(value: float | None) -> str:
    return "" if value is None else NO_NUMBER if math.isnan(value) else f"{value:.4f}"
