"""Numbers with or without a unit, exactly, as answers write them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from cg_eval_tasks.final_answers.numerals import CHARACTERS, numeral_value

_MOST_DIGITS = 60  # of a number in an answer, and of a power of ten: more is no answer to these questions

_DIGITS = r"\d+(?:\.\d+)?|\.\d+"
_FRACTION = r"\\frac ?\{ ?-?(?:\d+(?:\.\d+)?) ?\} ?\{ ?(?:\d+(?:\.\d+)?) ?\}"
_NUMBER = re.compile(
    rf"(?P<sign>[-+]?) ?(?:(?:(?P<whole>\d+) ?(?:又 ?)?(?P<mixed>{_FRACTION}))"
    rf"|(?:(?P<whole2>\d+)(?: ?又 ?| )(?P<mixed2>\d+ ?/ ?\d+))"
    rf"|(?P<tex>{_FRACTION})|(?P<slash>(?:{_DIGITS}) ?/ ?(?:{_DIGITS}))|(?P<plain>{_DIGITS}))"
    r"(?: ?(?:\\times|\\cdot|\*) ?10 ?\^ ?(?:\{ ?(?P<power>-?\d+) ?\}|(?P<power2>-?\d+)))?"
    r" ?(?P<percent>%)?"
)
_UNIT = re.compile(
    r"\s*(?P<thousands>万|亿)?(?P<unit>\^ ?\{ ?\\circ ?\} ?C?|[^\d=+*<>\\|,^]*(?:\^ ?\{? ?[23] ?\}?)?(?:/[^\d=+*<>\\|,]*)?)\s*"
)
_COUNTED = re.compile("[\u4e00-\u9fff]{1,6}")
# 5千, 5多, 5折 and 5分之一 are other numbers, 5不对 and 5的相反数 no numbers at all.
_SAYS_MORE = re.compile(r"^[十百千折成]|[不吗是的多半约几余错非无]|分之|次方|以[上下内外]|除|乘|加|减|倍数|倒数")
_HAN_NUMBER = re.compile(rf"(?P<below>[{CHARACTERS}]+)分之(?P<above>[{CHARACTERS}]+)|(?P<whole>[{CHARACTERS}]+)")
_OF_HUNDRED = re.compile(rf"百分之(?:(\d+(?:\.\d+)?)|([{CHARACTERS}]+))")
_OF = re.compile(r"(\d+)分之(\d+)")
MEASURES = frozenset("只个棵颗辆条本支枝盏袋人名位头匹台套双筐瓶箱盒块张件朵座间包根把次页道枚倍")
_SCALE = {"万": 10**4, "亿": 10**8, None: 1}

_PLAIN_UNITS = {
    **{name: ("m", Fraction(1, 1000)) for name in ("毫米", "mm")},
    **{name: ("m", Fraction(1, 100)) for name in ("厘米", "公分", "cm")},
    **{name: ("m", Fraction(1, 10)) for name in ("分米", "dm")},
    **{name: ("m", Fraction(1)) for name in ("米", "m")},
    **{name: ("m", Fraction(1000)) for name in ("千米", "公里", "km")},
}
_UNITS: dict[str, tuple[str, Fraction]] = {
    **_PLAIN_UNITS,
    **{f"平方{name}": ("m2", factor**2) for name, (_, factor) in _PLAIN_UNITS.items()},
    **{f"{name}^2": ("m2", factor**2) for name, (_, factor) in _PLAIN_UNITS.items()},
    **{f"立方{name}": ("m3", factor**3) for name, (_, factor) in _PLAIN_UNITS.items()},
    **{f"{name}^3": ("m3", factor**3) for name, (_, factor) in _PLAIN_UNITS.items()},
    **{name: ("m2", Fraction(10000)) for name in ("公顷", "ha")},
    **{name: ("m3", Fraction(1, 1000)) for name in ("升", "L", "l")},
    **{name: ("m3", Fraction(1, 10**6)) for name in ("毫升", "mL", "ml")},
    **{name: ("g", Fraction(1)) for name in ("克", "g")},
    **{name: ("g", Fraction(1000)) for name in ("千克", "公斤", "kg")},
    "斤": ("g", Fraction(500)),
    **{name: ("g", Fraction(10**6)) for name in ("吨", "t")},
    **{name: ("s", Fraction(1)) for name in ("秒", "秒钟", "s")},
    **{name: ("s", Fraction(60)) for name in ("分钟", "min")},
    **{name: ("s", Fraction(3600)) for name in ("时", "小时", "h")},
    **{name: ("s", Fraction(86400)) for name in ("天", "日")},
    **{name: ("month", Fraction(1)) for name in ("月", "个月")},
    **{name: ("month", Fraction(12)) for name in ("年",)},
    **{name: ("person", Fraction(1)) for name in ("人", "名", "位")},
    **{name: ("yuan", Fraction(1)) for name in ("元", "块", "块钱", "元钱")},
    "角": ("yuan", Fraction(1, 10)),
    **{name: ("degree", Fraction(1)) for name in ("度", r"^\circ")},
    **{name: ("celsius", Fraction(1)) for name in ("摄氏度", r"^\circC")},
}


_SMALLER = {("s", "分"): Fraction(60), ("yuan", "分"): Fraction(1, 100)}  # what 分 is after 小时, and after 元


class Quantity(NamedTuple):
    """A number and what it counts; the unit is empty where none is given."""

    number: Fraction
    unit: str


def quantity(text: str) -> Quantity | None:
    """The quantity a text is, such as `5千米`, `1小时30分`, `百分之二十` or `十五只`; None if it is anything else."""
    text = _OF.sub(r"\2/\1", _OF_HUNDRED.sub(_percent, _in_digits(text.strip())))
    match = _NUMBER.match(text)
    if not match or any(len(digits) > _MOST_DIGITS for digits in re.findall(r"\d+", match[0])):
        return None
    rest = text[match.end() :]
    number, unit = _value(match), _UNIT.match(rest)
    if unit is None or number is None or not _is_unit(_plain(unit["unit"])):
        return None
    found = Quantity(number * _SCALE[unit["thousands"]], _plain(unit["unit"]))
    smaller = rest[unit.end() :]
    return _with_smaller(found, smaller) if smaller else found


def _in_digits(text: str) -> str:
    """Chinese numerals at the beginning in digits, where what follows is a known unit: 三角形 has no number."""
    match = _HAN_NUMBER.match(text)
    if not match or text[0] in "百千万亿":
        return text
    unit = text[match.end() :].strip()
    if unit and unit not in _UNITS and unit not in MEASURES:
        return text
    if match["whole"]:
        value = numeral_value(match["whole"])
        return text if value is None else f"{value}{unit}"
    above, below = numeral_value(match["above"]), numeral_value(match["below"])
    return text if above is None or not below else f"{above}/{below}{unit}"


def _percent(match: re.Match[str]) -> str:
    value = match[1] or numeral_value(match[2])
    return match[0] if value is None else f"{value}%"


def _with_smaller(larger: Quantity, rest: str) -> Quantity | None:
    """1小时30分: the smaller unit's part is added, in the larger unit."""
    smaller = quantity(rest)
    kind, factor = _UNITS.get(larger.unit, ("", Fraction(1)))
    if smaller is None or not kind or smaller.number < 0:
        return None
    other_kind, other_factor = _UNITS.get(smaller.unit, ("", Fraction(1)))
    if (kind, smaller.unit) in _SMALLER:
        other_kind, other_factor = kind, _SMALLER[kind, smaller.unit]
    if kind != other_kind or other_factor >= factor:
        return None
    part = smaller.number * other_factor / factor
    return Quantity(larger.number + (part if larger.number >= 0 else -part), larger.unit)


def unit_of(text: str) -> str:
    """The unit in a text that is a quantity; empty where there is none."""
    found = quantity(text)
    return found.unit if found else ""


def is_known(unit: str) -> bool:
    """Whether a unit is one that others can be compared with, and no word for what is counted."""
    return unit in _UNITS


def quantities_equal(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities are the same. A unit that only one of them gives does not part them.

    Nor does what one says more of: 3天 is 3天后, and 12只 is 12只兔子. But 3个 is not 3个月.
    """
    shorter, longer = sorted((one.unit, other.unit), key=len)
    if not shorter or shorter == longer:
        return one.number == other.number
    if longer.startswith(shorter) and "/" not in longer and longer not in _UNITS:
        return one.number == other.number
    (kind, factor), (other_kind, other_factor) = _compound(one.unit), _compound(other.unit)
    return kind == other_kind and one.number * factor == other.number * other_factor


def _compound(unit: str) -> tuple[str, Fraction]:
    """What a unit measures, and how much of it: also of `千米/时` and `每小时千米`."""
    above, slash, below = unit.partition("/")
    kind, factor = _UNITS.get(above, (above, Fraction(1)))
    if not slash:
        return kind, factor
    other_kind, other_factor = _UNITS.get(below, (below, Fraction(1)))
    return f"{kind}/{other_kind}", factor / other_factor


def _is_unit(text: str) -> bool:
    """Whether the text can be a unit: one we know, or a few Chinese characters that say no more than what is counted."""
    return all(
        not part or part in _UNITS or (_COUNTED.fullmatch(part) and not _SAYS_MORE.search(part))
        for part in text.split("/")
    )


def _plain(unit: str) -> str:
    return re.sub(r"[\s{}]", "", unit).removesuffix("。")


def _value(match: re.Match[str]) -> Fraction | None:
    power = int(match["power"] or match["power2"] or 0)
    if abs(power) > _MOST_DIGITS:
        return None
    try:
        if match["plain"]:
            value = Fraction(match["plain"])
        else:
            ratio = match["tex"] or match["slash"] or match["mixed"] or match["mixed2"]
            negative = "-" if "-" in ratio else ""
            above, below = re.findall(_DIGITS, ratio)
            value = Fraction(match["whole"] or match["whole2"] or 0) + Fraction(negative + above) / Fraction(below)
    except ZeroDivisionError:
        return None
    value *= Fraction(10) ** power / (100 if match["percent"] else 1)
    return -value if match["sign"] == "-" else value
