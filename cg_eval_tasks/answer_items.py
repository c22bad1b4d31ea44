"""What a final answer says: solutions that are alternatives, each a list of items, each a value with or without a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

from cg_eval_tasks.equivalence import equivalent
from cg_eval_tasks.quantities import quantities_equal, quantity, unit_of

Value = TypeVar("Value")

_LONGEST = 2000  # characters of an answer that are compared by meaning
_MOST = 16  # items of one answer that are compared in any order

_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("’‘′ʹ＇´`", "'"),
        **dict.fromkeys("−–—﹣", "-"),
        **dict.fromkeys("，、；;", ","),
        "×": r"\times ",
        "÷": "/",
        "·": r"\cdot ",
        "π": r"\pi ",
        "√": r"\sqrt",
        "±": r"\pm ",
        "∓": r"\mp ",
        "∞": r"\infty ",
        "≥": r"\ge ",
        "≤": r"\le ",
        "≠": r"\ne ",
        "∈": r"\in ",
    }
)
_WRITTEN = str.maketrans(  # what NFKC would make plain digits of
    {
        **{digit: f"^{number}" for number, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        "⁻": "^-",
        **{digit: f"_{number}" for number, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        "½": r"\frac{1}{2}",
        "¼": r"\frac{1}{4}",
        "¾": r"\frac{3}{4}",
    }
)
_WRAPPER = re.compile(r"\\(?:text|mathrm|mbox|textbf|mathbf|boldsymbol|operatorname|boxed|fbox) ?\{([^{}]*)\}")
_BOXED = re.compile(r"\\(?:boxed|fbox) ?\{(.*)\}")
_REWRITTEN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\^(-?\d?)\^(\d)", r"^{\1\2}"),  # of x¹⁰ and x⁻¹
        (r"\$|\\[()\[\]]|\\(?:left|right|displaystyle|limits)(?![a-zA-Z])\.?", ""),
        (r"\\(?:begin|end) ?\{(?:cases|array|aligned|align\*?|split|gathered)\}(?:\{[lcr|]*\})?", ""),
        (r"\\[dt]frac(?![a-zA-Z])", r"\\frac"),
        (r"\\frac ?(\d) ?(\d)", r"\\frac{\1}{\2}"),  # \frac12
        (r"\\sqrt ?(\d+|[a-z])", r"\\sqrt{\1}"),
        (r"(?<=\d)\{,\}(?=\d{3})", ","),
        (r"(?<=\d)\\[,!:](?=\d{3})", ","),
        (r"\\\\(?:\[\w+\])?", ","),  # a new line of cases
        (r"\\[,;:! ]|\\q?quad(?![a-zA-Z])|~|&", " "),
        (r"\\%", "%"),
        (r"\^ ?\{? ?\\prime ?\}?|\\prime", "'"),
        (r"\^ ?\{? ?\\circ ?\}?|°", r"^{\\circ}"),
        (r"\\geq(?![a-z])|\\geqslant", r"\\ge"),
        (r"\\leq(?![a-z])|\\leqslant", r"\\le"),
        (r"(\+ ?)c\b(?! ?[=^_(])", r"\1C"),  # the constant of an integral
        (r"\s+", " "),
    )
)
_OR = re.compile(r"\s*,?\s*(?:或者?|(?<![a-zA-Z\\])or(?![a-zA-Z])|\\lor|\\vee)\s*")
_NAME = re.compile(
    r"(?:解得?|原式|答案?|所以|故|则|得)?[:：]?\s*"
    r"(?P<name>\\frac ?\{ ?d ?\^?\d? ?[a-z]? ?\} ?\{ ?d ?[a-z] ?\^?\d? ?\}[a-z]?|(?:\\?[a-zA-Z]+\d?|[\u4e00-\u9fff]{0,12})(?:_ ?(?:\w|\{[^{}]*\}))?'{0,3}"
    r"(?: ?\( ?[a-zA-Z] ?\))?)\s*(?:=|\\in(?![a-z]))(?P<value>[^=]+)\Z"
)
_LEAD = re.compile(r"(?:答|一共|总共|共|大约|约)[:：]?\s*(?=[-\d\\.])")
_NO_NAMES = ("原式", "结果", "得数", "答案", "值", "和", "差", "积", "商")
_AS_IT_STANDS = "\0"  # before a value that is compared as a text only
_PIECEWISE = re.compile(r"\\begin ?\{cases\}[^\0]*?(?:[<>≤≥]|\\[gl]eq?(?![a-z])|\\[gl]eqslant|\\neq?(?![a-z]))")
_RATIO = re.compile(r":[^:]*:")  # of three numbers or more, which nothing but itself equals
_SUBSCRIPT = re.compile(r"_ ?(?:\d|\{ ?\d+ ?\})|(?<=[a-zA-Z])\d\Z")  # x_1, x1
_PLUS_MINUS = re.compile(r"\\(pm|mp)(?![a-zA-Z]) ?")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")


class Item(NamedTuple):
    """One value and what it is the value of; the name is empty where none is given."""

    name: str
    value: str


Solution = list[Item]
Answer = list[Solution]
"""The alternatives of an answer."""


def parsed(answer: str) -> list[Answer]:
    """The ways to read an answer: `1,200` is one number, or a list of two."""
    text = _one_spelling(answer[:_LONGEST])
    if _PIECEWISE.search(answer[:_LONGEST]):
        return [[[Item("", _AS_IT_STANDS + text)]]]  # each piece belongs to its condition
    readings = [text]
    if _THOUSANDS.search(text):
        readings.append(_THOUSANDS.sub(lambda match: match[0].replace(",", ""), text))
    return [_alternatives(reading) for reading in readings]


def alternatives_match(found: Answer, wanted: Answer) -> bool:
    """Whether two answers have the same alternatives, in any order, each with the same items."""
    if _matched(found, wanted, _solutions_match):
        return True
    # x_1=1, x_2=-3 are two solutions of one unknown, unless the other answer has the same names.
    if _names(found) == _names(wanted) or max(map(len, (*found, *wanted)), default=0) < 2:
        return False
    return _matched(_unnumbered(found), _unnumbered(wanted), _solutions_match)


def _one_spelling(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.translate(_WRITTEN)).translate(_CHARACTERS)
    text = _BOXED.sub(r"\1", text)
    for _ in range(2):  # wrappers stand in one another
        text = _WRAPPER.sub(r"\1", text)
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    return text.strip().rstrip("。.,").strip()


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
    return [separate for solution in solutions for separate in _one_name_apart(solution)]


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
        return Item("", text)
    name = re.sub(r"\s", "", match["name"])
    if "'" in name or name.startswith(r"\frac"):
        name = "'" * _order(name)  # y', f'(x) and dy/dx are one derivative
    elif name in _NO_NAMES:
        name = ""
    return Item(name, match["value"].strip())


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


def _one_name_apart(solution: Solution) -> Iterator[Solution]:
    """`x=1,x=-3` and `x=1,-3` give the values of one unknown: alternatives."""
    names = [item.name for item in solution]
    if len(solution) > 1 and names[0] and all(name in ("", names[0]) for name in names):
        yield from ([Item(names[0], item.value)] for item in solution)
    else:
        yield solution


def _names(answer: Answer) -> set[str]:
    return {item.name for solution in answer for item in solution}


def _unnumbered(answer: Answer) -> Answer:
    plain = [[Item(_SUBSCRIPT.sub("", item.name), item.value) for item in solution] for solution in answer]
    return [separate for solution in plain for separate in _one_name_apart(solution)]


def _solutions_match(found: Solution, wanted: Solution) -> bool:
    if len(found) != len(wanted):
        return False
    if all(map(_items_match, found, wanted)):
        return True
    units = [unit_of(item.value) for item in wanted]
    in_order = any(unit and units.count(unit) > 1 for unit in units)  # 3米,5米 answer two questions, in their order
    return not in_order and _matched(found, wanted, _items_match)


def _items_match(found: Item, wanted: Item) -> bool:
    if found.name and wanted.name and found.name != wanted.name:
        return False
    value, expected = found.value, wanted.value
    if "=" in value and "=" not in expected and not re.search("[a-zA-Z\\\\]", value.rpartition("=")[0]):
        value = value.rpartition("=")[2].strip()  # 123+298=421, but 2x=4 is no answer yet
    elif "=" in expected and "=" not in value and not re.search("[a-zA-Z]", expected):
        expected = expected.rpartition("=")[2].strip()
    if ("=" in value) is not ("=" in expected):
        return False  # an equation still to be solved is no value
    return _values_match(value, expected)


def _values_match(found: str, wanted: str) -> bool:
    if _compact(found) == _compact(wanted):
        return True
    if (
        _AS_IT_STANDS in found + wanted
        or _RATIO.search(found)
        or _RATIO.search(wanted)
        or _brackets(found) != _brackets(wanted)
    ):
        return False
    if ("!" in found) is not ("!" in wanted):
        return False  # math-verify reads 5! as 5
    numbers = quantity(found), quantity(wanted)
    if numbers[0] is not None and numbers[1] is not None:
        return quantities_equal(numbers[0], numbers[1])
    return equivalent(found, wanted)


def _brackets(text: str) -> str:
    """Whether a text is a set or in order: {1,2} is not (1,2). Empty for anything else."""
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
    pairs = {(i, j) for i, j in product(range(len(found)), repeat=2) if same(found[i], wanted[j])}
    partner: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        for j in range(len(wanted)):
            if (i, j) in pairs and j not in tried:
                tried.add(j)
                if j not in partner or place(partner[j], tried):
                    partner[j] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(found)))
