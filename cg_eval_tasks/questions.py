"""CG-Eval's questions as its CSV holds them, with the key that tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files as package_files
from pathlib import Path
from typing import NamedTuple

from cg_eval_tasks.catalog import CATEGORY_BY_NAME, QUESTION_TYPES, SUBJECTS, subject_of
from lm_eval_zh.csv_files import read_csv
from lm_eval_zh.run_signature import text_digest
from lm_eval_zh.sources import SourceError, fetch, upstream_files

CG_EVAL, SAMPLE = "cg_eval", "cg_eval_sample"
COLLECTIONS = (CG_EVAL, SAMPLE)

CATEGORY, SUBJECT, TYPE, NUMBER, TEXT = "大科目类别", "子科目名称", "题目类型", "题目编号", "题目文本"
LENGTH, PROMPT = "题目答案的汉字长度", "题目prompt"
COLUMNS = (CATEGORY, SUBJECT, TYPE, NUMBER, TEXT, LENGTH, PROMPT)


class Key(NamedTuple):
    """What tells questions apart; the name of the subject is the one of the catalogue."""

    subject: str
    question_type: str
    number: int

    def __str__(self) -> str:
        return f"{self.subject}/{self.question_type}/{self.number}"


class Question(NamedTuple):
    """One row of the CSV."""

    key: Key
    part: str  # the subject in names of metrics
    category: str
    text: str
    length: int  # characters of the reference answer
    prompt: str


def questions_file(collection: str) -> Path:
    """The CSV of a collection. Raises SourceError if upstream's can't be had, ValueError for an unknown collection."""
    if collection == SAMPLE:
        return Path(str(package_files("cg_eval_tasks").joinpath("sample/questions.csv")))
    if collection == CG_EVAL:
        (file,) = upstream_files("cg_eval")
        return fetch(file)
    raise ValueError(f"unknown collection {collection!r}: expected one of {', '.join(COLLECTIONS)}")


def data_digest(collection: str) -> str:
    """The digest of a collection's CSV, for signatures."""
    if collection == CG_EVAL:
        return text_digest(file.sha256 for file in upstream_files("cg_eval"))
    return text_digest([questions_file(collection).read_text(encoding="utf-8")])


def questions(collection: str) -> Iterator[Question]:
    """The questions of a collection in the CSV's order.

    Raises SourceError naming file, line and column for a row that isn't as expected, and for a second row with one key.
    """
    path = questions_file(collection)
    seen: dict[Key, int] = {}
    for line, row in read_csv(path):
        where = f"{path}: line {line}"
        question = _question(where, row)
        if question.key in seen:
            raise SourceError(f"{where}: the question {question.key} stands on line {seen[question.key]} too")
        seen[question.key] = line
        yield question


def key_of(where: str, row: Mapping[str, object]) -> Key:
    """The key in the columns of a row, or in the fields of a JSON object.

    Raises SourceError naming the column for a missing or unknown one.
    """
    subject = subject_of(_text(where, row, SUBJECT))
    if subject is None:
        raise SourceError(f"{where}: {SUBJECT}: {row[SUBJECT]!r:.80} is none of CG-Eval's subjects")
    question_type = _text(where, row, TYPE).strip()
    if question_type not in QUESTION_TYPES:
        raise SourceError(
            f"{where}: {TYPE}: {question_type!r:.80} is unknown: expected one of {', '.join(QUESTION_TYPES)}"
        )
    return Key(subject[0], question_type, _number(where, row, NUMBER))


def _question(where: str, row: Mapping[str, str]) -> Question:
    key = key_of(where, row)
    category = CATEGORY_BY_NAME.get(_text(where, row, CATEGORY))
    parts = dict(SUBJECTS.get(category or "", ()))
    if category is None or key.subject not in parts:
        raise SourceError(f"{where}: {CATEGORY}: {row[CATEGORY]!r:.80} is not the category of {key.subject}")
    length = _number(where, row, LENGTH)
    return Question(key, parts[key.subject], category, _text(where, row, TEXT), length, _text(where, row, PROMPT))


def _text(where: str, row: Mapping[str, object], column: str) -> str:
    value = row.get(column)
    if not isinstance(value, str) or not value.strip():
        found = f"got {value!r:.80}" if column in row else "it is missing"
        raise SourceError(f"{where}: {column}: expected text, {found}")
    return value


def _number(where: str, row: Mapping[str, object], column: str) -> int:
    value = row.get(column)
    text = str(value).strip()
    if isinstance(value, bool) or not isinstance(value, (int, str)) or not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        found = f"got {value!r:.80}" if column in row else "it is missing"
        raise SourceError(f"{where}: {column}: expected a whole number, {found}")
    return int(text)
