"""A judge that replays the judgments in a run's samples, so that reading them anew costs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from zh_metrics.judge import JudgeRequest, JudgeUsage, Judgment, Status

from lm_eval_zh.logged_samples import LoggedQuestion

_UNKNOWN = "of the samples"  # a judge none of whose replies says its name


class LoggedJudge:
    """One judge of a run: its judgments by the id of the question."""

    def __init__(self, judgments: Mapping[str, Judgment], described: Mapping[str, Any]) -> None:
        self.usage = JudgeUsage()
        self._judgments = judgments
        self._described = dict(described)

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """The recorded judgments; `not_asked` where there is none."""
        judgments = [self._judgment(request) for request in requests]
        self.usage.statuses.update(judgment.status.value for judgment in judgments)
        self.usage.reasons.update(judgment.reason for judgment in judgments if judgment.reason)
        self.usage.models.update(reply.model for judgment in judgments for reply in judgment.replies)
        return judgments

    def _judgment(self, request: JudgeRequest) -> Judgment:
        known = self._judgments.get(request.answer.id) if request.answer else None
        return known or Judgment(Status.NOT_ASKED, "no recorded judgment")

    def describe(self) -> dict[str, Any]:
        """What the run's results say of the judge's settings; without them, its name."""
        return dict(self._described)

    def score_settings(self) -> dict[str, Any]:
        """The judge's name: with which settings it judged is in the run's own signature, if anywhere."""
        return {"model": self._described["model"]}


def logged_judges(
    questions: Iterable[LoggedQuestion], reports: Sequence[Mapping[str, Any]] = ()
) -> tuple[LoggedJudge, ...]:
    """The judges of a run, in the order of its samples; none if nothing in them was judged.

    `reports`: what the results file says of them, which may be more than the samples do.
    """
    judged = [question for question in questions if question.judgments]
    reports = [report for report in reports for _ in range(_repeats(report))]
    judges = []
    for position in range(max((len(question.judgments) for question in judged), default=0)):
        judgments = {q.id: q.judgments[position] for q in judged if position < len(q.judgments)}
        judges.append(LoggedJudge(judgments, _described(judgments.values(), reports, position)))
    return tuple(judges)


def _repeats(report: Mapping[str, Any]) -> int:
    """How many judges a report is of: a judge that was asked several times has one for all."""
    repeats = report.get("repeats")
    return repeats if isinstance(repeats, int) and repeats > 0 else 1


def _described(judgments: Iterable[Judgment], reports: Sequence[Mapping[str, Any]], position: int) -> Mapping[str, Any]:
    """The judge's settings out of its report, without what it did and cost in the run: nothing of that was done again."""
    if position < len(reports) and isinstance(reports[position].get("model"), str):
        done = {*JudgeUsage().describe(), "repeats"}
        return {name: value for name, value in reports[position].items() if name not in done}
    names = dict.fromkeys(reply.model for judgment in judgments for reply in judgment.replies if reply.model)
    return {"model": "+".join(names) or _UNKNOWN}
