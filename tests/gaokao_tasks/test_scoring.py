from __future__ import annotations

import random
from typing import Any

import pytest
from zh_metrics.aggregation import rate

from gaokao_tasks.measures import measure
from gaokao_tasks.question_types import FIVE_OUT_OF_SEVEN, MULTI_CHOICE, MULTI_QUESTION_CHOICE, SINGLE_CHOICE
from gaokao_tasks.scoring import (
    EMPTY_REPLY,
    NO_ANSWER,
    OK,
    WRONG_COUNT,
    Outcome,
    official_outcome,
    official_points,
    robust_outcome,
    robust_points,
)
from lm_eval_zh.replies import MISSING_REPLY


def doc(
    answer: list[str], question_type: str = SINGLE_CHOICE, subject: str = "history", score: float = 4
) -> dict[str, Any]:
    return {
        "answer": answer,
        "question_type": question_type,
        "subject": subject,
        "score": score,
        "parts": [subject],
        "task_points": 100.0,
        "sciences_points": 60.0,
        "humanities_points": 50.0,
    }


@pytest.mark.parametrize(
    ("letters", "official", "robust"),
    [
        (["BD"], 6, 6),
        (["B"], 3, 3),
        (["BC"], 0, 0),
        ([""], 3, 0),
        (["ABCD"], 0, 0),
        (["DB"], 3, 6),
        ([], 0, 0),
        (["B", "D"], 0, 3),
    ],
    ids=["exact", "subset", "one_wrong", "empty_string", "all", "other_order", "none", "two_answers"],
)
def test_the_physics_rule(letters: list[str], official: float, robust: float) -> None:
    assert official_points(letters, ["BD"], 6, "physics") == official
    assert robust_points(letters, ["BD"], 6, "physics") == robust


@pytest.mark.parametrize(
    ("letters", "official", "robust"),
    [
        (["A", "B", "C"], 6, 6),
        (["A", "D", "C"], 4, 4),
        (["A", "", "C"], 4, 4),
        (["A", "B"], 0, 4),
        (["A", "B", "C", "D"], 0, 6),
        ([], 0, 0),
    ],
    ids=["all_right", "one_wrong", "one_blank", "too_few", "too_many", "none"],
)
def test_several_blanks(letters: list[str], official: float, robust: float) -> None:
    assert official_points(letters, ["A", "B", "C"], 2, "english") == official
    assert robust_points(letters, ["A", "B", "C"], 2, "english") == robust


def test_partial_credit_is_for_physics_alone() -> None:
    assert official_points(["B"], ["BD"], 5, "math") == robust_points(["B"], ["BD"], 5, "math") == 0


def test_outcomes_say_why_nothing_was_read() -> None:
    assert official_outcome("【答案】B", doc(["B"])) == Outcome(["B"], 4, OK)
    assert official_outcome("我不知道。", doc(["B"])) == Outcome([], None, NO_ANSWER)
    assert robust_outcome("我不知道。", doc(["B"])) == Outcome([], None, NO_ANSWER)
    assert official_outcome(" \n", doc(["B"])) == Outcome([], None, EMPTY_REPLY)
    assert robust_outcome("", doc(["B"])) == Outcome([], None, EMPTY_REPLY)
    assert official_outcome("A", doc(["B", "C"], MULTI_QUESTION_CHOICE)) == Outcome(["A"], 0, WRONG_COUNT)


def test_what_one_reply_adds_to_the_metrics() -> None:
    read = measure(doc(["A", "B"], MULTI_QUESTION_CHOICE), Outcome(["A", ""], 4.0, OK))
    assert read["scoring_rate"] == read["scoring_rate_history"] == (4.0, 8.0)
    assert read["scoring_rate_answered"] == (4.0, 4.0)
    assert (read["extraction_failed"], read["blanks_unanswered"], read["reply_missing"]) == ("", 1, "")
    assert read["coverage"] == (8.0, 100.0)


def test_a_failure_stays_in_the_points_possible_and_is_counted() -> None:
    unread = measure(doc(["A", "B"], MULTI_QUESTION_CHOICE), Outcome([], None, NO_ANSWER))
    assert unread["scoring_rate"] == (0.0, 8.0)
    assert unread["scoring_rate_answered"] == (0.0, 0.0)
    assert (unread["extraction_failed"], unread["blanks_unanswered"]) == (NO_ANSWER, 2)


def test_a_question_never_asked_is_in_no_rate() -> None:
    missing = measure(doc(["A"]), Outcome([], None, MISSING_REPLY))
    assert missing["scoring_rate"] == missing["scoring_rate_answered"] == missing["scoring_rate_history"] == (0.0, 0.0)
    assert (missing["extraction_failed"], missing["blanks_unanswered"]) == ("", 0)
    assert missing["reply_missing"] == MISSING_REPLY
    assert missing["coverage"] == (0.0, 100.0)


def made_up_run() -> list[tuple[dict[str, Any], str]]:
    """Documents of all types with replies, some right, some wrong, some unreadable."""
    chance = random.Random(20)
    run = []
    for number in range(200):
        question_type = (SINGLE_CHOICE, MULTI_CHOICE, MULTI_QUESTION_CHOICE, FIVE_OUT_OF_SEVEN)[number % 4]
        blanks = {MULTI_QUESTION_CHOICE: 3, FIVE_OUT_OF_SEVEN: 5}.get(question_type, 1)
        answer = ["AC"] if question_type == MULTI_CHOICE else [chance.choice("ABCD") for _ in range(blanks)]
        given = answer if chance.random() < 0.6 else [chance.choice("ABCD") for _ in range(blanks)]
        reply = (
            "无法作答。"
            if chance.random() < 0.1
            else "".join(f"（{i}）【答案】{g} <eoa>\n" for i, g in enumerate(given, 1))
        )
        run.append((doc(answer, question_type, "physics" if question_type == MULTI_CHOICE else "english", 6), reply))
    return run


@pytest.mark.parametrize("outcome", [official_outcome, robust_outcome])
def test_properties_of_a_run(outcome: Any) -> None:
    run = made_up_run()
    pairs = [measure(document, outcome(reply, document))["scoring_rate"] for document, reply in run]
    shuffled = pairs.copy()
    random.Random(1).shuffle(shuffled)
    assert rate(shuffled) == rate(pairs)
    assert pairs == [measure(document, outcome(reply, document))["scoring_rate"] for document, reply in run]
    assert all(0 <= earned <= possible for earned, possible in pairs)
    right = [
        measure(document, outcome("\n".join(f"x【答案】{letter}" for letter in document["answer"]), document))
        for document, _ in run
    ]
    assert rate(values["scoring_rate"] for values in right) == 1.0
