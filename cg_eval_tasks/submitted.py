"""Replies in a submission file of CG-Eval, read back: upstream's columns, and the reply in one more."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from cg_eval_tasks.questions import CG_EVAL, NUMBER, SUBJECT, TYPE, key_of
from lm_eval_zh.csv_files import is_formula, read_csv

REPLY = "回答"


def is_submission(path: Path) -> bool:
    """Whether the first line of a file has the columns of a submission. False for one that can't be read."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            return {SUBJECT, TYPE, NUMBER, REPLY}.issubset(next(csv.reader(file), []))
    except (OSError, csv.Error):
        return False


def submitted_replies(path: Path) -> Iterator[tuple[str, str, str]]:
    """The place, the question's id and the reply of each row with one; an empty cell is none.

    Raises SourceError naming file, line and column for a row that isn't as expected.
    """
    for line, row in read_csv(path):
        where = f"{path}: line {line}"
        key = key_of(where, row)
        if row[REPLY].strip():
            yield where, f"{CG_EVAL}/{key}", _unguarded(row[REPLY])


def _unguarded(cell: str) -> str:
    """The reply without the apostrophe that keeps a spreadsheet from calculating it."""
    return cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell
