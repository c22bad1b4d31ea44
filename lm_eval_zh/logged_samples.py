"""What a `samples_*.jsonl` of the harness holds of one of our tasks: replies, outcomes of the pipelines, judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zh_metrics.judge import Judgment

from lm_eval_zh.json_files import read_jsonl
from lm_eval_zh.recorded import RecordedReply, first_reply, was_missing
from lm_eval_zh.registry import benchmark_of
from lm_eval_zh.sources import SourceError

Outcome = list[Any]
"""What a pipeline made of a reply, as the samples hold it: every part a text or a list of such, without the judgments."""

_FIELDS = ("doc", "filter", "filtered_resps", "resps")
_ONLY_PREDICTED = "bypass"  # the metric of a run with --predict_only


@dataclass
class LoggedQuestion:
    """One question of a run."""

    where: str  # file and line, for messages
    id: str
    question: str | None
    reply: str | None  # None: the run had none to it
    arguments: Sequence[Sequence[Any]] | None  # the prompt and the settings of generation, if they are known
    judgments: tuple[Judgment, ...] = ()
    outcomes: dict[str, Outcome] = field(default_factory=dict)  # by pipeline; none of a run that only predicted

    def as_recorded(self) -> RecordedReply:
        """For matching it with the questions of today."""
        return RecordedReply(self.reply or "", self.where, id=self.id, question=self.question)


def read_samples(path: Path) -> list[LoggedQuestion]:
    """The questions in a `samples_*.jsonl`, in its order.

    Raises SourceError naming file, line and field for a line that is no sample of our tasks, for two lines that contradict
    each other about one question, and for a file without samples.
    """
    questions: dict[str, LoggedQuestion] = {}
    for number, record in read_jsonl(path):
        where = f"{path}: line {number}"
        found = _question(where, record)
        known = questions.setdefault(found.id, found)
        if known is found:
            continue
        if (known.reply, known.judgments) != (found.reply, found.judgments):
            raise SourceError(
                f"{where}: reply or judgments of {found.id} are not those of {known.where}; keep each run in files of its own"
            )
        (pipeline,) = found.outcomes or ("",)
        if pipeline in known.outcomes:
            raise SourceError(f"{where}: {found.id} has a second outcome of the pipeline {pipeline!r}")
        known.outcomes.update(found.outcomes)
    if not questions:
        raise SourceError(f"{path}: no samples")
    return list(questions.values())


def collection_of_samples(path: Path) -> str | None:
    """Which collection the first sample in a file is of, whatever the file's name; None for a file of anything else.

    Raises SourceError if it can't be read.
    """
    if path.suffix.lower() != ".jsonl" or not path.is_file():
        return None
    match next((record for _, record in read_jsonl(path)), None):
        case {"doc": {"id": str(id_)}, "resps": _, "filter": _} if benchmark_of(id_.split("/")[0]):
            return id_.split("/")[0]
    return None


def _question(where: str, record: object) -> LoggedQuestion:
    for name in _FIELDS:
        if not isinstance(record, Mapping) or name not in record:
            raise SourceError(f"{where}: field {name!r} is missing: expected samples_*.jsonl of lm_eval --log_samples")
    assert isinstance(record, Mapping)
    doc, filtered, pipeline = record["doc"], record["filtered_resps"], record["filter"]
    if not isinstance(doc, Mapping) or not isinstance(doc.get("id"), str):
        raise SourceError(f"{where}: field 'doc': expected a document of one of our tasks, with a text as 'id'")
    if not isinstance(pipeline, str):
        raise SourceError(f"{where}: field 'filter': expected the name of a pipeline, got {pipeline!r:.80}")
    if not isinstance(filtered, list) or len(filtered) != 1:
        raise SourceError(f"{where}: field 'filtered_resps': expected a list of one outcome, got {filtered!r:.80}")
    judgments, outcome = split_outcome(filtered[0])
    metrics = record.get("metrics")
    scored = not (isinstance(metrics, list) and _ONLY_PREDICTED in metrics)
    question = doc.get("question")
    return LoggedQuestion(
        where,
        doc["id"],
        question if isinstance(question, str) else None,
        None if was_missing(record) else first_reply(where, record["resps"]),
        _arguments(record.get("arguments")),
        judgments,
        {pipeline: outcome} if scored else {},
    )


def split_outcome(written: object) -> tuple[tuple[Judgment, ...], Outcome]:
    """The judgments that an outcome holds, wherever they stand in it, and what else it holds."""
    found = [(part, _judgments(part)) for part in (written if isinstance(written, list) else [written])]
    judgments = next((held for _, held in found if held), ())
    return judgments, [part for part, held in found if not held]


def _judgments(part: object) -> tuple[Judgment, ...]:
    try:
        return tuple(map(Judgment.from_record, part)) if isinstance(part, list) else ()
    except ValueError:
        return ()


def outcome_text(outcome: Outcome) -> str:
    """In one line: `6.0 (C . A)`, the reason where there is no score, both where something is wrong with it."""
    match outcome:
        case [[*read], score, str(status), *_]:
            pieces = " ".join(" ".join(piece) if isinstance(piece, list) else piece or "." for piece in read)
            said = "" if score == "None" else f"{score} ({pieces})"
            return said if said and status == "ok" else f"{said} {status}".strip()
    return " ".join(map(str, outcome))


def _arguments(arguments: object) -> list[list[Any]] | None:
    """The harness's {"gen_args_0": {"arg_0": prompt, "arg_1": settings}} as the lists it was made of."""
    if not isinstance(arguments, Mapping) or not arguments:
        return None
    return [list(given.values()) for given in arguments.values() if isinstance(given, Mapping)]
