"""Recorded texts that contradict each other, found before a run and without its questions."""

from __future__ import annotations

from collections.abc import Iterable

from lm_eval_zh.matching import AnswersError
from lm_eval_zh.recorded import RecordedReply


def refuse_contradictions(records: Iterable[RecordedReply]) -> None:
    """Raise AnswersError for two different records of one question, by its id or by its place in its file.

    Records that name their question by its text are compared when they are matched.
    """
    known: dict[tuple[str | None, ...], RecordedReply] = {}
    for record in records:
        by_place = (record.keyword, str(record.index)) if record.keyword and record.index is not None else None
        key = (record.id,) if record.id is not None else by_place
        if key is None:
            continue
        other = known.setdefault(key, record)
        if (other.reply, other.marks) != (record.reply, record.marks):
            question = "/".join(str(part) for part in key)
            raise AnswersError(
                f"{question} has two different records: {other.where} and {record.where}; keep one of them"
            )
