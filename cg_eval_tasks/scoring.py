"""From a reply and its reference to a question's score, and from scores to CG-Eval's means. All in [0, 1]."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from statistics import fmean
from typing import Any, NamedTuple

from zh_metrics.aggregation import Pair
from zh_metrics.gscore import PairScore
from zh_metrics.gscore.lexical import chrf

from cg_eval_tasks.answers import final_answer, official_answer, official_match, robust_match, working
from cg_eval_tasks.arithmetic import bare_number, stated_number
from cg_eval_tasks.catalog import ARITHMETIC, CALCULATIONS, CATEGORIES, EXPLANATIONS, WORD_PROBLEM
from cg_eval_tasks.references import Reference
from lm_eval_zh.replies import MISSING_REPLY

WORKING_SHARE = 0.3  # of a calculation's score where its answer is wrong: this, times the chrF of its working

OK = "ok"
REPLY_EMPTY = "reply_empty"  # scores 0: the model was asked and gave no text
NO_FINAL_ANSWER = "no_final_answer"  # a calculation without 最终答案：, or with nothing behind it
NO_NUMBER = "no_number"  # an arithmetic question's reply that gives none; to the official rule, that is more than one
NO_REFERENCE = "no_reference"  # nobody can score it
UNREAD = (NO_FINAL_ANSWER, NO_NUMBER)

NOTHING: Pair = (0.0, 0.0)


class AnswerOutcome(NamedTuple):
    """What one pipeline makes of one reply."""

    read: list[Any]  # the final answer of a calculation; BLEU-4, ROUGE-2, chrF and similarity of an explanation
    score: float | None  # None where there is none: no reference, no similarity, no reply
    status: str
    correct: bool | None  # whether a calculation's answer is right; None where that is not known or not asked
    length: int  # characters of the reply, white space aside
    well_formed: bool | None  # whether a calculation's reply has the form its prompt asks for


def explanation_outcome(reply: str, scores: PairScore | None) -> AnswerOutcome:
    """The outcome of a reply whose parts of Gscore are known, or of one without a reference."""
    length = _length(reply)
    if scores is None:
        return AnswerOutcome([], None, NO_REFERENCE, None, length, None)
    read = [value for value in scores[:-1] if value is not None]
    return AnswerOutcome(read, scores.gscore, OK if reply.strip() else REPLY_EMPTY, None, length, None)


def official_calculation(doc: Mapping[str, Any], reply: str, reference: Reference | None) -> AnswerOutcome:
    """A calculation's outcome by the benchmark's rule: the text after 最终答案： must be that of the reference.

    An arithmetic reply must be the number and nothing else, as its prompt asks for.
    """
    if doc["question_type"] == ARITHMETIC:
        number = bare_number(reply)
        return _arithmetic(doc, reply, number, number == doc["target"])
    correct = reference is not None and official_match(reply, reference.answer)
    return _calculation(doc, reply, official_answer(reply), reference, correct)


def robust_calculation(doc: Mapping[str, Any], reply: str, reference: Reference | None) -> AnswerOutcome:
    """A calculation's outcome by what it says: an equivalent answer is right, and a sentence around a number does no harm."""
    if doc["question_type"] == ARITHMETIC:
        number = stated_number(reply)
        return _arithmetic(doc, reply, None if number is None else str(number), number == Fraction(doc["target"]))
    correct = reference is not None and robust_match(reply, reference.answer, doc["text"])
    return _calculation(doc, reply, final_answer(reply), reference, correct)


def unscored(status: str) -> AnswerOutcome:
    """The outcome of a question to which there is no reply."""
    return AnswerOutcome([], None, status, None, 0, None)


def _arithmetic(doc: Mapping[str, Any], reply: str, number: str | None, correct: bool) -> AnswerOutcome:
    status = OK if number is not None else NO_NUMBER if reply.strip() else REPLY_EMPTY
    read = [] if number is None else [number]
    return AnswerOutcome(
        read, float(correct), status, correct, _length(reply), well_formed(doc["question_type"], reply)
    )


def _calculation(
    doc: Mapping[str, Any], reply: str, answer: str | None, reference: Reference | None, correct: bool
) -> AnswerOutcome:
    """1 for the right answer, else 0.3 times the chrF of the working. Source: paper, the scoring of calculations."""
    form = well_formed(doc["question_type"], reply)
    status = OK if answer is not None else NO_FINAL_ANSWER if reply.strip() else REPLY_EMPTY
    read = [] if answer is None else [answer]
    if reference is None:
        return AnswerOutcome(read, None, status if status != OK else NO_REFERENCE, None, _length(reply), form)
    expected = reference.working or (working(reference.answer) if final_answer(reference.answer) else "")
    score = 1.0 if correct else WORKING_SHARE * chrf(working(reply), working(expected))
    return AnswerOutcome(read, score, OK if correct else status, correct, _length(reply), form)


def well_formed(question_type: str, reply: str) -> bool:
    """Whether a calculation's reply has the form its prompt asks for.

    Arithmetic: a number alone. Others: a last line that begins with 最终答案： and says something; a word problem begins
    with 解：.
    """
    if question_type == ARITHMETIC:
        return re.fullmatch(r"\s*-?\d+(?:\.\d+)?\s*", reply, re.ASCII) is not None
    last = reply.strip().rpartition("\n")[2]
    begins = question_type != WORD_PROBLEM or reply.lstrip().startswith(("解：", "解:"))
    return begins and re.match(r"最终答案[:：]\s*\S", last) is not None


def _length(reply: str) -> int:
    return len(re.sub(r"\s+", "", reply))


Scored = tuple[str, float | None]
"""A document's category and score; None where it has none."""


def measure(doc: Mapping[str, Any], outcome: AnswerOutcome) -> dict[str, Any]:
    """What one document adds to each metric of its task; a task takes those it reports.

    A question without a score is in no mean; `coverage` falls, and `reference_missing` or `reply_missing` says why. A reply
    without text or without a final answer was asked for, and scores what it is worth: 0, or its working's share.
    """
    score, kind = outcome.score, doc["question_type"]
    pair = NOTHING if score is None else (score, 1.0)
    asked = outcome.status != MISSING_REPLY
    of_categories = doc["category"] in doc["parts"]  # a task of one category has its subjects as parts only
    of_parts = _of_parts(outcome) if kind in EXPLANATIONS else {}
    no_reference = outcome.status == NO_REFERENCE or (asked and kind in CALCULATIONS and score is None)
    return {
        "gscore": (doc["category"], score) if of_categories else pair,
        "gscore_questions": pair,
        **{f"gscore_{part}": pair for part in doc["parts"]},
        **{name: of_parts.get(name, NOTHING) for name in PairScore._fields[:-1]},
        "calculation_acc": _share(outcome.correct if kind in CALCULATIONS else None),
        "arithmetic_acc": _share(outcome.correct if kind == ARITHMETIC else None),
        "length_ratio": (float(outcome.length), float(doc["length"])) if asked and kind in EXPLANATIONS else NOTHING,
        "format_ok": _share(outcome.well_formed),
        "coverage": (pair[1], doc["task_questions"]),
        "extraction_failed": outcome.status if outcome.status in UNREAD else "",
        "reference_missing": NO_REFERENCE if no_reference else "",
        "reply_empty": outcome.status if asked and outcome.length == 0 else "",
        "reply_missing": outcome.status if outcome.status == MISSING_REPLY else "",
    }


def _of_parts(outcome: AnswerOutcome) -> dict[str, Pair]:
    return {name: (value, 1.0) for name, value in zip(PairScore._fields, outcome.read, strict=False)}


def _share(yes: bool | None) -> Pair:
    return NOTHING if yes is None else (float(yes), 1.0)


def mean_of_categories(scored: Iterable[Scored]) -> float:
    """CG-Eval's overall score: the mean of the six categories' means, in [0, 1]; NaN if one of them has no score."""
    by_category: dict[str, list[float]] = {category: [] for category in CATEGORIES}
    for category, score in scored:
        if score is not None:
            by_category[category].append(score)
    return fmean(fmean(scores) if scores else math.nan for scores in by_category.values())
