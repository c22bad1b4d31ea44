"""Whether two final answers say the same: solutions in any order, items by name, values by number, unit and formula."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TypeVar

from cg_eval_tasks.final_answers.equivalence import compared
from cg_eval_tasks.final_answers.items import AS_IT_STANDS, Answer, Item, Solution, one_name_apart
from cg_eval_tasks.final_answers.quantities import quantities_equal, quantity, unit_of

log = logging.getLogger(__name__)

Value = TypeVar("Value")

_MOST = 16  # items of one answer that are compared in any order
_MOST_SECONDS = 30.0  # of the processor for the formulas of one answer
_RATIO = re.compile(r":[^:]*:")  # of three numbers or more, which nothing but itself equals
_SUBSCRIPT = re.compile(r"_ ?(?:\d|\{ ?\d+ ?\})|(?<=[a-zA-Z])\d\Z")  # x_1, x1
_CALCULATION = re.compile(r"\\(?:i{0,3}nt|oint|lim|sum|prod)(?![a-zA-Z])")
_UNKNOWN = re.compile(r"(?<![\\a-zA-Z])(?!e(?![a-zA-Z]))[a-zA-Z]")  # no letter of a command, and not e
_HAN_NAME = re.compile("[\u4e00-\u9fff]+")
_TELLING = re.compile("[甲乙丙丁长宽高深多少增减升降大小早晚快慢盈亏前后上下左右东南西北男女先最余缺赚赔涨跌顺逆首末]")
_RELATION = re.compile(r"[<>]|\\(?:le|ge|ne)(?![a-zA-Z])")
_VARIABLE = re.compile(r"(?<![\\a-zA-Z])[a-z](?![a-z])")


def same_answer(found: Iterable[Answer], wanted: Iterable[Answer]) -> bool:
    """Whether one way to read the answer says what one way to read the reference says.

    All its formulas together may take 30 seconds of the processor; those left then count as different.
    """
    matching = _Matching()
    references = list(wanted)
    return any(matching.answers(answer, reference) for answer in found for reference in references)


class _Matching:
    """One comparison of answers, with the time it has left."""

    def __init__(self) -> None:
        self._seconds_left = _MOST_SECONDS

    def answers(self, found: Answer, wanted: Answer) -> bool:
        if _matched(found, wanted, self._solutions):
            return True
        # x_1=1, x_2=-3 are two solutions of one unknown, unless the other answer has the same names.
        if _names(found) == _names(wanted) or max(map(len, (*found, *wanted)), default=0) < 2:
            return False
        return _matched(_unnumbered(found), _unnumbered(wanted), self._solutions)

    def _solutions(self, found: Solution, wanted: Solution) -> bool:
        if len(found) != len(wanted):
            return False
        if len(found) == 1 and (found[0].in_words or wanted[0].in_words):
            return _words_agree(found[0].name, wanted[0].name) and self._values(found[0].value, wanted[0].value)
        if all(map(self._items, found, wanted)):
            return True
        units = [unit_of(item.value) for item in wanted]
        named = all(item.name for item in (*found, *wanted))
        in_order = not named and any(unit and units.count(unit) > 1 for unit in units)  # 3米,5米 answer two questions
        return not in_order and _matched(found, wanted, self._items)

    def _items(self, found: Item, wanted: Item) -> bool:
        if not _names_agree(found, wanted):
            return False
        value, expected = found.value, wanted.value
        if ("=" in value) is not ("=" in expected):
            value, expected = self._worked_out(value), self._worked_out(expected)
        if ("=" in value) is not ("=" in expected):
            value, expected = _as_curve(found, value), _as_curve(wanted, expected)
        if ("=" in value) is not ("=" in expected):
            return False  # an equation still to be solved is no value
        return self._values(value, expected)

    def _worked_out(self, value: str) -> str:
        """The result of a calculation that is written out, such as 421 of 123+298=421; 2x=4 stays as it is."""
        calculation, equals, result = value.rpartition("=")
        if not equals:
            return value
        if _CALCULATION.match(calculation) or not _UNKNOWN.search(calculation) or self._formulas(result, calculation):
            return result.strip()
        return value

    def _values(self, found: str, wanted: str) -> bool:
        if _compact(found) == _compact(wanted):
            return True
        if (
            AS_IT_STANDS in found + wanted
            or _RATIO.search(found)
            or _RATIO.search(wanted)
            or not _same_brackets(found, wanted)
        ):
            return False
        if ("!" in found) is not ("!" in wanted):
            return False  # 5! is not worked out
        numbers = quantity(found), quantity(wanted)
        if numbers[0] is not None and numbers[1] is not None:
            return quantities_equal(numbers[0], numbers[1])
        return self._formulas(found, wanted)

    def _formulas(self, found: str, wanted: str) -> bool:
        if self._seconds_left <= 0:
            return False
        comparison = compared(found, wanted)
        self._seconds_left -= comparison.seconds
        if self._seconds_left <= 0:
            log.warning("formulas of one answer took too long, those left are taken for different: %.80r", found)
        return comparison.equal


def _names_agree(found: Item, wanted: Item) -> bool:
    """Whether two items can be of one thing. In Chinese one name may say more: 甲 and 甲班, 需加水 and 加水."""
    one, other = found.name, wanted.name
    if not one or not other or one == other:
        return True
    if not _HAN_NAME.fullmatch(one + other):
        return False
    return one.startswith(other) or one.endswith(other) or other.startswith(one) or other.endswith(one)


def _words_agree(one: str, other: str) -> bool:
    """Whether two sentences about the only value there is can be of one thing: none tells of more where the other tells of less."""
    telling = [_TELLING.findall(words) for words in (one, other)]
    return telling[0] == telling[1] or [] in telling


def _as_curve(item: Item, value: str) -> str:
    """The equation of a line or a curve, which may be solved for one of its variables: y=2x+1 and 2x-y+1=0."""
    if "=" not in value and re.fullmatch("[a-z]", item.name) and _VARIABLE.search(value.replace(item.name, "")):
        return f"{item.name}={value}"
    return value


def _names(answer: Answer) -> set[str]:
    return {item.name for solution in answer for item in solution}


def _unnumbered(answer: Answer) -> Answer:
    plain = [[Item(_SUBSCRIPT.sub("", item.name), item.value) for item in solution] for solution in answer]
    return [separate for solution in plain for separate in one_name_apart(solution)]


def _same_brackets(found: str, wanted: str) -> bool:
    """Whether both are sets, or in order: {1,2} is not (1,2), but x>1 may be an interval."""
    return _brackets(found) == _brackets(wanted) or any(map(_RELATION.search, (found, wanted)))


def _brackets(text: str) -> str:
    if not re.search(r"[,，]", text):
        return ""
    return "set" if text.startswith((r"\{", "{")) else "ordered" if text.startswith(("(", "[")) else ""


def _compact(text: str) -> str:
    text = re.sub(r"(?<=\d)\s+(?=\d)", "_", text)  # 1 1/2 is not 11/2
    return re.sub(r"[\s{}]|\\cdot|\\times|\*", "", text)


def _matched(found: Sequence[Value], wanted: Sequence[Value], same: Callable[[Value, Value], bool]) -> bool:
    """Whether each of the one can be paired with one of the other."""
    if len(found) != len(wanted) or len(found) > _MOST:
        return False
    partner: dict[int, int] = {}

    @cache
    def pair(i: int, j: int) -> bool:
        return same(found[i], wanted[j])

    def place(i: int, tried: set[int]) -> bool:
        for j in range(len(wanted)):
            if j not in tried and pair(i, j):
                tried.add(j)
                if j not in partner or place(partner[j], tried):
                    partner[j] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(found)))
