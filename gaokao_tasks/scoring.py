"""Points for what was read off a reply to an objective question; `measures` makes the metrics of them.

The `official_*` functions score as the benchmark's own code does, the `robust_*` functions as the exam does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gaokao_tasks.extraction import official_letters, robust_letters

OK = "ok"
NO_ANSWER = "no_answer"  # no letter could be read
WRONG_COUNT = "wrong_count"  # fewer or more letters than blanks, which upstream scores 0 as a whole
EMPTY_REPLY = "empty_reply"  # the model gave no text at all

PARTIAL_CREDIT_SUBJECT = "physics"  # several letters may be right, and some of them earn half the points


class Outcome(NamedTuple):
    """What one pipeline makes of one reply."""

    letters: list[str]  # one per blank, "" for a blank without an answer; [] if nothing was read
    points: float | None  # None if nothing was read: a failure, not a score
    status: str


def official_points(letters: Sequence[str], answer: Sequence[str], score: float, subject: str) -> float:
    """Points as upstream gives them, in [0, score x blanks].

    A letter equal to the key's earns `score`. In physics a string whose letters are all in the key's earns half, also
    the empty one, and so does the right answer with its letters in another order. A wrong number of answers earns 0.

    Source: OpenLMLab/GAOKAO-Bench, `Bench/OBJ_score_evaluation.py`, `check_length_equal`, `count_score` and the physics
    branch of `obj_score_eval`.
    """
    if len(letters) != len(answer):
        return 0.0
    points = 0.0
    for given, right in zip(letters, answer, strict=True):
        if given == right:
            points += score
        elif subject == PARTIAL_CREDIT_SUBJECT and all(letter in right for letter in given):
            points += score / 2
    return points


def robust_points(letters: Sequence[str], answer: Sequence[str], score: float, subject: str) -> float:
    """Points as the exam gives them, in [0, score x blanks]: as `official_points`, but blank by blank.

    An empty string earns nothing, the order of the letters does not matter, and blanks beyond the given ones are
    unanswered, not a reason to drop the others. Letters beyond the blanks are not counted.
    """
    points = 0.0
    for given, right in zip(letters, answer, strict=False):
        if given and set(given) == set(right):
            points += score
        elif given and subject == PARTIAL_CREDIT_SUBJECT and set(given) < set(right):
            points += score / 2
    return points


def official_outcome(reply: str, doc: Mapping[str, Any]) -> Outcome:
    """`reply` read and scored as upstream does."""
    return _outcome(reply, doc, official_letters, official_points)


def robust_outcome(reply: str, doc: Mapping[str, Any]) -> Outcome:
    """`reply` read and scored as a careful teacher would."""
    return _outcome(reply, doc, robust_letters, robust_points)


def _outcome(
    reply: str,
    doc: Mapping[str, Any],
    read: Callable[[str, str, int], list[str]],
    score: Callable[[Sequence[str], Sequence[str], float, str], float],
) -> Outcome:
    answer = doc["answer"]
    letters = read(reply, doc["question_type"], len(answer))
    if not any(letters):
        return Outcome([], None, NO_ANSWER if reply.strip() else EMPTY_REPLY)
    status = OK if len(letters) == len(answer) else WRONG_COUNT
    return Outcome(letters, score(letters, answer, doc["score"], doc["subject"]), status)
