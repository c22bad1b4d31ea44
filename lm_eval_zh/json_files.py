"""JSON and JSON Lines as others write them: what can't be relied on is refused, with the place named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lm_eval_zh.sources import SourceError

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")  # the escape of one, which most often has its other half beside it


def read_json(path: Path) -> Any:
    """The content of a JSON file.

    Raises SourceError naming file, line and column if it isn't JSON in UTF-8, if an object has a key twice, or if a text
    holds half of a surrogate pair.
    """
    return _parse_json(_read_text(path), path, 1, "a file of JSON Lines must have the ending .jsonl")


def read_jsonl(path: Path) -> Iterator[tuple[int, Any]]:
    """Line number (from 1) and content of each line of a JSON Lines file that isn't blank.

    Raises SourceError naming file and line for a line that isn't JSON, as `read_json` does.
    """
    # Not splitlines(): a JSON string may hold U+2028 and its like, which are no line ends in JSON Lines.
    for number, line in enumerate(_read_text(path).split("\n"), start=1):
        if line.strip():
            yield number, _parse_json(line, path, number, "each line must hold one JSON value")


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path}: byte {error.start}: not UTF-8 ({error.reason}); save the file in that encoding"
        ) from error
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error


def _parse_json(text: str, path: Path, first_line: int, expected: str) -> Any:
    try:
        content = json.loads(text, object_pairs_hook=_object_with_unique_keys)
        if _HALF_PAIR.search(text):
            json.dumps(content, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise SourceError(f"{path}: line {line} column {error.colno}: not JSON ({error.msg}); {expected}") from error
    except UnicodeEncodeError as error:
        around = ascii(error.object[max(0, error.start - 20) : error.end])
        raise SourceError(
            f"{path}: line {first_line}: half of a surrogate pair, which is no character, at the end of {around}; "
            "remove or repair it"
        ) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of nested brackets
        raise SourceError(f"{path}: line {first_line}: JSON that can't be read ({error})") from error
    return content


def _object_with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object as a dict, where Python would silently take the last of the values with the same key."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the field {twice!r} stands twice in one object, {pairs!r:.80}...")
    return content
