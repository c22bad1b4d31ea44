"""A judge client: requests in, typed outcomes in the same order out; fast, resumable, honest about what it cost.

    from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, ReplyCache

    judge = EndpointJudge(JudgeSettings(model="my-judge", base_url="http://localhost:8000/v1"), ReplyCache("judge-cache"))
    (judgment,) = judge.judge([JudgeRequest.of_texts("You mark essays.", "Essay: ...")])
    judgment.status, judgment.text, judge.usage

A failure is a status with a reason, never a number and never an exception of the run.
"""

from zh_metrics.judge.cache import ReplyCache
from zh_metrics.judge.endpoint import EndpointJudge
from zh_metrics.judge.overlap import OverlapJudge
from zh_metrics.judge.records import Answer, Judge, JudgeReply, JudgeRequest, Judgment, Status
from zh_metrics.judge.settings import JudgeSettings, JudgeSettingsError
from zh_metrics.judge.usage import JudgeUsage

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
    "ReplyCache",
    "Status",
]
