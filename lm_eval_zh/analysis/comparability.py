"""Whether two signatures leave their numbers comparable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

# What may differ between runs that are to be compared: how the replies came about, which questions were asked (only common
# ones are compared), and versions, for a change that moves scores raises the task's. All else, also a field we don't know,
# makes two numbers two different measures.
_MAY_DIFFER = frozenset(
    (
        "task", "subset", "replies", "shots", "temperature", "sample", "max_tokens", "stop", "generation", "chat",
        "system", "lm_eval", "lm_eval_zh",
    )
)  # fmt: skip
DIGESTS = frozenset(("data", "prompt"))
NONE = "none"


class FieldDifference(NamedTuple):
    """A field of two signatures with its two values, `none` where one has no such field."""

    field: str
    first: str
    second: str

    @property
    def voids(self) -> bool:
        """Whether the numbers are no longer of the same measure."""
        return self.field not in _MAY_DIFFER

    def __str__(self) -> str:
        return f"{self.field}: {self.first} / {self.second}"


def field_differences(first: Mapping[str, str], second: Mapping[str, str]) -> list[FieldDifference]:
    """The fields in which two signatures differ, those that void a comparison first."""
    found = [
        FieldDifference(name, first.get(name, NONE), second.get(name, NONE))
        for name in dict.fromkeys((*first, *second))
        if first.get(name, NONE) != second.get(name, NONE)
    ]
    return sorted(found, key=lambda difference: not difference.voids)
