"""A judge without a model, for smoke runs: the answer's overlap with the reference. Not a measure of quality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sacrebleu
from sacrebleu.metrics.chrf import CHRF

from zh_metrics.judge.records import JudgeReply, JudgeRequest, Judgment, Status
from zh_metrics.judge.usage import JudgeUsage

_NAME = "overlap"


class OverlapJudge:
    """Marks by chrF (sacrebleu's defaults) of the answer against its reference; named `overlap` in every output."""

    def __init__(self) -> None:
        self.usage = JudgeUsage()
        self._chrf = CHRF()

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """One judgment per request; one without a reference is refused."""
        judgments = [self._judgment(request) for request in requests]
        self.usage.statuses.update(judgment.status.value for judgment in judgments)
        self.usage.reasons.update(judgment.reason for judgment in judgments if judgment.reason)
        return judgments

    def describe(self) -> dict[str, Any]:
        """The judge's name and its metric."""
        return {"model": _NAME, "metric": "chrF2", "sacrebleu": sacrebleu.__version__}

    def score_settings(self) -> dict[str, Any]:
        """All of them."""
        return self.describe()

    def _judgment(self, request: JudgeRequest) -> Judgment:
        answer = request.answer
        if answer is None or not answer.reference.strip():
            return Judgment(Status.REFUSED, "no reference")
        share = self._chrf.sentence_score(answer.prediction, [answer.reference]).score / 100
        mark = max(answer.least_mark, share * answer.full_mark)
        self.usage.models[_NAME] += 1
        text = answer.as_reply(float(round(mark)) if answer.whole_marks else mark)
        return Judgment(Status.OK, replies=(JudgeReply(text, model=_NAME),))
