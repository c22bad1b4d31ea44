"""Numbers with or without a unit, exactly, as answers write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_HAN_NUMBER = re.compile(rf"(?P<below>[{CHARACTERS}]+)分之(?P<above>[{CHARACTERS}]+)|(?P<whole>[{CHARACTERS}]+)")
_OF_HUNDRED = re.compile(rf"百分之(?:(\d+(?:\.\d+)?)|([{CHARACTERS}]+))")
_OF = re.compile(r"(\d+)分之(\d+)")
MEASURES = frozenset(
    "只个棵颗辆条本支枝盏袋人名位头匹台套双筐瓶箱盒块张件朵座间包根把次页道枚倍岁亩步层排行列份种对副串杯碗盘桶罐篮堆捆级号"
    "路门节课趟遍场组队班家户所栋幢篇首句字词题点车艘架部盆株粒片面周圈段批"
)
"""What things are counted in."""
# 5次方, 3个半 and 5根号 are other numbers, 5个不对 no number at all.
_SAYS_MORE = re.compile(r"[不吗是的多半约几余错非无方号负数没缺死迟欠剩未前后左右以除乘加减倒相反]")
_COUNTED = re.compile(rf"[{''.join(sorted(MEASURES))}][\u4e00-\u9fff]{{0,5}}")
_LETTER = re.compile(r"(?:[a-zA-Z]|mm|ha|ml)(?:\^?[23])?(?:/[a-zA-Z])?")  # a unit that may be an unknown
_FORMULA_WITH_UNIT = re.compile("(.*[^\u4e00-\u9fff])([\u4e00-\u9fff]+)")
_REPEATING = re.compile(
    r"(\d+)\.(\d*)(?:\\overline ?\{ ?(\d+) ?\}|\((\d+)\)|\\dot ?\{? ?(\d) ?\}?(?:(\d*)\\dot ?\{? ?(\d) ?\}?)?)"
)
_DEEPEST = 3  # units within one another, as in 1时2分3秒
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
    **{name: ("s", Fraction(3600)) for name in ("时", "小时", "小时后", "h")},
    "分": ("s", Fraction(60)),
    **{name: ("s", Fraction(900)) for name in ("刻", "刻钟")},
    **{name: ("s", Fraction(7 * 86400)) for name in ("周", "星期")},
    **{name: ("s", Fraction(86400)) for name in ("天", "日", "天后")},
    **{name: ("month", Fraction(1)) for name in ("月", "个月")},
    **{name: ("month", Fraction(12)) for name in ("年", "年后")},
    **{name: ("person", Fraction(1)) for name in ("人", "名", "位")},
    **{name: ("yuan", Fraction(1)) for name in ("元", "块钱", "元钱")},
    "角": ("yuan", Fraction(1, 10)),
    **{name: ("degree", Fraction(1)) for name in ("度", r"^\circ")},
    **{name: ("celsius", Fraction(1)) for name in ("摄氏度", r"^\circC")},
}
_OTHER_MEANING = {"分": ("yuan", Fraction(1, 100))}


class Quantity(NamedTuple):
    """A number and what it counts; the unit is empty where none is given."""

    number: Fraction
    unit: str


def quantity(text: str, depth: int = 1) -> Quantity | None:
    """The quantity a text is, such as `5千米`, `1小时30分`, `百分之二十` or `十五只`; None if it is anything else."""
    text = _OF.sub(r"\2/\1", _OF_HUNDRED.sub(_percent, _in_digits(text.strip())))
    text = re.sub(r"\A(-?) ?10 ?\^", r"\g<1>1*10^", text)
    text = _REPEATING.sub(_fraction, re.sub(r"\A(\d+) ?: ?(\d+)\Z", r"\1/\2", text))
    match = _NUMBER.match(text)
    if not match or any(len(digits) > _MOST_DIGITS for digits in re.findall(r"\d+", match[0])):
        return None
    rest = text[match.end() :]
    number, unit = _value(match), _UNIT.match(rest)
    if unit is None or number is None or not _is_unit(_plain(unit["unit"])):
        return None
    found = Quantity(number * _SCALE[unit["thousands"]], _plain(unit["unit"]))
    smaller = rest[unit.end() :]
    if not smaller:
        return found
    return _with_smaller(found, quantity(smaller, depth + 1)) if depth < _DEEPEST else None


def _in_digits(text: str) -> str:
    """Chinese numerals at the beginning in digits, where what follows is a known unit: 三角形 has no number."""
    sign, text = ("-", text[1:].lstrip()) if text.startswith("-") else ("", text)
    return sign + _numeral_in_digits(text)


def _numeral_in_digits(text: str) -> str:
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


def _fraction(match: re.Match[str]) -> str:
    """A repeating decimal as a fraction: 0.1\\overline{6}."""
    repeated = match[3] or match[4] or f"{match[5]}{match[6] or ''}{match[7] or ''}"
    if len(match[0]) > _MOST_DIGITS:
        return match[0]
    power = 10 ** len(match[2])
    value = Fraction(match[1]) + Fraction(match[2] or 0) / power
    value += Fraction(int(repeated), (10 ** len(repeated) - 1) * power)
    return f"{value.numerator}/{value.denominator}"


def _percent(match: re.Match[str]) -> str:
    value = match[1] or numeral_value(match[2])
    return match[0] if value is None else f"{value}%"


def _with_smaller(larger: Quantity, smaller: Quantity | None) -> Quantity | None:
    """1小时30分: the smaller unit's part is added, in the larger unit."""
    if smaller is None or smaller.number < 0:
        return None
    for kind, factor in _meanings(larger.unit):
        for other_kind, other_factor in _meanings(smaller.unit):
            if kind == other_kind and larger.unit in _UNITS and other_factor < factor:
                part = smaller.number * other_factor / factor
                return Quantity(larger.number + (part if larger.number >= 0 else -part), larger.unit)
    return None


def unit_of(text: str) -> str:
    """The unit in a text that is a quantity; empty where there is none."""
    found = quantity(text)
    return found.unit if found else ""


def may_be_unknown(unit: str) -> bool:
    """Whether a unit is a letter, which may stand for an unknown: 2m."""
    return bool(_LETTER.fullmatch(unit))


def split_unit(formula: str) -> tuple[str, str]:
    """A formula, and the Chinese name of a unit behind it: 2\\sqrt{3}厘米."""
    match = _FORMULA_WITH_UNIT.fullmatch(formula)
    return (match[1].strip(), match[2]) if match and match[2] in _UNITS else (formula, "")


def is_known(unit: str) -> bool:
    """Whether a unit is one that others can be compared with, and no word for what is counted."""
    return unit in _UNITS


def quantities_equal(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities are the same.

    A unit that only one of them gives does not part them, but where it is a letter and may be an unknown: 2m and 2. Nor does
    what one says more of: 12只 is 12只兔子.
    """
    shorter, longer = sorted((one.unit, other.unit), key=len)
    if shorter == longer or (not shorter and not _LETTER.fullmatch(longer)):
        return one.number == other.number
    if shorter and longer.startswith(shorter) and "/" not in longer and longer not in _UNITS:
        return one.number == other.number
    return any(
        kind == other_kind and one.number * factor == other.number * other_factor
        for kind, factor in _meanings(one.unit)
        for other_kind, other_factor in _meanings(other.unit)
    )


def _meanings(unit: str) -> Iterator[tuple[str, Fraction]]:
    """What a unit may measure, and how much of it: also of `千米/时`."""
    above, slash, below = unit.partition("/")
    for kind, factor in _plain_meanings(above):
        if not slash:
            yield kind, factor
            continue
        for other_kind, other_factor in _plain_meanings(below):
            yield f"{kind}/{other_kind}", factor / other_factor


def _plain_meanings(unit: str) -> Iterator[tuple[str, Fraction]]:
    yield _UNITS.get(unit, (unit, Fraction(1)))
    if unit in _OTHER_MEANING:
        yield _OTHER_MEANING[unit]


def _is_unit(text: str) -> bool:
    """Whether the text can be a unit: one we know, or a measure with at most what is counted in it."""
    return not text or all(
        part in _UNITS or (_COUNTED.fullmatch(part) and not _SAYS_MORE.search(part)) for part in text.split("/")
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
            fraction = Fraction(negative + above) / Fraction(below)
            if str(fraction.denominator) != below:
                return None  # 12/4 and 4/6 are still to be worked out
            value = Fraction(match["whole"] or match["whole2"] or 0) + fraction
    except ZeroDivisionError:
        return None
    value *= Fraction(10) ** power / (100 if match["percent"] else 1)
    return -value if match["sign"] == "-" else value
