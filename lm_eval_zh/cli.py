"""The command `lm-eval-zh`: what is needed around a run of `lm_eval`."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from lm_eval_zh import registry
from lm_eval_zh.sources import BENCHMARKS, SourceError, cache_folder, fetch_all, upstream_files

if TYPE_CHECKING:
    from lm_eval_zh.differences import Difference

ALL = "all"
_WITH_TASKS = {benchmark.name for benchmark in registry.BENCHMARKS}
_WITHOUT_TASKS = [name for name in BENCHMARKS if name not in _WITH_TASKS]
_SUMMARY = f"{', '.join(benchmark.title for benchmark in registry.BENCHMARKS)} for lm-evaluation-harness."
_NOT_YET = f"; without tasks yet: {', '.join(_WITHOUT_TASKS)}" if _WITHOUT_TASKS else ""

# A terminal obeys some of these and a spreadsheet's cell ends at others: colours, other control characters, and the marks
# that turn the direction of writing.
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for the beginning of a formula

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_show_locals=False)
console = Console()


class Format(str, Enum):
    """How a list is printed."""

    table = "table"
    tsv = "tsv"
    jsonl = "jsonl"


@app.callback(invoke_without_command=True, help=_SUMMARY)
def main(show_version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """What every command begins with: our output is UTF-8, whatever the locale, for it holds Chinese."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # file names may hold any bytes
    if show_version:
        console.print(version("lm-eval-zh"), highlight=False)
        raise typer.Exit


@app.command()
def path() -> None:
    """Print the folders with the task files, one a line, for lm_eval's --include_path."""
    from lm_eval_zh._hooks import task_folders

    for folder in task_folders():
        console.print(str(folder), soft_wrap=True, markup=False, highlight=False)


def _known(name: str) -> str:
    if name not in (*BENCHMARKS, ALL):
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(BENCHMARKS)}, {ALL}")
    return name


@app.command()
def fetch(
    what: Annotated[
        str,
        typer.Argument(
            callback=_known, metavar="BENCHMARK", help=f"One of {', '.join(BENCHMARKS)}, or {ALL}{_NOT_YET}."
        ),
    ] = ALL,
) -> None:
    """Fetch the benchmarks' files, so that runs need no network afterwards, and print what the cache holds."""
    chosen = BENCHMARKS if what == ALL else (what,)
    table = Table("Benchmark", "Repository", "Commit", "Files", "Size")
    for benchmark in chosen:
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
    _print_line(f"All digests are right. Cache: {cache_folder()}")
    for benchmark in chosen:
        if benchmark not in _WITH_TASKS:
            _print_line(f"{benchmark}: the files are in the cache, but this version has no tasks that use them.")


@app.command()
def differences(
    samples: Annotated[list[Path], typer.Argument(help="samples_*.jsonl files that lm_eval --log_samples wrote.")],
    form: Annotated[Format, typer.Option("--format", help="tsv and jsonl hold the replies too.")] = Format.table,
) -> None:
    """List the questions whose reply the official and the robust pipeline read differently."""
    from lm_eval_zh.differences import differences as find

    try:
        runs = [(path, *find(path)) for path in samples]
    except SourceError as error:
        _fail(error)
    if form is Format.table:
        for path, found, compared in runs:
            _print_line(f"{_plain(path.name)}: {len(found)} of {compared} replies read differently")
            _print_table(found)
    else:
        write = _write_jsonl if form is Format.jsonl else _write_tsv
        write([(path, difference) for path, found, _ in runs for difference in found])


def _print_table(found: Sequence[Difference]) -> None:
    table = Table(Column("Question", overflow="fold"), "Key", "Official", "Robust")
    for d in found:
        table.add_row(*(escape(_plain(text)) for text in (d.id, d.target, d.official, d.robust)))
    console.print(table)


def _write_jsonl(rows: Sequence[tuple[Path, Difference]]) -> None:
    for path, difference in rows:
        sys.stdout.write(json.dumps({"file": str(path), **asdict(difference)}, ensure_ascii=False) + "\n")


def _write_tsv(rows: Sequence[tuple[Path, Difference]]) -> None:
    from lm_eval_zh.differences import Difference

    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    writer.writerow(("file", *(field.name for field in fields(Difference))))
    for path, d in rows:
        # JSON text keeps a reply whole and on one line, and its quotation mark keeps a spreadsheet from calculating it.
        reply = json.dumps(d.reply, ensure_ascii=False)
        writer.writerow((*map(_cell, (str(path), d.id, d.target, d.official, d.robust)), reply))


def _plain(text: str) -> str:
    """`text` without what a terminal or a table would obey instead of showing it."""
    return _CONTROL.sub("", text)


def _cell(text: str) -> str:
    """`text` for a cell of a spreadsheet, with the apostrophe in front that keeps a spreadsheet from calculating it."""
    plain = _plain(text)
    return f"'{plain}" if plain.lstrip().startswith(_FORMULA) else plain


def _print_line(text: str) -> None:
    console.print(text, soft_wrap=True, markup=False, highlight=False)


def _fail(error: SourceError) -> NoReturn:
    """Say what is wrong, without a traceback, and stop with status 1."""
    Console(stderr=True).print(f"lm-eval-zh: {error}", style="red", soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(1)
