"""The part of a Gscore that compares meaning: the cosine of the vectors of two texts."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from zh_metrics.gscore.encoder import Encoder
from zh_metrics.gscore.vectors import VectorCache
from zh_metrics.judge.texts import without_surrogates

log = logging.getLogger(__name__)

Vector = NDArray[np.float32]
Piece = TypeVar("Piece")

_AT_ONCE = 2048  # windows encoded before the vectors of references are put on the disk: what a crash costs at most


def similarities(
    predictions: Sequence[str], references: Sequence[str], encoder: Encoder, cache: VectorCache | None = None
) -> list[float]:
    """The cosine of each prediction's vector with its reference's, in [0, 1]; 0 where one of them is blank.

    A text's vector is the mean of those of its windows. Each distinct window is encoded once, in order of length, whatever
    texts it is from. Vectors of references are taken from the cache and put there.
    """
    vectors = _vectors(predictions, references, encoder, cache)
    return [
        cosine(vectors[prediction], vectors[reference]) if prediction in vectors and reference in vectors else 0.0
        for prediction, reference in zip(predictions, references, strict=True)
    ]


def cosine(one: Sequence[float] | NDArray[np.floating], other: Sequence[float] | NDArray[np.floating]) -> float:
    """The cosine of two vectors, 0 if it is negative: texts can't be less alike than not at all. 0 for a zero vector."""
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    length = float(np.linalg.norm(a) * np.linalg.norm(b))
    return min(1.0, max(0.0, float(a @ b) / length)) if length else 0.0


def _vectors(
    predictions: Iterable[str], references: Iterable[str], encoder: Encoder, cache: VectorCache | None
) -> dict[str, Vector]:
    """The vector of each text that isn't blank."""
    wanted = [text for text in dict.fromkeys(references) if text.strip()]
    fields = encoder.signature_fields()
    vectors = cache.get(fields, wanted, encoder.dimensions) if cache else {}
    missing = [text for text in dict.fromkeys((*wanted, *predictions)) if text.strip() and text not in vectors]
    # Tokenizers refuse lone surrogates, which a reply may hold.
    pieces = dict(zip(missing, encoder.windows(list(map(without_surrogates, missing))), strict=True))
    windows: dict[str, Vector] = {}
    to_keep = {text for text in wanted if text in pieces}
    # The longest first, so that one batch has texts of one length, and memory that does not suffice is told at once.
    for chunk in _chunks(sorted({piece for cut in pieces.values() for piece in cut}, key=len, reverse=True), _AT_ONCE):
        windows.update(zip(chunk, encoder.encode(chunk), strict=True))
        if cache:
            whole = {text for text in to_keep if all(piece in windows for piece in pieces[text])}
            _keep(cache, fields, {text: _mean(pieces[text], windows) for text in whole})
            to_keep -= whole
    return {**vectors, **{text: _mean(cut, windows) for text, cut in pieces.items()}}


def _mean(pieces: Sequence[str], windows: Mapping[str, Vector]) -> Vector:
    return np.asarray(np.mean([windows[piece] for piece in pieces], axis=0), dtype=np.float32)


def _keep(cache: VectorCache, fields: dict[str, str], vectors: dict[str, Vector]) -> None:
    try:
        cache.put(fields, vectors)
    except OSError as error:
        log.warning("vector cache: %s: %s; the vectors of these references are not kept", cache.folder, error.strerror)


def _chunks(items: Sequence[Piece], size: int) -> Iterator[Sequence[Piece]]:
    return (items[start : start + size] for start in range(0, len(items), size))
