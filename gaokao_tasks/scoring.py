"""Points for what was read off a reply to an objective question.

The `official_*` functions score as the benchmark's own code does, the `robust_*` functions as the exam does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from zh_metrics.aggregation import Pair

from gaokao_tasks.extraction import official_letters, robust_letters

OK = "ok"
NO_ANSWER = "no_answer"  # no letter could be read
WRONG_COUNT = "wrong_count"  # fewer or more letters than blanks, which upstream scores 0 as a whole
EMPTY_REPLY = "empty_reply"  # the model gave no text at all
MISSING_REPLY = "missing_reply"  # a replayed run has no reply to this question: the model was never asked

PARTIAL_CREDIT_SUBJECT = "physics"  # several letters may be right, and some of them earn half the points
NOTHING: Pair = (0.0, 0.0)


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


def measure(doc: Mapping[str, Any], outcome: Outcome) -> dict[str, Any]:
    """What one document adds to each metric of its task.

    `scoring_rate` and its parts: points earned and possible. An answer that could not be read earns nothing and stays in
    the points possible, as on a real exam sheet; `scoring_rate_answered` leaves unread questions and blanks out of both.
    A question for which there is no reply at all belongs to neither, and lowers `coverage` instead.
    """
    answer, score = doc["answer"], doc["score"]
    missing = outcome.status == MISSING_REPLY
    earned = outcome.points or 0.0
    possible = 0.0 if missing else score * len(answer)
    read = outcome.status == OK
    answered = sum(1 for letter in outcome.letters if letter) if read else 0
    pair = (earned, possible)
    return {
        "scoring_rate": pair,
        "scoring_rate_answered": (earned, score * answered) if read else NOTHING,
        "points": earned,
        "points_possible": possible,
        "coverage": (possible, doc["task_points"]),
        "extraction_failed": "" if read or missing else outcome.status,
        "blanks_unanswered": 0 if missing else len(answer) - answered,
        "reply_missing": outcome.status if missing else "",
        **{f"scoring_rate_{part}": pair for part in doc["parts"]},
    }
