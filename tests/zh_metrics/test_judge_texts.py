"""What goes to a judge's server and comes back: no lone surrogate, and no key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judge_asking import KEY, OK, ask, error
from judge_server import Step, completion, steps
from zh_metrics.judge import EndpointJudge, JudgeSettings, JudgeSettingsError, ReplyCache

pytestmark = pytest.mark.usefixtures("no_waiting")


def test_a_lone_surrogate_of_the_judge_can_be_written(tmp_path: Path) -> None:
    reply = Step(body=completion("七\ud800", "stop\udfff", "m\udfff"))
    for _ in range(2):  # from the server, then from the cache
        judgments, _, judge = ask(steps(reply), cache=ReplyCache(tmp_path), samples=1)
        assert (judgments[0].text, dict(judge.usage.models)) == ("七?", {"m?": 1})
    (refused,), _, _ = ask(steps(error(400, message="no \ud800")))
    assert refused.reason == "HTTP 400: no ?"


def test_a_lone_surrogate_of_a_prompt_is_sent_as_a_question_mark() -> None:
    judgments, server, _ = ask(steps(OK), ["甲\ud800"])
    assert judgments[0].text == "8"
    assert server.prompts() == ["甲?"]


@pytest.mark.parametrize("before", range(150, 200, 3))
def test_no_part_of_the_key_is_in_a_reason(before: int) -> None:
    (judgment,), _, _ = ask(steps(error(401, message="x" * before + KEY)))
    assert not any(KEY[:length] in judgment.reason for length in range(4, len(KEY)))
    assert len(judgment.reason) <= 200


def test_the_key_is_in_nothing_a_server_echoes(tmp_path: Path) -> None:
    echo = Step(body=completion(f"your {KEY}", KEY, KEY))
    judgments, _, judge = ask(steps(echo), cache=ReplyCache(tmp_path), samples=1)
    assert judgments[0].text == "your ***"
    kept = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in str(judgments) + json.dumps(judge.usage.describe()) + kept


@pytest.mark.parametrize("key", [None, "8", "none", "EMPTY"])
def test_a_placeholder_for_a_key_is_not_masked(key: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    if key:
        monkeypatch.setenv("ZH_JUDGE_API_KEY", key)
    judgments, _, _ = ask(steps(Step(text="none EMPTY 8")), samples=1)
    assert judgments[0].text == "none EMPTY 8"


@pytest.mark.parametrize("key", ["sk-abcdefgh\n", "sk-密钥密钥密钥", "sk-abcdefgh\r\nX: y", " ", "sk-abcdefgh "])
def test_a_key_that_can_not_be_sent_is_refused_at_once(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZH_JUDGE_API_KEY", key)
    with pytest.raises(JudgeSettingsError, match="ZH_JUDGE_API_KEY") as raised:
        EndpointJudge(JudgeSettings(model="judge"))
    assert key not in str(raised.value) or key == " "


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SSL_CERT_FILE", "/no/such.pem"),
        ("SSL_CERT_FILE", __file__),
        ("HTTPS_PROXY", "nonsense://x"),
        ("OPENAI_ORG_ID", "a\nb"),
    ],
)
def test_an_environment_that_allows_no_client_is_named_at_once(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(JudgeSettingsError, match=variable) as raised:
        EndpointJudge(JudgeSettings(model="judge"))
    assert KEY not in str(raised.value)


def test_the_key_may_not_stand_among_the_settings() -> None:
    with pytest.raises(JudgeSettingsError) as raised:
        EndpointJudge(JudgeSettings(model="judge", extra_body={"user": KEY}))
    assert KEY not in str(raised.value)
