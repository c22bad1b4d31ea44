"""A report's questions: an index that filters work on, and the texts in pieces that are parsed when one is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from lm_eval_zh.analysis.questions import Question
from lm_eval_zh.report.contents import Candidate, Section

PIECE = 100  # questions in a piece of texts
_PREVIEW = 70  # characters of a question's text in the list


def index_record(section: Section) -> dict[str, Any]:
    """What the list shows of each question, as columns: one list per field, in the same order."""
    questions = _questions(section)
    kinds = [kind for kind in section.analysis.breakdowns if any(kind in question.labels for question in questions)]
    return {
        "piece": PIECE,
        "ids": [question.id for question in questions],
        "previews": [" ".join(question.text.split())[:_PREVIEW] for question in questions],
        "labels": {kind: [question.labels.get(kind, "") for question in questions] for kind in kinds},
        "readings": [
            {pipeline: _readings(candidate, questions, pipeline) for pipeline in _pipelines(candidate)}
            for candidate in section.candidates
        ],
        "instructions": list(_instructions(questions)),
    }


def text_pieces(section: Section) -> Iterator[list[dict[str, Any]]]:
    """The texts of the questions, `PIECE` at a time, in the order of the index."""
    questions = iter(_questions(section))
    instructions = _instructions(_questions(section))
    while piece := list(islice(questions, PIECE)):
        yield [_texts(section, question, instructions) for question in piece]


def _questions(section: Section) -> Sequence[Question]:
    """Each question once, in the order of the first candidate that has it."""
    questions: dict[str, Question] = {}
    for candidate in section.candidates:
        for id_, question in candidate.questions.items():
            questions.setdefault(id_, question)
    return list(questions.values())


def _pipelines(candidate: Candidate) -> Sequence[str]:
    return list(dict.fromkeys(pipeline for run in candidate.runs for pipeline in run.pipelines))


def _instructions(questions: Sequence[Question]) -> dict[str, int]:
    """The instructions, each once, with their places."""
    return {text: place for place, text in enumerate(dict.fromkeys(question.instruction for question in questions))}


def _readings(candidate: Candidate, questions: Sequence[Question], pipeline: str) -> dict[str, list[Any]]:
    """One column per field; null where the candidate was not asked the question."""
    answered = (candidate.questions.get(question.id) for question in questions)
    readings = [question.readings.get(pipeline) if question else None for question in answered]
    return {
        "earned": [reading and reading.earned for reading in readings],
        "possible": [reading and reading.possible for reading in readings],
        "failure": [reading and (reading.failure.value if reading.failure else "") for reading in readings],
        "status": [reading and reading.status for reading in readings],
        "extracted": [reading and reading.extracted for reading in readings],
        "flags": [reading and list(reading.flags) for reading in readings],
    }


def _texts(section: Section, question: Question, instructions: Mapping[str, int]) -> dict[str, Any]:
    answered = (candidate.questions.get(question.id) for candidate in section.candidates)
    return {
        "instruction": instructions[question.instruction],
        "text": question.text,
        "reference": question.reference,
        "replies": [answer and {"reply": answer.reply, "judged": _judged(answer)} for answer in answered],
    }


def _judged(question: Question) -> list[dict[str, Any]]:
    """What the judges said; each pipeline has the same words."""
    judged = next((reading.judged for reading in question.readings.values() if reading.judged), ())
    return [{"status": words.status, "reason": words.reason, "replies": words.replies} for words in judged]
