"""What a number depends on, in one line beside it.

After sacrebleu's signatures: two numbers may be compared if their signatures are equal, and where they are not, the
field that differs says why.
"""

from __future__ import annotations

from collections.abc import Mapping


def signature(fields: Mapping[str, object]) -> str:
    """`name:value|name:value|...` in the given order, e.g. `task:gaokao_obj|version:1.0|pipeline:official`.

    Raises ValueError if a name or value is empty or holds a separator, for the line could not be read back.
    """
    parts = []
    for name, value in fields.items():
        text = str(value)
        if not name or not text or any(mark in name + text for mark in "|\n") or ":" in name:
            raise ValueError(f"{name!r}: {text!r} can't stand in a signature: empty, or holds '|', ':' or a line end")
        parts.append(f"{name}:{text}")
    return "|".join(parts)


def parse_signature(text: str) -> dict[str, str]:
    """The fields of a signature. Raises ValueError for a part without a colon."""
    fields = {}
    for part in text.split("|"):
        name, colon, value = part.partition(":")
        if not colon:
            raise ValueError(f"{part!r} in {text!r}: expected name:value")
        fields[name] = value
    return fields
