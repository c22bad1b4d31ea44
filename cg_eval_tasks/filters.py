"""The two pipelines as filters of the harness, and what it calls per document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.filter import Filter
from zh_metrics.thinking import answer_of

from cg_eval_tasks.catalog import CALCULATIONS
from cg_eval_tasks.measuring import MeasuredReply
from cg_eval_tasks.references import Reference
from cg_eval_tasks.scoring import (
    AnswerOutcome,
    explanation_outcome,
    measure,
    official_calculation,
    robust_calculation,
    unscored,
)
from lm_eval_zh.replies import MISSING_REPLY, MissingReply


class _Pipeline(Filter):  # type: ignore[misc]
    text_of: Callable[[str], str]
    calculation: Callable[[Mapping[str, Any], str, Reference | None], AnswerOutcome]

    def apply(self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[AnswerOutcome]:
        """One outcome per document, from the first of its replies."""
        return [self._outcome(replies[0], doc) for replies, doc in zip(resps, docs, strict=True)]

    def _outcome(self, reply: str, doc: Mapping[str, Any]) -> AnswerOutcome:
        if isinstance(reply, MissingReply):
            return unscored(MISSING_REPLY)
        measured = reply if isinstance(reply, MeasuredReply) else MeasuredReply(reply)
        text = type(self).text_of(str(reply))
        if doc["question_type"] in CALCULATIONS:
            return type(self).calculation(doc, text, measured.reference)
        return explanation_outcome(text, measured.scores.get(text))


class Official(_Pipeline):
    """Replies as they are, by the benchmark's rule."""

    text_of = staticmethod(str)
    calculation = staticmethod(official_calculation)


class Robust(_Pipeline):
    """Replies without their thinking, by what they say."""

    text_of = staticmethod(answer_of)
    calculation = staticmethod(robust_calculation)


def process_results(doc: Mapping[str, Any], results: Sequence[AnswerOutcome]) -> dict[str, Any]:
    """`measure` for the one outcome of `doc`."""
    return measure(doc, results[0])
