"""What a reply states outright to be its answer: answer tags and answer phrases, with their places and polarity.

A cue (【答案】, 故选, the answer is) and the letters after it make a verdict, unless the words around it say otherwise:
denied (不选A), somebody else's (有同学选A), asked (选A吗), or supposed (若…选A).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from gaokao_tasks.reading import verdict_patterns as patterns
from gaokao_tasks.reading.option_letters import leaves_a_choice, letters_in

_WINDOW = 40  # characters looked at before a phrase
_CONTENT = 120  # characters of a label's content looked at
_IN_PASSING = ("match", "english match")
_MATCHES = 200  # of more matches of one pattern than any reply has, the last are read


@dataclass(frozen=True)
class Verdict:
    """One statement of the answer, its cue at `start` and its letters up to `end` of the text.

    `letters` are sorted; none means that the reply states that there is no answer. `refused` letters are ones the reply
    says it does not choose. A `supposed` verdict holds under a condition the question may not fulfil, or is said in
    passing; a `wrong_named` one names what is wrong (错误的是D); an `either` one offers alternatives (A或C); one that
    `adds` goes with the verdict before it (D也应选).
    """

    start: int
    end: int
    letters: str
    refused: bool = False
    supposed: bool = False
    wrong_named: bool = False
    either: bool = False
    adds: bool = False


@dataclass(frozen=True)
class Label:
    """An answer tag (`tagged`) or heading, its content, and the verdict that makes; None where it makes none."""

    tagged: bool
    content: str
    verdict: Verdict | None


def find_labels(text: str) -> list[Label]:
    """The answer labels of `text` in order."""
    return [_read_label(text, match) for match in _last_matches(patterns.LABEL, text)]


def _last_matches(pattern: re.Pattern[str], text: str) -> Iterable[re.Match[str]]:
    return deque(pattern.finditer(text), maxlen=_MATCHES)


def _read_label(text: str, match: re.Match[str]) -> Label:
    start = match.end()
    heads_a_line = text.startswith("\n", start)
    start += heads_a_line
    end = text.find("\n", start, start + _CONTENT)
    content = text[start : end if end >= 0 else start + _CONTENT]
    verdict = None
    leading = patterns.LABELLED.match(text, start)
    if leading and not patterns.DENIED_AFTER.match(text, leading.end()):
        verdict = _with_texts(text, match.start(), leading)
    elif not heads_a_line:  # what follows a heading need not be its content
        last = patterns.BRACKETED_LAST.search(content)
        if not last and patterns.DENIAL.search(content):
            verdict = Verdict(match.start(), start, "")
        elif last := last or patterns.LAST.search(content):
            verdict = Verdict(match.start(), start + len(content), letters_in(last["letters"]))
    return Label(any(half in match[0] for half in "【】[]"), content, verdict)


def _with_texts(text: str, start: int, match: re.Match[str]) -> Verdict | None:
    """The verdict of `match`, with the letters of a list it begins (B. … C. …); None for a list of all options."""
    letters, end = letters_in(match["letters"]), match.end("letters")
    if len(letters) == 1 and patterns.TEXT_FOLLOWS.match(text, end):
        for letter in _next_letters(text, match):
            if letter <= letters[-1]:
                break
            letters += letter
        if letters.startswith("ABCD"):
            return None
    return Verdict(start, end, letters, either=leaves_a_choice(match["letters"]))


def _next_letters(text: str, match: re.Match[str]) -> list[str]:
    """The letters of the list that `match` begins, on its line and, if it begins one, on the lines below."""
    listed = text[match.end("letters") : match.end("letters") + _CONTENT].split("\n")[0].split("。")[0]
    if text[match.start("letters") - 1] == "\n" and (line_end := text.find("\n", match.end("letters"))) >= 0:
        lines = patterns.LETTERED_LINES.match(text, line_end)
        listed += lines[0] if lines else ""
    return [item["letter"].upper() for item in patterns.NEXT_LETTERED.finditer(listed)]


def find_verdicts(text: str) -> list[Verdict]:
    """The verdicts of `text` in order. Verdicts joined by a pause, an "and" or an "also" (选A、选C) are one."""
    found = {label.verdict.end: label.verdict for label in find_labels(text) if label.verdict}
    for name, pattern in patterns.PHRASES.items():
        for match in _last_matches(pattern, text):
            verdict = _in_context(text, name, match)
            end = match.end("letters")
            # Where two patterns meet at the same letters, the one that knows of a refusal or of more letters is right.
            if verdict and (end not in found or verdict.refused or len(verdict.letters) > len(found[end].letters)):
                found[end] = verdict
    for match in _last_matches(patterns.REFUSAL, text):
        end = match.end("letters")
        found[end] = Verdict(match.start(), end, letters_in(match["letters"]), refused=True)
    for match in _last_matches(patterns.NO_ANSWER, text):
        sentence = patterns.SENTENCE_BREAK.split(text[max(0, match.start() - _WINDOW) : match.start()])[-1]
        if not (patterns.CAVEAT.search(sentence) or patterns.CONCEDED.search(sentence)):
            found.setdefault(match.end(), Verdict(match.start(), match.end(), ""))
    return _joined(text, [found[end] for end in sorted(found)])


def _in_context(text: str, name: str, match: re.Match[str]) -> Verdict | None:
    """The verdict of a phrase given the words around it; None where it is not the reply's own."""
    before = text[max(0, match.start() - _WINDOW) : match.start()]
    clause, sentence = patterns.CLAUSE_BREAK.split(before)[-1], patterns.SENTENCE_BREAK.split(before)[-1]
    end = match.end("letters")
    if (
        patterns.NOT_OWN.search(clause)
        or patterns.MISTAKE.search(sentence)
        or patterns.TALKED_ABOUT_AFTER.match(text, end)
    ):
        return None
    verdict = _with_texts(text, match.start(), match)
    return verdict and replace(
        verdict,
        refused=bool(patterns.DENIED_BEFORE.search(clause) or patterns.DENIED_AFTER.match(text, end)),
        supposed=name in _IN_PASSING or (name != "concluding choice" and bool(patterns.SUPPOSED.search(sentence))),
        adds=name == "also",
        wrong_named=name == "option that" and "答案" not in before and bool(patterns.WRONG_NAMED.search(clause)),
    )


def _joined(text: str, verdicts: list[Verdict]) -> list[Verdict]:
    joined: list[Verdict] = []
    for verdict in verdicts:
        last = joined[-1] if joined else None
        goes_on = last and (verdict.adds or patterns.AND.fullmatch(text, last.end, verdict.start))
        if last and goes_on and _chooses(last) and _chooses(verdict):
            letters = "".join(sorted({*last.letters, *verdict.letters}))
            joined[-1] = replace(verdict, start=last.start, letters=letters)
        else:
            joined.append(verdict)
    return joined


def _chooses(verdict: Verdict) -> bool:
    return bool(verdict.letters) and not verdict.refused
