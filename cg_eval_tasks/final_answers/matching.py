"""Whether two final answers say the same: solutions in any order, items by name, values by number, unit and formula."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TypeVar

from cg_eval_tasks.final_answers.equivalence import compared
from cg_eval_tasks.final_answers.items import AS_IT_STANDS, Answer, Item, Solution, one_name_apart, unique
from cg_eval_tasks.final_answers.names import Derivative, Name, is_chinese, is_numbered, names_agree, without_number
from cg_eval_tasks.final_answers.quantities import may_be_unknown, quantities_equal, quantity, split_unit, unit_of

log = logging.getLogger(__name__)

Value = TypeVar("Value")

_MOST = 16  # items of one answer that are compared in any order
_MOST_BARE = 4  # such items without names and units
_MOST_SECONDS = 30.0  # of the processor for the formulas of one answer
_RATIO = re.compile(r":[^:]*:")  # of three numbers or more, which nothing but itself equals
_CALCULATION = re.compile(r"\\(?:i{0,3}nt|oint|lim|sum|prod)(?![a-zA-Z])|\\frac ?\{ ?d ?\} ?\{ ?d|\(.*\) ?'\Z")
_UNKNOWN = re.compile(r"(?<![\\a-zA-Z])(?!e(?![a-zA-Z]))[a-zA-Z]")  # no letter of a command, and not e
_RELATION = re.compile(r"[<>]|\\(?:le|ge|ne)(?![a-zA-Z])")
_VARIABLE = re.compile(r"(?<![\\a-zA-Z])[a-z](?![a-z])")
_SET = re.compile(r"\\?\{(.*?) ?\\?\}")


class Matching:
    """The comparison of an answer with a reference, with the time it has left.

    A product of sums in the reference is only matched by such a product, unless not `factored`. All formulas together
    may take 30 seconds of the processor; those left then count as different.
    """

    def __init__(self, factored: bool = True) -> None:
        self._factored = factored
        self._seconds_left = _MOST_SECONDS

    def same(self, found: Iterable[Answer], wanted: Iterable[Answer]) -> bool:
        """Whether one way to read the answer says what one way to read the reference says."""
        references = list(wanted)
        return any(self._answers(answer, reference) for answer in found for reference in references)

    def _answers(self, found: Answer, wanted: Answer) -> bool:
        if _matched(found, wanted, self._solutions):
            return True
        # x_1=1, x_2=-3 are two solutions of one unknown, unless the other answer has the same names.
        numbered = [any(map(is_numbered, _names(one))) for one in (found, wanted)]
        if numbered[0] is not numbered[1] and _matched(_unnumbered(found), _unnumbered(wanted), self._solutions):
            return True
        found, wanted = _listed_apart(found), _listed_apart(wanted)
        return len(found) > 1 and _matched(found, wanted, self._solutions)

    def _solutions(self, found: Solution, wanted: Solution) -> bool:
        if len(found.items) != len(wanted.items):
            return False
        by_name = {item.name: item for item in wanted.items}
        if (
            len(by_name) == len(wanted.items)
            and by_name.keys() == {item.name for item in found.items}
            and "" not in by_name
        ):
            return all(self._items(item, by_name[item.name]) for item in found.items)
        if all(map(self._items, found.items, wanted.items)):
            return True
        return _may_be_in_any_order(found, wanted) and _matched(found.items, wanted.items, self._items)

    def _items(self, found: Item, wanted: Item) -> bool:
        if not names_agree(found.name, wanted.name):
            return False
        value, expected = found.value, wanted.value
        if value.count("=") != expected.count("="):
            value, expected = self._worked_out(value), self._worked_out(expected)
        if ("=" in value) is not ("=" in expected):
            value, expected = _as_curve(found, value), _as_curve(wanted, expected)
        values, expecteds = value.split("="), expected.split("=")
        if len(values) != len(expecteds):
            return False  # an equation still to be solved is no value
        if len(values) > 1 and (
            self._sides(values, expecteds) or (len(values) == 2 and self._sides(values[::-1], expecteds))
        ):
            return True
        return len(values) < 3 and self._values(value, expected)  # not of x=(y-1)/2=z/3

    def _sides(self, found: Sequence[str], wanted: Sequence[str]) -> bool:
        return all(map(self._values, found, wanted))

    def _worked_out(self, value: str) -> str:
        """The result of a calculation that is written out, such as 421 of 123+298=421; 2x=4 stays as it is."""
        *calculations, result = value.split("=")
        if not calculations:
            return value
        if _CALCULATION.match(calculations[0]) or not any(map(_UNKNOWN.search, calculations)):
            return result.strip()
        if all(self._formulas(result, calculation) for calculation in calculations):
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
        answer, number = quantity(found), quantity(wanted)
        if number is not None and (answer is not None or not may_be_unknown(number.unit)):
            return answer is not None and quantities_equal(answer, number)  # 2+3 is not worked out
        (found, unit), (wanted, other_unit) = split_unit(found), split_unit(wanted)
        return (not unit or not other_unit or unit == other_unit) and self._formulas(found, wanted)

    def _formulas(self, found: str, wanted: str) -> bool:
        if self._seconds_left <= 0:
            return False
        comparison = compared(found, wanted, self._factored)
        self._seconds_left -= comparison.seconds
        if self._seconds_left <= 0:
            log.warning("formulas of one answer took too long, those left are taken for different: %.80r", found)
        return comparison.equal


def _may_be_in_any_order(found: Solution, wanted: Solution) -> bool:
    """Whether items can be told apart by more than their places: by names, by units, or as values of which none has either."""
    if found.in_order or wanted.in_order:
        return False
    items = (*found.items, *wanted.items)
    units = [[unit_of(item.value) for item in solution.items] for solution in (found, wanted)]
    if all(all(of_solution) and len(set(of_solution)) == len(of_solution) for of_solution in units):
        return True
    if all(item.name for item in items):
        return all(len({item.name for item in one.items}) == len(one.items) for one in (found, wanted))
    if any(item.name for item in items) or found.grouped or wanted.grouped:
        return False
    return not any(any(of_solution) for of_solution in units) and len(found.items) <= _MOST_BARE


def _as_curve(item: Item, value: str) -> str:
    """The equation of a line or a curve, which may be solved for one of its variables: y=2x+1 and 2x-y+1=0."""
    if (
        "=" not in value
        and isinstance(item.name, str)
        and re.fullmatch("[a-z]", item.name)
        and _VARIABLE.search(value.replace(item.name, ""))
    ):
        return f"{item.name}={value}"
    return value


def _names(answer: Answer) -> set[Name]:
    return {item.name for solution in answer for item in solution.items}


def _unnumbered(answer: Answer) -> Answer:
    plain = [
        solution._replace(items=tuple(item._replace(name=without_number(item.name)) for item in solution.items))
        for solution in answer
    ]
    return unique([separate for solution in plain for separate in one_name_apart(solution)])


def _listed_apart(answer: Answer) -> Answer:
    """Values in a list, or in a set, as alternatives: 1,3 may be the values of x=1或x=3."""
    if len(answer) > 1 or not answer or answer[0].in_order or answer[0].grouped:
        return answer
    items = answer[0].items
    if len(items) == 1 and (inside := _SET.fullmatch(items[0].value)):
        items = tuple(Item(items[0].name, value.strip()) for value in inside[1].split(","))
    if any(isinstance(item.name, Derivative) or item.in_words or unit_of(item.value) for item in items):
        return answer
    if (
        len({item.name for item in items}) > 1
        or is_chinese(items[0].name)
        or any(_RELATION.search(item.value) for item in items)
    ):
        return answer
    return unique([Solution((item,)) for item in items])


def _same_brackets(found: str, wanted: str) -> bool:
    """Whether both are sets, or in order: {1,2} is not (1,2), but x>1 may be an interval."""
    return _brackets(found) == _brackets(wanted) or any(map(_RELATION.search, (found, wanted)))


def _brackets(text: str) -> str:
    if not re.search(r"[,，]", text):
        return ""
    return "set" if text.startswith((r"\{", "{")) else "ordered" if text.startswith(("(", "[")) else ""


def _compact(text: str) -> str:
    """The text without what says nothing: white space but between digits and after commands, brackets around a power of one sign."""
    text = re.sub(r"(?<![\d]) +| +(?!\d)", "", re.sub(r"(\\[a-zA-Z]+) +(?=[a-zA-Z])", r"\1~", text))
    return re.sub(r"([\^_])\{(\w)\}(?!\w)", r"\1\2", text)


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
