"""The documents of the CG-Eval tasks: one per question, in an order that touches every category and subject early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from datasets import Dataset, Features, Value
from datasets import Sequence as Repeated

from cg_eval_tasks.arithmetic import exact_result
from cg_eval_tasks.catalog import ARITHMETIC, CATEGORIES
from cg_eval_tasks.questions import COLLECTIONS, Question, data_digest, questions, questions_file
from lm_eval_zh.sources import SourceError

_FEATURES = Features(
    {
        "id": Value("string"),  # collection/subject/question type/number
        "index": Value("int64"),  # the number
        "category": Value("string"),
        "subject": Value("string"),
        "question_type": Value("string"),
        "question": Value("string"),  # upstream's prompt, the user message
        "text": Value("string"),  # the bare question in it
        "length": Value("int64"),  # characters of the reference answer
        "target": Value("string"),  # the number of an arithmetic question; empty where only a reference would tell
        "parts": Repeated(Value("string")),  # what the question's score also belongs to
        "task_questions": Value("float64"),  # of the task, for coverage
    }
)


def load(collection: str, category: str | None = None) -> dict[str, Dataset]:
    """The documents of a task, as the harness asks for them. Raises SourceError or ValueError as `documents` does."""
    return {"test": Dataset.from_list(documents(collection, category), features=_FEATURES)}


def documents(collection: str, category: str | None = None) -> list[dict[str, Any]]:
    """One document per question: in turn from each category, within it from each subject and question type.

    Raises SourceError naming file, line and column for data that aren't as expected, ValueError for an unknown collection
    or category.
    """
    if category not in (None, *CATEGORIES):
        raise ValueError(f"unknown category {category!r}: expected one of {', '.join(CATEGORIES)}")
    if collection not in COLLECTIONS:
        raise ValueError(f"unknown collection {collection!r}: expected one of {', '.join(COLLECTIONS)}")
    chosen = [question for question in questions(collection) if category in (None, question.category)]
    docs = [_document(collection, question, category is None) for question in _interleaved(chosen)]
    return [{**doc, "task_questions": float(len(docs))} for doc in docs]


def signature_fields(collection: str, category: str | None = None) -> dict[str, str]:
    """What of the data a number depends on: the digest of the questions."""
    return {"data": data_digest(collection)}


def _interleaved(chosen: Iterable[Question]) -> Iterator[Question]:
    by_category: dict[str, dict[tuple[str, str], list[Question]]] = {category: {} for category in CATEGORIES}
    for question in chosen:
        kinds = by_category[question.category]
        kinds.setdefault((question.key.subject, question.key.question_type), []).append(question)
    of_category = [_in_turn(kinds.values()) for kinds in by_category.values()]
    return _in_turn(of_category)


def _in_turn(groups: Iterable[Iterable[Question]]) -> Iterator[Question]:
    return (question for round_ in zip_longest(*groups) for question in round_ if question is not None)


def _document(collection: str, question: Question, whole: bool) -> dict[str, Any]:
    return {
        "id": f"{collection}/{question.key}",
        "index": question.key.number,
        "category": question.category,
        "subject": question.key.subject,
        "question_type": question.key.question_type,
        "question": question.prompt,
        "text": question.text,
        "length": question.length,
        "target": _result(collection, question) if question.key.question_type == ARITHMETIC else "",
        "parts": [question.category, question.part] if whole else [question.part],
    }


def _result(collection: str, question: Question) -> str:
    try:
        return exact_result(question.text)
    except ValueError as error:
        raise SourceError(f"{questions_file(collection)}: question {question.key}: {error}") from error
