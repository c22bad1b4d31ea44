"""What servers say, in their own words, and what comes of it. The bodies are those of the servers named in the ids."""

from __future__ import annotations

from typing import Any

import pytest
from judge_asking import OK, ask, error
from judge_server import Step, completion, steps
from zh_metrics.judge import Status

pytestmark = pytest.mark.usefixtures("no_waiting")


def body(status: int, content: Any) -> Step:
    return Step(status=status, body=content)


def said(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(body(400, said("was considered high risk", type="content_filter")), id="moonshot"),
        pytest.param(body(400, said("Content Exists Risk", type="invalid_request_error")), id="deepseek"),
        pytest.param(body(400, {"code": "DataInspectionFailed", "message": "Input data may ..."}), id="dashscope"),
        pytest.param(body(400, said("Invalid prompt: it violates our policy.", code="invalid_prompt")), id="openai"),
        pytest.param(body(403, said('Your model requires moderation and your input was flagged for "x"', code=403)), id="openrouter"),
        pytest.param(body(400, said("系统检测到不安全内容", code="1301")), id="zhipu_code"),
        pytest.param(Step(body=completion("", "sensitive")), id="zhipu_finish_reason"),
        pytest.param(body(200, said("no", code="content_filter")), id="status_200"),
    ],
)  # fmt: skip
def test_content_filters(fault: Step) -> None:
    judgments, server, _ = ask(steps(fault))
    assert (judgments[0].status, judgments[0].reason) == (Status.FILTERED, "content_filter")
    assert len(server.bodies) == 1


def test_case_sensitive_is_no_content_filter() -> None:
    judgments, _, _ = ask(steps(error(400, message="Invalid model name: names are case-sensitive")))
    assert judgments[0].status is Status.REFUSED


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(body(400, said("Range of input length should be [1, 30720]")), id="dashscope"),
        pytest.param(body(400, said("Your request exceeded model token limit: 8192")), id="moonshot"),
        pytest.param(body(422, {"error": "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"}), id="tgi"),
        pytest.param(body(400, said("the request exceeds the available context size")), id="llama_cpp"),
        pytest.param(body(400, {"error_code": 336007, "error_msg": "the max input length is 2000"}), id="baidu"),
        pytest.param(body(400, {"errors": [{"message": "maximum context length"}]}), id="errors"),
        pytest.param(body(400, {"message": ["maximum context length"]}), id="message_list"),
        pytest.param(body(400, [said("The input exceeds context window")]), id="gemini_list"),
        pytest.param(body(400, "maximum context length is 4096"), id="plain_text"),
    ],
)
def test_requests_that_are_too_long(fault: Step) -> None:
    assert ask(steps(fault))[0][0].status is Status.TOO_LONG


_EXTRA = "Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        pytest.param("temperature", said("invalid temperature: only 1 is allowed for this model"), id="kimi"),
        pytest.param("temperature", said("`temperature` is deprecated for this model."), id="anthropic"),
        pytest.param("temperature", said("temperature参数非法：取值范围(0,1)", code="1214"), id="zhipu"),
        pytest.param("seed", {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": _EXTRA}]}, id="mistral"),
        pytest.param("seed", {"message": f"[{{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': '{_EXTRA}'}}]"}, id="vllm"),
        pytest.param("seed", {"detail": "seed is not supported"}, id="detail"),
        pytest.param("seed", {"error": "seed is not supported"}, id="error_text"),
        pytest.param("seed", {"msg": "seed is not supported"}, id="msg"),
        pytest.param("seed", "Unknown parameter: seed", id="plain_text"),
        pytest.param("max_tokens", said("max_tokens is too large: 4096. This model supports at most 2048 completion tokens", param="max_tokens", code="invalid_value"), id="openai"),
        pytest.param("max_tokens", said("Invalid max_tokens value, the valid range of max_tokens is [1, 2048]"), id="deepseek"),
        pytest.param("max_tokens", said("Range of max_tokens should be [1, 2000]"), id="dashscope"),
    ],
)  # fmt: skip
def test_a_field_that_is_refused_is_left_out(name: str, refusal: Any) -> None:
    judgments, server, judge = ask(lambda sent, _: body(400, refusal) if name in sent else OK, seed=1)
    assert judgments[0].status is Status.OK
    assert set(server.bodies[0]) - set(server.bodies[1]) == {name}
    assert set(server.bodies[1]) < set(server.bodies[0])
    assert judge.usage.describe()["adjustments"] == {name: "left out"}


@pytest.mark.parametrize(
    "message",
    [
        "Unknown error while handling request {'model': 'm', 'temperature': 0, 'max_tokens': 4096}",
        "Unsupported media type in {'model': 'm', 'temperature': 0}",
        "The temperature of the cluster is high; the reason is unknown",
    ],
)
def test_a_field_that_is_only_mentioned_is_kept(message: str) -> None:
    judgments, server, judge = ask(steps(error(400, message=message)))
    assert (judgments[0].status, judgments[0].reason) == (Status.REFUSED, f"HTTP 400: {message}")
    assert (len(server.bodies), judge.usage.adjustments) == (1, {})


def test_a_renamed_field_does_not_replace_what_the_user_chose() -> None:
    refusal = error(400, message="Unsupported parameter: 'max_tokens' is not supported with this model.")
    _, server, _ = ask(
        lambda sent, _: refusal if "max_tokens" in sent else OK, extra_body={"max_completion_tokens": 16000}
    )
    assert server.bodies[-1]["max_completion_tokens"] == 16000


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (error(402, message="Insufficient Balance"), "HTTP 402: Insufficient Balance"),
        (error(400, message="Model Not Exist"), "HTTP 400: Model Not Exist"),
        (error(404, message="The model `m` does not exist."), "HTTP 404: The model `m` does not exist."),
        (error(403, message="No permission for this model"), "HTTP 403: No permission for this model"),
        (body(429, said("exhausted", type="exceeded_current_quota_error")), "insufficient_quota"),
        (body(429, said("您的账户已欠费，请充值后重试", code="1113")), "insufficient_quota"),
        (body(400, said("Access denied", code="Arrearage")), "insufficient_quota"),
        (body(200, said("no money", code="insufficient_quota")), "insufficient_quota"),
    ],
)
def test_what_every_request_would_be_told_is_asked_three_times(fault: Step, reason: str) -> None:
    judgments, server, _ = ask(steps(fault), [str(number) for number in range(30)], concurrency=1)
    assert len(server.bodies) == 3
    assert {judgment.reason for judgment in judgments} == {reason}
    assert [judgment.status for judgment in judgments] == [Status.REFUSED] * 3 + [Status.NOT_ASKED] * 27


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (said("rate limited", code=429), "HTTP 429"),
        (said("Provider returned error", code=502), "HTTP 502"),
        (said("the engine is overloaded"), "error in the response: the engine is overloaded"),
        ({"choices": None, **said("odd")}, "error in the response: odd"),
    ],
)
def test_an_error_with_status_200_is_tried_again_and_named(content: Any, reason: str) -> None:
    judgments, server, _ = ask(steps(Step(body=content), OK))
    assert judgments[0].status is Status.OK
    judgments, server, _ = ask(steps(Step(body=content)), max_retries=1)
    assert (judgments[0].status, judgments[0].reason) == (Status.EXHAUSTED, reason)
    assert len(server.bodies) == 2


@pytest.mark.parametrize("content_type", ["text/plain", "text/html", "application/octet-stream"])
def test_json_by_another_name_is_read(content_type: str) -> None:
    judgments, _, judge = ask(steps(Step(body=completion("8"), content_type=content_type)))
    assert judgments[0].text == "8"
    assert judge.usage.prompt_tokens == 100


def test_the_text_parts_of_a_reply_are_joined() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "1"}]},
        {"type": "text", "text": "4"},
        "5",
        None,
    ]
    message = {"content": [*parts, {"type": "text", "text": "2"}]}
    judgments, _, _ = ask(steps(Step(body={"choices": [{"message": message}]})))
    assert judgments[0].text == "42"
