"""The question types of GAOKAO-Bench, as its prompt files name them."""

from __future__ import annotations

SINGLE_CHOICE = "single_choice"
MULTI_CHOICE = "multi_choice"
MULTI_QUESTION_CHOICE = "multi_question_choice"
FIVE_OUT_OF_SEVEN = "five_out_of_seven"
OBJECTIVE_TYPES = (SINGLE_CHOICE, MULTI_CHOICE, MULTI_QUESTION_CHOICE, FIVE_OUT_OF_SEVEN)

OPEN_ENDED = "subjective"
CLOZE = "cloze"
CORRECTION = "correction"  # an English passage whose mistakes are to be found
SUBJECTIVE_TYPES = (OPEN_ENDED, CLOZE, CORRECTION)

OBJECTIVE = "objective"
SUBJECTIVE = "subjective"
KINDS = (OBJECTIVE, SUBJECTIVE)


def kind_of(question_type: str) -> str:
    """Whether letters are matched (`objective`) or a teacher marks (`subjective`). Raises ValueError for another type."""
    if question_type in OBJECTIVE_TYPES:
        return OBJECTIVE
    if question_type in SUBJECTIVE_TYPES:
        return SUBJECTIVE
    raise ValueError(f"unknown question type {question_type!r}")
