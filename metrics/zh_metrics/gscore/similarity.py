"""The part of a Gscore that compares meaning: the cosine of the vectors of two texts."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from zh_metrics.gscore.encoder import Encoder
from zh_metrics.gscore.vectors import VectorCache

log = logging.getLogger(__name__)

Vector = NDArray[np.float32]
Piece = TypeVar("Piece")

_KEPT_AT_ONCE = 1024  # references encoded before their vectors are put on the disk: what a crash costs at most


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
    found = cache.get(fields, wanted, encoder.dimensions) if cache else {}
    missing = sorted((text for text in wanted if text not in found), key=len, reverse=True)
    windows: dict[str, Vector] = {}
    for texts in _chunks(missing, _KEPT_AT_ONCE):
        new = _encoded(texts, encoder, windows)
        found.update(new)
        if cache:
            _keep(cache, fields, new)
    rest = [text for text in dict.fromkeys(predictions) if text.strip() and text not in found]
    found.update(_encoded(rest, encoder, windows))
    return found


def _encoded(texts: Sequence[str], encoder: Encoder, windows: dict[str, Vector]) -> dict[str, Vector]:
    """The vector of each text; those of windows that were not in `windows` are added to it."""
    of_text = dict(zip(texts, encoder.windows(texts), strict=True))
    new = sorted({piece for pieces in of_text.values() for piece in pieces if piece not in windows}, key=len)
    if new:
        windows.update(zip(new, encoder.encode(new), strict=True))
    return {text: np.mean([windows[piece] for piece in pieces], axis=0) for text, pieces in of_text.items()}


def _keep(cache: VectorCache, fields: dict[str, str], vectors: dict[str, Vector]) -> None:
    try:
        cache.put(fields, vectors)
    except OSError as error:
        log.warning("vector cache: %s: %s; the vectors of these references are not kept", cache.folder, error.strerror)


def _chunks(items: Sequence[Piece], size: int) -> Iterator[Sequence[Piece]]:
    return (items[start : start + size] for start in range(0, len(items), size))
