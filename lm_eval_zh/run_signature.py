"""What of a run's settings a number depends on, as fields of its signature. Total: no setting makes it fail."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

_NO = ("false", "no", "0", "none", "")


def generation_fields(settings: Mapping[str, Any]) -> dict[str, str]:
    """The fields for the harness's `generation_kwargs`; one setting written in two ways gives one field."""
    rest = dict(settings)
    stop = rest.pop("until", None) or ()
    return {
        "temperature": _number(rest.pop("temperature", 0)),
        "sample": "no" if str(rest.pop("do_sample", False)).lower() in _NO else "yes",
        "max_tokens": _number(rest.pop("max_gen_toks", None)),
        "stop": text_digest([stop] if isinstance(stop, str) else stop),
        "generation": text_digest(f"{name}={rest[name]}" for name in sorted(rest)),  # what else was set, such as top_p
    }


def subset_field(limit: int | None, samples: Iterable[int] | None, n_documents: int) -> str:
    """`none` for a run on all documents, else which of them: the first ones, or a digest of the chosen positions."""
    if samples is not None:
        return text_digest([str(sorted(samples))])
    if limit is None or limit >= n_documents:
        return "none"
    return f"first {limit}"


def package_version(name: str) -> str:
    """The installed version, or `uninstalled` for code that runs from a folder on the path."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "uninstalled"


def text_digest(texts: Iterable[object]) -> str:
    """`none` for no text, else the first 8 hexadecimal digits of the SHA-256 of the texts."""
    joined = "\x00".join(map(str, texts))
    return hashlib.sha256(joined.encode(errors="backslashreplace")).hexdigest()[:8] if joined else "none"


def _number(value: object) -> str:
    """A number in one form (0, 0.0 and "0" are 0), `default` where the setting is left to the model."""
    if value is None or str(value).lower() in ("none", ""):
        return "default"
    try:
        return f"{float(str(value)):.12g}"
    except ValueError:
        return text_digest([value])
