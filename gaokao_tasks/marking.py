"""Which mark a teacher's reply gives to an answer, read in two ways.

`official_marks` reads as the benchmark's own code does, quirks included; `robust_mark` reads as a careful person would.
Both are pure and total: any text gives marks or a reason, never an exception.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

TAG = "【总分】"

NO_TOTAL = "no_total"  # nowhere a total
ABOVE_MAXIMUM = "above_maximum"  # the last total is more than the question's points
NOT_FINAL = "not_final"  # the total is a range, or left to somebody else

# --- official

_OFFICIAL_MARK = re.compile(r"\s*(\d+(?:\.\d*)?)\s*分")


def official_marks(reply: str) -> list[float]:
    """Every mark upstream's code finds in a teacher's reply, in order; above the maximum too. Empty if there is none.

    A mark is a number before 分 after `【总分】`, or after an equals sign later in that line, of which the last with a
    mark behind it counts. Takes time in proportion to the text where upstream's pattern may take its square.

    Source: OpenLMLab/GAOKAO-Bench, `Bench/bench_function.py`, the pattern in `subjective_grade`.
    """
    marks = []
    position = 0
    line_end, after_equals = -1, None  # the line the last tag's number was looked for in
    while (tag := reply.find(TAG, position)) >= 0:
        start = position = tag + len(TAG)
        while start < len(reply) and reply[start].isspace():
            start += 1
        if start > line_end:
            line_end = end if (end := reply.find("\n", start)) >= 0 else len(reply)
            after_equals = _last_mark_after_equals(reply, start, line_end)
        found = after_equals if after_equals and after_equals.start() > start else _OFFICIAL_MARK.match(reply, start)
        if found:
            marks.append(float(found[1]))
            position = found.end()
    return marks


def _last_mark_after_equals(reply: str, start: int, end: int) -> re.Match[str] | None:
    while (equals := reply.rfind("=", start, end)) >= 0:
        if found := _OFFICIAL_MARK.match(reply, equals + 1):
            return found
        end = equals
    return None


# --- robust

_NUMERAL = r"(?:\d+(?:\.\d+)?|[零一二两三四五六七八九十]{1,3}(?:点[零一二三四五六七八九]{1,3})?)(?: ?分?半)?"
_DIGITS = {numeral: value for value, numeral in enumerate("零一二三四五六七八九")} | {"两": 2}
_MARKUP = re.compile(r"[*_`$]|\\(?:boxed|text|mathrm|bf|textbf)\b|[{}]|\\[()\[\]]|(?<=总) (?=分)")
_THINKING = re.compile(r"<think>.*?</think>|^(?:(?!<think>).)*?</think>|<think>.*\Z", re.DOTALL)

# What announces a total: 【总分】, 总分：, 最终得分应为, 该生得分为, 共得, Total score:
_CUE = re.compile(
    r"[【\[<《(] ?(?:最终|学生)?(?:总分|总得分|最终得分|最终分数|得分总计|总计) ?[】\]>》)]"
    r"|(?:最终|学生|该生|考生|本题|该题|此题|因此|所以|故|综上|总计|合计|总共){1,3}的?(?:总?得分|分数|总分|评分)"
    r"|总得分|总分(?!值)|(?:应|共|总共|合计|总计|一共|最终)得(?=[:为 ]{0,2}\d)"
    r"|(?i:\b(?:total|final)(?: score| mark| grade)?\b)"
)
_LINK = re.compile(r"[ :=→\n]*(?:(?:学生|该生|应该|应当|应|仍|得分|得|给|予|计|定|[为是即]|is)[ :]*){0,4}")
_RESULT = (
    rf"(?:是|为|即|得|到|给|获|予|的)(?:得|到|了|予|出)?[^。\n\d零一二三四五六七八九十]{{0,6}}?(?P<mark>{_NUMERAL}) ?分"
)
# How a statement on the total goes on, in the order tried.
_ROUNDED = re.compile(rf"[^。\n]{{0,30}}?四舍五入[^。\n]{{0,14}}?{_RESULT}")
_OF_MAXIMUM = re.compile(rf"(?:满分|{_NUMERAL} ?分(?:中|之中|满分))[^。\n]{{0,30}}?(?:{_RESULT})")
_RANGE = re.compile(rf"{_NUMERAL} ?分? ?(?:[~\-—–至到]|或者?) ?{_NUMERAL} ?分")
_FRACTION = re.compile(rf"(?P<mark>{_NUMERAL}) ?分? ?(?:/|out of) ?(?P<most>{_NUMERAL})")
_SUM = re.compile(rf"[(（]?{_NUMERAL}[\d.+×*\-分()（） ]{{0,80}}[=≈] ?(?P<mark>{_NUMERAL})(?P<unit> ?分)?")
_PLAIN = re.compile(rf"(?P<mark>{_NUMERAL})(?P<unit> ?分)?")
_FULL = re.compile(r"满分(?! ?\d)")
_END = re.compile(r" *(?:$|[\n。,;(])")  # after a number without 分
_HEDGE = re.compile(r"可能|也许|或许|如果|假如|若|例如|比如|如$|格式|不超过|不应超过|不能超过|不得超过|应在|通常|一般")
_CLAUSE = re.compile(r"[。;\n,(]")


class Mark(NamedTuple):
    """The mark a reply gives, in [0, maximum], or None and the reason why there is none."""

    points: float | None
    reason: str = ""


def robust_mark(reply: str, max_score: float) -> Mark:
    """The mark a careful reader takes from a teacher's reply.

    The last total counts, for it corrects those before it, as does what follows it in its line: a rounding, or the mark
    after "of 10 points". The sample of the format, a total that is supposed and one above the maximum are no marks. Sums
    (3+4=7), fractions (7/10), full-width and Chinese numerals, other brackets and colons are read.
    """
    text = _MARKUP.sub("", unicodedata.normalize("NFKC", _THINKING.sub("", reply)))
    for cue in reversed(list(_CUE.finditer(text))):
        if _HEDGE.search(_CLAUSE.split(text[max(0, cue.start() - 30) : cue.start()])[-1]):
            continue
        statement = _LINK.sub("", text[cue.end() : cue.end() + 200], count=1)
        points = _stated(statement, max_score)
        if isinstance(points, str):
            return Mark(None, points)
        if points is not None:
            return Mark(points) if points <= max_score else Mark(None, ABOVE_MAXIMUM)
    return Mark(None, NO_TOTAL)


def _stated(statement: str, max_score: float) -> float | str | None:
    """The mark a statement on the total begins with; the reason why that is none; or None if it states nothing."""
    if _RANGE.match(statement):
        return NOT_FINAL
    if rounded := _ROUNDED.match(statement):
        if not _HEDGE.search(statement[: rounded.start("mark")]):
            return _number(rounded["mark"])
    elif of_maximum := _OF_MAXIMUM.match(statement):
        return _number(of_maximum["mark"])
    if fraction := _FRACTION.match(statement):
        return _number(fraction["mark"]) if _number(fraction["most"]) == max_score else None
    if (stated := _SUM.match(statement) or _PLAIN.match(statement)) and (
        stated["unit"] or _END.match(statement, stated.end())
    ):
        return _number(stated["mark"])
    return max_score if _FULL.match(statement) else None


def _number(numeral: str) -> float:
    if numeral.endswith("半"):
        return _number(numeral.rstrip("半分 ")) + 0.5
    if numeral[0].isdecimal():
        return float(numeral)
    whole, _, decimals = numeral.partition("点")
    if "十" in whole:
        tens, units = whole.split("十", 1)
        value = 10 * _DIGITS.get(tens, 1) + _DIGITS.get(units, 0)
    else:
        value = int("".join(str(_DIGITS[digit]) for digit in whole))
    return float(f"{value}.{''.join(str(_DIGITS[digit]) for digit in decimals) or 0}")
