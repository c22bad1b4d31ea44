"""Recorded replies, read from the files that benchmarks, the harness and other tools write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lm_eval_zh.json_files import read_json, read_jsonl
from lm_eval_zh.sources import SourceError

_EXPECTED = (
    "expected the fields id and reply, question and model_output (GAOKAO-Bench's result files), "
    "or doc and resps (samples_*.jsonl of lm_eval)"
)


@dataclass(frozen=True)
class RecordedReply:
    """One reply, with what tells which question it belongs to."""

    reply: str
    where: str  # file and record, for messages
    id: str | None = None
    question: str | None = None
    keyword: str | None = None  # the question file, and the question's index in it: they part questions with one text
    index: int | None = None


def read_recorded(path: Path) -> list[RecordedReply]:
    """The replies in a file, or in the `.json` and `.jsonl` files of a folder (its subfolders are not looked at).

    Three shapes are known: GAOKAO-Bench's result files, `samples_*.jsonl` of the harness, and JSON Lines with an `id` or
    `question` and a `reply`. In a folder, files without any reply, such as upstream's score tables and the harness's
    results, are passed over.

    Raises SourceError naming file, record and field if something isn't as expected, or if there is no reply at all.
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
        replies = [reply for file in files for reply in _replies_in(file)]
    else:
        replies = list(_replies_in(path))
    if not replies:
        inside = sorted(str(folder) for folder in path.iterdir() if folder.is_dir()) if path.is_dir() else []
        hint = f"; subfolders are not read, name one of them: {', '.join(inside[:5])}" if inside else ""
        raise SourceError(f"{path}: no recorded replies: {_EXPECTED}{hint}")
    return replies


def _replies_in(path: Path) -> Iterator[RecordedReply]:
    records = list(_records(path))
    if any(_is_reply(record) for _, record, _ in records):
        for where, record, keyword in records:
            yield from _reply(where, record, keyword)


def _records(path: Path) -> Iterator[tuple[str, Any, str | None]]:
    """Where each record stands, the record, and the question file it is about if that is known."""
    if path.suffix == ".jsonl":
        for number, record in read_jsonl(path):
            yield f"{path}: line {number}", record, None
        return
    content = read_json(path)
    keyword = None
    if isinstance(content, Mapping):
        keyword = content.get("keyword", content.get("keywords"))
        content = content.get("example", ())
    if isinstance(content, Sequence) and not isinstance(content, str):
        for position, record in enumerate(content):
            yield f"{path}: record {position}", record, keyword


def _is_reply(record: object) -> bool:
    return isinstance(record, Mapping) and any(field in record for field in ("model_output", "resps", "reply"))


def _reply(where: str, record: object, keyword: str | None) -> Iterator[RecordedReply]:
    if not isinstance(record, Mapping) or not _is_reply(record):
        raise SourceError(f"{where}: {_EXPECTED}")
    if "resps" in record:
        if not record.get("reply_missing"):  # a question that run had no reply to either
            yield _harness_sample(where, record)
    else:
        field = "model_output" if "model_output" in record else "reply"
        reply = RecordedReply(
            reply=_text(where, record, field),
            where=where,
            id=_text(where, record, "id") if "id" in record else None,
            question=_text(where, record, "question") if "question" in record else None,
            keyword=keyword,
            index=record.get("index"),
        )
        if reply.id is None and reply.question is None:
            raise SourceError(f"{where}: a reply with neither 'id' nor 'question' belongs to no question")
        yield reply


def _harness_sample(where: str, record: Mapping[str, Any]) -> RecordedReply:
    doc, replies = record.get("doc"), record["resps"]
    if not isinstance(doc, Mapping) or not isinstance(doc.get("id"), str):
        raise SourceError(f"{where}: field 'doc': expected a document of one of our tasks, with an 'id'")
    try:
        first = replies[0][0]
    except (IndexError, KeyError, TypeError) as error:
        raise SourceError(f"{where}: field 'resps': expected [[reply]], got {replies!r:.80}") from error
    return RecordedReply(_text(where, {"resps": first}, "resps"), where, id=doc["id"])


def _text(where: str, record: Mapping[str, Any], field: str) -> str:
    value = record[field]
    if not isinstance(value, str):
        raise SourceError(f"{where}: field {field!r}: expected text, got {value!r:.80}")
    return value
