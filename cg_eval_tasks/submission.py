"""The file that CG-Eval's authors score: their CSV of questions, row for row, with the replies in one more column."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from zh_metrics.judge.texts import without_surrogates
from zh_metrics.thinking import answer_of

from cg_eval_tasks.questions import CG_EVAL, COLUMNS, Key, questions, questions_file
from cg_eval_tasks.references import listed
from cg_eval_tasks.submitted import REPLY
from lm_eval_zh.csv_files import is_formula
from lm_eval_zh.matching import match, questions_of
from lm_eval_zh.recorded import read_recorded
from lm_eval_zh.sources import SourceError

_CELL = 32_767  # characters: what Excel keeps of one
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # what a spreadsheet refuses or cuts a cell at


class IncompleteError(ValueError):
    """A run has no reply to some of the questions; the message says to which."""


@dataclass(frozen=True)
class Submission:
    """What was written."""

    rows: int
    empty: int  # rows without a reply
    guarded: int  # replies with an apostrophe in front, which a spreadsheet would have taken for formulas
    too_long: int  # replies of which Excel shows the beginning only


def export(
    samples: Path, target: Path, *, incomplete: bool = False, raw: bool = False, drop_thinking: bool = False
) -> Submission:
    """Write the replies in `samples` (a file or folder as `read_recorded` takes it) beside the questions they belong to.

    Rows, their order and the bytes of the original columns are upstream's; so are encoding (UTF-8 with a byte order mark,
    as spreadsheets want it) and line ends. The file is moved into place when it is whole.

    Replies are as the model gave them, but for control characters, and for an apostrophe in front of what a spreadsheet
    would calculate, unless `raw`. Thinking in `<think>` stays, unless `drop_thinking`.

    Raises SourceError for samples that can't be read or belong to no question of CG-Eval, AnswersError for two different
    replies to one question, and IncompleteError for questions without a reply, unless `incomplete`, which leaves their
    cells empty; OSError naming `target` if it can't be written.
    """
    replies = _replies(samples)
    keys = [question.key for question in questions(CG_EVAL)]
    missing = [key for key in keys if key not in replies]
    if missing and not incomplete:
        raise IncompleteError(f"{samples}: {_described(missing, keys)}")
    texts = {key: _printable(answer_of(reply) if drop_thinking else reply) for key, reply in replies.items()}
    guarded = set() if raw else {key for key, text in texts.items() if is_formula(text)}
    written = {key: f"'{text}" if key in guarded else text for key, text in texts.items()}
    _write(target, _rows(questions_file(CG_EVAL), keys, written))
    return Submission(
        rows=len(keys),
        empty=sum(not written.get(key, "").strip() for key in keys),
        guarded=len(guarded),
        too_long=sum(len(reply) > _CELL for reply in written.values()),
    )


def _replies(samples: Path) -> dict[Key, str]:
    recorded = read_recorded(samples)
    documents = questions_of([f"{CG_EVAL}/"])
    matched, strays = match(recorded, documents)
    if strays:
        places = {stray.id or stray.where: stray.where for stray in strays}  # a sample has a line per pipeline
        others = {stray.id.split("/")[0] for stray in strays if stray.id} - {CG_EVAL}
        whose = f", but to {listed(sorted(others))}" if others else ""
        raise SourceError(
            f"{samples}: {len(places)} replies belong to no question of CG-Eval{whose}: {listed(places.values())}; "
            "give the samples of cg_eval, or a folder with those of its categories"
        )
    return {
        Key(doc["subject"], doc["question_type"], doc["index"]): matched[doc["id"]]
        for doc in documents
        if doc["id"] in matched
    }


def _described(missing: list[Key], keys: list[Key]) -> str:
    subjects = Counter(key.subject for key in missing)
    whole = Counter(key.subject for key in keys)
    parts = [f"{subject} {count} of {whole[subject]}" for subject, count in subjects.items()]
    return (
        f"{len(missing)} of {len(keys)} questions have no reply ({listed(parts)}): {listed(missing)}. Run them too, or "
        "export what there is with --incomplete, which leaves their cells empty"
    )


def _rows(path: Path, keys: Iterable[Key], cells: Mapping[Key, str]) -> Iterator[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, strict=True)
        yield [*next(rows), REPLY]
        for row, key in zip(rows, keys, strict=True):
            yield [*row[: len(COLUMNS)], cells.get(key, "")]


def _printable(reply: str) -> str:
    return _UNPRINTABLE.sub("", without_surrogates(reply))


def _write(target: Path, rows: Iterable[list[str]]) -> None:
    """UTF-8 with a byte order mark, CRLF, quotation marks where they are needed: as upstream's file is written."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    beside = target.with_name(f".{target.name}.{uuid4().hex}")
    try:
        beside.write_bytes(text.getvalue().encode("utf-8-sig"))
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(target)) from error  # which is the file that was asked for
