"""CSV as others write it: what can't be relied on is refused, with the place named."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from lm_eval_zh.sources import SourceError

_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for the beginning of a formula
_PLAIN_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*%?", re.ASCII)


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would calculate a cell with this text; a plain number is only shown."""
    shown = text.strip()
    return shown.startswith(_FORMULA) and not _PLAIN_NUMBER.fullmatch(shown)


def read_csv(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The line on which each row ends (from 1; a quoted cell may span lines) and its cells by column.

    A byte order mark is no part of the first column's name. Blank rows are passed over.

    Raises SourceError naming file and line for a file that can't be read or isn't UTF-8, for a column named twice, and for
    a row with more or fewer cells than columns.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            columns = next(rows, [])
            if len(set(columns)) < len(columns):
                twice = next(column for column in columns if columns.count(column) > 1)
                raise SourceError(f"{path}: line {rows.line_num}: the column {twice!r} stands twice in the header")
            for cells in rows:
                if not any(cell.strip() for cell in cells):  # spreadsheets write rows of commas below a table
                    continue
                if len(cells) != len(columns):
                    raise SourceError(
                        f"{path}: line {rows.line_num}: {len(cells)} cells, expected {len(columns)} as in the header; "
                        "put cells with a comma, a quotation mark or a line end into quotation marks"
                    )
                yield rows.line_num, dict(zip(columns, cells, strict=True))
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path}: byte {error.start}: not UTF-8 ({error.reason}); save the file as CSV UTF-8"
        ) from error
    except csv.Error as error:
        raise SourceError(f"{path}: line {rows.line_num}: no CSV ({error})") from error
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error
