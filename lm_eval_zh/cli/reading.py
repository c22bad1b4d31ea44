"""After a run: how its replies were read."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Column, Table

from lm_eval_zh.cli.output import cell, console, fail, plain, print_line
from lm_eval_zh.sources import SourceError

if TYPE_CHECKING:
    from lm_eval_zh.differences import Difference


class Format(str, Enum):
    """How a list is printed."""

    table = "table"
    tsv = "tsv"
    jsonl = "jsonl"


def differences(
    samples: Annotated[
        list[Path], typer.Argument(help="samples_*.jsonl that lm_eval --log_samples wrote, or folders of runs.")
    ],
    form: Annotated[
        Format, typer.Option("--format", help="tsv and jsonl hold the reply and the judge's words too.")
    ] = Format.table,
) -> None:
    """List the questions whose reply, or whose judge's words, the official and the robust pipeline read differently."""
    from lm_eval_zh.differences import differences as find

    try:
        runs = [(path, *find(path)) for path in _sample_files(samples)]
    except SourceError as error:
        fail(error)
    if form is Format.table:
        for path, found, compared in runs:
            print_line(f"{plain(path.name)}: {len(found)} of {compared} replies read differently")
            if found:
                _print_table(found)
    else:
        write = _write_jsonl if form is Format.jsonl else _write_tsv
        write([(path, difference) for path, found, _ in runs for difference in found])


def _sample_files(paths: Sequence[Path]) -> list[Path]:
    """The files, and those of our tasks in the folders. Raises SourceError for a folder without any."""
    from lm_eval_zh.logged_samples import collection_of_samples
    from lm_eval_zh.run_files import find_runs

    files = []
    for path in paths:
        found = [file for run in find_runs(path) for file in run.samples.values()] if path.is_dir() else [path]
        ours = [file for file in found if not path.is_dir() or collection_of_samples(file)]
        if not ours:
            raise SourceError(f"{path}: no samples_*.jsonl of our tasks: run lm_eval with --log_samples")
        files += ours
    return files


def _print_table(found: Sequence[Difference]) -> None:
    table = Table(Column("Question", overflow="fold"), "Key", "Official", "Robust")
    for d in found:
        table.add_row(*(escape(plain(text)) for text in (d.id, d.target, d.official, d.robust)))
    console.print(table)


def _write_jsonl(rows: Sequence[tuple[Path, Difference]]) -> None:
    for path, difference in rows:
        sys.stdout.write(json.dumps({"file": str(path), **asdict(difference)}, ensure_ascii=False) + "\n")


def _write_tsv(rows: Sequence[tuple[Path, Difference]]) -> None:
    from lm_eval_zh.differences import Difference

    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    writer.writerow(("file", *(field.name for field in fields(Difference))))
    for path, d in rows:
        # JSON text keeps a text whole and on one line, and its quotation mark keeps a spreadsheet from calculating it.
        texts = (json.dumps(text, ensure_ascii=False) for text in (d.reply, d.judgment))
        writer.writerow((*map(cell, (str(path), d.id, d.target, d.official, d.robust)), *texts))
