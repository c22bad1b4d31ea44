"""English error correction: from the corrected passage a model gives to the list of changes a teacher marks.

Upstream asks a model for the list in a second call; here it comes from a word diff of the two texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_INSTRUCTIONS_END = "不计分。"  # the last words of every question's instructions
_CHINESE_LINE = re.compile(r"^.*[\u4e00-\u9fff].*$", re.MULTILINE)  # notes after a passage, which one question has
_WORD = re.compile(r"[A-Za-zÀ-ɏ0-9]+(?:['\-][A-Za-zÀ-ɏ0-9]+)*")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘`´ʼ＇", "'"))
# How a passage's copy is written, in the order in which it is undone, and what is left of it.
_WRITING = (
    (re.compile(r"~~[^~\n]{0,80}~~"), " "),  # struck out
    (re.compile(r"\b[A-Za-z']{1,30} ?(?:→|->|=>) ?(?=[A-Za-z])"), ""),  # were→was
    (re.compile(r"(?<=[a-z])-[ \r]?\n ?(?=[a-z])"), ""),  # swim-⏎ming
    (re.compile(r"^ {0,4}\(?\d{1,2}[.)、] ?(?!\d)", re.MULTILINE), ""),  # numbered sentences
)
_BOUNDARY = re.compile(r"[.!?:\n\"“”：。】|]")  # between words: the passage may end or begin here
_ALIKE = 0.5  # of the words: less than that, and the answer is no rewritten passage
# Of the words in common with the passage: its corrected copy, where the passage itself is quoted too.
_NEARLY_BEST = 0.6
_MARGIN = 8  # words by which a copy may be longer
_CONTEXT = 1  # words named before an insertion


class _Word(NamedTuple):
    text: str
    after_boundary: bool


def listed_corrections(question: str, reply: str) -> str:
    """The changes by which the passage in `reply` differs from that in `question`, one a line.

    Of several copies of the passage the last counts; what stands around it is no change. A reply without a passage, such as
    one that lists its changes itself, is given back as it is.
    """
    before = [word.text for word in _words(passage_of(question))]
    after = _copy_in(_words(_answer_of(reply)), before)
    if sum(word.isupper() for word in after) > len(after) / 2:
        after = [word.lower() for word in after]
    matcher = SequenceMatcher(None, _lower(before), _lower(after), autojunk=False)
    if not before or not after or matcher.ratio() < _ALIKE:
        return reply
    has_capitals = after != _lower(after)  # without any, that they lack is no change
    matcher.set_seqs(before if has_capitals else _lower(before), after)
    lines = [f"({number}) {change}" for number, change in enumerate(_changes(matcher, before, after), start=1)]
    return "【答案】\n" + "\n".join(lines or ["没有改动"]) + "\n<eoa>"


def passage_of(question: str) -> str:
    """The passage to correct: what follows the instructions, up to a line in Chinese."""
    text = question.rpartition(_INSTRUCTIONS_END)[2].lstrip()
    note = _CHINESE_LINE.search(text)
    return text[: note.start()] if note else text


def _answer_of(reply: str) -> str:
    """What stands between 【答案】 and <eoa>, as upstream cuts it; the whole reply without the tag."""
    start = reply.find("【答案】")
    end = reply.find("<eoa>", start)
    return reply[max(0, start) : end if end >= 0 else len(reply)]


def _words(text: str) -> list[_Word]:
    text = text.translate(_APOSTROPHES)
    for pattern, left in _WRITING:
        text = pattern.sub(left, text)
    words: list[_Word] = []
    end = 0
    for word in _WORD.finditer(text):
        words.append(_Word(word[0], not words or bool(_BOUNDARY.search(text, end, word.start()))))
        end = word.end()
    return words


def _lower(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


def _copy_in(words: Sequence[_Word], passage: Sequence[str]) -> list[str]:
    """The words of the last copy of the passage: from the first to the last in common, and on to the sentences' ends."""
    start = _start_of_copy(words, _lower(passage))
    window = words[start : start + len(passage) + _MARGIN]
    matcher = SequenceMatcher(None, _lower(passage), _lower([word.text for word in window]), autojunk=False)
    common = [block for block in matcher.get_matching_blocks() if block.size]
    if not common:
        return []
    first, last = common[0].b, common[-1].b + common[-1].size
    while common[0].a > 0 and first > 0 and not window[first].after_boundary:
        first -= 1
    while last < len(window) and not window[last].after_boundary:
        last += 1
    return [word.text for word in window[first:last]]


def _start_of_copy(words: Sequence[_Word], passage: Sequence[str]) -> int:
    """Where the last copy begins: near the last stretch with nearly the most words of the passage, most like it in order."""
    lower = _lower([word.text for word in words])
    counts = _words_in_common(lower, passage)
    if not counts:
        return 0
    enough = _NEARLY_BEST * max(counts)
    last = max(place for place, count in enumerate(counts) if count >= enough)
    nearby = range(max(0, last - len(passage) // 2), last + 1)
    matcher = SequenceMatcher(None, b=passage, autojunk=False)

    def likeness(place: int) -> float:
        matcher.set_seq1(lower[place : place + len(passage)])
        return matcher.ratio()

    return max((place for place in nearby if place == last or words[place].after_boundary), key=likeness)


def _words_in_common(words: Sequence[str], passage: Sequence[str]) -> list[int]:
    """For each stretch as long as the passage, how many words it has in common with it in any order."""
    missing = Counter(passage)
    in_common, counts = 0, []
    for place, word in enumerate(words):
        in_common += missing[word] > 0
        missing[word] -= 1
        if place >= len(passage):
            gone = words[place - len(passage)]
            missing[gone] += 1
            in_common -= missing[gone] > 0
        if place >= len(passage) - 1:
            counts.append(in_common)
    return counts


def _changes(matcher: SequenceMatcher[str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    for operation, i, j, k, m in matcher.get_opcodes():
        old, new = " ".join(before[i:j]), " ".join(after[k:m])
        if operation == "replace":
            yield f'将"{old}"改为"{new}"'
        elif operation == "delete":
            yield f'删去"{old}"（在"{_before(before, i)}"之后）'
        elif operation == "insert":
            yield f'在"{_before(before, i)}"之后增加"{new}"'


def _before(words: Sequence[str], place: int) -> str:
    return " ".join(words[max(0, place - _CONTEXT) : place]) or "短文开头"
