"""Time, money and a server that takes nothing: how a run ends early, and how it does not."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from judge_asking import KEY, OK, ask, error, numbered
from judge_server import JudgeServer, Step, completion, steps
from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, Status
from zh_metrics.judge.limiter import Limiter

pytestmark = pytest.mark.usefixtures("no_waiting")
PRICES = {"price_prompt": 1000.0, "price_completion": 10000.0}  # 0.2 a reply


def first_prompt(fault: Step) -> Any:
    return lambda body, _: fault if body["messages"][-1]["content"] == "0" else Step(text="8", delay=0.01)


@pytest.mark.parametrize("wait", ["3600", "Wed, 01 Jan 2099 00:00:00 GMT"])
def test_a_long_wait_of_one_request_holds_the_others_up_for_a_while_only(wait: str) -> None:
    started = time.monotonic()
    judgments, server, _ = ask(
        first_prompt(error(429, headers={"Retry-After": wait})), numbered(12), concurrency=2, total_timeout=2.0
    )
    assert time.monotonic() - started < 4
    assert [judgment.status for judgment in judgments] == [Status.EXHAUSTED] + [Status.OK] * 11
    assert judgments[0].reason == "HTTP 429"
    assert server.prompts().count("0") == 1


@pytest.mark.parametrize("headers", [{"retry-after-ms": "inf"}, {"retry-after-ms": "nan"}, {"Retry-After": "1" * 400}])
def test_a_wait_that_is_no_number_is_none(headers: dict[str, str]) -> None:
    judgments, _, _ = ask(steps(error(429, headers=headers), OK), total_timeout=5.0)
    assert judgments[0].status is Status.OK


def test_a_place_that_is_not_free_in_time_is_given_up() -> None:
    async def scene() -> None:
        limiter = Limiter(1)
        now = asyncio.get_running_loop().time
        assert await limiter.enter(now() + 1)
        assert not await limiter.enter(now() + 0.05)
        next_one = asyncio.create_task(limiter.enter(now() + 1))
        cancelled = asyncio.create_task(limiter.enter(now() + 1))
        await asyncio.sleep(0)
        cancelled.cancel()
        limiter.leave()
        assert await next_one
        limiter.leave()
        limiter.slow_down(10.0)
        assert not await limiter.enter(now() + 0.05)
        assert not await limiter.enter(now() - 1)

    asyncio.run(scene())


def test_a_request_without_time_left_is_no_call() -> None:
    judgments, server, judge = ask(steps(Step(text="8", delay=0.5)), total_timeout=1e-9, timeout=5.0)
    assert judgments[0].status is Status.EXHAUSTED
    assert judge.usage.calls == len(server.bodies) == 0


def test_responses_without_text_cost_too() -> None:
    spent = {**completion(None, "length"), "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
    judgments, server, judge = ask(steps(Step(body=spent)), numbered(20), max_cost=1.0, concurrency=1, **PRICES)
    assert judge.usage.cost == pytest.approx(1.0)
    assert len(server.bodies) == 5
    assert judgments[-1].reason == "max_cost reached"


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": -5, "completion_tokens": True}, {"prompt_tokens": 10**30}]
)
def test_a_limit_that_can_not_be_kept_stops_the_run(usage: Any, caplog: pytest.LogCaptureFixture) -> None:
    reply = Step(body={**completion("8"), "usage": usage})
    with caplog.at_level(logging.WARNING):
        judgments, server, judge = ask(steps(reply), numbered(20), max_cost=1.0, concurrency=1, **PRICES)
    assert (len(server.bodies), judge.usage.cost) == (1, 0.0)
    assert judgments[0].status is Status.OK
    assert judgments[-1].reason == "max_cost can't be kept: the server reports no tokens"
    assert len([record for record in caplog.records if "max_cost" in record.message]) == 1
    assert ask(steps(reply), numbered(20), **PRICES)[2].usage.statuses == {"ok": 20}


def test_a_reply_without_its_tokens_counts_as_the_others_do() -> None:
    uncounted = Step(body={**completion("8"), "usage": None})
    _, server, _ = ask(
        lambda body, _: uncounted if body["messages"][-1]["content"] == "1" else OK,
        numbered(20), max_cost=1.0, concurrency=1, **PRICES,
    )  # fmt: skip
    assert len(server.bodies) == 5


def test_a_server_that_takes_no_request_is_asked_three_times() -> None:
    fault = error(401, message=f"Incorrect API key: {KEY}")
    judgments, server, _ = ask(steps(fault), numbered(30), concurrency=1)
    assert len(server.bodies) == 3
    assert [judgment.status for judgment in judgments] == [Status.REFUSED] * 3 + [Status.NOT_ASKED] * 27
    assert {judgment.reason for judgment in judgments} == {"HTTP 401: Incorrect API key: ***"}


@pytest.mark.parametrize("url", ["http://localhost:1/v1", "https://localhost:1/v1", "http://no-such-host.invalid/v1"])
def test_a_server_that_is_not_there_is_not_looked_for_again_and_again(url: str) -> None:
    judge = EndpointJudge(JudgeSettings(model="judge", base_url=url, max_retries=2, concurrency=2), progress=False)
    judgments = judge.judge([JudgeRequest.of_texts("", str(number)) for number in range(30)])
    assert {judgment.reason for judgment in judgments} == {"connection"}
    assert {judgment.status for judgment in judgments} == {Status.EXHAUSTED, Status.NOT_ASKED}
    assert judge.usage.calls <= 4 * 3  # three requests with their tries, and one beside the last of them
    assert judge.usage.statuses.total() == 30


@pytest.mark.parametrize("fault", [error(403, message="not for this model"), error(404), Step(reset=True), error(401)])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_one_request_that_fails_stops_no_other(fault: Step, concurrency: int) -> None:
    judgments, _, _ = ask(first_prompt(fault), numbered(20), concurrency=concurrency, max_retries=1)
    assert judgments[0].status in (Status.REFUSED, Status.EXHAUSTED)
    assert {judgment.status for judgment in judgments[1:]} == {Status.OK}


def test_what_was_not_asked_is_asked_once_the_server_takes_requests() -> None:
    """Three fail at once while a fourth, slower one is under way and succeeds."""
    judgments, server, judge = ask(
        lambda body, _: Step(text="8", delay=0.5) if int(body["messages"][-1]["content"]) >= 3 else error(401),
        numbered(30),
        concurrency=4,
    )
    assert [judgment.status for judgment in judgments] == [Status.REFUSED] * 3 + [Status.OK] * 27
    assert judge.usage.statuses == {"refused": 3, "ok": 27}
    assert len(server.bodies) == 30


_INTERRUPTED = """
import asyncio, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background has it ignored
from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings
judge = EndpointJudge(JudgeSettings(model="judge", base_url=sys.argv[1], concurrency=4), progress=False)
requests = [JudgeRequest.of_texts("", str(number)) for number in range(100)]
async def cell():
    judge.judge(requests)
if sys.argv[2] == "asyncio.run":
    asyncio.run(cell())
elif sys.argv[2] == "notebook":  # its loop leaves Ctrl-C to Python, which raises in the cell
    asyncio.new_event_loop().run_until_complete(cell())
else:
    judge.judge(requests)
"""


@pytest.mark.parametrize("way", ["asyncio.run", "notebook", "script"])
def test_an_interrupt_ends_the_run(way: str) -> None:
    with JudgeServer(steps(Step(text="8", delay=1.0))) as server:
        process = subprocess.Popen([sys.executable, "-c", _INTERRUPTED, server.url, way], stderr=subprocess.PIPE)
        while len(server.bodies) < 4 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode != 0
    assert told.rstrip().endswith(b"KeyboardInterrupt")
    assert len(server.bodies) < 20  # of the hundred that a run to its end would send
