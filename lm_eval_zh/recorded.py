"""Recorded replies, read from the files that benchmarks, the harness and other tools write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lm_eval_zh import opencompass
from lm_eval_zh.json_files import read_json, read_jsonl
from lm_eval_zh.registry import benchmark_of
from lm_eval_zh.replies import MISSING_REPLY
from lm_eval_zh.sources import SourceError

_ANSWERS = ("standard_answer", "answer")  # upstream's names for the model answer, today's and the earlier one
_ENDINGS = (".json", ".jsonl", ".csv")
_LISTED_ENDINGS = f"{', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}"
MARKS = "correction_score"  # the marks of teachers in GAOKAO-Bench's files
JUDGMENT = "judgment"  # a judge's words in AlignBench's files
REPLY_FIELDS = ("reply", "model_output", "resps")
_NAMED = 5  # how many files or folders a message names


@dataclass(frozen=True)
class RecordedReply:
    """One reply, with what tells which question it belongs to."""

    reply: str
    where: str  # file and record, for messages
    marks: tuple[float | None, ...] = ()  # instead of a reply: the marks of teachers, None from one who gave none
    id: str | None = None
    question: str | None = None
    prompt: str | None = None  # instead of the question: a text that holds it
    keyword: str | None = None  # the question file, and the question's index in it: they part questions with one text
    index: int | None = None
    model_answer: str | None = None  # of a subjective question: it tells which one, should its text have been corrected


def read_recorded(path: Path, fields: Sequence[str] = REPLY_FIELDS) -> list[RecordedReply]:
    """The replies in a file, or in the `.json`, `.jsonl` and `.csv` files of a folder.

    Six shapes are known: GAOKAO-Bench's result files, AlignBench's answer files, CG-Eval's submission files, `samples_*.jsonl` of the harness (the
    first reply, where a question was asked repeatedly), OpenCompass's predictions, and JSON Lines with an `id` or
    `question` and a `reply`. In a folder, hidden files, subfolders, files without any reply, such as upstream's score
    tables and the harness's results, and samples and predictions of other tasks are passed over.

    `fields` are those that may hold the reply: others for what was recorded about it, such as a judge's words.

    Raises SourceError naming file, record and field if something isn't as expected, or if there is no reply at all.
    """
    if replies := recorded_in(path, fields):
        return replies
    raise SourceError(f"{path}: no recorded replies: {_expected(fields)}{_passed_over(_entries(path) or ())}")


def recorded_in(path: Path, fields: Sequence[str] = REPLY_FIELDS) -> list[RecordedReply]:
    """As `read_recorded`, but empty if there is no reply at all."""
    entries = _entries(path)
    if entries is not None:
        files = [entry for entry in entries if _is_read(entry) and not entry.is_dir()]
        return [reply for file in files for reply in _replies_in(file, fields, among_others=True)]
    if _is_read(path):
        return list(_replies_in(path, fields))
    raise SourceError(f"{path}: expected a file with the ending {_LISTED_ENDINGS}, or a folder of such files")


def _expected(fields: Sequence[str]) -> str:
    if tuple(fields) != REPLY_FIELDS:
        return f"expected records with the field {' or '.join(fields)}, and an id or question"
    return (
        "expected the fields id and reply, question and model_output (GAOKAO-Bench's result files), question_id and "
        "answer (AlignBench's), 回答 beside a question's key (CG-Eval's CSV), origin_prompt and prediction (OpenCompass's), or doc and resps (samples_*.jsonl of lm_eval)"
    )


def _entries(path: Path) -> list[Path] | None:
    """What is in the folder `path`, hidden files aside; None for a file."""
    try:
        path.stat()  # says of a path that leads nowhere what is wrong, is_dir() does not
        return sorted(entry for entry in path.iterdir() if entry.name[0] != ".") if path.is_dir() else None
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise SourceError(f"{path}: no path ({error})") from error


def _is_read(path: Path) -> bool:
    return path.suffix.lower() in _ENDINGS


def _passed_over(entries: Iterable[Path]) -> str:
    """A hint at what else is in a folder without replies."""
    folders = [str(entry) for entry in entries if entry.is_dir()][:_NAMED]
    others = [entry.name for entry in entries if not entry.is_dir() and not _is_read(entry)][:_NAMED]
    return (f"; subfolders are not read, name one of them: {', '.join(folders)}" if folders else "") + (
        f"; only files with the ending {_LISTED_ENDINGS} are read, not {', '.join(others)}" if others else ""
    )


def _replies_in(path: Path, fields: Sequence[str], among_others: bool = False) -> Iterator[RecordedReply]:
    if path.suffix.lower() == ".csv":
        if fields is REPLY_FIELDS:
            yield from _submission(path)
        return
    records = list(_records(path))
    if not any(_is_reply(record, fields) for _, record, _ in records):
        return
    if among_others and all(_is_foreign(path, record) for _, record, _ in records):
        return
    for where, record, keyword in records:
        if fields is REPLY_FIELDS and opencompass.is_prediction(record):
            yield _opencompass_prediction(path, where, record)
        else:
            yield from _reply(where, record, keyword, fields)


def _submission(path: Path) -> Iterator[RecordedReply]:
    """The replies in a submission file of CG-Eval; none in any other CSV file, such as a table of results."""
    from cg_eval_tasks.submitted import is_submission, submitted_replies

    if is_submission(path):
        for where, id_, reply in submitted_replies(path):
            yield RecordedReply(reply, where, id=id_)


def _records(path: Path) -> Iterator[tuple[str, Any, object]]:
    """Where each record stands, the record, and the question file it is about if that is known."""
    if path.suffix.lower() == ".jsonl":
        for number, record in read_jsonl(path):
            yield f"{path}: line {number}", record, None
        return
    content = read_json(path)
    for key, record in opencompass.predictions(content):
        yield f"{path}: record {key!r}", record, None
    keyword = None
    if isinstance(content, Mapping):
        keyword = content.get("keyword", content.get("keywords"))
        content = content.get("example", [])
        if not isinstance(content, list):
            raise SourceError(f"{path}: field 'example': expected a list of records, got {content!r:.80}")
    if isinstance(content, list):
        for position, record in enumerate(content):
            yield f"{path}: record {position}", record, keyword


def _is_reply(record: object, fields: Sequence[str]) -> bool:
    return isinstance(record, Mapping) and (
        any(field in record for field in fields)
        or (fields is REPLY_FIELDS and (_is_alignbench_answer(record) or opencompass.is_prediction(record)))
    )


def _is_alignbench_answer(record: Mapping[str, Any]) -> bool:
    return "question_id" in record and "answer" in record and not any(field in record for field in REPLY_FIELDS)


def _is_foreign(path: Path, record: object) -> bool:
    """Whether this is a sample or prediction that was logged for a task that is not ours."""
    if opencompass.is_prediction(record):
        return opencompass.is_other_dataset(path)
    if not isinstance(record, Mapping) or "resps" not in record:
        return False
    doc = record.get("doc")
    id_ = doc.get("id") if isinstance(doc, Mapping) else None
    return not isinstance(id_, str) or benchmark_of(id_.split("/")[0]) is None


def _reply(where: str, record: object, keyword: object, fields: Sequence[str]) -> Iterator[RecordedReply]:
    if not isinstance(record, Mapping) or not _is_reply(record, fields):
        raise SourceError(f"{where}: {_expected(fields)}")
    if fields is REPLY_FIELDS and _is_alignbench_answer(record):
        yield _alignbench_answer(where, record)
        return
    held = [field for field in fields if field in record]
    if len(held) > 1:
        raise SourceError(
            f"{where}: fields {' and '.join(map(repr, held))}: expected only one of them to hold the reply"
        )
    if held == ["resps"]:
        if not was_missing(record):
            yield _harness_sample(where, record)
        return
    value = record[held[0]]
    marks = _marks(where, held[0], value) if held[0] == MARKS and isinstance(value, list) else ()
    id_ = _text(where, "id", record["id"]) if "id" in record else None
    question = _text(where, "question", record["question"]) if "question" in record else None
    if held == [JUDGMENT] and "question_id" in record:
        id_, question = _alignbench_id(where, record["question_id"]), None  # as of an answer
    reply = RecordedReply(
        reply="" if marks else _text(where, held[0], value),
        where=where,
        marks=marks,
        id=id_,
        question=question,
        keyword=None if keyword is None else _text(where, "keyword", keyword),
        index=_index(where, record["index"]) if "index" in record else None,
        model_answer=next((record[name] for name in _ANSWERS if isinstance(record.get(name), str)), None),
    )
    if reply.id is None and reply.question is None:
        raise SourceError(f"{where}: a reply with neither 'id' nor 'question' belongs to no question")
    yield reply


def _alignbench_answer(where: str, record: Mapping[str, Any]) -> RecordedReply:
    """An answer in AlignBench's own shape. Its number says which question: the texts were edited between versions."""
    answer = record["answer"]
    # Upstream writes null where a model gave no text.
    reply = "" if answer is None else _text(where, "answer", answer)
    return RecordedReply(reply, where, id=_alignbench_id(where, record["question_id"]))


def _alignbench_id(where: str, number: object) -> str:
    if isinstance(number, bool) or not isinstance(number, (int, str)) or not str(number).isdecimal():
        raise SourceError(f"{where}: field 'question_id': expected a number, got {number!r:.80}")
    return f"alignbench/{int(number)}"


def _opencompass_prediction(path: Path, where: str, record: Mapping[str, Any]) -> RecordedReply:
    prompt = opencompass.prompt_of(record)
    if prompt is None:
        raise SourceError(
            f"{where}: field 'origin_prompt': expected text or messages, got {record['origin_prompt']!r:.80}"
        )
    keyword, index = opencompass.place_of(path, record)
    reply = _text(where, "prediction", opencompass.reply_of(record))
    return RecordedReply(reply, where, prompt=prompt, keyword=keyword, index=index)


def was_missing(record: Mapping[str, Any]) -> bool:
    """Whether the sampled run had no reply to the question either. With --predict_only only the pipelines say so."""
    match record.get("filtered_resps"):
        case [[_, _, str(status), *_], *_] if status == MISSING_REPLY:
            return True
    return record.get("reply_missing") == MISSING_REPLY


def _harness_sample(where: str, record: Mapping[str, Any]) -> RecordedReply:
    doc = record.get("doc")
    if not isinstance(doc, Mapping) or not isinstance(doc.get("id"), str):
        raise SourceError(f"{where}: field 'doc': expected a document of one of our tasks, with an 'id'")
    question = _text(where, "doc.question", doc["question"]) if "question" in doc else None
    return RecordedReply(first_reply(where, record["resps"]), where, id=doc["id"], question=question)


def first_reply(where: str, resps: object) -> str:
    """The reply in a sample's field `resps`, the first one if the question was asked repeatedly.

    Raises SourceError if that isn't a list of lists of texts.
    """
    if isinstance(resps, list) and resps and all(_is_replies(replies) for replies in resps):
        first: str = resps[0][0]
        return first
    raise SourceError(f"{where}: field 'resps': expected [[reply, ...]] with texts, got {resps!r:.80}")


def _is_replies(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(reply, str) for reply in value)


def _text(where: str, field: str, value: object) -> str:
    if not isinstance(value, str):
        raise SourceError(f"{where}: field {field!r}: expected text, got {value!r:.80}")
    return value


def _marks(where: str, field: str, value: list[object]) -> tuple[float | None, ...]:
    marks = []
    if not value:
        raise SourceError(f"{where}: field {field!r}: expected one mark for each teacher, or null, got an empty list")
    for mark in value:
        if mark is not None and (
            isinstance(mark, bool) or not isinstance(mark, (int, float)) or not 0 <= mark < float("inf")
        ):
            raise SourceError(f"{where}: field {field!r}: expected marks of 0 and more, or null, got {value!r:.80}")
        marks.append(None if mark is None else float(mark))
    return tuple(marks)


def _index(where: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SourceError(f"{where}: field 'index': expected a whole number, got {value!r:.80}")
    return value
