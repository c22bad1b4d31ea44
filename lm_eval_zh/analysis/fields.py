"""Fields of samples, checked as they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from zh_metrics.judge import Judgment

from lm_eval_zh.analysis.questions import JudgeWords, Names
from lm_eval_zh.sources import SourceError

Outcome = TypeVar("Outcome")


def text_field(where: str, doc: Mapping[str, Any], name: str) -> str:
    """The text in a document's field. Raises SourceError naming field and place for anything else."""
    value = doc.get(name)
    if not isinstance(value, str):
        raise SourceError(f"{where}: field 'doc.{name}': expected text, got {value!r:.80}")
    return value


def outcome_of(where: str, kind: Callable[..., Outcome], filtered: Any) -> Outcome:
    """`filtered_resps` as the named tuple it was before it became JSON; of repeated replies the first.

    The harness keeps lists and makes text of numbers and None; which texts were numbers, the fields' types tell.
    Raises SourceError for what can't be one: the samples of another version, or of another task.
    """
    try:
        (values, *_) = filtered
        hints = _hints(kind)
        if len(values) > len(hints):
            raise ValueError("more fields than this version knows")
        return kind(*(_typed(hint, value) for hint, value in zip(hints.values(), values, strict=False)))
    except (TypeError, ValueError) as error:
        raise SourceError(
            f"{where}: field 'filtered_resps': expected the fields of {getattr(kind, '__name__', kind)} as this version's "
            f"tasks give them, got {filtered!r:.80}; score the samples again if another version wrote them"
        ) from error


@cache
def _hints(kind: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(hint: Any, value: Any) -> Any:
    """`value` as a number, None or a list of numbers where the type says so; anything else as it is."""
    if isinstance(hint, UnionType) and type(None) in get_args(hint):
        (other,) = (option for option in get_args(hint) if option is not type(None))
        return None if value in (None, "None") else _typed(other, value)
    if hint is bool:
        return value in (True, "True")
    if hint in (float, int):
        return hint(value)
    if get_origin(hint) is list and get_args(hint)[0] not in (Any, str):
        return [_typed(get_args(hint)[0], item) for item in value]
    return value


def judgments(where: str, records: Any) -> list[Judgment]:
    """The judgments that `Judgment.as_record` wrote. Raises SourceError for anything else."""
    try:
        return list(map(Judgment.from_record, records))
    except (TypeError, ValueError) as error:
        raise SourceError(
            f"{where}: field 'filtered_resps': expected judgments as [status, reason, [[model, text], ...]], got "
            f"{records!r:.80}"
        ) from error


def judge_words(where: str, records: Any) -> tuple[JudgeWords, ...]:
    """What the judges said, for people. Raises SourceError as `judgments` does."""
    return tuple(
        JudgeWords(
            judgment.status.value, judgment.reason, tuple((reply.model, reply.text) for reply in judgment.replies)
        )
        for judgment in judgments(where, records)
    )


@cache
def names_file(path: Path) -> Mapping[str, Names]:
    """A benchmark's `names.json`: texts in `en` and `zh` by the name used in our code."""
    names: Mapping[str, Names] = json.loads(path.read_text(encoding="utf-8"))
    return names
