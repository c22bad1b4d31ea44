"""A report of finished runs, in a file or on the output."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from zh_metrics.bootstrap import LEVEL, RESAMPLES, SEED

from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.cli.output import check_file, fail, plain, print_line, size
from lm_eval_zh.cli.run_arguments import Level, Resamples, RunArgument, Seed
from lm_eval_zh.sources import SourceError

if TYPE_CHECKING:
    from lm_eval_zh.report.contents import Report


class ReportForm(str, Enum):
    """What a report is written as."""

    html = "html"
    md = "md"
    csv = "csv"
    json = "json"


def report(
    results: RunArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write; without it the report is printed.")
    ] = None,
    form: Annotated[
        ReportForm | None,
        typer.Option("--format", help="html has every question; md, csv and json the figures. By the file's ending."),
    ] = None,
    resamples: Resamples = RESAMPLES,
    level: Level = LEVEL,
    seed: Seed = SEED,
) -> None:
    """Write a report: headline numbers, charts, published models, and every question with its reply and judge's words."""
    from lm_eval_zh.analysis.runs import read_runs
    from lm_eval_zh.report.contents import report_of

    chosen = form or _form_of(output)
    try:
        if output is not None:
            check_file(output)
        runs = [run for argument in results for run in read_runs(argument)]
        text = _text(report_of(runs, Bootstrap(resamples, level, seed)), chosen)
        if output is None:
            sys.stdout.write(text)
            return
        output.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except (SourceError, OSError) as error:
        fail(error)
    tasks = ", ".join(dict.fromkeys(run.task for run in runs))
    print_line(plain(f"{output}: {tasks}; {size(output.stat().st_size)}"))


def _form_of(output: Path | None) -> ReportForm:
    """The form a file's ending stands for; Markdown for the output, which a page of scripts would flood."""
    if output is None:
        return ReportForm.md
    endings = {".html": ReportForm.html, ".htm": ReportForm.html, ".md": ReportForm.md}
    endings |= {".csv": ReportForm.csv, ".json": ReportForm.json}
    if output.suffix.lower() not in endings:
        raise typer.BadParameter(f"{output}: expected the ending {', '.join(endings)}, or --format")
    return endings[output.suffix.lower()]


def _text(report: Report, form: ReportForm) -> str:
    from lm_eval_zh.report import as_csv, as_html, as_json, as_markdown

    write = {
        ReportForm.html: as_html.html,
        ReportForm.md: as_markdown.markdown,
        ReportForm.csv: as_csv.csv_text,
        ReportForm.json: as_json.json_text,
    }
    return write[form](report)
