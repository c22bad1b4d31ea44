"""The two pipelines as filters of the harness, and what it calls per document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.filter import Filter

from gaokao_tasks.scoring import MISSING_REPLY, Outcome, measure, official_outcome, robust_outcome
from lm_eval_zh.task import MissingReply


class _Pipeline(Filter):  # type: ignore[misc]
    mark: Callable[[str, Mapping[str, Any]], Outcome]

    def apply(self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        """One outcome per document, from the first of its replies."""
        return [
            Outcome([], None, MISSING_REPLY)
            if isinstance(replies[0], MissingReply)
            else type(self).mark(replies[0], doc)
            for replies, doc in zip(resps, docs, strict=True)
        ]


class Official(_Pipeline):
    """Replies read and scored as the benchmark's own code does."""

    mark = staticmethod(official_outcome)


class Robust(_Pipeline):
    """Replies read and scored as a careful reader would."""

    mark = staticmethod(robust_outcome)


def process_results(doc: Mapping[str, Any], results: Sequence[Outcome]) -> dict[str, Any]:
    """`measure` for the one outcome of `doc`."""
    return measure(doc, results[0])
