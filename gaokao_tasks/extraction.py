"""Which letters a reply to an objective GAOKAO-Bench question gives, read in two ways.

`official_letters` reads as the benchmark's own code does, quirks included; `robust_letters` reads as a careful person
would. Both are pure and total: any text gives a list, never an exception.
"""

from __future__ import annotations

import re

from gaokao_tasks.question_types import (
    FIVE_OUT_OF_SEVEN,
    MULTI_CHOICE,
    MULTI_QUESTION_CHOICE,
    OBJECTIVE_TYPES,
    SINGLE_CHOICE,
)
from gaokao_tasks.reading.blanks import read_blanks
from gaokao_tasks.reading.choice import read_choice
from gaokao_tasks.reading.reply_text import plain_text

_OFFICIAL_TAG = "【答案】"
_OFFICIAL_TAGGED_LETTER = re.compile(r"【答案】\s*[:：]*\s*([A-Z])")
_OFFICIAL_TAIL = 10  # characters searched when a multi_choice reply has no tag


def official_letters(text: str, question_type: str, n_answers: int) -> list[str]:
    """The letters upstream's code extracts from `text`.

    Returns up to one string per blank; `multi_choice` gives one string of letters in the order found. The list is empty
    where nothing is found, and may be shorter than `n_answers` (upstream then scores the question 0).

    Raises ValueError for a question type upstream does not have.

    Source: OpenLMLab/GAOKAO-Bench, `Bench/bench_function.py`, `extract_choice_answer`.
    """
    if question_type == SINGLE_CHOICE:
        return re.findall(r"[A-D]", text)[-1:]
    if question_type == FIVE_OUT_OF_SEVEN:
        return re.findall(r"[A-G]", text)[:5]
    if question_type == MULTI_QUESTION_CHOICE:
        tagged = _OFFICIAL_TAGGED_LETTER.findall(text)
        return tagged if len(tagged) == n_answers else re.findall(r"[A-Z]", text)[:n_answers]
    if question_type == MULTI_CHOICE:
        compact = re.sub(r"\s+", "", text)
        tag = compact.find(_OFFICIAL_TAG)
        # A tag at the very start is not found by upstream, which asks for an index above 0.
        answer = compact[tag:] if tag > 0 else compact[-_OFFICIAL_TAIL:]
        letters = "".join(re.findall(r"[A-D]", answer))
        return [letters] if letters else []
    raise ValueError(f"unknown question type {question_type!r}: expected one of {', '.join(OBJECTIVE_TYPES)}")


_OPTIONS = {SINGLE_CHOICE: "ABCD", MULTI_CHOICE: "ABCD", MULTI_QUESTION_CHOICE: "ABCD", FIVE_OUT_OF_SEVEN: "ABCDEFG"}


def robust_letters(text: str, question_type: str, n_answers: int) -> list[str]:
    """The letters a careful person would read off `text`, within the options of the question type.

    Returns one string for `single_choice` (two letters if the reply finally gives two) and for `multi_choice` (letters
    sorted, no repeats), and `n_answers` strings for the types with several blanks, "" for a blank without an answer.
    The list is empty where the reply gives no answer, or two equally good ones.

    Raises ValueError for a question type upstream does not have.
    """
    if question_type not in OBJECTIVE_TYPES:
        raise ValueError(f"unknown question type {question_type!r}: expected one of {', '.join(OBJECTIVE_TYPES)}")
    reply, options = plain_text(text), _OPTIONS[question_type]
    if question_type in (MULTI_QUESTION_CHOICE, FIVE_OUT_OF_SEVEN) and n_answers > 1:
        return read_blanks(reply, options, n_answers)
    answer = read_choice(reply, options, several=question_type == MULTI_CHOICE)
    return [answer] if answer else []
