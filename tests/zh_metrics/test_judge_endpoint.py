"""The judge client against a real local server: every fault ends in a reply or a reason, never in an exception."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from judge_asking import KEY, OK, ask, error
from judge_server import JudgeServer, Step, completion, steps
from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, Judgment, ReplyCache, Status

pytestmark = pytest.mark.usefixtures("no_waiting")


def test_outcomes_come_in_the_order_of_the_requests() -> None:
    prompts = [str(number) for number in range(50)]
    judgments, server, judge = ask(
        lambda body, _: Step(
            text=body["messages"][-1]["content"], delay=(hash(body["messages"][-1]["content"]) % 7) / 100
        ),
        prompts,
        concurrency=8,
    )
    assert [judgment.text for judgment in judgments] == prompts
    assert all(judgment.status is Status.OK and judgment.reason == "" for judgment in judgments)
    assert max(server.at_once) <= 8
    assert judge.usage.calls == len(server.bodies) == 50
    assert judge.usage.statuses == {"ok": 50}
    assert judge.usage.models == {"judge-2026-01-01": 50}
    assert (judge.usage.prompt_tokens, judge.usage.completion_tokens) == (5000, 500)
    assert 0 < judge.usage.latency(50) <= judge.usage.latency(95)


def test_the_request_holds_the_settings() -> None:
    _, server, _ = ask(steps(OK), temperature=0.5, max_tokens=64, seed=7, extra_body={"top_p": 0.9})
    assert server.bodies == [
        {
            "model": "judge",
            "temperature": 0.5,
            "max_tokens": 64,
            "seed": 7,
            "top_p": 0.9,
            "messages": [{"role": "system", "content": "Mark it."}, {"role": "user", "content": "one"}],
        }
    ]
    assert server.keys == {f"Bearer {KEY}"}


def test_identical_requests_are_sent_once() -> None:
    judgments, server, judge = ask(steps(OK), ["one", "two", "one", "one"])
    assert len(server.bodies) == 2
    assert [judgment.text for judgment in judgments] == ["8"] * 4
    assert judge.usage.statuses == {"ok": 4}


@pytest.mark.parametrize(
    "fault",
    [
        error(429, headers={"Retry-After": "0"}),
        error(429, headers={"retry-after-ms": "1"}),
        error(500),
        error(502),
        error(503, headers={"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}),
        error(503, headers={"Retry-After": "soon"}),
        error(408),
        Step(status=503, body="<html>overloaded</html>"),
        Step(reset=True),
        Step(body='{"id": "c", "choi'),
        Step(body="[]"),
        Step(body="null"),
        Step(body='"text"'),
        Step(body={"choices": []}),
        Step(body={"choices": None}),
        Step(body={"choices": 3}),
        Step(body={"choices": [{}]}),
        Step(body={"error": {"message": "upstream"}}),
        Step(body={"choices": [{"index": 0, "finish_reason": "stop", "message": None}]}),
        Step(body=completion(None)),
        Step(body=completion("")),
        Step(body=completion(" \n")),
        Step(body={**completion("8"), "choices": [{"message": {"content": ["8"]}}]}),
    ],
)
def test_a_fault_that_passes_ends_in_a_reply(fault: Step) -> None:
    judgments, server, judge = ask(steps(fault, fault, OK))
    assert (judgments[0].status, judgments[0].text) == (Status.OK, "8")
    assert len(server.bodies) == judge.usage.calls == 3
    assert judge.usage.faults.total() == 2


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        (error(429), Status.EXHAUSTED, "HTTP 429"),
        (error(500), Status.EXHAUSTED, "HTTP 500"),
        (Step(reset=True), Status.EXHAUSTED, "connection"),
        (Step(body='{"id": "c", "choi'), Status.EXHAUSTED, "malformed response"),
        (Step(body={"choices": []}), Status.EXHAUSTED, "empty reply"),
        (Step(body=completion(None)), Status.EXHAUSTED, "empty reply"),
        (Step(hang=True), Status.EXHAUSTED, "timeout"),
    ],
)
def test_a_fault_that_stays_ends_in_its_reason(fault: Step, status: Status, reason: str) -> None:
    judgments, server, _ = ask(
        lambda body, _: fault if body["messages"][-1]["content"] == "bad" else OK,
        ["good", "bad", "fine"],
        max_retries=2,
        timeout=0.5,
    )
    assert [judgment.status for judgment in judgments] == [Status.OK, status, Status.OK]
    assert judgments[1].reason == reason
    assert judgments[1].replies == ()
    assert server.prompts().count("bad") == 3


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        (error(400, "context_length_exceeded"), Status.TOO_LONG, "context_length_exceeded"),
        (error(400, message="This model's maximum context length is 8192 tokens"), Status.TOO_LONG, "context_length_exceeded"),
        (error(413), Status.TOO_LONG, "context_length_exceeded"),
        (error(400, "content_filter"), Status.FILTERED, "content_filter"),
        (error(400, "data_inspection_failed", "Input data may contain inappropriate content."), Status.FILTERED, "content_filter"),
        (Step(body=completion("", "content_filter")), Status.FILTERED, "content_filter"),
        (Step(body=completion("half", "content_filter")), Status.FILTERED, "content_filter"),
        (error(400, message="bad request"), Status.REFUSED, "HTTP 400: bad request"),
        (error(403, message="not for you"), Status.REFUSED, "HTTP 403: not for you"),
        (Step(body=completion(None, "length")), Status.EXHAUSTED, "no text within max_tokens"),
        (
            Step(body={**completion(None), "choices": [{"finish_reason": "stop", "message": {"refusal": "I can't."}}]}),
            Status.REFUSED,
            "refusal",
        ),
    ],
)  # fmt: skip
def test_what_would_fail_again_is_not_tried_again(fault: Step, status: Status, reason: str) -> None:
    judgments, server, _ = ask(
        lambda body, _: fault if body["messages"][-1]["content"] == "bad" else OK, ["good", "bad"], concurrency=1
    )
    assert [judgment.status for judgment in judgments] == [Status.OK, status]
    assert judgments[1].reason == reason
    assert len(server.bodies) == 2


def test_a_spent_quota_is_no_reason_to_wait() -> None:
    judgments, server, _ = ask(steps(error(429, "insufficient_quota")))
    assert (judgments[0].status, judgments[0].reason) == (Status.REFUSED, "insufficient_quota")
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("name", "sent_as"), [("max_tokens", "max_completion_tokens"), ("temperature", None), ("seed", None)]
)
def test_a_field_the_model_refuses_is_replaced(
    name: str, sent_as: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    def behave(body: dict[str, Any], _: int) -> Step:
        if name in body:
            return error(400, "unsupported_parameter", f"Unsupported parameter: '{name}' is not supported.", name)
        return OK

    with caplog.at_level(logging.WARNING):
        judgments, server, judge = ask(behave, ["one", "two", "three"], concurrency=1, max_retries=0, seed=1)
    assert [judgment.text for judgment in judgments] == ["8"] * 3
    assert len(server.bodies) == 4
    assert sent_as is None or all(body[sent_as] == 4096 for body in server.bodies[1:])
    assert len([record for record in caplog.records if name in record.message]) == 1
    assert list(judge.usage.adjustments) == [name]


def test_a_field_that_stays_refused_is_no_endless_loop() -> None:
    judgments, server, _ = ask(steps(error(400, "unsupported_value", "temperature is not supported", "temperature")))
    assert judgments[0].status is Status.REFUSED
    assert len(server.bodies) == 2


def test_an_unread_reply_is_asked_for_anew() -> None:
    judgments, server, _ = ask(steps(Step(text="well"), OK))
    assert judgments[0].status is Status.OK
    assert [reply.text for reply in judgments[0].replies] == ["well", "8"]
    assert len(server.bodies) == 2


def test_a_reply_that_stays_unread_is_unparsed_and_kept() -> None:
    judgments, server, _ = ask(steps(Step(text="well")))
    assert judgments[0].status is Status.UNPARSED
    assert [reply.text for reply in judgments[0].replies] == ["well"] * 3
    assert len(server.bodies) == 3


def test_fewer_requests_at_once_while_the_server_has_too_many() -> None:
    def behave(body: dict[str, Any], before: int) -> Step:
        return error(429, headers={"Retry-After": "0"}) if len(server.bodies) < 8 else Step(text="8", delay=0.02)

    with JudgeServer(behave) as server:
        judge = EndpointJudge(JudgeSettings(model="judge", base_url=server.url, concurrency=16), progress=False)
        judgments = judge.judge([JudgeRequest.of_texts("", str(number)) for number in range(64)])
    assert {judgment.status for judgment in judgments} == {Status.OK}
    assert judge.usage.faults["HTTP 429"] == 8
    assert max(at_once for at_once in server.at_once[16:24]) <= 8


def test_retry_after_is_honoured() -> None:
    times: list[float] = []

    def behave(body: dict[str, Any], before: int) -> Step:
        times.append(asyncio.get_running_loop().time())
        return error(429, headers={"Retry-After": "0.4"}) if before == 0 else OK

    ask(behave)
    assert times[1] - times[0] >= 0.4


def test_a_wait_beyond_the_time_limit_ends_at_once() -> None:
    judgments, server, _ = ask(steps(error(429, headers={"Retry-After": "3600"})), total_timeout=5.0)
    assert (judgments[0].status, judgments[0].reason) == (Status.EXHAUSTED, "HTTP 429")
    assert len(server.bodies) == 1


def test_the_budget_of_calls_stops_cleanly_and_the_next_run_goes_on(tmp_path: Path) -> None:
    requests = [JudgeRequest.of_texts("", str(number)) for number in range(20)]
    with JudgeServer(steps(OK)) as server:
        settings = JudgeSettings(model="judge", base_url=server.url, max_calls=7, concurrency=4)
        first = EndpointJudge(settings, ReplyCache(tmp_path), progress=False).judge(requests)
        assert len(server.bodies) == 7
        without_limit = settings.model_copy(update={"max_calls": None})
        second = EndpointJudge(without_limit, ReplyCache(tmp_path), progress=False).judge(requests)
        assert len(server.bodies) == 20
    assert sum(judgment.status is Status.OK for judgment in first) == 7
    assert {judgment.reason for judgment in first if judgment.status is not Status.OK} == {"max_calls reached"}
    assert {judgment.status for judgment in second} == {Status.OK}


def test_the_budget_of_money_stops_cleanly() -> None:
    prices = {"price_prompt": 1000.0, "price_completion": 10000.0}  # 0.2 a reply
    judgments, server, judge = ask(steps(OK), [str(n) for n in range(20)], max_cost=1.0, concurrency=1, **prices)
    assert judge.usage.cost == pytest.approx(1.0)
    assert len(server.bodies) == 5
    assert judgments[-1].reason == "max_cost reached"


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    with JudgeServer(steps(OK)) as server:
        settings = JudgeSettings(model="judge", base_url=server.url)
        requests = [JudgeRequest.of_texts("", str(number)) for number in range(10)]
        first = EndpointJudge(settings, ReplyCache(tmp_path), progress=False).judge(requests)
        judge = EndpointJudge(settings, ReplyCache(tmp_path), progress=False)
        second = judge.judge(requests)
    assert [judgment.text for judgment in second] == [judgment.text for judgment in first]
    assert len(server.bodies) == 10
    assert (judge.usage.calls, judge.usage.cached_replies, judge.usage.prompt_tokens) == (0, 10, 0)


@pytest.mark.parametrize(
    "change", [{"model": "other"}, {"temperature": 1.0}, {"max_tokens": 5}, {"seed": 3}, {"extra_body": {"top_p": 0.1}}]
)
def test_another_setting_is_another_entry(tmp_path: Path, change: dict[str, Any]) -> None:
    with JudgeServer(steps(OK)) as server:
        plain: dict[str, Any] = {"model": "judge", "base_url": server.url}
        for settings in (plain, {**plain, **change}, plain):
            judge = EndpointJudge(JudgeSettings(**settings), ReplyCache(tmp_path), progress=False)
            judge.judge([JudgeRequest.of_texts("", "one")])
    assert len(server.bodies) == 2


def test_a_judge_works_inside_a_running_loop() -> None:
    async def in_a_notebook() -> list[Judgment]:
        return ask(steps(OK))[0]

    assert asyncio.run(in_a_notebook())[0].text == "8"


def test_a_folder_that_takes_no_files_loses_no_reply(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "judge").write_text("in the way", encoding="utf-8")
    judgments, _, _ = ask(steps(OK), ["one", "two"], ReplyCache(tmp_path))
    assert [judgment.text for judgment in judgments] == ["8", "8"]
    assert len([record for record in caplog.records if "can't be kept" in record.message]) == 1


_KILLED = """
import sys
from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, ReplyCache
judge = EndpointJudge(JudgeSettings(model="judge", base_url=sys.argv[1], concurrency=32), ReplyCache(sys.argv[2]), False)
judge.judge([JudgeRequest.of_texts("", str(number)) for number in range(1000)])
"""


def test_a_killed_run_repeats_no_finished_call(tmp_path: Path) -> None:
    """Finished: its reply had left the server's hands and come to ours. Those under way at the kill may be repeated."""
    with JudgeServer(lambda body, _: Step(text="8", delay=0.02)) as server:
        command = [sys.executable, "-c", _KILLED, server.url, str(tmp_path)]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while len(server.bodies) < 300 and process.poll() is None:
            process.poll()
        process.kill()
        process.wait()
        kept = sum(held.replies for held in ReplyCache(tmp_path).judges())
        before = len(server.bodies)
        assert 0 < kept < 1000
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        assert len(server.bodies) - before == 1000 - kept
        assert sum(held.replies for held in ReplyCache(tmp_path).judges()) == 1000
        repeated = sum(1 for n in server.finished.values() if n > 1)
        assert repeated <= 32  # those whose reply was on its way when the process was killed


def test_the_given_cases(shared: Path) -> None:
    cases = [json.loads(line) for line in (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    chosen = [case for case in cases if case["area"] == "judge_api"]
    assert chosen
    for case in chosen:
        given, expected = case["input"], case["expected"]
        script = [
            Step(hang=True) if "exception" in step else Step(**{"body": None, **step}) for step in given["responses"]
        ]
        with JudgeServer(lambda body, before: script[min(before, len(script) - 1)]  # noqa: B023
                         if body["messages"][-1]["content"] == "case" else OK) as server:  # fmt: skip
            settings = {"max_retries": given["max_retries"]} if "max_retries" in given else {}
            judge = EndpointJudge(
                JudgeSettings(model="judge", base_url=server.url, timeout=0.5, **settings), None, False
            )
            others = [JudgeRequest.of_texts("", f"other {n}") for n in range(given.get("other_samples_ok", 0))]
            first, *rest = judge.judge([JudgeRequest.of_texts("", "case"), *others])
        if "n_requests" in expected:
            assert server.prompts().count("case") == expected["n_requests"], case["id"]
        if expected["error"] is None:
            assert first.status is Status.OK
        else:
            assert (first.text, first.reason) == ("", expected["error"]), case["id"]
        assert all(judgment.status is Status.OK for judgment in rest)
