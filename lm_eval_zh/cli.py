"""The command `lm-eval-zh`: what is needed around a run of `lm_eval`."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import asdict, fields
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from lm_eval_zh.sources import BENCHMARKS, SourceError, cache_folder, fetch_all, upstream_files

app = typer.Typer(
    help="GAOKAO-Bench, CG-Eval and AlignBench for lm-evaluation-harness.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
console = Console()


class What(str, Enum):
    """Whose files to fetch."""

    gaokao = "gaokao"
    alignbench = "alignbench"
    cg_eval = "cg_eval"
    all = "all"


class Format(str, Enum):
    """How a list is printed."""

    table = "table"
    tsv = "tsv"
    jsonl = "jsonl"


@app.callback(invoke_without_command=True)
def main(show_version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """GAOKAO-Bench, CG-Eval and AlignBench for lm-evaluation-harness."""
    if show_version:
        console.print(version("lm-eval-zh"), highlight=False)
        raise typer.Exit


@app.command()
def path() -> None:
    """Print the folders with the task files, one a line, for lm_eval's --include_path."""
    from lm_eval_zh._hooks import task_folders

    for folder in task_folders():
        console.print(str(folder), soft_wrap=True, markup=False, highlight=False)


@app.command()
def fetch(what: Annotated[What, typer.Argument(help="Which benchmark's files to fetch.")] = What.all) -> None:
    """Fetch the benchmarks' files, so that runs need no network afterwards, and print what the cache holds."""
    table = Table("Benchmark", "Repository", "Commit", "Files", "Size")
    for benchmark in BENCHMARKS if what is What.all else (what.value,):
        files = upstream_files(benchmark)
        try:
            fetch_all(files)
        except SourceError as error:
            _fail(error)
        for repo, commit in dict.fromkeys((file.repo, file.commit) for file in files):
            of_repo = [file for file in files if (file.repo, file.commit) == (repo, commit)]
            size = sum(file.size for file in of_repo)
            table.add_row(benchmark, repo, commit[:10], str(len(of_repo)), f"{size / 1e6:.1f} MB")
    console.print(table)
    console.print(f"All digests are right. Cache: {cache_folder()}", soft_wrap=True, markup=False, highlight=False)


@app.command()
def differences(
    samples: Annotated[list[Path], typer.Argument(help="samples_*.jsonl files that lm_eval --log_samples wrote.")],
    form: Annotated[Format, typer.Option("--format", help="tsv and jsonl hold the replies too.")] = Format.table,
) -> None:
    """List the questions whose reply the official and the robust pipeline read differently."""
    from lm_eval_zh.differences import Difference
    from lm_eval_zh.differences import differences as find

    try:
        runs = [(path, *find(path)) for path in samples]
    except SourceError as error:
        _fail(error)
    if form is Format.table:
        for path, found, compared in runs:
            heading = f"{path.name}: {len(found)} of {compared} replies read differently"
            console.print(heading, soft_wrap=True, markup=False, highlight=False)
            table = Table(Column("Question", overflow="fold"), "Key", "Official", "Robust")
            for d in found:
                table.add_row(*(escape(text) for text in (d.id, d.target, d.official, d.robust)))
            console.print(table)
        return
    rows = [{"file": str(path), **asdict(difference)} for path, found, _ in runs for difference in found]
    if form is Format.jsonl:
        sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
        writer.writerow(("file", *(field.name for field in fields(Difference))))
        # JSON text keeps a reply on one line, and its quotation mark keeps a spreadsheet from taking it for a formula.
        writer.writerows(
            (*row.values(),) for row in ({**row, "reply": json.dumps(row["reply"], ensure_ascii=False)} for row in rows)
        )


def _fail(error: SourceError) -> None:
    """Say what is wrong, without a traceback, and stop with status 1."""
    Console(stderr=True).print(f"lm-eval-zh: {error}", style="red", soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(1)
