"""Reference answers, which CG-Eval does not publish: read from a user's file, matched by the questions' keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cg_eval_tasks.questions import NUMBER, SUBJECT, TYPE, Key, key_of
from lm_eval_zh.csv_files import read_csv
from lm_eval_zh.json_files import read_jsonl
from lm_eval_zh.run_signature import text_digest
from lm_eval_zh.sources import SourceError

ANSWER, WORKING = "参考答案", "解题过程"

_READERS: dict[str, Callable[[Path], Iterator[tuple[int, Any]]]] = {".csv": read_csv, ".jsonl": read_jsonl}
_NAMED = 10  # how many rows a message names before it only counts them


class Reference(NamedTuple):
    """A reference answer, and of a calculation how it is worked out; the latter is empty where none is given."""

    answer: str
    working: str


class References(NamedTuple):
    """The references of a file by the questions' keys, and a digest of what they say."""

    by_key: Mapping[Key, Reference]
    digest: str

    def missing(self, keys: Collection[Key]) -> list[Key]:
        """Which of the questions have no reference."""
        return [key for key in keys if key not in self.by_key]


def read_references(path: Path, known: Collection[Key]) -> References:
    """The references in a CSV file with a header, or in JSON Lines.

    Columns or fields: 子科目名称, 题目类型 and 题目编号, which make the key; 参考答案; and 解题过程 where there is one. Others are passed over, so
    that upstream's CSV with a column added will do. A row whose 参考答案 is blank has no reference.

    Raises SourceError naming file and line for a row that isn't as expected, for keys that no question has, for a second
    row of one question, and for a file without any reference.
    """
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise SourceError(f"{path}: references are read from a file with the ending {' or '.join(_READERS)}")
    questions = frozenset(known)
    found: dict[Key, Reference] = {}
    lines: dict[Key, int] = {}
    unknown, twice = [], []
    for line, row in read(path):
        where = f"{path}: line {line}"
        key = _key(where, row)
        if key not in questions:
            unknown.append(f"line {line} ({key})")
        elif key in lines:
            twice.append(f"lines {lines[key]} and {line} ({key})")
        lines[key] = line
        answer, working = _text(where, row, ANSWER), _text(where, row, WORKING, "")
        if answer.strip():
            found[key] = Reference(answer.strip(), working.strip())
    problems = [
        f"{len(rows)} {problem}: {listed(rows)}"
        for rows, problem in ((unknown, "rows of no question"), (twice, "questions have two rows"))
        if rows
    ]
    if problems:
        raise SourceError(f"{path}: {'; '.join(problems)}; correct or remove them")
    if not found:
        raise SourceError(f"{path}: no reference: expected rows with a text in {ANSWER}")
    return References(found, text_digest(f"{key}\t{found[key]}" for key in sorted(found)))


def listed(names: Collection[object]) -> str:
    """The first of the names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(str(name) for name in list(names)[:_NAMED]) + more


def _key(where: str, row: object) -> Key:
    columns = (SUBJECT, TYPE, NUMBER, ANSWER)
    lacking = [column for column in columns if not isinstance(row, Mapping) or column not in row]
    if lacking or not isinstance(row, Mapping):
        raise SourceError(f"{where}: no {', '.join(lacking)}: expected the columns or fields {', '.join(columns)}")
    return key_of(where, row)


def _text(where: str, row: Mapping[str, Any], column: str, default: str | None = None) -> str:
    value = row.get(column, default)
    if value is None and column in row:  # null in JSON, as an empty cell in CSV
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return str(value)  # an answer that JSON holds as a number
    if not isinstance(value, str):
        raise SourceError(f"{where}: {column}: expected text, got {value!r:.80}")
    return value
