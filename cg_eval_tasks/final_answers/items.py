"""What a final answer says: solutions that are alternatives, each a list of items, each a value with or without a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cg_eval_tasks.final_answers.names import Derivative, Name, is_chinese
from cg_eval_tasks.final_answers.quantities import MEASURES, is_known, quantity
from cg_eval_tasks.final_answers.spelling import one_spelling

_LONGEST = 2000  # characters of an answer that are compared by meaning
_HAN = "[\u4e00-\u9fff]"

_OR = re.compile(r" ?,? ?(?:或者?|(?<![a-zA-Z\\])or(?![a-zA-Z])|\\lor|\\vee) ?")
_LEAD = re.compile(
    r"(?:(?:原|该|此)?(?:方程|不等式)组?的?|[两该此其]?)(?:解集?|根|值|答案|结果|得数)(?:分别)?(?:[为是]:?|:) ?(?=.)"
    r"|(?:所以|因此|综上|故|则|解得?|答|得|有|一共|总共|共有?|大约|约|原式|(?<!\d)=)[:,]? ?(?=[^,;])"
)
_REJECTED = re.compile("舍|增根|排除|删去|弃")
_NAMED = re.compile(
    r"(?P<name>\\frac ?\{[^=]{1,60}\}[a-z]?"
    rf"|{_HAN}{{0,12}}\\?[a-zA-Z]*\d?(?: ?_ ?(?:\w|\{{[^{{}}]*\}}))?(?: ?')*(?: ?\( ?-?[a-zA-Z\d]{{1,3}} ?\)|(?<=[fghFPEDSs]) ?\( ?[^()=,]{{1,40}} ?\))?)"
    r" ?(?:=|\\in(?![a-z]))(?P<value>.+)"
)
_DESCRIBED = re.compile(rf"(?P<name>{_HAN}{{1,12}}?)(?:[为是]:?|:) ?(?=[-+\d\\(\[a-zA-Z{{])(?P<value>.+)")
_VALUE_OF = re.compile(rf"(?P<name>{_HAN}{{0,10}}(?:值|域|解集|区间|方程|函数))有? ?(?P<value>[-+\d\\(\[a-zA-Z{{].*)")
_WORDS_FIRST = re.compile(rf"(?P<words>[\d\u4e00-\u9fff]{{0,20}}{_HAN}) ?[:]? ?(?P<value>[-\d.\\(\[].*)")
_NUMBER_FIRST = re.compile(rf"(?P<value>\d[\d.,/万亿]* ?(?P<measure>{_HAN}))(?P<words>{_HAN}{{1,8}})")
_NO_VALUE = re.compile(
    "[不非没未无几第除乘近错误假]|分之|[大小多少低高早晚]于|超过|不足|将近|相反数|倒数|(?:(?<!提)前|[加减两百千万亿派半倍方如]|对数)\\Z"
)
_FUNCTION = re.compile(r"[a-zA-Z] ?(\([^()=]*\)) ?= ?([^=]+)")
_EXPRESSION = re.compile(r"(?P<expression>[^=,;]{2,30})的值(?:分别)?[为是:=] ?(?P<value>[^=]+)")
_NO_NAMES = ("值", "答案", "结果", "得数", "原式")
_DERIVATIVE = re.compile(
    r"\\frac\{(?:d|\\partial)(?:\^\{?(?P<order>\d)\}?)?(?P<of>[a-zA-Z]?)\}\{(?P<by>(?:d|\\partial).*)\}(?P<after>[a-z]?)"
    r"|(?P<function>\\?[a-zA-Z]+(?:_(?:\w|\{[^{}]*\}))?)(?P<primes>'+)(?:\((?P<at>-?\w{1,3})\))?"
)
AS_IT_STANDS = "\0"  # before a value that is compared as a text only
_PIECEWISE = re.compile(
    r"\\begin ?\{(?:cases|array|aligned)\}[^\0]*?(?:[<>≤≥]|\\[gl]eq?(?![a-z])|\\[gl]eqslant|\\neq?(?![a-z]))"
)
_CONDITION = re.compile(r"当|时 ?[,:]")  # what follows holds under it
_PLUS_MINUS = re.compile(r"\\(pm|mp)(?![a-zA-Z]) ?")
_SET = re.compile(r"\A([^{}\\]*)\\?\{ ?[a-zA-Z] ?(?:\\in ?R ?)?[|:] ?(.*?) ?\\?\} ?\Z")  # {x|x>1}
_NUMBERED = re.compile(r"[,;]? ?\(([1-9])\) ?")  # (1)30克,(2)10克
_RATE = rf"每(小时|分钟|{_HAN})({_HAN}{{0,4}}?)(\d+(?:\.\d+)? ?[a-zA-Z\u4e00-\u9fff]{{1,4}})"
_OTHERWISE: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?<![\d.,(\[])\d{1,3}(?:,\d{3})+(?![\d,])"), lambda match: match[0].replace(",", "")),
    (re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)"), lambda match: match[0].replace(" ", "")),
    (re.compile(r" ?\\cup ?"), " 或 "),  # of intervals, beside x<1或x>2
    (re.compile(_RATE), r"\2\3/\1"),  # 每小时行5千米
    (re.compile(r" ?\\approx ?"), "="),
    (re.compile(r"(?<=[^=,]) ?\\approx[^,]*"), ""),  # beside the exact value
)


class Item(NamedTuple):
    """One value and what it is the value of; the name is empty where none is given."""

    name: Name
    value: str
    in_words: bool = False  # the name is the beginning of a sentence, as in 甲车一共行了350千米


class Solution(NamedTuple):
    """Items that hold together."""

    items: tuple[Item, ...]
    in_order: bool = False  # they are numbered, or stand under conditions
    grouped: bool = False  # they are separated by semicolons


Answer = list[Solution]
"""The alternatives of an answer."""


def parsed(answer: str) -> list[Answer]:
    """The ways to read an answer: `1,200` is one number, or a list of two."""
    text = one_spelling(answer[:_LONGEST])
    if _PIECEWISE.search(answer[:_LONGEST]):
        return [[Solution((Item("", AS_IT_STANDS + text),))]]  # each piece belongs to its condition
    numbers = _NUMBERED.findall(text)
    numbered = bool(_NUMBERED.match(text)) and numbers == [str(number) for number in range(1, len(numbers) + 1)]
    numbered = numbered and len(numbers) > 1
    text = _NUMBERED.sub(";", text).lstrip(";") if numbered else text
    readings = [_SET.sub(r"\1\2", text)]
    for pattern, otherwise in _OTHERWISE:
        readings += [pattern.sub(otherwise, reading) for reading in readings if pattern.search(reading)]
    in_order = numbered or bool(_CONDITION.search(text))
    return [_alternatives(reading, in_order) for reading in dict.fromkeys(readings)]


def _alternatives(text: str, in_order: bool) -> Answer:
    solutions: Answer = []
    name: Name = ""
    for alternative in _OR.split(text):
        pieces = [piece for piece in _split(alternative) if piece and not _REJECTED.search(piece)]
        items = [item for piece in pieces for item in _items(piece)]
        if items and not items[0].name and name:  # x=1或-3
            items = [Item(name, items[0].value), *items[1:]]
        if items:
            name = items[0].name
            inherited = items if in_order else list(_inherited(items))
            solutions.extend(Solution(of_sign, in_order, ";" in alternative) for of_sign in _by_sign(inherited))
    return unique([separate for solution in solutions for separate in one_name_apart(solution)])


def unique(answer: Answer) -> Answer:
    """The alternatives without repetitions: a double root is one."""
    return list(dict.fromkeys(answer))


def one_name_apart(solution: Solution) -> Iterator[Solution]:
    """The solutions that items stand for: `x=1,x=-3` and `x=1,-3` give the values of one unknown: alternatives."""
    names = [item.name for item in solution.items]
    first = names[0]
    unknown = isinstance(first, str) and re.fullmatch(r"\\?[a-zA-Z]\w*(?:\{\w+\})?", first)
    if len(names) > 1 and unknown and not solution.in_order and all(name in ("", first) for name in names):
        yield from (Solution((Item(first, item.value),)) for item in solution.items)
    else:
        yield solution


def _split(text: str) -> Iterator[str]:
    """The pieces between commas and semicolons that stand in no bracket."""
    depth, start = 0, 0
    for position, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char in ",;" and depth <= 0:
            yield text[start:position].strip()
            start = position + 1
    yield text[start:].strip()


def _items(text: str) -> Iterator[Item]:
    """The item a piece is, or the two of `x_1=x_2=1`."""
    for _ in range(3):
        match = _LEAD.match(text)
        text = text[match.end() :] if match else text
    names = [name.strip() for name in text.split("=")[:-1]]
    if len(names) > 1 and all(re.fullmatch(r"[a-z] ?_ ?(?:\d|\{\d\})|[a-z]\d", name) for name in names):
        yield from (_item(f"{name}={text.rpartition('=')[2]}") for name in names)
    else:
        yield _item(text)


def _item(text: str) -> Item:
    if of_expression := _EXPRESSION.fullmatch(text):
        return Item(f"={re.sub(' ', '', of_expression['expression'])}", _bare(of_expression["value"]))
    match = _DESCRIBED.fullmatch(text) or _VALUE_OF.fullmatch(text) or _NAMED.fullmatch(text)
    if match and match.re is not _NAMED and (of := _FUNCTION.fullmatch(match["value"])):
        return Item(f"{match['name']}{of[1]}", _bare(of[2]))  # 极大值为f(1)=2
    if not match or (match.re is not _NAMED and _NO_VALUE.search(match["name"])):
        return _in_words(text) or Item("", _bare(text))
    name = re.sub(r"\s", "", match["name"])
    if name.startswith(r"\frac") and not _DERIVATIVE.fullmatch(name):
        return Item("", text)
    if derivative := _DERIVATIVE.fullmatch(name):
        return Item(_derivative(derivative), _bare(match["value"]))
    han = re.match(f"{_HAN}+", name)
    if han and len(han[0]) > 1 and (place := re.search(r"\(.*\)\Z", name)):
        name = han[0] + place[0]  # 极大值f(1)=2
    name = re.sub(r"_\{\d(?:,\d)+\}\Z", "", name)  # x_{1,2}
    return Item("" if name in _NO_NAMES else name, _bare(match["value"]))


def _bare(value: str) -> str:
    """A value without brackets around all of it, but for a point, an interval or a set."""
    return re.sub(r"\A\(([^(),]*)\)\Z|\A\\?\{([^{},\\]*)\\?\}\Z", r"\1\2", value.strip())


def _in_words(text: str) -> Item | None:
    """An item such as 杏树有62棵, or 62棵杏树; None for anything else."""
    before, after = _WORDS_FIRST.fullmatch(text), _NUMBER_FIRST.fullmatch(text)
    if before and not _NO_VALUE.search(before["words"]) and quantity(before["value"]) and quantity(text) is None:
        return Item(before["words"], before["value"], in_words=True)
    whole = quantity(text)
    if after and after["measure"] in MEASURES and whole and not is_known(whole.unit):
        return Item(after["words"], after["value"], in_words=True)
    return None


def _derivative(match: re.Match[str]) -> Derivative:
    if match["by"]:
        by = re.sub(r"\\partial|d|[{}]", "", match["by"])
        return Derivative(
            match["of"] or match["after"], int(match["order"] or 1), re.sub(r"\A(\w)\^\d\Z", r"\1", by), ""
        )
    at = match["at"] or ""
    variable = bool(re.fullmatch("[a-z]", at))
    return Derivative(match["function"], len(match["primes"]), at if variable else "", "" if variable else at)


def _inherited(items: list[Item]) -> Iterator[Item]:
    """The items, those without a name under the one before: 减区间为(1,2), (3,4)."""
    name: Name = ""
    in_words = False
    for item in items:
        if not item.name and is_chinese(name):
            yield Item(name, item.value, in_words)
        else:
            name, in_words = item.name, item.in_words
            yield item


def _by_sign(items: list[Item]) -> Iterator[tuple[Item, ...]]:
    """The two solutions that a ± stands for, or the one there is."""
    if not any(_PLUS_MINUS.search(item.value) for item in items):
        yield tuple(items)
        return
    for pm, mp in (("+", "-"), ("-", "+")):
        yield tuple(item._replace(value=_signed(item.value, pm, mp)) for item in items)


def _signed(value: str, pm: str, mp: str) -> str:
    return _PLUS_MINUS.sub(lambda match: pm if match[1] == "pm" else mp, value).removeprefix("+")
