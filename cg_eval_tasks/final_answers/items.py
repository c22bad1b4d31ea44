"""What a final answer says: solutions that are alternatives, each a list of items, each a value with or without a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cg_eval_tasks.final_answers.quantities import MEASURES, is_known, quantity
from cg_eval_tasks.final_answers.spelling import one_spelling

_LONGEST = 2000  # characters of an answer that are compared by meaning

_OR = re.compile(r"\s*,?\s*(?:或者?|(?<![a-zA-Z\\])or(?![a-zA-Z])|\\lor|\\vee)\s*")
_HAN = r"[\u4e00-\u9fff]"
_NAME = re.compile(
    r"(?:解得?|原式|答案?|所以|故|则|得)?[:：]?\s*(?:(?P<name>"
    r"\\frac ?\{ ?d ?\^?\d? ?[a-z]? ?\} ?\{ ?d ?[a-z] ?\^?\d? ?\}[a-z]?|\\frac ?\{ ?\\partial[^=]{0,60}\}"
    rf"|(?:\\?[a-zA-Z]+\d?|{_HAN}{{0,12}})(?:_ ?(?:\w|\{{[^{{}}]*\}}))?'{{0,3}}"
    r"(?: ?\( ?-?[a-zA-Z\d]{1,3} ?\))?)\s*(?:=|\\in(?![a-z]))"
    rf"|(?P<words>(?!{_HAN}{{0,11}}[不非没未无]){_HAN}{{1,12}}?)[为是][:：]?(?=[-+\d\\(\[a-zA-Z{{]))(?P<value>[^=]+)\Z"
)
_LEAD = re.compile(r"(?:答|一共|总共|共|大约|约|=)[:：]?\s*(?=[-\d\\.])")
_NO_NAMES = ("原式", "结果", "得数", "答案", "值", "和", "差", "积", "商")
AS_IT_STANDS = "\0"  # before a value that is compared as a text only
_PIECEWISE = re.compile(r"\\begin ?\{cases\}[^\0]*?(?:[<>≤≥]|\\[gl]eq?(?![a-z])|\\[gl]eqslant|\\neq?(?![a-z]))")
_WORDS_FIRST = re.compile(rf"(?P<words>{_HAN}{{1,20}}) ?[:：]?\s*(?P<value>[-\d.\\].*)")
_NUMBER_FIRST = re.compile(rf"(?P<value>\d[\d.,/万亿]* ?(?P<measure>{_HAN}))(?P<words>{_HAN}{{1,8}})")
_NO_VALUE = re.compile("[不非没未无约几第]|分之|[大小多少低高早晚]于|超过|不足|接近|将近|前\\Z")
_PLUS_MINUS = re.compile(r"\\(pm|mp)(?![a-zA-Z]) ?")
_SET = re.compile(r"\A([^{}\\]*)\\?\{ ?[a-zA-Z] ?(?:\\in ?R ?)?[|:] ?([^{}]*?) ?\\?\} ?\Z")  # {x|x>1}
_ENUMERATION = re.compile(r"\A\(1\).*, ?\(2\)")
_ENUMERATED = re.compile(r"(?:(?<=,)|\A) ?\([1-9]\) ?")  # (1)30克,(2)10克
_RATE = rf"每(小时|分钟|[时分秒天日])({_HAN}{{0,4}}?)(\d+(?:\.\d+)? ?[a-zA-Z\u4e00-\u9fff]{{1,4}})"
_OTHERWISE: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])"), lambda match: match[0].replace(",", "")),
    (re.compile(r" ?\\cup ?"), " 或 "),  # of intervals, beside x<1或x>2
    (re.compile(_RATE), r"\2\3/\1"),  # 每小时行5千米
    (re.compile(r" ?\\approx ?"), "="),
    (re.compile(r"(?<=[^=,]) ?\\approx[^,]*"), ""),  # beside the exact value
)


class Item(NamedTuple):
    """One value and what it is the value of; the name is empty where none is given."""

    name: str
    value: str
    in_words: bool = False  # the name is the beginning of a sentence, as in 甲车一共行了350千米


Solution = list[Item]
Answer = list[Solution]
"""The alternatives of an answer."""


def parsed(answer: str) -> list[Answer]:
    """The ways to read an answer: `1,200` is one number, or a list of two."""
    text = one_spelling(answer[:_LONGEST])
    if _PIECEWISE.search(answer[:_LONGEST]):
        return [[[Item("", AS_IT_STANDS + text)]]]  # each piece belongs to its condition
    text = _ENUMERATED.sub("", text) if _ENUMERATION.search(text) else text
    readings = [_SET.sub(r"\1\2", text)]
    for pattern, otherwise in _OTHERWISE:
        readings += [pattern.sub(otherwise, reading) for reading in readings if pattern.search(reading)]
    return [_alternatives(reading) for reading in dict.fromkeys(readings)]


def _alternatives(text: str) -> Answer:
    solutions: Answer = []
    name = ""
    for alternative in _OR.split(text):
        items = [_item(piece) for piece in _split(alternative) if piece]
        if items and not items[0].name and name:  # x=1或-3
            items = [Item(name, items[0].value), *items[1:]]
        if items:
            name = items[0].name
            solutions.extend(_by_sign(items))
    return [separate for solution in solutions for separate in one_name_apart(solution)]


def _split(text: str) -> Iterator[str]:
    """The pieces between commas that stand in no bracket."""
    depth, start = 0, 0
    for position, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth <= 0:
            yield text[start:position].strip()
            start = position + 1
    yield text[start:].strip()


def _item(text: str) -> Item:
    text = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    first, last = text.partition("=")[0], text.rpartition("=")[2]
    if text.count("=") > 1 and _NAME.fullmatch(f"{first}={last}"):
        text = f"{first}={last}"  # S=3*4=12
    match = _NAME.fullmatch(text)
    if not match:
        return _in_words(text) or Item("", text)
    name = re.sub(r"\s", "", match["name"] or match["words"] or "")
    if "'" in name or name.startswith((r"\frac{d", r"\frac{\mathrm")):
        at = re.search(r"\(-?\d+\)", name)
        name = "'" * _order(name) + (at[0] if at else "")  # y', f'(x) and dy/dx are one derivative
    elif name in _NO_NAMES:
        name = ""
    return Item(name, match["value"].strip())


def _in_words(text: str) -> Item | None:
    """An item such as 杏树有62棵, or 62棵杏树; None for anything else."""
    before, after = _WORDS_FIRST.fullmatch(text), _NUMBER_FIRST.fullmatch(text)
    if before and not _NO_VALUE.search(before["words"]) and quantity(before["value"]):
        return Item(before["words"].removesuffix("有"), before["value"], in_words=True)
    whole = quantity(text)
    if after and after["measure"] in MEASURES and whole and not is_known(whole.unit):
        return Item(after["words"], after["value"], in_words=True)
    return None


def _order(name: str) -> int:
    """Of a derivative: y'' and d^2y/dx^2 are of order 2."""
    power = re.search(r"\^ ?\{? ?(\d)", name)
    return name.count("'") or (int(power[1]) if power else 1)


def _by_sign(items: Solution) -> Iterator[Solution]:
    """The two solutions that a ± stands for, or the one there is."""
    if not any(_PLUS_MINUS.search(item.value) for item in items):
        yield items
        return
    for pm, mp in (("+", "-"), ("-", "+")):
        yield [Item(item.name, _signed(item.value, pm, mp)) for item in items]


def _signed(value: str, pm: str, mp: str) -> str:
    return _PLUS_MINUS.sub(lambda match: pm if match[1] == "pm" else mp, value).removeprefix("+")


def one_name_apart(solution: Solution) -> Iterator[Solution]:
    """The solutions a list of items stands for: `x=1,x=-3` and `x=1,-3` give the values of one unknown: alternatives."""
    names = [item.name for item in solution]
    if len(solution) > 1 and names[0] and all(name in ("", names[0]) for name in names):
        yield from ([Item(names[0], item.value)] for item in solution)
    else:
        yield solution
