"""Judges in a run of the harness: from its settings before generation to the judgments that the filters read."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from lm_eval.api.instance import Instance
from zh_metrics.judge import Judge, JudgeRequest, Judgment
from zh_metrics.judge.cache import request_key

from lm_eval_zh.replies import MissingReply

log = logging.getLogger(__name__)


class Assessment(Protocol):
    """How a benchmark has replies judged. Made before generation, so that what it needs is missed then."""

    def request(self, doc: Mapping[str, Any], reply: str) -> JudgeRequest | None:
        """What to ask a judge about the reply to `doc`; None where there is nothing to judge."""

    def signature_fields(self) -> dict[str, str]:
        """What of it a number depends on."""


class JudgedReply(str):
    """A reply with its judgments, one per judge. A text like any other to the harness."""

    judgments: tuple[Judgment, ...] = ()

    @classmethod
    def of(cls, reply: str, judgments: Iterable[Judgment]) -> JudgedReply:
        """`reply`, judged."""
        judged = cls(reply)
        judged.judgments = tuple(judgments)
        return judged


def judgments_of(reply: str) -> tuple[Judgment, ...]:
    """The judgments of a reply; none if nobody has judged it."""
    return reply.judgments if isinstance(reply, JudgedReply) else ()


class Judging:
    """The judges of one task in one run. A `Measuring`."""

    def __init__(self, assessment: Assessment, judges: Sequence[Judge]) -> None:
        self._assessment = assessment
        self._judges = judges

    def measure(self, instances: Sequence[Instance]) -> None:
        """Have the first reply of each instance judged, all in one go, and put the judged one in its place."""
        asked: list[tuple[Instance, JudgeRequest]] = []
        for instance in instances:
            reply = instance.resps[0]
            request = None if isinstance(reply, MissingReply) else self._assessment.request(instance.doc, reply)
            if request is not None:
                asked.append((instance, request))
        by_judge = [judge.judge([request for _, request in asked]) for judge in self._judges]
        for (instance, _), judgments in zip(asked, zip(*by_judge, strict=True), strict=True):
            instance.resps[0] = JudgedReply.of(instance.resps[0], judgments)
        for judge in self._judges:
            if judge.usage.reasons:
                log.warning("judge %s: failed: %s", judge.describe()["model"], dict(judge.usage.reasons.most_common(5)))

    def reports(self, metric: str) -> bool:
        """All metrics."""
        return True

    def report(self) -> dict[str, Any]:
        """For the results file: each judge's settings, and what it did and cost."""
        return {"judge_report": [{**judge.describe(), **judge.usage.describe()} for judge in self._judges]}

    def signature_fields(self) -> dict[str, str]:
        """The judges' names, a digest of the settings that can move a mark, and what the assessment depends on."""
        told = [judge.score_settings() for judge in self._judges]
        return {
            "judge": "+".join(str(settings["model"]) for settings in told).replace("|", "/"),
            "judge_settings": request_key({"judges": told})[:8],
            **self._assessment.signature_fields(),
        }


def judges_in_this_process(world_size: int) -> bool:
    """Whether this process is to ask judges.

    Under torchrun without data parallelism every process runs all documents and all filters: then the first one asks.
    """
    return world_size > 1 or os.environ.get("LOCAL_RANK", "0") == "0"
