"""The answers of a reply to a question with several blanks, each in its place.

Replies lay their answers out in a few ways, and each layout is a function from the text to one string per blank ("" for
a blank it does not fill). The first layout that fills every blank is the reply's; failing that, the one that fills most.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from gaokao_tasks.choice_reading import read_choice
from gaokao_tasks.option_letters import GROUP, LOWER_GROUP, letters_in, sequence_in
from gaokao_tasks.verdict_patterns import LABEL
from gaokao_tasks.verdicts import find_labels, find_verdicts

_NUMERALS = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_DIGITS = r"[0-9]{1,3}"

# How blanks are numbered. A bare number is a mark only where it stands out, or it might be any number.
_MARKS: dict[str, str] = {
    "ordinal": rf"第 ?(?:{_DIGITS}|[{_NUMERALS}]{{1,3}}) ?(?:个|道)?(?:小?题|空|问)",  # 第1题, 第二空
    "bracketed": rf"[(\[【] ?(?:小题|题|第|问题)? ?(?:{_DIGITS}|[{_NUMERALS}]{{1,3}}) ?(?:小?题|空)?[)\]】]",  # (1), 【小题1】
    "word": rf"(?i:\bquestion|\bblank|\bq|\bno\.?|\bitem|\bgap|小题|题|空|#) ?{_DIGITS}(?![0-9])",  # Q1, Blank 36
    "circled": f"[{_CIRCLED}]",
    "counted": rf"(?<![0-9.]){_DIGITS} ?(?:小?题|空)",  # 36题
    "labelled": rf"(?:【答案|答案|(?i:\banswer)) ?{_DIGITS} ?】?",  # 答案1：
    "listed": rf"(?:^|(?<=\n))[{_NUMERALS}]{{1,3}}(?=[、.])",  # 一、
    "plain": rf"(?<![0-9.\-/^_+=~])(?<![H-Za-z]){_DIGITS}(?![0-9])(?!\.[0-9])",  # 1. 1、 1) 1: 36
}
_MARK = "(?:" + "|".join(f"(?:{pattern})" for pattern in _MARKS.values()) + ")"
_SEPARATOR = r"[ .、:,)=\-|>]{0,4}\n?"
_CUE = r"(?:[【\[]答案[】\]]?|答案】?|答|故|应|选择|选项|选|填|是|为|的|正确|更正|改|(?i:answer|ans|is|the|option|choice)|[:= \-|(]){0,8}?"
_LETTERED_LINE = re.compile(r"(?m)^ ?([A-G]) ?[.、:](?! ?[A-G](?![A-Za-z]))")
_ITEM_END = (
    r"(?=$|[\s。.,;:、()\[\]|】【√<\-]|[因由根理故]|第|["
    + _CIRCLED
    + r"])(?! ?(?:选?项)? ?(?:错|不|正确|有误|符合|与|中|(?:is|are)\b))"
)
# 36B 37E, 1C2A3D, (1)C(2)A: letters next to numbers
_DENSE = rf"(?:(?<=[0-9])[A-G](?=$|[\s,;。、)])|[A-G](?=\(?(?:{_DIGITS}|[{_NUMERALS}])[ .、:)\-]{{1,2}}[A-G]|{_DIGITS}[A-G]))"

# Numbers of these styles count even where no letter follows: 23. 文中没有提到
_UNANSWERED = ("ordinal", "word", "counted", "plain")

_RANGE = re.compile(
    rf"(?<![0-9.])(?P<first>{_DIGITS}) ?[-~到至] ?(?P<last>{_DIGITS}) ?(?:小?题|空)?{_SEPARATOR}{_CUE}"
    r"(?P<run>[A-Ga-g](?:[ ,、;|/]{0,2}[A-Ga-g]){1,39})(?![A-Za-z])"
)
_ITEM = re.compile(rf"(?P<mark>{_MARK}){_SEPARATOR}{_CUE}(?P<group>(?:{GROUP}|{LOWER_GROUP}){_ITEM_END}|{_DENSE})")
_SECTION_MARKS = {
    name: re.compile(
        rf"(?:^|(?<=[。;(]))[ *]?(?P<mark>{pattern})(?= ?[.、:,)\n【]|$| )"
        if name in ("plain", "counted")
        else rf"(?P<mark>{pattern})",
        re.MULTILINE,
    )
    for name, pattern in _MARKS.items()
}

# The letters of an answer line, or of lines under an answer tag.
_RUN = re.compile(
    r"[ |:\[(]{0,3}(?P<run>[A-G](?:(?:[ ,、;|/和与及>\-]{0,3}|,? and )[A-G]){1,39}|[a-g](?:[ ,、;|/]{0,2}[a-g]){1,39}"
    r"|[A-G](?:\n[A-G]){1,39}(?=\n|$))(?![A-Za-z0-9])(?! ?选?项)"
)
_LINE_CUE = re.compile(
    rf"{LABEL.pattern}|答 ?案(?:依次|分别|应该|应|就|[:= ]|是|为|选){{0,4}}|(?:依次|分别)(?:填入|是|为|选|填|:){{1,2}}|顺序(?:是|为|:)|答案 ?\|"
    r"|[故应]选(?:择|填)?:?|(?i:\b(?:answers?|order) (?:is|are|would be):?)",
    re.MULTILINE,
)
_MARK_BEFORE = re.compile(rf"{_MARK}[ .、:)]{0, 4}$")
_LETTERS_ONLY = re.compile(r"(?:[A-G](?![A-Za-z])|[A-G]{2,40}(?![A-Za-z])|[a-g]{1,40}(?![A-Za-z])|[\W_])*")
_TRIES = 3  # parts with the same number that are read, last first, for an answer
_CORRECTED = re.compile(
    rf"(?:更正|订正|勘误|修正|纠正|不对|等等|改|(?i:wait|actually|correction|sorry))[^A-G\n]{{0,12}}(?={_MARK})"
)


def read_blanks(text: str, options: str, n_blanks: int) -> list[str]:
    """One string per blank: the letters of `options` that `text` (plain text) gives for it, "" where it gives none.

    The list is empty where no blank has an answer.
    """
    cut = next(iter(list(_CORRECTED.finditer(text))[-1:]), None)
    corrections = list(_numbered(text[cut.start() :])) if cut else []
    blanks = _best_layout(text[: cut.start()] if cut and corrections else text, options, n_blanks)
    if cut and corrections:
        first = _first_number([number for number, _ in [*_numbered(text[: cut.start()]), *corrections]], n_blanks)
        for number, letters in corrections:
            if 0 <= number - first < n_blanks and blanks:
                blanks[number - first] = letters
    blanks = [letters if set(letters) <= set(options) else "" for letters in blanks]
    return blanks if any(blanks) else []


def _best_layout(text: str, options: str, n_blanks: int) -> list[str]:
    best: list[str] = []
    for layout in _LAYOUTS:
        blanks = layout(text, options, n_blanks)
        if blanks and all(blanks):
            return blanks
        if sum(map(bool, blanks)) > sum(map(bool, best)):
            best = blanks
    return best


def _answer_line(text: str, options: str, n_blanks: int) -> list[str]:
    """【答案】C A E F G, 答案依次为C、A、E: a complete line outweighs notes on single blanks, before or after it."""
    lines = []
    for cue in _LINE_CUE.finditer(text):
        run = _RUN.match(text, cue.end()) or _RUN.match(text, cue.end() + 1)
        if run and not _MARK_BEFORE.search(text[max(0, cue.start() - 8) : cue.start()]):
            lines.append(sequence_in(run["run"]))
    return _in_order(lines, n_blanks)


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


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """Number and letters of each answer written next to its number, in the order of the text."""
    found: list[tuple[int, int, str]] = []
    spans = []
    for match in _RANGE.finditer(text):
        first, last, letters = int(match["first"]), int(match["last"]), sequence_in(match["run"])
        if len(letters) == last - first + 1:
            spans.append((match.start(), match.end()))
            found += [(match.start(), first + offset, letter) for offset, letter in enumerate(letters)]
    starts = [start for start, _ in spans]
    for match in _ITEM.finditer(text):
        span = bisect_left(starts, match.start() + 1) - 1
        if span < 0 or match.start() >= spans[span][1]:
            found.append((match.start(), _number(match["mark"]), letters_in(match["group"])))
    return ((number, letters) for _, number, letters in sorted(found, key=lambda item: item[0]))


def _number(mark: str) -> int:
    digits = re.search(_DIGITS, mark)
    if digits:
        return int(digits[0])
    circled = re.search(f"[{_CIRCLED}]", mark)
    if circled:
        return _CIRCLED.index(circled[0]) + 1
    tens, ten, units = re.sub(f"[^{_NUMERALS}]", "", mark).rpartition("十")
    return (_NUMERALS.find(tens) + 1 or 1) * 10 * bool(ten) + _NUMERALS.find(units[:1] or "?") + 1


def _numbered_answers(text: str, options: str, n_blanks: int) -> list[str]:
    """1. C 2. A, (1)【答案】B, 36-40 CADBE, | 1 | C |, {"1": "C"}: the last answer given to a number counts."""
    items = list(_numbered(text))
    numbers = [number for number, _ in items]
    restarts = [index for index, number in enumerate(numbers) if number == numbers[0]]
    if len(items) == n_blanks and len(restarts) > 1 and len(set(numbers)) < n_blanks:
        return [letters for _, letters in items]  # each passage numbers its own blanks
    seen = [_number(m["mark"]) for style in _UNANSWERED for m in _SECTION_MARKS[style].finditer(text)]
    first = _first_number(numbers, n_blanks, seen)
    given = dict(items)
    return [given.get(first + offset, "") for offset in range(n_blanks)] if items else []


def _first_number(numbers: Sequence[int], n_blanks: int, unanswered: Sequence[int] = ()) -> int:
    """The number of the first blank: the window of `n_blanks` numbers that holds most of `numbers`.

    Of windows that hold equally many: the one that holds most of the numbers without an answer, the one from 1, for
    five blanks or more one that starts where papers start (16, 21, 36, 41 ...), and the earliest, so that the last
    blanks are the ones left empty.
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
    """A numbered part of the reply for each blank, each read as a reply of its own."""
    best: list[str] = []
    for pattern in _SECTION_MARKS.values():
        marks = list(pattern.finditer(text))
        if not marks:
            continue
        numbers = [_number(mark["mark"]) for mark in marks]
        first = _first_number(numbers, n_blanks)
        blanks = [""] * n_blanks
        tries: Counter[int] = Counter()
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        for mark, number, end in reversed(list(zip(marks, numbers, ends, strict=True))):
            blank = number - first
            if 0 <= blank < n_blanks and not blanks[blank] and tries[blank] < _TRIES:
                tries[blank] += 1
                blanks[blank] = read_choice(text[mark.end() : end], options, several=False)
        if sum(map(bool, blanks)) > sum(map(bool, best)):
            best = blanks
    return best


def _verdicts_in_order(text: str, options: str, n_blanks: int) -> list[str]:
    """故选C。……故选A。: exactly one verdict per blank, in order."""
    verdicts = [v for v in find_verdicts(text) if v.letters and not v.refused]
    return [v.letters for v in verdicts] if len(verdicts) == n_blanks else []


def _letters_only(text: str, options: str, n_blanks: int) -> list[str]:
    """CADBE, C A E F G, one letter per line: the whole reply, else its last lines."""
    lines = text.split("\n")
    ending = list(takewhile(_LETTERS_ONLY.fullmatch, reversed(lines)))
    return _in_order([re.findall("[A-G]", " ".join(reversed(ending)).upper())], n_blanks)


def _lettered_lines(text: str, options: str, n_blanks: int) -> list[str]:
    """C. 喜悦 / A. 悲伤: one line per blank, unless they are the options in their order."""
    letters = _LETTERED_LINE.findall(text)
    return letters if len(letters) == n_blanks and "".join(letters) != options[:n_blanks] else []


def _tags_so_far(text: str, options: str, n_blanks: int) -> list[str]:
    """Fewer answer tags than blanks and no numbers: an unfinished list, as in `_in_order`."""
    return _in_order([[label.verdict.letters if label.verdict else "" for label in find_labels(text)]], n_blanks)


_LAYOUTS: tuple[Callable[[str, str, int], list[str]], ...] = (
    _answer_line,
    _numbered_answers,
    _labels_in_order,
    _numbered_sections,
    _verdicts_in_order,
    _letters_only,
    _lettered_lines,
    _tags_so_far,
)
