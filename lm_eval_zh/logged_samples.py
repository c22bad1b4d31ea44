"""What a `samples_*.jsonl` of the harness holds of one of our tasks: replies, outcomes of the pipelines, judgments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zh_metrics.judge import Judgment

from lm_eval_zh.json_files import read_jsonl
from lm_eval_zh.recorded import RecordedReply, first_reply, was_missing
from lm_eval_zh.registry import benchmark_of
from lm_eval_zh.sources import SourceError

Outcome = list[Any]
"""What a pipeline made of a reply, as the samples hold it: every part a text or a list of such, without the judgments."""

PIPELINES = ("official", "robust")
"""The names of our filters, in the order in which they are shown."""

_FIELDS = ("doc", "filter", "filtered_resps", "resps")
_EXPECTED = "expected samples_*.jsonl of lm_eval --log_samples"
_ONLY_PREDICTED = "bypass"  # the metric of a run with --predict_only


@dataclass(frozen=True)
class LoggedDocument:
    """One document of a run, as the harness logged it, with what each pipeline gave the metrics."""

    where: str  # file and line of its first sample, for messages
    doc: Mapping[str, Any]
    id: str
    target: str
    reply: str
    reply_missing: bool  # the run had none
    arguments: object
    filtered: Mapping[str, Any]  # `filtered_resps` by filter
    places: Mapping[str, str]  # file and line of each of them
    only_predicted: bool

    def outcome(self, pipeline: str) -> tuple[tuple[Judgment, ...], Outcome]:
        """The judgments and the outcome of a pipeline. Raises SourceError if it isn't one outcome."""
        filtered = self.filtered[pipeline]
        if isinstance(filtered, list) and len(filtered) == 1:
            return split_outcome(filtered[0])
        place = self.places[pipeline]
        raise SourceError(f"{place}: field 'filtered_resps': expected a list of one outcome, got {filtered!r:.80}")


def read_documents(path: Path) -> list[LoggedDocument]:
    """The documents in a `samples_*.jsonl`, in its order.

    Raises SourceError naming file, line and field for a line that is no sample of our tasks, for two lines that contradict
    each other about one document, and for a file without samples.
    """
    found: dict[str, LoggedDocument] = {}
    for number, record in read_jsonl(path):
        where = f"{path}: line {number}"
        document = _document(where, record)
        known = found.setdefault(document.id, document)
        if (known.reply, known.reply_missing) != (document.reply, document.reply_missing):
            raise SourceError(
                f"{where}: the reply to {document.id} is not that of {known.where}; keep each run in a file of its own"
            )
        if known is document:
            continue
        pipeline = record["filter"]
        if pipeline in known.filtered:
            raise SourceError(
                f"{where}: {document.id} has a second reading by the pipeline {pipeline!r}, after {known.places[pipeline]}; "
                "keep each run in a file of its own"
            )
        found[document.id] = replace(
            known,
            filtered={**known.filtered, **document.filtered},
            places={**known.places, pipeline: where},
        )
    if not found:
        raise SourceError(f"{path}: no samples: {_EXPECTED}")
    return list(found.values())


def check_complete(documents: Iterable[LoggedDocument], pipelines: Collection[str]) -> None:
    """Raises SourceError for a document that one of the pipelines has not read."""
    for document in documents:
        for pipeline in pipelines:
            if pipeline not in document.filtered:
                raise SourceError(
                    f"{document.where}: {document.id} has no reading by the pipeline {pipeline!r}; is the file complete?"
                )


@dataclass(frozen=True)
class LoggedQuestion:
    """One question of a run, to be scored again."""

    where: str  # file and line, for messages
    id: str
    question: str | None
    reply: str | None  # None: the run had none to it
    arguments: Sequence[Sequence[Any]] | None  # the prompt and the settings of generation, if they are known
    judgments: tuple[Judgment, ...] = ()
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)  # by pipeline; none of a run that only predicted

    def as_recorded(self) -> RecordedReply:
        """For matching it with the questions of today."""
        return RecordedReply(self.reply or "", self.where, id=self.id, question=self.question)


def read_samples(path: Path) -> list[LoggedQuestion]:
    """The questions in a `samples_*.jsonl`, in its order. Raises SourceError as `read_documents` does, and for judgments that differ."""
    return [_question(document) for document in read_documents(path)]


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


def _document(where: str, record: object) -> LoggedDocument:
    for name in _FIELDS:
        if not isinstance(record, Mapping) or name not in record:
            raise SourceError(f"{where}: field {name!r} is missing: {_EXPECTED}")
    assert isinstance(record, Mapping)
    doc, metrics = record["doc"], record.get("metrics")
    if not isinstance(doc, Mapping) or not isinstance(doc.get("id"), str):
        raise SourceError(f"{where}: field 'doc': expected a document of one of our tasks, with a text as 'id'")
    if not isinstance(record["filter"], str):
        raise SourceError(f"{where}: field 'filter': expected the name of a pipeline, got {record['filter']!r:.80}")
    if not isinstance(record.get("target", ""), str):
        raise SourceError(f"{where}: field 'target': expected text, got {record['target']!r:.80}")
    return LoggedDocument(
        where=where,
        doc=doc,
        id=doc["id"],
        target=record.get("target", ""),
        reply=first_reply(where, record["resps"]),
        reply_missing=was_missing(record),
        arguments=record.get("arguments"),
        filtered={record["filter"]: record["filtered_resps"]},
        places={record["filter"]: where},
        only_predicted=isinstance(metrics, list) and _ONLY_PREDICTED in metrics,
    )


def _question(document: LoggedDocument) -> LoggedQuestion:
    outcomes = {pipeline: document.outcome(pipeline) for pipeline in document.filtered}
    judgments = [judged for judged, _ in outcomes.values()]
    if any(judged != judgments[0] for judged in judgments):
        raise SourceError(
            f"{document.where}: the judgments of {document.id} differ between the pipelines; keep each run in a file of its own"
        )
    question = document.doc.get("question")
    return LoggedQuestion(
        document.where,
        document.id,
        question if isinstance(question, str) else None,
        None if document.reply_missing else document.reply,
        _arguments(document.arguments),
        judgments[0],
        {} if document.only_predicted else {pipeline: outcome for pipeline, (_, outcome) in outcomes.items()},
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
