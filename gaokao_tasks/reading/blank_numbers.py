"""How replies number the blanks of a question: 1. C, （2）A, 第3题：D, 36-40 CADBE, Blank 36: E, ① C, | 1 | C |.

All patterns are for plain text (`reply_text.plain_text`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gaokao_tasks.reading.option_letters import GROUP, LOWER_GROUP, letters_in, sequence_in

_NUMERALS = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_DIGITS = r"[0-9]{1,3}"
# Before a number that counts something else: paragraph 2, line 5.
_PLACES = ("paragraph", "paragraphs", "para", "para.", "line", "lines", "page", "chapter", "step")
_NO_PLACE = "".join(rf"(?<!(?i:{re.escape(place)} ))" for place in _PLACES)
_NUMBER = rf"(?:{_DIGITS}|[{_NUMERALS}]{{1,3}})"

_MARKS = {
    "ordinal": rf"第 ?\(?{_NUMBER}\)? ?(?:[个道]?(?:小?题|空|问)|个(?=[是为选填:]))",  # 第1题, 第二空, 第三个是
    "bracketed": rf"[(\[【] ?(?:小题|题|第|问题)? ?{_NUMBER} ?(?:小?题|空)?[)\]】]",  # (1), 【小题1】
    "word": rf"(?i:\bquestion|\bblank|\bq|\bno\.?|\bitem|\bgap|小题|题|空|#)[ _]?{_DIGITS}(?![0-9])",  # Q1, Blank 36
    "labelled": rf"(?:【?答案|(?i:\banswer))[ _]?{_DIGITS} ?】?",  # 答案1：
    "circled": f"[{_CIRCLED}]",
    "listed": rf"(?:^|(?<=[\n ;,。]))[{_NUMERALS}]{{1,3}}(?=[、.:])",  # 一、
    "counted": rf"(?<![0-9.]){_DIGITS} ?(?:小?题|空)",  # 36题
    "plain": rf"(?<![0-9.\-/^_+=~])(?<![H-Za-z]){_NO_PLACE}{_DIGITS}(?![0-9])(?!\.[0-9])",  # 1. 1、 1) 1: 36
}
MARK = "(?:" + "|".join(_MARKS.values()) + ")"
# A number that may be any number heads a part of the reply only at the start of a line or sentence.
_AT_START, _SET_OFF = r"(?:^|(?<=[。;|]))[ *]?", r"(?= ?[.、:,)\n【]|$| )"
SECTION_MARKS = {
    style: re.compile(
        rf"{_AT_START}(?P<mark>{mark}){_SET_OFF}" if style in ("plain", "counted") else rf"(?P<mark>{mark})",
        re.MULTILINE,
    )
    for style, mark in _MARKS.items()
}
# Numbers in these styles count even where no letter follows: 23. 文中没有提到
_OWN_LINE_STYLES = ("ordinal", "word", "counted", "plain")

_SEPARATOR = r"[ .、:,)=\-|>]{0,4}\n?"
_CUE = (
    r"(?:[【\[]答案[】\]]?|答案】?|答|故|应[该当]?|选择|选项|选错了?|选|填|是|为|的|正确|更正|改|重新[看审]题?后?|,(?=[应改选])"
    r"|(?i:answer|ans|is|the|option|choice|(?:should|must|would) be|both|it|to)|[:= \-|(]){0,8}?"
)
# The words of a cue that make the letters an answer, whatever the reply has said before.
_ANSWERING = re.compile(r"答|选(?!项)|填|应|正确|改|(?i:answer|\bans\b|choice|should|must)")
# What may follow the letters of an item; a statement on an option (1. A项错误) is none.
_ITEM_END = (
    rf"(?=$|[\s。.,;:、()\[\]|】【√<\-]|[因由根理故]|第|[{_CIRCLED}])"
    r"(?! ?(?:选?项)? ?(?:错|不|正确|有误|符合|与|中|(?:is|are|was|has|and|or)\b)| ?[、和与及] ?[A-H](?![A-Za-z]))"
)
# Letters right next to numbers: 36B 37E, 1C2A3D, (1)C(2)A, 1.c 2.a
_DENSE = (
    rf"(?:(?<=[0-9])[A-G](?=$|[\s,;。、)])|[A-G](?=\(?{_NUMBER}[ .、:)\-]{{1,2}}[A-G]|{_DIGITS}[A-G])"
    rf"|[a-g](?= ?{_DIGITS}[.、:)] ?[a-g](?![A-Za-z])))"
)
# The options copied from the question, not an answer: 1. A. brought B. sold C. loaned
_OPTION_LIST = r"(?!\(?A ?[.、:)][^\n]{1,60}?[ ,;\n]\(?B ?[.、:)](?!\.))"
_ITEM = re.compile(
    rf"(?P<mark>{MARK}){_SEPARATOR}(?P<cue>{_CUE}){_OPTION_LIST}(?P<letters>(?:{GROUP}|{LOWER_GROUP}){_ITEM_END}|{_DENSE})"
)
# The text of the option and then its letter, alone on a line: 1. angry (C), | 2 | 主旨题 | A |
_TEXT_FIRST = re.compile(
    rf"^[ |]{{0,3}}(?P<mark>{MARK}){_SEPARATOR}"
    r"(?:(?![A-H](?![a-z'])|[不错误未非]|排除|(?i:\b(?:no|not|wrong)\b))[^\n()。;]){1,30}? ?"
    r"(?:\((?P<bracketed>[A-G])\)|[\-:>|] ?(?P<after_dash>[A-G])) ?[。.;|]?$",
    re.MULTILINE,
)
# Nothing but letters up to the next number or the end of the line.
_BARE_END = re.compile(rf"[ )\]】。.,;|√]{{0,4}}(?=$|\n|{MARK})")
# A statement on an option under the number of its blank: 1. A项过窄, 2. Option B refers to ... After a comma it may be
# the text of the option chosen (1. A项，喜悦), unless the line goes on to another option or an answer.
_NAMES_OPTION = re.compile(r"项|(?i:option|choice)")
_STATEMENT = re.compile(
    r"(?:(?<=项)[:,](?=[^\n]{0,80}(?:[A-G] ?选?项|选 ?[A-G]|答案)))? ?"
    r"(?![因由根理故见]|(?:because|since|as)\b)(?:[\u4e00-\u9fffa-z]|\.\.)"
)
_RANGE = re.compile(
    rf"(?<![0-9.])(?P<first>{_DIGITS}) ?[-~到至] ?(?P<last>{_DIGITS}) ?(?:小?题|空)?{_SEPARATOR}{_CUE}"
    r"(?P<letters>[A-Ga-g](?:[ ,、;|/]{0,2}[A-Ga-g]){1,39})(?![A-Za-z])"
)


class NumberedAnswer(NamedTuple):
    """The letters given for the blank with a number; `firm` if they stand alone or a word such as 选 says they answer.

    Others are followed by text, which may be a reason (1. C. 由第二段可知) or about an option that is no answer.
    """

    number: int
    letters: str
    firm: bool = True


def number_of(mark: str) -> int:
    """The number a mark stands for: 第三题 and (3) are 3."""
    digits = re.search(_DIGITS, mark)
    if digits:
        return int(digits[0])
    circled = re.search(f"[{_CIRCLED}]", mark)
    if circled:
        return _CIRCLED.index(circled[0]) + 1
    tens, ten, units = re.sub(f"[^{_NUMERALS}]", "", mark).rpartition("十")
    return (_NUMERALS.find(tens) + 1 or 1) * 10 * bool(ten) + _NUMERALS.find(units[:1] or "?") + 1


def numbered_answers(text: str) -> list[NumberedAnswer]:
    """Every answer written next to its number, in the order of the text."""
    found: dict[int, list[NumberedAnswer]] = {}
    starts, ends = [], []
    for match in _RANGE.finditer(text):
        first, last, letters = int(match["first"]), int(match["last"]), sequence_in(match["letters"])
        if len(letters) == last - first + 1:
            starts.append(match.start())
            ends.append(match.end())
            found[match.start()] = [NumberedAnswer(first + i, letter) for i, letter in enumerate(letters)]
    for match in _ITEM.finditer(text):
        range_before = bisect_right(starts, match.start()) - 1
        if (range_before < 0 or match.start() >= ends[range_before]) and not _is_statement(text, match):
            found[match.start("mark")] = [
                NumberedAnswer(number_of(match["mark"]), letters_in(match["letters"]), _is_firm(text, match))
            ]
    for match in _TEXT_FIRST.finditer(text):
        letter = match["bracketed"] or match["after_dash"]
        found.setdefault(match.start("mark"), [NumberedAnswer(number_of(match["mark"]), letter, firm=False)])
    return [answer for _, answers in sorted(found.items()) for answer in answers if answer.number]


def _is_firm(text: str, item: re.Match[str]) -> bool:
    return bool(_ANSWERING.search(item["cue"]) or _BARE_END.match(text, item.end()))


def _is_statement(text: str, item: re.Match[str]) -> bool:
    names_option = _NAMES_OPTION.search(item["cue"] + item["letters"]) and not _ANSWERING.search(item["cue"])
    return bool(names_option and _STATEMENT.match(text, item.end()))


def own_line_numbers(text: str) -> Iterator[int]:
    """The numbers that stand out in the text, whether an answer follows or not."""
    return (number_of(match["mark"]) for style in _OWN_LINE_STYLES for match in SECTION_MARKS[style].finditer(text))


def first_number(numbers: Sequence[int], n_blanks: int, unanswered: Sequence[int] = ()) -> int:
    """The number of the first blank: the start of the window of `n_blanks` numbers that holds most of `numbers`.

    Of windows that hold equally many: the one with most of the `unanswered` numbers, the one from 1, for five blanks or
    more one that starts where papers start a part (16, 21, 36, 41 ...), and the earliest, so that the last blanks are
    the ones left empty.
    """
    answered, seen = sorted(set(numbers)), sorted(set(unanswered))
    starts = {1, *answered, *seen}
    if n_blanks >= 5:
        starts |= {number - (number - 1) % 5 for number in answered}

    def held(start: int, among: list[int]) -> int:
        return bisect_left(among, start + n_blanks) - bisect_left(among, start)

    def merit(start: int) -> tuple[int, int, bool, bool, int]:
        return held(start, answered), held(start, seen), start == 1, n_blanks >= 5 and start % 5 == 1, -start

    return max(starts, key=merit)
