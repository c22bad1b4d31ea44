"""The answers of a reply to a question with several blanks, each in its place.

Replies lay their answers out in a few ways. Each layout below is a function from the text to one string per blank, ""
for a blank it does not fill. The first layout that fills every blank is the reply's; failing that, the one that fills
most, and of those the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

from gaokao_tasks.reading.blank_numbers import (
    MARK,
    SECTION_MARKS,
    NumberedAnswer,
    first_number,
    number_of,
    numbered_answers,
    own_line_numbers,
)
from gaokao_tasks.reading.choice import read_choice
from gaokao_tasks.reading.option_letters import GROUP, letters_in, sequence_in
from gaokao_tasks.reading.verdict_patterns import LABEL
from gaokao_tasks.reading.verdicts import find_labels, find_verdicts

# What comes before a line of answers.
_LINE_CUE = re.compile(
    rf"{LABEL.pattern}|答 ?案(?:依次|分别|应该|应|就|[:= ]|是|为|选){{0,4}}|答案 ?\|"
    r"|(?:依次|分别)(?:填入|是|为|选|填|:){1,2}|(?:顺序|选项)(?:是|为|:)|[故应]选(?:择|填)?:?"
    r"|(?i:\b(?:answers?|order) (?:is|are|would be):?)",
    re.MULTILINE,
)
# The letters of an answer line, or of lines under an answer tag.
_LINE = re.compile(
    r"[ |:\[(【]{0,3}(?P<letters>[A-G]{5}(?:[ \n][A-G]{5}){1,7}|[A-G](?:(?:[ ,、;|/和与及>\-()\[\]【】]{0,4}|,? and )[A-G]){1,39}"
    r"|[a-g](?:[ ,、;|/]{0,2}[a-g]){1,39}|[A-G](?:\n[A-G]){1,39}(?=\n|$))"
    r"(?![A-Za-z0-9])(?! ?选?项| ?[都均]?[不错])"
)
# A number before the cue makes it the answer to one blank.
_ENDS_IN_MARK = re.compile(rf"{MARK}[ .、:)]{{0,4}}$")
_LETTERS_ONLY = re.compile(r"(?:[A-G]{1,40}(?![A-Za-z])|[a-g]{1,40}(?![A-Za-z])|[\W_])*")
_LETTERED_LINE = re.compile(r"^ ?([A-G]) ?[.、:](?! ?[A-G](?![A-Za-z]))", re.MULTILINE)
# 更正：第2题应选B
_CORRECTED = re.compile(
    rf"(?:更正|订正|勘误|修正|纠正|不对|等等|改|(?i:wait|actually|correction|sorry))[^A-G\n]{{0,12}}(?={MARK})"
)
# 最终答案： on a line of its own: the answers are listed anew.
_LISTED_ANEW = re.compile(
    r"^[^\w\n]{0,4}(?:(?:综上|因此|所以|故),?)?(?:最终|最后|[修更]正后|(?i:(?:the )?(?:final|revised|corrected|updated))) ?的?(?:答案|(?i:answers?\b))"
    r"[^\nA-G]{0,6}$",
    re.MULTILINE,
)
# 这三题都选C, all three answers are C
_ALL_ALIKE = re.compile(
    r"(?:(?:^|(?<=[,。:\n]))(?:这|以上|上述|本大?题|所有|全部|每)?(?P<count>[两二三四五六七八九十]|[0-9]{1,2})?"
    r"[个道]?小?[题空问](?:目|的|答案){0,2}(?:应该?|都|均|全部?|皆|一律){1,2}(?:应该?|选择?|填|是|为){1,3}"
    r"|^(?:都|均|全部?)[选填]|(?i:\ball(?: of)?(?: the| these)?(?: [a-z]{3,5})? (?:answers|blanks|questions|gaps) (?:are|is|should be)))"
    rf"[ :]?(?P<letters>{GROUP})",
    re.MULTILINE,
)
_LONG = 4  # letters in a list that can only be the answers
_TRIES = 3  # parts with the same number that are read, last first, until one gives an answer


def read_blanks(text: str, options: str, n_blanks: int) -> list[str]:
    """One string per blank: the letters of `options` that `text` (plain text) gives for it, "" where it gives none.

    The list is empty where no blank has an answer.
    """
    cut = max((match.start() for match in _CORRECTED.finditer(text)), default=len(text))
    corrections = numbered_answers(text[cut:])
    if not corrections:
        cut = len(text)
    blanks = _best_layout(text[:cut], options, n_blanks) or [""] * n_blanks
    if corrections:
        first = first_number([number for number, *_ in [*numbered_answers(text[:cut]), *corrections]], n_blanks)
        given = _latest(corrections)
        blanks = [given.get(first + blank, letters) for blank, letters in enumerate(blanks)]
    blanks = [letters if set(letters) <= set(options) else "" for letters in blanks]
    return blanks if any(blanks) else []


def _best_layout(text: str, options: str, n_blanks: int) -> list[str]:
    best: list[str] = []
    for layout in _LAYOUTS:
        blanks = layout(text, options, n_blanks)
        if blanks and all(blanks):
            return blanks
        if _n_filled(blanks) > _n_filled(best):
            best = blanks
    return best


def _n_filled(blanks: Sequence[str]) -> int:
    return sum(map(bool, blanks))


def _in_order(lines: Sequence[Sequence[str]], n_blanks: int) -> list[str]:
    """The last line with a letter for each blank, else the last shorter one, read from the first blank on.

    A line that is too short reads as an unfinished one. One with too many letters does not say which of them is one too
    many, and a single letter is no line: neither is used.
    """
    for line in reversed(lines):
        if len(line) == n_blanks:
            return list(line)
    for line in reversed(lines):
        if 2 <= len(line) < n_blanks:
            return [*line, *[""] * (n_blanks - len(line))]
    return []


def _answer_line(text: str, options: str, n_blanks: int) -> list[str]:
    """【答案】C A E F G, 答案依次为C、A、E: a complete line outweighs notes on single blanks, before or after it."""
    lines = []
    for cue in _LINE_CUE.finditer(text):
        line = _LINE.match(text, cue.end()) or _LINE.match(text, cue.end() + 1)
        if line and not _ENDS_IN_MARK.search(text[max(0, cue.start() - 8) : cue.start()]):
            lines.append(sequence_in(line["letters"]))
    return _in_order(lines, n_blanks)


def _numbered(text: str, options: str, n_blanks: int) -> list[str]:
    """1. C 2. A, （1）【答案】B, 36-40 CADBE, {"1": "C"}: the last answer given to a number counts."""
    cuts = [0, *(match.end() for match in _LISTED_ANEW.finditer(text)), len(text)]
    listings = [numbered_answers(text[start:end]) for start, end in pairwise(cuts)]
    answers = [answer for listing in listings for answer in listing]
    if not answers:
        return []
    numbers = [number for number, *_ in answers]
    if len(answers) == n_blanks and numbers.count(numbers[0]) > 1 and len(set(numbers)) < n_blanks:
        return [answer.letters for answer in answers]  # each passage numbers its own blanks from the start
    first = first_number(numbers, n_blanks, list(own_line_numbers(text)))
    given: dict[int, str] = {}
    for listing in listings:
        given |= _latest(listing)
    return [given.get(first + blank, "") for blank in range(n_blanks)]


def _latest(answers: Sequence[NumberedAnswer]) -> dict[int, str]:
    """The letters by number. Answers that are not firm may be part of an explanation: they replace none."""
    given: dict[int, str] = {}
    for answer in answers:
        if answer.firm or answer.number not in given:
            given[answer.number] = answer.letters
    return given


def _labels_in_order(text: str, options: str, n_blanks: int) -> list[str]:
    """One answer tag per blank without numbers; a tag without a letter leaves its blank empty."""
    labels = [label for label in find_labels(text) if label.content.strip()]
    for chosen in ([label for label in labels if label.tagged], labels):
        letters = [label.verdict.letters if label.verdict else "" for label in chosen]
        if len(letters) == n_blanks:
            return letters
        if len(letters) == 2 * n_blanks:
            twice_each = letters[::2] == letters[1::2]
            return (
                letters[::2] if twice_each else letters[n_blanks:]
            )  # else all is said again, and the last time counts
    return []


def _numbered_sections(text: str, options: str, n_blanks: int) -> list[str]:
    """A part of the reply for each blank under its number, each read as a reply of its own."""
    best: list[str] = []
    for pattern in SECTION_MARKS.values():
        marks = [(number_of(match["mark"]), match.start(), match.end()) for match in pattern.finditer(text)]
        if not marks:
            continue
        first = first_number([number for number, _, _ in marks], n_blanks)
        blanks = [""] * n_blanks
        tries: Counter[int] = Counter()
        end = len(text)
        for number, mark_start, mark_end in reversed(marks):
            blank = number - first
            if 0 <= blank < n_blanks and not blanks[blank] and tries[blank] < _TRIES:
                tries[blank] += 1
                blanks[blank] = read_choice(text[mark_end:end], options, several=False)
            end = mark_start
        if _n_filled(blanks) > _n_filled(best):
            best = blanks
    return best


def _verdicts_in_order(text: str, options: str, n_blanks: int) -> list[str]:
    """故选C。……故选A。: exactly one verdict per blank, in order."""
    letters = [verdict.letters for verdict in find_verdicts(text) if verdict.letters and not verdict.refused]
    return letters if len(letters) == n_blanks else []


def _letters_only(text: str, options: str, n_blanks: int) -> list[str]:
    """CADBE, C A E F G, one letter per line: the whole reply, its first lines or its last ones."""
    lines = text.split("\n")
    opening = takewhile(_LETTERS_ONLY.fullmatch, lines)
    ending = reversed(list(takewhile(_LETTERS_ONLY.fullmatch, reversed(lines))))
    return _in_order([re.findall("[A-G]", " ".join(part).upper()) for part in (opening, ending)], n_blanks)


def _only_list(text: str, options: str, n_blanks: int) -> list[str]:
    """The only list of as many letters as blanks, where a list that long is no chance and not the options in order."""
    lists = [sequence_in(match["letters"]) for match in _LINE.finditer(text)]
    lists = [letters for letters in lists if len(letters) == n_blanks and "".join(letters) != options[:n_blanks]]
    return lists[0] if len(lists) == 1 and n_blanks >= _LONG else []


def _lettered_lines(text: str, options: str, n_blanks: int) -> list[str]:
    """C. 喜悦 / A. 悲伤: a line per blank, unless they are the options in their order."""
    letters: list[str] = _LETTERED_LINE.findall(text)
    return letters if len(letters) == n_blanks and "".join(letters) != options[:n_blanks] else []


def _all_alike(text: str, options: str, n_blanks: int) -> list[str]:
    """这三题都选C: the same letters for every blank; a count that is not that of the blanks is about some of them."""
    for match in _ALL_ALIKE.finditer(text):
        if not match["count"] or number_of(match["count"].replace("两", "二")) == n_blanks:
            return [letters_in(match["letters"])] * n_blanks
    return []


def _labels_so_far(text: str, options: str, n_blanks: int) -> list[str]:
    """Fewer answer tags than blanks, and no numbers: an unfinished list, as in `_in_order`."""
    return _in_order([[label.verdict.letters if label.verdict else "" for label in find_labels(text)]], n_blanks)


_LAYOUTS: tuple[Callable[[str, str, int], list[str]], ...] = (
    _answer_line,
    _numbered,
    _labels_in_order,
    _numbered_sections,
    _verdicts_in_order,
    _letters_only,
    _only_list,
    _lettered_lines,
    _all_alike,
    _labels_so_far,
)
