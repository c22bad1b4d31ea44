from __future__ import annotations

import json
from typing import Any

import pytest
from zh_metrics.judge import Answer, JudgeRequest, JudgeSettingsError, OverlapJudge, Status
from zh_metrics.judge.settings import api_key, judge_settings


def test_given_settings_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZH_JUDGE_MODEL", "from-environment")
    monkeypatch.setenv("ZH_JUDGE_BASE_URL", "http://localhost:1/v1")
    monkeypatch.setenv("ZH_JUDGE_CONCURRENCY", "3")
    settings = judge_settings({"model": "given", "temperature": 1})
    assert (settings.model, settings.base_url, settings.concurrency, settings.temperature) == (
        "given",
        "http://localhost:1/v1",
        3,
        1.0,
    )
    assert judge_settings({}).model == "from-environment"


def test_the_key_comes_from_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert api_key() == "none"
    monkeypatch.setenv("OPENAI_API_KEY", "second")
    assert api_key() == "second"
    monkeypatch.setenv("ZH_JUDGE_API_KEY", "first")
    assert api_key() == "first"
    assert "first" not in json.dumps(judge_settings({"model": "m"}).model_dump())


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "model"),
        ({"model": ""}, "model"),
        ({"model": 4}, "model"),
        ({"model": "m", "api_key": "sk-1"}, "environment"),
        ({"model": "m", "Authorization": "x"}, "environment"),
        ({"model": "m", "modle": "x"}, "modle"),
        ({"model": "m", "base_url": "localhost:8000"}, "base_url"),
        ({"model": "m", "base_url": "http://user:w0rd@host/v1"}, "base_url"),
        ({"model": "m", "base_url": "http://host/v1?key=1"}, "base_url"),
        ({"model": "m", "base_url": "http://[::1/v1"}, "base_url"),
        ({"model": "m", "base_url": "http://host/v1#key=w0rd"}, "base_url"),
        ({"model": "m", "base_url": "http://host:99999/v1"}, "base_url"),
        ({"model": "m", "base_url": "http://host/v1\n"}, "base_url"),
        ({"model": "m", "base_url": " http://host/v1"}, "base_url"),
        ({"model": "m", "base_url": "http://a..b/v1"}, "base_url"),
        ({"model": "m", "base_url": "http://host/v1/chat/completions"}, "up to and with /v1"),
        ({"model": "m", "concurrency": 0}, "concurrency"),
        ({"model": "m", "concurrency": "16"}, "concurrency"),
        ({"model": "m", "concurrency": True}, "concurrency"),
        ({"model": "m", "concurrency": 1.5}, "concurrency"),
        ({"model": "m", "temperature": -1}, "temperature"),
        ({"model": "m", "temperature": float("nan")}, "temperature"),
        ({"model": "m", "timeout": 0}, "timeout"),
        ({"model": "m", "max_cost": 1}, "price_prompt"),
        ({"model": "m", "extra_body": [1]}, "extra_body"),
        ({"model": "m", "extra_body": {"stream": True}}, "stream"),
        ({"model": "m", "extra_body": {"top_p": {1}}}, "extra_body"),
        ({"model": "m", "extra_body": {"top_p": float("nan")}}, "extra_body"),
        ({"model": "m", "extra_body": {"user": "\ud800"}}, "extra_body"),
        ({"model": "m", "extra_body": {"api_key": "sk-1"}}, "api_key"),
        ({"model": "m", "extra_body": {"a": [{"Authorization": "sk-1"}]}}, "Authorization"),
        ({"model": "m", "token": "sk-1"}, "environment"),
        ({"model": "m", "max_token": 1}, "unknown"),
    ],
)
def test_settings_that_can_not_be_used_are_named(given: dict[str, Any], named: str) -> None:
    with pytest.raises(JudgeSettingsError, match=named) as raised:
        judge_settings(given)
    assert "sk-1" not in str(raised.value)
    assert "w0rd" not in str(raised.value)


def test_a_variable_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZH_JUDGE_CONCURRENCY", "many")
    with pytest.raises(JudgeSettingsError, match="ZH_JUDGE_CONCURRENCY"):
        judge_settings({"model": "m"})


def test_a_variable_that_is_not_needed_may_hold_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZH_JUDGE_CONCURRENCY", "many")
    assert judge_settings({"model": "m", "concurrency": 3}).concurrency == 3


def test_a_misspelt_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZH_JUDGE_CONCURENCY", "3")
    with pytest.raises(JudgeSettingsError, match="ZH_JUDGE_CONCURENCY"):
        judge_settings({"model": "m"})


def test_names_that_only_resemble_secrets_are_taken() -> None:
    body = {"max_completion_tokens": 5, "stop_token_ids": [1], "prompt_cache_key": "a"}
    assert judge_settings({"model": "m", "extra_body": body}).request_fields()["stop_token_ids"] == [1]


def test_cost_is_known_with_both_prices_only() -> None:
    priced = judge_settings({"model": "m", "price_prompt": 10, "price_completion": 30})
    assert priced.cost(1_000_000, 100_000) == pytest.approx(13.0)
    assert judge_settings({"model": "m", "price_prompt": 10}).cost(1, 1) is None


def test_overlap_marks_by_the_reference_without_a_model() -> None:
    judge = OverlapJudge()

    def request(prediction: str, reference: str) -> JudgeRequest:
        return JudgeRequest.of_texts(
            "", "", answer=Answer("q", prediction, reference, 10.0, lambda mark: f"{mark:.1f}")
        )

    same, none, empty, without = judge.judge(
        [request("北京是首都", "北京是首都"), request("甲乙丙", "丁戊己"), request("", "丁"), request("甲", " ")]
    )
    assert (same.text, none.text, empty.text) == ("10.0", "0.0", "0.0")
    assert (without.status, without.reason) == (Status.REFUSED, "no reference")
    assert judge.usage.models == {"overlap": 3}
    assert judge.describe()["model"] == "overlap"
