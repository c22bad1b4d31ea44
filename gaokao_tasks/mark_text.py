"""A teacher's reply as its reader sees it: without thinking and markup, in one set of characters; and its numerals."""

from __future__ import annotations

import re
import unicodedata

from zh_metrics.judge.labels import SIMPLIFIED
from zh_metrics.thinking import without_thinking

_STRUCK_OUT = re.compile(r"~~[^~\n]{0,40}~~")
_MARKUP = re.compile(
    r"</?[A-Za-z|][^<>\n]{0,20}>"  # HTML, <eoa>, </s>
    r"|(?<!\d)\*|\*(?!\d)|\*\*+"  # but 2*3 is a product
    r"|[_`${}]|\\(?:boxed|text|mathrm|bf|textbf)\b|\\[()\[\]]"
    r"|(?<=总) (?=分)"
)
_REMOVED = "\0"
_BETWEEN_DIGITS = re.compile(rf"(?<=\d){_REMOVED}+(?=\d)")  # 7**10 is not 710
_UNIT_IN_BRACKETS = re.compile(r"\( ?分 ?\)")
_HALF_SIGN = re.compile(r"(?<=\d)½")
_SUPERSCRIPT = re.compile(r"[²³¹⁰-⁹]")  # NFKC would make 72 of 7²
_CIRCLED = {ord("①") + n: f"({n + 1})" for n in range(20)}  # NFKC would make 1 of ①, and 17 of ①7

_UNITS = {numeral: value for value, numeral in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰", "一二三四五六七八九十百")
HAN = "零〇一二两三四五六七八九十百壹贰叁肆伍陆柒捌玖拾佰"
NUMERAL = rf"(?:\d+(?:\.\d+)?|[{HAN}]{{1,6}}(?:点[{HAN}]{{1,3}})?)(?:分?半)?"


def readable(reply: str) -> str:
    """The reply without thinking, markup and invisible characters, in half-width and simplified characters."""
    text = _SUPERSCRIPT.sub("^", _HALF_SIGN.sub(".5", without_thinking(reply)).replace("½", "0.5")).translate(_CIRCLED)
    text = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    text = _MARKUP.sub(_REMOVED, _STRUCK_OUT.sub(_REMOVED, text.replace("\t", " ").replace(_REMOVED, "")))
    text = _BETWEEN_DIGITS.sub(" ", text).replace(_REMOVED, "")
    return _UNIT_IN_BRACKETS.sub("分", text.translate(SIMPLIFIED))


def number(numeral: str) -> float:
    """The value of a text that `NUMERAL` matches."""
    if numeral.endswith("半"):
        return number(numeral.rstrip("半分")) + 0.5
    if numeral[0].isdecimal():
        return float(numeral)
    whole, _, decimals = numeral.translate(_FORMAL).partition("点")
    places = "".join(str(_UNITS.get(digit, "")) for digit in decimals)
    return float(f"{_whole(whole)}.{places or 0}")


def _whole(numeral: str) -> int:
    """一百二十三; without 十 and 百 a row of digits."""
    if "百" in numeral:
        hundreds, _, rest = numeral.partition("百")
        return 100 * (_whole(hundreds) or 1) + _whole(rest)
    if "十" in numeral:
        tens, _, units = numeral.partition("十")
        return 10 * (_whole(tens) or 1) + _whole(units)
    return int("".join(str(_UNITS[digit]) for digit in numeral) or 0)
