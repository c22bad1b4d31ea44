"""The one answer of a reply to one question, or of the part of a reply that deals with one blank."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from gaokao_tasks.reading.option_letters import GROUP, LOWER_GROUP, letters_in
from gaokao_tasks.reading.option_statements import BREAKS_OFF, find_statements, settle
from gaokao_tasks.reading.verdict_patterns import LABEL
from gaokao_tasks.reading.verdicts import Verdict, find_verdicts

# A line of nothing but letters, as the whole reply or at its start or end.
_BARE_LINE = re.compile(
    rf"[^\w√×|]{{0,8}}(?:选项|选|(?i:option))? ?(?P<letters>{GROUP}|{LOWER_GROUP}|[a-h]{{1,7}}) ?项?(?!\.\.)[^\w√×]{{0,8}}(?:答案】)?"
)
# The line above such lines: 答案：A, and C on the next
_LABELLED_LINE = re.compile(rf"(?:{LABEL.pattern})(?P<letters>{GROUP})\W{{0,4}}", re.MULTILINE)
_WORD = re.compile(r"\w")
# A line of a list of options: B. 北京
_OPTION_LINE = re.compile(r" ?[(\[]?([A-G]) ?[.、:,)]")

_LINES = 20  # more lines of letters than any answer has
# A last sentence of nothing but letters: ……平衡右移。C
_BARE_ENDING = re.compile(rf"(?<![A-H])(?:[。!?]|\. )(?P<letters>{GROUP})[ 。.!]{{0,3}}$")
_ENDING = 40  # characters at the end that may hold such a sentence
# A letter with its text, or a reason, at the start: C. 二氧化碳. After 项 it is what is said of the option: A项，说法片面
_LETTER_AND_TEXT = re.compile(
    rf"\W{{0,4}}(?P<letters>{GROUP}) ?"
    r"(?:(?:[.。)]|(?<!项)[:,])(?! ?[A-H] ?(?:[.、:,。)和与及]|$))|(?<!项)、(?! ?[A-H](?![A-Za-z]))"
    r"| ?- (?! ?[错不对正√×])(?=[^\n]{1,60}$)|\((?! ?[错不对正√×])(?=[^()\n]{1,40}\)\W{0,3}$)|(?=因为|由于|理由|because\b|since\b))"
)
_OPTION_MARK = re.compile(r"(?:^|(?<=[\s;。]))(?P<letter>[A-Ha-h]) ?[.、:)]", re.MULTILINE)
_SHORT = 20  # characters up to which a reply without a full stop is whole

# The writer takes back what was said: what follows is read first.
_SECOND_THOUGHT = re.compile(
    r"(?:^|[。.;!?\n…,)] ?)(?:哦|啊|嗯|呃|噢|抱歉|对不起|,){0,3}"
    r"(?:(?P<denies>不对(?=[,。.!?])|(?i:oops))|等等|等一下|等下|稍等|且慢|慢着|更正|订正|勘误|修正|纠正|重新(?:检查|审题|思考|考虑|看题|看|分析|计算|判断)|再(?:检查|想想|想|仔细)"
    r"|(?i:\bwait\b|hold on|\bactually\b|correction|on second thought|let me re))"
)

# What follows is about other questions, or about mistakes others make.
_ASIDE = re.compile(
    r"(?:^|(?<=[。!?\n])) ?[【\[(]?(?:[一二三四五六七八九十0-9]{1,2}[.、) ]{1,2})?(?:知识|解题|本题的?)?"
    r"(?:拓展|延伸|变式|类似题|类似的?题目|同类题|举一反三|巩固练习|思考题|易错|常见的?错误|常见误区"
    r"|(?i:common (?:mistake|error|pitfall)|similar (?:question|problem)|follow-up))",
    re.MULTILINE,
)


def read_choice(text: str, options: str, several: bool) -> str:
    """The letters of `options` that `text` (plain text) gives as its answer, sorted, or "" where it gives none.

    `several` says that the question may have more than one right option. Where it has one, a reply that finally gives
    two letters still yields both, since it chose neither.
    """
    aside = _ASIDE.search(text)
    if aside and _stated(text[: aside.start()], options, several):
        text = text[: aside.start()]
    for second_thought in deque(_SECOND_THOUGHT.finditer(text), maxlen=1):
        before, after = text[: second_thought.start()], text[second_thought.start() :]
        corrected = _stated(after, options, several)
        if corrected is not None:
            return corrected
        implied, wrong = _implied(after, options, several, corrects=True)
        # 等等，C项也正确 takes nothing back; 等等，A错误，C正确 does, and so does 不对，C正确.
        earlier = _stated(before, options, several)
        if implied and (not earlier or wrong & {*earlier} or second_thought["denies"]):
            return implied
    stated = _stated(text, options, several)
    return _implied(text, options, several)[0] if stated is None else stated


def _stated(text: str, options: str, several: bool) -> str | None:
    """The answer that `text` states outright, "" where it states that there is none, None where it does neither."""
    verdicts = find_verdicts(text)
    stated = [v for v in verdicts + _bare_letters(text, several) if not (v.refused or v.wrong_named)]
    # Suppositions that contradict each other are cases of the working: 当a>0时选B，当a<0时选C.
    supposed = stated if len({v.letters for v in stated}) == 1 else []
    final = _last([v for v in stated if not v.supposed] or supposed)
    return _checked(final, verdicts, options, several) if final else None


def _implied(text: str, options: str, several: bool, corrects: bool = False) -> tuple[str, set[str]]:
    """The answer that follows from what `text` says of the options, or "", and the options that it calls wrong.

    One right option is enough where `text` `corrects` what was said before.
    """
    verdicts = find_verdicts(text)
    statements = find_statements(text, options)
    statements.judge({letter for v in verdicts if v.refused for letter in v.letters}, right=False)
    named_wrong = [v.letters for v in verdicts if v.wrong_named and len(v.letters) == 1]
    answer = settle(statements, options, several)
    if not answer and corrects and len(statements.right) == 1:
        answer = "".join(statements.right)
    if not answer and named_wrong and not several and len(statements.right) != 1:
        answer = named_wrong[-1]  # 错误的是D: the question asks for it
    return answer or _letter_and_text(text, options), statements.wrong


def _last(verdicts: Sequence[Verdict]) -> Verdict | None:
    return max(verdicts, key=lambda verdict: verdict.start, default=None)


def _checked(final: Verdict, verdicts: Sequence[Verdict], options: str, several: bool) -> str:
    """The letters of the last verdict, unless they are no options, alternatives, or taken back afterwards."""
    if not set(final.letters) <= set(options) or (several and final.either):
        return ""
    taken_back = {letter for v in verdicts if v.refused and v.start > final.start for letter in v.letters}
    return "".join(letter for letter in final.letters if letter not in taken_back)


def _bare_letters(text: str, several: bool) -> list[Verdict]:
    """Verdicts from lines of nothing but letters at the start and the end, and from a last sentence of letters.

    Where the question may have `several` right options, lines at the end go on from an answer label above them.
    """
    lines = [line for line in text.split("\n") if _WORD.search(line)]
    if _breaks_off_in_options(text):
        lines.pop()
    found = []
    for place, run in ((0, lines[:_LINES]), (len(text), lines[: -_LINES - 1 : -1])):
        letters = ""
        for line in run:
            match = _BARE_LINE.fullmatch(line)
            if not match and several and place and letters:
                match = _LABELLED_LINE.fullmatch(line)
            if not match:
                break
            letters += letters_in(match["letters"])
        if letters:
            found.append(Verdict(place, place, "".join(sorted(set(letters)))))
    ending = _BARE_ENDING.search(text, max(0, len(text) - _ENDING))
    if ending:
        found.append(Verdict(len(text), len(text), letters_in(ending["letters"])))
    return found


def _breaks_off_in_options(text: str) -> bool:
    """Whether the text ends in a list of options whose last line is only the next letter: A. 甲, B. 乙, C"""
    *_, before, last = ["", "", *(line for line in text.split("\n") if _WORD.search(line))]
    option = _OPTION_LINE.match(before)
    return option is not None and last.strip() == chr(ord(option[1]) + 1)


def _letter_and_text(text: str, options: str) -> str:
    """The letter a reply opens with before the option's text, or the one it comes back to after a list of options."""
    opening = _LETTER_AND_TEXT.match(text)
    marks = list(_OPTION_MARK.finditer(text))
    letters = ""
    if len(marks) > 1:
        is_last_line = "\n" not in text[marks[-1].start() :] and text[marks[-1].start() - 1] == "\n"
        if is_last_line and marks[-1]["letter"] <= marks[-2]["letter"]:
            letters = marks[-1]["letter"].upper()
    elif (
        opening
        and not _breaks_off_in_options(text)
        and not (len(text) > _SHORT and BREAKS_OFF.search(text, len(text) - 1))
    ):
        letters = letters_in(opening["letters"])
    return letters if set(letters) <= set(options) else ""
