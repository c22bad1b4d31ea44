"""How the commands print: UTF-8 whatever the locale, and nothing of a model's text is obeyed by what shows it."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console

from lm_eval_zh.csv_files import is_formula

# A terminal obeys some of these and a spreadsheet's cell ends at others: colours, other control characters, and the marks
# that turn the direction of writing.
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_WIDE = 250  # columns of what is piped to a file or a program: nothing is to be cut there

console = Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDE)


def use_utf8() -> None:
    """Have both streams take Chinese, and file names of any bytes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def print_line(text: str) -> None:
    """One line as it is: not wrapped, no mark-up."""
    console.print(text, soft_wrap=True, markup=False, highlight=False)


def print_json(value: object) -> None:
    """A value for other programs."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def plain(text: str) -> str:
    """`text` without what a terminal or a table would obey instead of showing it."""
    return _CONTROL.sub("", text)


def cell(text: str) -> str:
    """`text` for a cell of a spreadsheet, with the apostrophe in front that keeps a spreadsheet from calculating it."""
    shown = plain(text)
    return f"'{shown}" if is_formula(shown) else shown


def size(size_in_bytes: int) -> str:
    """The size of a file, in MB or, below one, in KB."""
    return f"{size_in_bytes / 1e6:,.1f} MB" if size_in_bytes >= 1e6 else f"{-(-size_in_bytes // 1000):,} KB"


def warn(text: str) -> None:
    """One line of warning on the error stream."""
    Console(stderr=True).print(f"Warning: {plain(text)}", style="yellow", soft_wrap=True, markup=False, highlight=False)


def check_file(path: Path) -> None:
    """Raises OSError for a file that can't be written because of where it is to be."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file in it")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{path.parent}: no such folder; make it first")


def fail(error: Exception) -> NoReturn:
    """Say what is wrong, without a traceback, and stop with status 1."""
    Console(stderr=True).print(f"lm-eval-zh: {error}", style="red", soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(1)
