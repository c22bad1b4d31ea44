"""Where the official and the robust pipeline read a reply, or its judge's, differently, from the samples of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lm_eval_zh.logged_samples import PIPELINES, LoggedDocument, check_complete, read_documents
from lm_eval_zh.sources import SourceError

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


def differences(path: Path) -> tuple[list[Difference], int]:
    """The questions of one run on which the pipelines differ, in the order of the file, and how many were compared.

    `path` is a `samples_*.jsonl` file of the harness. Raises SourceError naming file, line and field for a line that is no
    sample of our tasks, for a question that a pipeline has not read or has read twice, and for a file without samples of
    the two pipelines.
    """
    documents = [document for document in read_documents(path) if not document.filtered.keys().isdisjoint(PIPELINES)]
    if not documents:
        raise SourceError(f"{path}: no sample of the pipelines {' and '.join(PIPELINES)}: {_EXPECTED} for such a task")
    check_complete(documents, PIPELINES)
    pairs = [(document, _reading(document, "official"), _reading(document, "robust")) for document in documents]
    found = [
        Difference(document.id, _key(document), official, robust, document.reply, _judges_words(document))
        for document, official, robust in pairs
        if official != robust
    ]
    return found, len(pairs)


def _key(document: LoggedDocument) -> str:
    """The key of an objective question; what a judge may give at most for any other."""
    if document.doc.get("marking_prompt"):
        return f"of {document.doc.get('score')}"
    if "dimensions" in document.doc:
        return "of 10"
    return document.target


def _judges_words(document: LoggedDocument) -> str:
    judgments, _ = document.outcome("robust")
    return judgments[-1].text if judgments else ""


def _reading(document: LoggedDocument, pipeline: str) -> str:
    """`C . A (6.0 points)`, or the reason why nothing was read; of a judged reply marks, or scores by name, for letters."""
    _, outcome = document.outcome(pipeline)
    match outcome:
        case [[*read], (None | str() | int() | float()) as points, str(status), *_] if all(map(_is_piece, read)):
            pieces = (" ".join(map(str, piece)) if isinstance(piece, list) else str(piece) or "." for piece in read)
            return f"{' '.join(pieces)} ({_shown(points)} points)" if read else status
    raise SourceError(
        f"{document.places[pipeline]}: field 'filtered_resps': expected [[letters, marks or scores, points, status, ...]] as our tasks give it, "
        f"got {outcome!r:.80}"
    )


def _is_piece(piece: object) -> bool:
    return isinstance(piece, (str, int, float)) or (isinstance(piece, list) and len(piece) == 2)


def _shown(points: object) -> object:
    return round(points, 4) if isinstance(points, float) else points
