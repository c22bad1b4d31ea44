"""The mark a careful reader takes from a teacher's reply.

First come the statements on a total, the last of which counts; without any, those on the answer's mark that could also be
on a part of it, such as 该题得分, if they do not contradict each other; last a lone 得分.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gaokao_tasks.mark_statements import ABOVE_MAXIMUM, HEDGE, NO_TOTAL, NOT_FINAL, PART, Said, said
from gaokao_tasks.mark_text import HAN, NUMERAL, readable

_OPENING, _CLOSING = r"[【\[<《(「『〖]", r"[】\]>》)」』〗]"
_WHO = r"(?:学生|该生|考生|该同学|该学生)"
_QUESTION = r"(?:本题|该题|此题|这道?题|题目)"
_SO = r"(?:因此|所以|故|综上(?:所述)?),?"
_NUMBER_NEXT = rf"(?=[:为是得到]{{0,2}} ?{NUMERAL} ?分)"

# 【总分】; the total of the question (本题总分); 总分, 最终得分, 总计得分, Total score
_TOTAL = re.compile(
    rf"(?P<tag>{_OPENING} ?(?:最终|学生)?(?:总分|总得分|最终得分|最终分数|最终成绩|得分总计|总计|合计) ?{_CLOSING})"
    rf"|(?P<question>{_QUESTION}的?(?:总分|分数)(?!值))"
    rf"|(?:(?:最终|最后|总计|合计|总共|累计|{_SO}){_WHO}?|{_WHO}?(?:最终|最后|总))的?(?:总?得分|分数|总分|成绩|评分)(?!点)"
    r"|总得分|总分(?!值)|得分(?:合计|总和|总计|之和)|最终得(?=[:为 ]{0,2}\d)"
    r"|总计(?= ?\|)|合计(?= ?\|)"
    r"|(?i:\b(?:total|final|overall) ?(?:score|marks?|points?|grade)(?: awarded)?(?![ ]?(?:possible|available))"
    r"|\b(?:total|overall)(?: awarded)?(?=[\"' ]*[:=]|\s+\d| ?\|)|\bfinal(?=[\"' ]*[:=]))"
)
# Total of a question or of an answer? These are only an answer's.
_OF_ANSWER = re.compile(r"得|最终|最后|成绩|学生|该生|考生|(?i:final|awarded)")
# A mark of the answer, or of a part of it.
_MARK = re.compile(
    rf"(?:{_WHO}|{_QUESTION})的?(?:得分|评分|成绩)(?!点)"
    rf"|(?:{_SO})?(?:{_WHO}|{_QUESTION}|应|可){{1,3}}(?:得|给|获得?|计){_NUMBER_NEXT}"
    rf"|满分[为是:]? ?\d+ ?分[, ]*实?得{_NUMBER_NEXT}"
    rf"|{_SO}(?:得|给|共得|计){_NUMBER_NEXT}|应得{_NUMBER_NEXT}"
)
# A sum of marks, but also what a part is worth: 每空1分,共3分
_ADDED = re.compile(rf"(?P<worth>(?:总共|一共|共)得?)(?={_NUMBER_NEXT})|(?:共计|合计|总计)(?=[:为得]{{0,2}} ?\d)")
_LONE = re.compile(
    r"(?:^|[\n。;,{]|\. )[ #>\-\"]*(?P<name>得分|评分(?:结果)?|(?i:(?:student(?:'s)? |actual )?(?:scored?|grade|marks?|(?:points|marks) (?:awarded|obtained)|obtained|awarded(?: score)?)))(?=[\"' ]*[:=])"
)
_TAGGED_PART = re.compile(r"【得分】 ?:?")

_CLAUSE, _SENTENCE = re.compile(r"[。;\n,(]"), re.compile(r"[。;\n]")
_PART_OF = re.compile(rf"(?:第\(?[\d{HAN}]+\)?小?[问题空点处]|\([\d{HAN}]{{1,2}}\))[:的, ]?$")
_DENIED = re.compile(r"(?:未能|没能?|无法|不能|不可能)(?:得到?|给|获得?)?$")
_CONDITION = re.compile(r"如果|假如|若")
_CORRECTION = re.compile(r"更正|改为|改正|修正|重新|订正|调整")
_NO_ANSWER = re.compile(r"请(?:您|你)?(?:提供|给出|补充)|[Pp]lease provide")
_BLANK = re.compile(r"未作答|没有作答|未提供|没有提供|空白")
_SPACE = re.compile(r"(?<!\d) +| +(?!\d)")
_MOST_NAMES = 100  # of marks: more are no longer a teacher's reply
_BEFORE, _AFTER = 60, 200  # characters around a name that belong to its statement


class Mark(NamedTuple):
    """The mark a reply gives, in [0, maximum], or None and the reason why there is none."""

    points: float | None
    reason: str = ""


class _Total(NamedTuple):
    said: Said
    is_tagged: bool
    is_corrected: bool
    start: int
    line: str


def robust_mark(reply: str, max_score: float) -> Mark:
    """The mark a careful reader takes from a teacher's reply.

    The last total counts, for it corrects those before it, as does what follows it in its line: a rounding, or the mark
    after "of 10 points". The sample of the format, a total that is supposed, the question's maximum and a number above it
    are no marks. Sums (3+4=7), fractions (7/10), Chinese numerals, tables and JSON are read.
    """
    text = readable(reply)
    mark = _of_totals(text, max_score) or _of_marks(text, max_score) or _lone(text, max_score)
    if mark is None or (mark.points == max_score and _NO_ANSWER.search(text)):
        return Mark(None, NO_TOTAL)
    if mark.points is not None and not 0 <= mark.points <= max_score:
        return Mark(None, ABOVE_MAXIMUM)
    return mark


def _of_totals(text: str, max_score: float) -> Mark | None:
    """The last total. One that equals the maximum may be the question's, and gives way to what says otherwise."""
    maximum = None
    for total in _totals(text, max_score):
        if total.said.reason:
            return maximum or Mark(None, total.said.reason)
        if maximum is None and total.said.full and not total.is_corrected:
            if _BLANK.search(total.line):
                return None
            if got := _got_elsewhere(text, total, max_score):
                return got
            if total.is_tagged:
                return Mark(total.said.mark)
            maximum = Mark(total.said.mark)
        elif maximum is None or total.said.mark is None or total.said.mark < max_score:
            return Mark(total.said.mark)
    return maximum


def _totals(text: str, max_score: float) -> Iterator[_Total]:
    """The statements on a total that say something, last first."""
    for name in reversed(list(_TOTAL.finditer(text))):
        before = text[max(0, name.start() - _BEFORE) : name.start()]
        content = _statement(text, name.end())
        if (
            HEDGE.search(_CLAUSE.split(before[-30:])[-1])
            or _PART_OF.search(before)
            or _DENIED.search(before)
            or _is_supposed(before, content)
        ):
            continue
        if (said_ := said(content, max_score, of_question=name["question"] is not None)) != Said():
            corrected = bool(_CORRECTION.search(_SENTENCE.split(before)[-1]))
            if _OF_ANSWER.search(name[0]):
                said_ = said_._replace(full=False)
            yield _Total(
                said_, name["tag"] is not None, corrected, name.start(), before.split("\n")[-1] + content.split("\n")[0]
            )


def _is_supposed(before: str, content: str) -> bool:
    """如果步骤完整,总分可以是8分."""
    return content.startswith("可") and bool(_CONDITION.search(_SENTENCE.split(before)[-1]))


def _got_elsewhere(text: str, total: _Total, max_score: float) -> Mark | None:
    """What a reply says the answer got whose total is its maximum: 总分:10分 得分:7分."""
    if PART.search(text):
        return None
    after = _of_marks(text[total.start :], max_score) or _lone(text[total.start :], max_score)
    if after and after.points is not None and after.points != max_score and not total.is_tagged:
        return after
    tagged = [said(_statement(text, tag.end()), max_score).mark for tag in _TAGGED_PART.finditer(text, total.start)]
    before = None
    if not total.is_tagged:
        before = _of_marks(text[: total.start], max_score) or _lone(text[: total.start], max_score)
        if before and before.points is not None and "\n" not in text[: total.start]:
            return before
    contradicted = any(mark not in (None, max_score) for mark in tagged) or (
        before is not None and before.points not in (None, max_score)
    )
    return Mark(None, NOT_FINAL) if contradicted else None


def _of_marks(text: str, max_score: float) -> Mark | None:
    """The mark of the answer, from statements that may be on a part of it: they must agree, or end in a sum."""
    marks: list[float] = []
    for name in _last(_MARK, text):
        if _is_on_part(text, name.start()):
            continue
        said_ = said(_statement(text, name.end()), max_score)
        if said_.reason:
            return Mark(None, said_.reason)
        if said_.mark is not None:
            marks.append(said_.mark)
    sums = [
        said_.mark
        for name in _last(_ADDED, text)
        if not _is_on_part(text, name.start(), added=True)
        and (said_ := said(_statement(text, name.end()), max_score)).mark is not None
        and not (name["worth"] and said_.mark == max_score)
    ]
    if sums:
        return Mark(sums[-1]) if len(set(sums)) == 1 else Mark(None, NOT_FINAL)
    if marks:
        return Mark(marks[0]) if len(set(marks)) == 1 else Mark(None, NOT_FINAL)
    return None


def _last(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return list(pattern.finditer(text))[-_MOST_NAMES:]


def _is_on_part(text: str, start: int, *, added: bool = False) -> bool:
    """Whether a statement's sentence is on a part: 第一问,该题得分3分. A sum is on several, if on more than one."""
    before = text[max(0, start - _BEFORE) : start]
    sentence = _SENTENCE.split(before)[-1]
    parts = len(PART.findall(sentence))
    return parts == 1 if added else parts > 0 or bool(HEDGE.search(sentence[-30:]))


def _lone(text: str, max_score: float) -> Mark | None:
    """得分:7分, if it is the only such statement."""
    names = list(_LONE.finditer(text))
    if len(names) != 1 or PART.search(text):
        return None
    said_ = said(_statement(text, names[0].end()), max_score)
    if said_.reason:
        return Mark(None, said_.reason)
    return Mark(said_.mark) if said_.mark is not None else None


def _statement(text: str, start: int) -> str:
    return _SPACE.sub("", text[start : start + _AFTER])
