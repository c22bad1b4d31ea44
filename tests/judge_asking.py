"""Asking a judge on a test's own server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge_server import JudgeServer, Step
from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, Judgment, ReplyCache

OK = Step(text="8")
KEY = "sk-test-0123456789"


def ask(
    behave: Callable[[dict[str, Any], int], Step],
    prompts: list[str] | None = None,
    cache: ReplyCache | None = None,
    accept: Callable[[str], bool] = str.isdigit,
    **settings: Any,
) -> tuple[list[Judgment], JudgeServer, EndpointJudge]:
    """The judgments of the prompts, the server and the judge. `settings` are the judge's."""
    with JudgeServer(behave) as server:
        judge = EndpointJudge(JudgeSettings(model="judge", base_url=server.url, **settings), cache, progress=False)
        requests = [JudgeRequest.of_texts("Mark it.", prompt, accept) for prompt in prompts or ["one"]]
        judgments = judge.judge(requests)
    return judgments, server, judge


def numbered(count: int) -> list[str]:
    """So many different prompts."""
    return [str(number) for number in range(count)]


def error(status: int, code: str | None = None, message: str = "no", param: str | None = None, **more: Any) -> Step:
    """An error as OpenAI's servers say it."""
    return Step(status=status, body={"error": {"code": code, "message": message, "param": param}}, **more)
