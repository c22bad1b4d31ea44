"""Where the official and the robust pipeline read a reply, or its judge's, differently, from the samples of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zh_metrics.judge import Judgment

from lm_eval_zh.json_files import read_jsonl
from lm_eval_zh.logged_samples import Outcome, split_outcome
from lm_eval_zh.recorded import first_reply
from lm_eval_zh.sources import SourceError

_PIPELINES = ("official", "robust")
_EXPECTED = "expected samples_*.jsonl of lm_eval --log_samples"


@dataclass(frozen=True)
class Difference:
    """One question whose reply the two pipelines read differently."""

    id: str
    target: str  # the key; of a judged question its points
    official: str
    robust: str
    reply: str
    judgment: str  # the last of the judge's replies; empty where no judge marks


@dataclass(frozen=True)
class _Sample:
    """What one pipeline made of the reply to one question."""

    where: str
    id: str
    pipeline: str
    target: str
    reading: str
    reply: str
    judgment: str


def differences(path: Path) -> tuple[list[Difference], int]:
    """The questions of one run on which the pipelines differ, in the order of the file, and how many were compared.

    `path` is a `samples_*.jsonl` file of the harness. Raises SourceError naming file, line and field for a line that is no
    sample of our tasks, for a question that a pipeline has not read or has read twice, and for a file without samples of
    the two pipelines.
    """
    readings: dict[str, dict[str, _Sample]] = {}
    for sample in _samples(path):
        by_pipeline = readings.setdefault(sample.id, {})
        if sample.pipeline in by_pipeline:
            raise SourceError(
                f"{sample.where}: {sample.id} has a second reading by the pipeline {sample.pipeline!r}, after "
                f"{by_pipeline[sample.pipeline].where}; keep each run in a file of its own"
            )
        by_pipeline[sample.pipeline] = sample
    if not readings:
        raise SourceError(f"{path}: no sample of the pipelines {' and '.join(_PIPELINES)}: {_EXPECTED} for such a task")
    pairs = [_pair(by_pipeline) for by_pipeline in readings.values()]
    found = [
        Difference(official.id, official.target, official.reading, robust.reading, official.reply, robust.judgment)
        for official, robust in pairs
        if official.reading != robust.reading
    ]
    return found, len(pairs)


def _pair(by_pipeline: Mapping[str, _Sample]) -> tuple[_Sample, _Sample]:
    missing = [name for name in _PIPELINES if name not in by_pipeline]
    if missing:
        other = next(iter(by_pipeline.values()))
        raise SourceError(
            f"{other.where}: {other.id} has no reading by the pipeline {missing[0]!r}; is the file complete?"
        )
    official, robust = (by_pipeline[name] for name in _PIPELINES)
    if official.reply != robust.reply:
        raise SourceError(
            f"{robust.where}: the reply to {robust.id} is not that of {official.where}; keep each run in a file of its own"
        )
    return official, robust


def _samples(path: Path) -> Iterator[_Sample]:
    for number, record in read_jsonl(path):
        where = f"{path}: line {number}"
        for field in ("doc", "filter", "filtered_resps", "resps", "target"):
            if not isinstance(record, Mapping) or field not in record:
                raise SourceError(f"{where}: field {field!r} is missing: {_EXPECTED}")
        if record["filter"] in _PIPELINES:
            yield _sample(where, record)


def _sample(where: str, record: Mapping[str, Any]) -> _Sample:
    doc, target = record["doc"], record["target"]
    if not isinstance(doc, Mapping) or not isinstance(doc.get("id"), str):
        raise SourceError(f"{where}: field 'doc': expected a document of one of our tasks, with a text as 'id'")
    if not isinstance(target, str):
        raise SourceError(f"{where}: field 'target': expected text, got {target!r:.80}")
    judgments, outcome = _parts(where, record["filtered_resps"])
    return _Sample(
        where,
        doc["id"],
        record["filter"],
        _key(doc, target),
        _reading(where, outcome),
        first_reply(where, record["resps"]),
        judgments[-1].text if judgments else "",
    )


def _key(doc: Mapping[str, Any], target: str) -> str:
    """The key of an objective question; what a judge may give at most for any other."""
    if doc.get("marking_prompt"):
        return f"of {doc.get('score')}"
    return "of 10" if "dimensions" in doc else target


def _parts(where: str, filtered: object) -> tuple[tuple[Judgment, ...], Outcome]:
    if isinstance(filtered, list) and len(filtered) == 1:
        return split_outcome(filtered[0])
    raise SourceError(f"{where}: field 'filtered_resps': expected a list of one outcome, got {filtered!r:.80}")


def _reading(where: str, outcome: Outcome) -> str:
    """`C . A (6.0 points)`, or the reason why nothing was read; of a judged reply marks, or scores by name, for letters."""
    match outcome:
        case [[*read], (None | str() | int() | float()) as points, str(status), *_] if all(map(_is_piece, read)):
            pieces = (" ".join(map(str, piece)) if isinstance(piece, list) else str(piece) or "." for piece in read)
            return f"{' '.join(pieces)} ({_shown(points)} points)" if read else status
    raise SourceError(
        f"{where}: field 'filtered_resps': expected [[letters, marks or scores, points, status, ...]] as our tasks give it, "
        f"got {outcome!r:.80}"
    )


def _is_piece(piece: object) -> bool:
    return isinstance(piece, (str, int, float)) or (isinstance(piece, list) and len(piece) == 2)


def _shown(points: object) -> object:
    return round(points, 4) if isinstance(points, float) else points
