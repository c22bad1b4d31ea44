"""The two pipelines as filters of the harness, and what it calls per document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.filter import Filter
from zh_metrics.judge import Verdict
from zh_metrics.thinking import answer_of

from alignbench_tasks.scoring import (
    REPLY_EMPTY,
    ScoreOutcome,
    measure,
    official_score_outcome,
    robust_score_outcome,
    without_judgment,
)
from lm_eval_zh.judging import verdict_of
from lm_eval_zh.replies import MISSING_REPLY, MissingReply


class _Pipeline(Filter):  # type: ignore[misc]
    score: Callable[[Verdict, Mapping[str, Any], str], ScoreOutcome]

    def apply(self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[ScoreOutcome]:
        """One outcome per document, from the first of its replies."""
        return [self._outcome(replies[0], doc) for replies, doc in zip(resps, docs, strict=True)]

    def _outcome(self, reply: str, doc: Mapping[str, Any]) -> ScoreOutcome:
        if isinstance(reply, MissingReply):
            return without_judgment(MISSING_REPLY)
        answer = answer_of(reply)
        if not answer.strip():
            return without_judgment(REPLY_EMPTY)
        return type(self).score(verdict_of(reply), doc, answer)


class Official(_Pipeline):
    """Scores as the benchmark's own code takes them."""

    score = staticmethod(official_score_outcome)


class Robust(_Pipeline):
    """Scores as a careful reader takes them."""

    score = staticmethod(robust_score_outcome)


def process_results(doc: Mapping[str, Any], results: Sequence[ScoreOutcome]) -> dict[str, Any]:
    """`measure` for the one outcome of `doc`."""
    return measure(doc, results[0])
