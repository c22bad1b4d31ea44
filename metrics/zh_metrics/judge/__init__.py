"""A judge client: requests in, typed outcomes in the same order out; fast, resumable, honest about what it cost.

    from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, ReplyCache

    judge = EndpointJudge(JudgeSettings(model="my-judge", base_url="http://localhost:8000/v1"), ReplyCache("judge-cache"))
    (judgment,) = judge.judge([JudgeRequest.of_texts("You mark essays.", "Essay: ...")])
    judgment.status, judgment.text, judge.usage

A failure is a status with a reason, never a number and never an exception of the run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zh_metrics.judge.cache import ReplyCache
from zh_metrics.judge.panel import PanelRule, Verdict
from zh_metrics.judge.records import Answer, Judge, JudgeReply, JudgeRequest, Judgment, Status
from zh_metrics.judge.settings import JudgeSettings, JudgeSettingsError
from zh_metrics.judge.usage import JudgeUsage

if TYPE_CHECKING:
    from zh_metrics.judge.endpoint import EndpointJudge
    from zh_metrics.judge.overlap import OverlapJudge

__all__ = [
    "Answer",
    "EndpointJudge",
    "Judge",
    "JudgeReply",
    "JudgeRequest",
    "JudgeSettings",
    "JudgeSettingsError",
    "JudgeUsage",
    "Judgment",
    "OverlapJudge",
    "PanelRule",
    "ReplyCache",
    "Status",
    "Verdict",
]

# openai takes longer to import than the rest of a task: who only reads judgments does not wait for it.
_LATE = {"EndpointJudge": "zh_metrics.judge.endpoint", "OverlapJudge": "zh_metrics.judge.overlap"}


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
