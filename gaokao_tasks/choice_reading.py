"""The one answer of a reply to one question, or of the part of a reply that deals with one blank."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaokao_tasks.option_letters import GROUP, LOWER_GROUP, letters_in
from gaokao_tasks.option_statements import BREAKS_OFF, find_statements, settle
from gaokao_tasks.verdicts import Verdict, find_verdicts

# A line of nothing but letters, as the whole reply or at its start or end.
_BARE_LINE = re.compile(
    rf"[^\w√×]{{0,8}}(?:选项|选|(?i:option))? ?(?P<group>{GROUP}|{LOWER_GROUP}|[a-h]{{1,7}}) ?项?[^\w√×]{{0,8}}(?:答案】)?"
)
# The same with the option's text after the letter: C. 二氧化碳
_LETTER_AND_TEXT = re.compile(
    rf"\W{{0,4}}(?P<group>{GROUP}) ?(?:[.、:,。)](?! ?[A-H](?![A-Za-z]))|(?=因为|由于|理由|because\b|since\b))"
)
# The last sentence: ……平衡右移。C
_BARE_ENDING = re.compile(rf"(?:[。!?;]|\. )(?P<group>{GROUP})[ 。.!]{{0,3}}$")
_OTHER_OPTION = re.compile(r"(?:^|\s|[;。])[A-Ha-h] ?[.、:)]", re.MULTILINE)

_LINES = 20  # more lines of letters than any answer has
_ENDING = 20  # characters at the end of a reply that may hold such a sentence

# The writer takes back what was said; what follows is read first.
_SECOND_THOUGHT = re.compile(
    r"(?:^|[。.;!?\n…,)] ?)(?:哦|啊|嗯|呃|噢|抱歉|对不起|,){0,3}(?:不对(?=[,。.!?])|等等|等一下|等下|稍等|且慢|慢着|更正|订正|勘误|修正|纠正"
    r"|重新|再(?:检查|想想|仔细|看)|(?i:\bwait\b|hold on|\bactually\b|correction|oops|on second thought|let me re))"
)


def read_choice(text: str, options: str, several: bool) -> str:
    """The letters of `options` that `text` (plain text) gives as its answer, sorted, or "" where it gives none.

    `several` says that the question may have more than one right option. Where it has one, a reply that finally gives
    two letters still yields both, since it chose neither.
    """
    second_thoughts = list(_SECOND_THOUGHT.finditer(text))
    if second_thoughts:
        start = second_thoughts[-1].start()
        corrected = _decide(text[start:], options, several, corrects=True)
        if corrected is not None:
            return corrected
    return _decide(text, options, several) or ""


def _decide(text: str, options: str, several: bool, corrects: bool = False) -> str | None:
    """As `read_choice`, None where the text does not settle the matter."""
    verdicts = find_verdicts(text)
    stated = [v for v in verdicts + _bare_letters(text) if not (v.refused or v.wrong_named)]
    final = _last([v for v in stated if not v.supposed]) or _last(stated)
    if final:
        return _checked(final, verdicts, options, several)
    found = find_statements(text, options)
    found.judge({letter for v in verdicts if v.refused for letter in v.letters}, right=False)
    answer = settle(found, options, several)
    if not answer and corrects and len(found.right) == 1:
        return "".join(found.right)
    named_wrong = [v.letters for v in verdicts if v.wrong_named and len(v.letters) == 1]
    if not answer and named_wrong and not several and len(found.right) != 1:
        answer = named_wrong[-1]  # the question asks for the wrong one
    return answer or _letter_and_text(text, options) or None


def _last(verdicts: Sequence[Verdict]) -> Verdict | None:
    return max(verdicts, key=lambda verdict: verdict.start, default=None)


def _checked(final: Verdict, verdicts: Sequence[Verdict], options: str, several: bool) -> str:
    """The letters of the last verdict, unless they are no options, alternatives, or taken back afterwards."""
    if not set(final.letters) <= set(options) or (several and final.either):
        return ""
    taken_back = {letter for v in verdicts if v.refused and v.start > final.start for letter in v.letters}
    return "".join(letter for letter in final.letters if letter not in taken_back)


def _bare_letters(text: str) -> list[Verdict]:
    """Verdicts from the first and the last run of lines that are nothing but letters."""
    lines = text.split("\n")
    found = []
    for numbers in (range(len(lines))[:_LINES], range(len(lines))[: -_LINES - 1 : -1]):
        letters, size = "", 0
        for number in numbers:
            match = _BARE_LINE.fullmatch(lines[number])
            if not match:
                break
            letters, size = letters + letters_in(match["group"]), size + 1
        if letters:
            at = 0 if numbers.step > 0 else len(text)
            found.append(Verdict(at, at, "".join(sorted(set(letters)))))
    ending = _BARE_ENDING.search(text, max(0, len(text) - _ENDING))
    if ending:
        found.append(Verdict(len(text), len(text), letters_in(ending["group"])))
    return found


def _letter_and_text(text: str, options: str) -> str:
    """The letter a reply opens with before the option's text, if the reply lists no other option."""
    match = _LETTER_AND_TEXT.match(text)
    broken_off = len(text) > _ENDING and BREAKS_OFF.search(text, len(text) - 1)
    if not match or broken_off or len(_OTHER_OPTION.findall(text)) > 1:
        return ""
    letters = letters_in(match["group"])
    return letters if set(letters) <= set(options) else ""
