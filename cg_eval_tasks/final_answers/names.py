"""Names of what final answers give the values of, and when two of them can name one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_SUBSCRIPT = re.compile(r"_ ?(?:\d|\{ ?\d+ ?\})|(?<=[a-zA-Z])\d\Z")  # x_1, x1
_HAN_NAME = re.compile("[\\d\u4e00-\u9fff]+")
# What tells two things apart, in the order in which it stands; what one name must not say alone; what says nothing.
_TELLING = re.compile(
    "一(?![共支只张把个条位名台本块件般样起直])|[二三四五六七八九十甲乙丙丁长宽高深多少增减升降大小早晚快慢盈亏前后上下左右东南西北男女先最余缺赚赔涨跌顺逆首末\\d]"
)
_STRICT = re.compile("[周表侧底半径点]|[极最][大小]|[极最]值")
_WITH_PLACE = re.compile(r"(?P<name>[^()]+)(?P<place>\(.*\))")  # 极大值(1)
_EMPTY_WORDS = frozenset("价格钱一共是有为需要可以能约的了在里这那每各个只条把张支分别得到来在应该会比占又重")
_EQUATION = "方程"


class Derivative(NamedTuple):
    """The name of a derivative: y', dy/dx and f'(x) are one."""

    of: str  # y and f stand for each other; empty where it isn't said
    order: int
    by: str  # empty where it isn't said
    at: str  # a number, where it is a value of the derivative

    def agrees_with(self, other: Derivative) -> bool:
        """Whether both can be the same derivative."""
        return (
            (self.order, self.at) == (other.order, other.at)
            and (self.of == other.of or not self.of or not other.of or {self.of, other.of} == {"y", "f"})
            and (self.by == other.by or not self.by or not other.by)
        )


Name = str | Derivative
"""Empty where none is given."""


def names_agree(one: Name, other: Name) -> bool:
    """Whether two names can be of one thing. In Chinese one may say more: 甲 and 甲班有, 需加水 and 加水."""
    if not one or not other or one == other:
        return True
    if isinstance(one, Derivative) or isinstance(other, Derivative):
        return isinstance(one, Derivative) and isinstance(other, Derivative) and one.agrees_with(other)
    if one.endswith(_EQUATION) is not other.endswith(_EQUATION) and not (is_chinese(one) and is_chinese(other)):
        return True  # 切线方程为y=2x+1 is y=2x+1
    (one, place), (other, other_place) = _with_place(one), _with_place(other)
    if place and other_place and place != other_place:
        return False
    if not _HAN_NAME.fullmatch(one + other) or _STRICT.findall(one) != _STRICT.findall(other):
        return False
    telling = sorted((_TELLING.findall(name) for name in (one, other)), key=len)
    content = sorted(([sign for sign in name if sign not in _EMPTY_WORDS] for name in (one, other)), key=len)
    return _is_within(*telling) and _is_within(*content)


def _with_place(name: str) -> tuple[str, str]:
    match = _WITH_PLACE.fullmatch(name) if is_chinese(name) else None
    return (match["name"], match["place"]) if match else (name, "")


def is_numbered(name: Name) -> bool:
    """Whether a name has a subscript."""
    return without_number(name) != name


def without_number(name: Name) -> Name:
    """The name without its subscript: x of x_1."""
    return _SUBSCRIPT.sub("", name) if isinstance(name, str) else name


def is_chinese(name: Name) -> bool:
    """Whether a name is in Chinese characters."""
    return isinstance(name, str) and bool(_HAN_NAME.match(name))


def _is_within(few: Sequence[str], many: Iterable[str]) -> bool:
    """Whether all of the few are among the many, in their order."""
    left = iter(many)
    return all(one in left for one in few)
