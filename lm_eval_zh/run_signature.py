"""What of a run's settings a number depends on, as fields of its signature. Total: no setting makes it fail."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

_NO = ("false", "no", "0", "none", "")
# The fields that say how replies came about; what else stands between subset and versions is about the judges.
_OF_REPLIES = (
    *("prompt", "replies", "shots", "temperature", "sample", "max_tokens", "stop", "generation", "chat", "system"),
)
_FIELD_BEFORE, _FIELD_AFTER = "subset", "lm_eval"  # the fields around those of replies and judges


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
    """`none` for a run on all documents, else which of them: the first ones, or a digest of the chosen positions.

    One subset gives one field, whether `--limit` or `--samples` chose it.
    """
    if samples is not None:
        chosen = sorted(set(samples))
        if not chosen or chosen != list(range(len(chosen))):
            return text_digest([str(chosen)])
        limit = len(chosen)
    if limit is None or limit >= n_documents:
        return "none"
    return f"first {limit}"


def inherited_fields(fields: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """What of a run's signature stays true when its samples are scored again: how its replies and its judgments came about.

    Two mappings, for the judgments may be made anew while the replies stay. Both are empty if it is no signature of ours.
    """
    names = list(fields)
    if _FIELD_BEFORE not in fields or _FIELD_AFTER not in fields:
        return {}, {}
    between = names[names.index(_FIELD_BEFORE) + 1 : names.index(_FIELD_AFTER)]
    of_replies = {name: fields[name] for name in names if name in _OF_REPLIES}
    return of_replies, {name: fields[name] for name in between if name not in _OF_REPLIES}


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
