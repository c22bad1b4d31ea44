"""English error correction: from the corrected passage a model gives to the list of changes a teacher marks.

Upstream asks a model for the list in a second call; here it comes from a word diff of the two texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_INSTRUCTIONS_END = "不计分。"  # the last words of every question's instructions
_CHINESE_LINE = re.compile(r"^.*[\u4e00-\u9fff].*$", re.MULTILINE)  # notes after a passage, which one question has
_WORD = re.compile(r"[A-Za-z0-9]+(?:['’\-][A-Za-z0-9]+)*")
_ALIKE = 0.5  # of the words: less than that, and the answer is no rewritten passage
_CONTEXT = 1  # words named before an insertion


def listed_corrections(question: str, reply: str) -> str:
    """The changes by which the passage in `reply` differs from that in `question`, one a line.

    A reply without a passage, such as one that lists its changes itself, is given back as it is.
    """
    before, after = _words(passage_of(question)), _words(_answer_of(reply))
    matcher = SequenceMatcher(None, [word.lower() for word in before], [word.lower() for word in after], autojunk=False)
    if not before or not after or matcher.ratio() < _ALIKE:
        return reply
    matcher.set_seqs(before, after)
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


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text)]


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
