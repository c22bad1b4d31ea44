"""The two pipelines as filters of the harness, and what it calls per document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.filter import Filter
from zh_metrics.judge import Verdict

from gaokao_tasks.judged import MarkOutcome, official_mark_outcome, robust_mark_outcome
from gaokao_tasks.measures import measure
from gaokao_tasks.question_types import OBJECTIVE, kind_of
from gaokao_tasks.scoring import Outcome, official_outcome, robust_outcome
from lm_eval_zh.judging import verdict_of
from lm_eval_zh.replies import MISSING_REPLY, MissingReply


class _Pipeline(Filter):  # type: ignore[misc]
    read: Callable[[str, Mapping[str, Any]], Outcome]
    mark: Callable[[Verdict, float], MarkOutcome]

    def apply(self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[Outcome | MarkOutcome]:
        """One outcome per document, from the first of its replies."""
        return [self._outcome(replies[0], doc) for replies, doc in zip(resps, docs, strict=True)]

    def _outcome(self, reply: str, doc: Mapping[str, Any]) -> Outcome | MarkOutcome:
        if kind_of(doc["question_type"]) == OBJECTIVE:
            return Outcome([], None, MISSING_REPLY) if isinstance(reply, MissingReply) else type(self).read(reply, doc)
        if isinstance(reply, MissingReply):
            return MarkOutcome([], None, MISSING_REPLY, [])
        return type(self).mark(verdict_of(reply), doc["score"])


class Official(_Pipeline):
    """Replies read, marks taken and points given as the benchmark's own code does."""

    read = staticmethod(official_outcome)
    mark = staticmethod(official_mark_outcome)


class Robust(_Pipeline):
    """Replies read, marks taken and points given as a careful reader would."""

    read = staticmethod(robust_outcome)
    mark = staticmethod(robust_mark_outcome)


def process_results(doc: Mapping[str, Any], results: Sequence[Outcome | MarkOutcome]) -> dict[str, Any]:
    """`measure` for the one outcome of `doc`."""
    return measure(doc, results[0])
