"""What a statement on a total says: the text after 总分, 最终得分 and their like, up to the mark it gives."""

from __future__ import annotations

import re
from typing import NamedTuple

from gaokao_tasks.mark_text import HAN, NUMERAL, number

NO_TOTAL = "no_total"  # nowhere a total
ABOVE_MAXIMUM = "above_maximum"  # the last total is more than the question's points
NOT_FINAL = "not_final"  # the total is a range, contradicts itself, or is left to somebody else

_UNIT = r"(?:分(?![之制钟点])|points?|pts|marks?)"
_END = r"(?=$|[\n,;。!~→|)\]】」』〗>}\"'”’(/]|\.(?!\d)|…)"  # after a number without unit
_STATED = rf"(?P<mark>{NUMERAL})(?:{_UNIT}|{_END})"

# Words between a total's name and its number; then the maximum in brackets: 总分(满分10分):8分
_LINK = re.compile(
    r"(?:[:=→|\n\"'“”‘’「『【—–】』」〗\])]|/满分|就|应该|应当|应|可以|可|学生|该生|考生|最终|最后|只有|只能|大?约|仍"
    r"|得分|得到|得|给予|给|予|评定|判定|确定|计算|判|定|合计|一共|总共|共计|共|计|[为是即]|is|therefore|awarded){0,8}"
)
_MAXIMUM_IN_BRACKETS = re.compile(
    rf"\((?:满分|总分|共)?[为是:]?{NUMERAL}分\)[:=\n]*(?=\d)|\(满分[为是:]?\d+\)[:=\n]*(?=\d)"
)

_SCALE = re.compile(rf"{NUMERAL}分制[下中]?[,:]?")

# A sum's term: 15, 15分, 内容15分, 15(第一问), 3/4
_TERM = re.compile(
    rf"(?P<label>(?:第[\d{HAN}]{{1,3}}[问题空点]|\([\d{HAN}]{{1,2}}\))?[^\W\d]{{0,6}}?)(?P<mark>{NUMERAL})(?P<unit>{_UNIT})?(?:/(?P<most>{NUMERAL})(?P<most_unit>分)?)?"
    r"(?:\([^()=+]{1,12}\)(?=\)?分?[+\-−×*·=≈]))?"
)
_OPERATOR = re.compile(rf"\)?(?P<unit>分)?(?P<sign>[+\-−×*·])(?:\((?![\d{HAN}]{{1,2}}\)))?")
_CLOSE = re.compile(r"\)(?P<unit>分)?(?:/(?P<most>\d+))?")
_OUT_OF = re.compile(rf"(?:outof|/)(?P<most>{NUMERAL})")
_LIST = re.compile(rf"[,;、](?={NUMERAL}(?:分|[,;、=\n。]|$))")
_CELL = re.compile(r"\|(?P<mark>\d+(?:\.\d+)?)分?(?=\|)")
_EQUALS = re.compile(r"[=≈]\(?")
_NUMBER_END = re.compile(_END)
_MOST_TERMS = 60

_OPEN = re.compile(
    rf"[(,]?(?:或者?|or|[亦也]可|及?以[上下内]|起|%|\+|\?|/(?!满分)\D)|(?:[~到至—–\-−]|to)(?={NUMERAL})"
    r"|[^。\n]{0,20}?(?:定夺|酌定|待定|暂定|复核|自行决定|(?:老师|教师|人工)[^。\n]{0,4}(?:决定|确定|判断|核实|复核))"
)
_NOT_BUT = re.compile(rf"(?:不是|并非){NUMERAL}分?,?(?:而是|应为|应该是|是){_STATED}")
# Another mark beside it: 3分和4分, 3分(内容),4分(语言)
_BESIDE = re.compile(
    rf"(?:\([^()\n\d]{{1,12}}\))?\n?[,、;和与及加+]?(?P<mark>{NUMERAL})分|\((?P<in_brackets>{NUMERAL})分?\)"
)
_NOTHING = re.compile(r"(?:不[得给计予]|无|没有?得)分")
# The mark that replaces the one before it.
_TO = rf"(?:是|为|即|得|到|给|获|予|的|后)(?:得|到|了|予|出)?[^。\n\d{HAN}]{{0,6}}?"
_RESULT = rf"{_TO}(?P<mark>{NUMERAL})分"
_ROUNDING = re.compile(rf"(?:四舍五入|取整)(?:[^。\n]{{0,14}}?{_TO}|[:取]?)(?P<mark>{NUMERAL})分")
_ROUNDED = re.compile(rf"[^。\n]{{0,30}}?{_ROUNDING.pattern}")
_CORRECTED = re.compile(
    r"[,。;(\n]{0,2}(?:抱歉,?|但|实际上?,?|总分|得分|最终){0,2}"
    r"(?:(?:不,|不对|有误|错了|更正|修正|订正|改正)后?[,:。]?(?:总分|得分|最终)?(?:应该?|改|更正)?[为是得给]{0,2}"
    r"|(?:应该?|修?改|更[正改]|[修纠订]正|调整|实际应?|进位|再?[扣减][^。\n]{1,8}[,后]?最?终?)[为是得给成到]{1,2}"
    r"|最终[给得为]|[按取]|→|(?i:correction):)"
    rf"(?P<mark>{NUMERAL})(?:分|{_END})"
)
_OF = re.compile(rf"(?:中|之中|里)[^。\n]{{0,30}}?{_RESULT}|(?:中|之中|里)的?,?(?P<bare>{NUMERAL})分")
_FULL = re.compile(rf"满分(?P<most>[为是:]?(?:{NUMERAL}分|\d+))?")
_HALF = re.compile(r"(?:分)?的一半")
_MAXIMUM_NOTE = re.compile(r"\((?:max|maximum)\)", re.IGNORECASE)
GOT = re.compile(
    rf"(?:得分|得到?|获得?|给予?|实际|最终|最后|合计|总计|共计|共|即|剩|制下?|,其中学生|awarded|students?(?:gets?)?|gets?)"
    rf"(?:分)?[:为是了\"]{{0,3}}{_STATED}",
    re.IGNORECASE,
)
_ONLY_SUM = re.compile(rf"(?:总共|共计|合计|总计|共)[:为得计是]{{0,2}}(?P<mark>{NUMERAL})分")
_DEDUCTED = re.compile(rf"(?<!不)(?:扣|减|失)(?:除|去|掉|了|分)?(?P<mark>{NUMERAL})分")
_THEN = re.compile(rf"[扣减][^,。\n]{{0,8}},(?:即|最终)?(?P<mark>{NUMERAL})分")
PART = re.compile(rf"第\(?[\d{HAN}]+\)?(?:小?[问题空点处]|部分)|\([\d{HAN}]{{1,2}}\)|(?<![\d.])\d[.、)](?!\d)")
HEDGE = re.compile(
    r"可能|也许|或许|如果|假如|若|例如|比如|如$|格式|不超过|不应超过|不能超过|不得超过|应在|通常|一般|酌情"
)


class Said(NamedTuple):
    """What a statement says: its mark, the reason why it has none, or neither (it says nothing).

    `full` if the mark is the maximum by its number alone, so that it may be the maximum that is meant.
    """

    mark: float | None = None
    reason: str = ""
    full: bool = False


class _Value(NamedTuple):
    mark: float
    end: int
    most: float | None = None
    has_unit: bool = False
    is_range: bool = False
    is_equal: bool = False  # the result of an equation


def said(statement: str, max_score: float, *, of_question: bool = False) -> Said:
    """What a statement says; `statement` begins after the total's name and has spaces between digits only.

    `of_question` if the name is that of the question's points (本题总分), which only a mark below them makes the answer's.
    """
    text = _LINK.sub("", statement, count=1)
    if scale := _MAXIMUM_IN_BRACKETS.match(text) or _SCALE.match(text):
        text = text[scale.end() :]
    if replaced := _NOT_BUT.match(text) or _ROUNDING.match(text):
        return Said(number(replaced["mark"]))
    if _NOTHING.match(text):
        return Said(0.0)
    if full := _FULL.match(text):
        return _from_full(text[full.end() :], max_score, certainly=full["most"] is not None)
    value = _value(text, max_score)
    if value is None:
        return _from_line(text)
    return _from_value(value, text[value.end :], max_score, of_question)


def _from_value(value: _Value, rest: str, max_score: float, of_question: bool) -> Said:
    if value.is_range and (added := _ONLY_SUM.search(rest.split("\n")[0])):
        return Said(number(added["mark"]))
    if value.is_range or _OPEN.match(rest):
        return Said(reason=NOT_FINAL)
    if value.most is not None and value.most != max_score:
        return Said()
    if of := _OF.match(rest):
        return Said(number(of["mark"] or of["bare"]))
    for pattern in (_ROUNDED, _CORRECTED):
        if (new := pattern.match(rest)) and not HEDGE.search(new[0]):
            return Said(number(new["mark"]))
    if (beside := _BESIDE.match(rest)) and number(beside["mark"] or beside["in_brackets"]) not in (
        value.mark,
        max_score,
    ):
        return Said(reason=NOT_FINAL)
    cells = [number(cell["mark"]) for cell in _CELL.finditer(rest.split("\n")[0])]
    if rest.startswith("|") and any(cell != max_score for cell in cells):
        return Said(reason=NOT_FINAL)
    if value.mark == max_score and value.most is None and not value.is_equal:
        return _from_full(rest, max_score, certainly=of_question or bool(_MAXIMUM_NOTE.match(rest)), by_number=True)
    return Said(value.mark)


def _from_full(rest: str, max_score: float, *, certainly: bool, by_number: bool = False) -> Said:
    """The mark a statement gives that begins with the maximum: what is taken off it, or what was got of it.

    If it is certainly the maximum, the rest of the line is its context; else the rest of the sentence.
    """
    if _HALF.match(rest):
        return Said(max_score / 2)
    context = rest.split("\n")[0] if certainly else re.split(r"[\n。]", rest)[0]
    if not PART.search(context) and not HEDGE.search(context):
        got = [number(found["mark"]) for pattern in (GOT, _THEN) for found in pattern.finditer(context)]
        if len(set(got)) == 1:
            return Said(got[0])
        if got and sum(got) != max_score:
            return Said(reason=NOT_FINAL)
        if lost := [number(found["mark"]) for found in _DEDUCTED.finditer(context)]:
            return Said(max_score - sum(lost)) if sum(lost) <= max_score else Said(reason=NOT_FINAL)
        if certainly and _NOTHING.search(context):
            return Said(0.0)
    return Said() if certainly else Said(float(max_score), full=by_number)


def _from_line(text: str) -> Said:
    """The mark in a line that does not begin with one: 3处错误,扣3分,得7分."""
    line = text.split("\n")[0]
    if HEDGE.search(line):
        return Said()
    if sums := list(_ONLY_SUM.finditer(line)):
        return Said(number(sums[-1]["mark"]))
    got = list(GOT.finditer(line)) if _DEDUCTED.search(line) or "个" in line else []
    return Said(number(got[-1]["mark"])) if len(got) == 1 and not PART.search(line) else Said()


def _value(text: str, max_score: float) -> _Value | None:
    """The number a text begins with, be it a sum, the result of one, or a fraction's numerator."""
    value = _sum(text, 0, max_score) or (_sum(text, 1, max_score) if text.startswith("(") else None)
    while value and (item := _LIST.match(text, value.end)):
        value = _sum(text, item.end(), max_score)
        value = value and value._replace(is_range=True)
    while value and (equals := _EQUALS.match(text, value.end)):
        value = _sum(text, equals.end(), max_score)
        value = value and value._replace(is_equal=True)
    if value and not value.has_unit and value.most is None:
        return value if _NUMBER_END.match(text, value.end) or _OPEN.match(text, value.end) else None
    return value


def _sum(text: str, start: int, max_score: float) -> _Value | None:
    term = _TERM.match(text, start)
    if term is None:
        return None
    terms, signs = [term], ["+"]
    end, has_unit = term.end(), bool(term["unit"] or term["most_unit"])
    while (operator := _OPERATOR.match(text, end)) and len(terms) < _MOST_TERMS:
        term = _TERM.match(text, operator.end())
        if term is None:
            break
        terms.append(term)
        signs.append(operator["sign"])
        end, has_unit = term.end(), bool(term["unit"] or operator["unit"])
    most = [number(term["most"]) for term in terms if term["most"]]
    whole = sum(most) if len(most) == len(terms) else None
    if most and whole is None:
        return None
    if close := _CLOSE.match(text, end) if text[start - 1 : start] == "(" or len(terms) > 1 else None:
        end, has_unit = close.end(), has_unit or bool(close["unit"])
        whole = number(close["most"]) if close["most"] else whole
    if whole is None and (out_of := _OUT_OF.match(text, end)):
        end, whole = out_of.end(), number(out_of["most"])
    if not text.startswith("=", end) and (len(terms) == 1 or any(s in "-−" for s in signs)) and terms[0]["label"]:
        return None  # 扣3分, 每空1分
    mark = _evaluated([number(term["mark"]) for term in terms], signs)
    takes_off = any(sign in "-−" for sign in signs)
    return _Value(mark, end, whole, has_unit, is_range=takes_off and number(terms[0]["mark"]) != max_score,
                  is_equal=len(terms) > 1)  # fmt: skip


def _evaluated(numbers: list[float], signs: list[str]) -> float:
    products: list[float] = []
    for value, sign in zip(numbers, signs, strict=True):
        if sign in "×*·":
            products[-1] *= value
        else:
            products.append(-value if sign in "-−" else value)
    return sum(products)
