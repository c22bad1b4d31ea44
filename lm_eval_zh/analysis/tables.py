"""Published tables, from a folder of `_tables_yaml` and the CSV files it names."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from lm_eval_zh.analysis.questions import Scale, Table
from lm_eval_zh.sources import SourceError

DESCRIPTION = "_tables_yaml"  # not .yaml: the harness takes those in a task folder for tasks
_MODEL = "model"


@cache
def read_tables(folder: Path) -> tuple[Table, ...]:
    """The tables that `_tables_yaml` in the folder describes.

    Each entry has a `file` of rows with a column `model`; `rows`, optional, the values some columns must have for a row to
    count; `columns`, our name of the number in each column; `scale`, in whose unit the figures are printed; and `title`,
    `source`, `date`, `judge`, `collections`, `questions` and, optional, `signature`, `edition` and `note` as in `Table`. Figures in percent become shares.

    Raises SourceError naming file and field if a column is missing or a figure is none.
    """
    path = folder / DESCRIPTION
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(_table(folder / entry["file"], entry) for entry in entries)


def _table(path: Path, entry: Mapping[str, Any]) -> Table:
    scale = Scale(**entry["scale"])
    rows = {}
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            if all(row.get(column) == value for column, value in entry.get("rows", {}).items()):
                where = f"{path}: line {number}"
                rows[_cell(where, row, _MODEL)] = {
                    name: _figure(where, row, column) / (100 if scale.percent else 1)
                    for column, name in entry["columns"].items()
                }
    return Table(
        name=entry["name"],
        title=entry["title"],
        source=entry["source"],
        date=str(entry["date"]),
        judge=entry["judge"],
        collections=frozenset(entry["collections"]),
        questions=entry["questions"],
        signature=entry.get("signature", {}),
        edition=(entry["edition"]["here"], entry["edition"]["table"]) if "edition" in entry else None,
        scale=scale,
        columns=tuple(entry["columns"].values()),
        rows=rows,
        note=entry.get("note", {}),
        path=path,
    )


def _cell(where: str, row: Mapping[str, str], column: str) -> str:
    if not row.get(column):
        raise SourceError(f"{where}: column {column!r} is missing or empty")
    return row[column]


def _figure(where: str, row: Mapping[str, str], column: str) -> float:
    text = _cell(where, row, column)
    try:
        return float(text)
    except ValueError as error:
        raise SourceError(f"{where}: column {column!r}: expected a number, got {text!r:.80}") from error
