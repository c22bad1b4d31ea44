"""Vectors of texts kept on disk, so that the next model on the same references costs half.

A file holds the vectors of one call: an npy array of records (digest of the text, vector), named by the digest of its own
bytes. It is written beside its place, synced and moved there; a damaged file is no entry, is removed, and costs that file only. Nothing
is ever unpickled. Several processes may share a folder.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import logging
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger(__name__)

Vector = NDArray[np.float32]

_WRITES = itertools.count()  # makes names that no other writer has, beside the number of the process
_DIGEST = ("digest", "u1", (32,))


class VectorCache:
    """Vectors by encoder and text, in a folder that is made when the first come."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def get(self, encoder: Mapping[str, str], texts: Iterable[str], dimensions: int) -> dict[str, Vector]:
        """The vectors there are of `texts`, made by the encoder with these signature fields."""
        wanted = {_digest(text): text for text in texts}
        found: dict[str, Vector] = {}
        for path in sorted(self._folder_of(encoder).glob("[!.]*.npy")) if wanted else ():
            records = _records(path, dimensions)
            if records is None:
                continue
            for digest, vector in zip(records["digest"], records["vector"], strict=True):
                text = wanted.get(digest.tobytes())
                if text is not None and np.isfinite(vector).all():
                    found[text] = np.array(vector)  # a copy: a view would keep the whole file in memory
        return found

    def put(self, encoder: Mapping[str, str], vectors: Mapping[str, Vector]) -> None:
        """Keep the vectors of texts: they are on the disk when this returns. Raises OSError if they can't be."""
        if not vectors:
            return
        (dimensions,) = next(iter(vectors.values())).shape
        records = np.empty(len(vectors), dtype=[_DIGEST, ("vector", "<f4", (dimensions,))])
        for record, (text, vector) in zip(records, vectors.items(), strict=True):
            record["digest"] = np.frombuffer(_digest(text), dtype="u1")
            record["vector"] = vector
        content = io.BytesIO()
        np.save(content, records, allow_pickle=False)
        _write(self._folder_of(encoder), content.getvalue())

    def _folder_of(self, encoder: Mapping[str, str]) -> Path:
        name = re.sub(r"[^\w\-.+@]", "_", encoder.get("encoder", ""), flags=re.ASCII).lstrip(".")[:100]
        fields = hashlib.sha256(repr(sorted(encoder.items())).encode(errors="backslashreplace")).hexdigest()[:16]
        return self.folder / f"{name}-{fields}"


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def _records(path: Path, dimensions: int) -> NDArray[np.void] | None:
    """The records of a file; None for a damaged one, which is removed, or for one of another shape."""
    try:
        content = path.read_bytes()
    except OSError as error:
        log.warning("vector cache: %s: %s; its vectors are computed anew", path, error.strerror)
        return None
    if hashlib.sha256(content).hexdigest() != path.stem:
        log.warning("vector cache: %s is damaged and removed; its vectors are computed anew", path)
        _remove(path)
        return None
    try:
        records: NDArray[np.void] = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError):
        return None
    expected = np.dtype([_DIGEST, ("vector", "<f4", (dimensions,))])
    return records if records.dtype == expected and records.ndim == 1 else None


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("vector cache: %s: %s", path, error.strerror)


def _write(folder: Path, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f".{os.getpid()}.{next(_WRITES)}.npy"
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(folder / f"{hashlib.sha256(content).hexdigest()}.npy")
    except OSError:
        beside.unlink(missing_ok=True)
        raise
