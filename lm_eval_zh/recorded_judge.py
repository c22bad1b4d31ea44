"""A judge that replays judgments recorded earlier: upstream's judged files, a model's words or teachers' marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from zh_metrics.judge import JudgeReply, JudgeRequest, JudgeUsage, Judgment, Status
from zh_metrics.judge.records import UNREAD
from zh_metrics.judge.texts import without_surrogates

from lm_eval_zh.contradictions import refuse_contradictions
from lm_eval_zh.matching import match, questions_of
from lm_eval_zh.recorded import JUDGMENT, MARKS, RecordedReply, read_recorded, recorded_in
from lm_eval_zh.sources import SourceError

_FIELDS = (
    "model_correction",
    JUDGMENT,
    MARKS,
)  # what a judge wrote to GAOKAO-Bench, to AlignBench, and teachers' marks


class RecordedJudge:
    """One recorded judge: its words as they were, or a teacher's marks written the way a judge would write them."""

    def __init__(self, name: str, replies: Sequence[RecordedReply], are_marks: bool) -> None:
        self.usage = JudgeUsage()
        self._name = name
        self._replies = replies
        self._are_marks = are_marks

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """One judgment per request; `not_asked` where none is recorded for the question."""
        ids = [request.answer.id for request in requests if request.answer]
        recorded, _ = match(self._replies, questions_of(ids))
        judgments = [self._judgment(request, recorded) for request in requests]
        self.usage.statuses.update(judgment.status.value for judgment in judgments)
        self.usage.reasons.update(judgment.reason for judgment in judgments if judgment.reason)
        return judgments

    def describe(self) -> dict[str, Any]:
        """The judge's name."""
        return {"model": self._name}

    def score_settings(self) -> dict[str, Any]:
        """The judge's name, and a digest of all it said."""
        said = sorted(f"{reply.keyword}/{reply.index}/{reply.id}/{reply.reply}" for reply in self._replies)
        return {"model": self._name, "said": sha256("\n".join(said).encode()).hexdigest()}

    def _judgment(self, request: JudgeRequest, recorded: Mapping[str, str]) -> Judgment:
        answer = request.answer
        if answer is None or answer.id not in recorded:
            return Judgment(Status.NOT_ASKED, "no recorded judgment")
        text = without_surrogates(recorded[answer.id])
        self.usage.models[self._name] += 1
        reply = JudgeReply(answer.as_reply(float(text)) if self._are_marks else text, model=self._name)
        if request.accept(reply.text):
            return Judgment(Status.OK, replies=(reply,))
        return Judgment(Status.UNPARSED, UNREAD, (reply,))


def recorded_judges(path: Path, name: str = "") -> tuple[RecordedJudge, ...]:
    """The judges whose judgments are in upstream's marked files: one with words, or one per teacher with marks.

    `name` says whose they are, for the files need not.

    Raises SourceError naming file, record and field if the files hold neither, or something else; AnswersError for two
    different judgments of one answer.
    """
    records = read_recorded(path, _FIELDS)
    refuse_contradictions(records)
    marked = [record for record in records if record.marks]
    if not marked:
        return (RecordedJudge(f"recorded {name}".rstrip(), records, are_marks=False),)
    words = next((record for record in records if record.reply), None)
    if words:
        raise SourceError(f"{words.where}: a judge's words among teachers' marks; keep them in folders of their own")
    teachers = max(len(record.marks) for record in marked)
    return tuple(
        RecordedJudge(f"recorded {name or 'teacher'} {teacher + 1}", _of_teacher(marked, teacher), are_marks=True)
        for teacher in range(teachers)
    )


def holds_judgments(path: Path) -> bool:
    """Whether upstream's files in `path` have been judged. Raises SourceError if they can't be read."""
    return bool(recorded_in(path, _FIELDS))


def _of_teacher(records: Sequence[RecordedReply], teacher: int) -> list[RecordedReply]:
    return [
        replace(record, reply=str(record.marks[teacher]))
        for record in records
        if teacher < len(record.marks) and record.marks[teacher] is not None
    ]
