"""Panels of judges: their settings, and whole runs with real local servers as judges."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest
from judge_server import JudgeServer, Step, steps
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from recorder import Recorder
from zh_metrics.judge import JudgeSettingsError
from zh_metrics.signature import parse_signature

from lm_eval_zh.candidates import candidate_name
from lm_eval_zh.panels import check_panel, panel_of

ROOT = Path(__file__).parents[2]
TASK = "alignbench_sample"


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))


def run(judge: object, model: Any = None, task: str = TASK) -> tuple[dict[str, Any], dict[str, Any], list[Any]]:
    """The metrics of a run, its task's metadata, and the outcomes of the robust pipeline."""
    folder = "gaokao_tasks" if task.startswith("gaokao") else "alignbench_tasks"
    manager = TaskManager(
        include_defaults=False, include_path=str(ROOT / folder), metadata={} if judge is None else {"judge": judge}
    )
    results = simple_evaluate(model=model or Recorder("好的。"), tasks=[task], task_manager=manager, bootstrap_iters=0)
    assert results is not None
    outcomes = [s["filtered_resps"][0] for s in results["samples"][task] if s["filter"] == "robust"]
    return results["results"][task], results["configs"][task]["metadata"], outcomes


def says(score: int) -> Step:
    return Step(text=f"{{'事实正确性': {score}, '综合得分': {score}}}")


def test_a_panel_of_judges_asked_in_different_ways() -> None:
    with (
        JudgeServer(steps(says(6))) as by_dimensions,
        JudgeServer(steps(Step(text="[[8]]"))) as by_rating,
        JudgeServer(steps(Step(text="综合得分：1"))) as critique,
    ):
        panel = [
            {"model": "a", "base_url": by_dimensions.url},
            {"model": "b", "base_url": by_rating.url, "mode": "rule_calibrated", "reference": False},
            {"model": "c", "base_url": critique.url, "profile": "critiquellm"},
        ]
        metrics, metadata, outcomes = run({"panel": panel})
        median, median_metadata, _ = run({"panel": panel, "aggregate": "median", "quorum": 3})
        assert [len(server.bodies) for server in (by_dimensions, by_rating, critique)] == [16, 16, 16]  # asked once
        assert all("[参考答案开始]" not in prompt for prompt in by_rating.prompts())
        assert all(prompt.startswith("[") for prompt in critique.prompts())
    assert metrics["score,robust"] == metrics["score,official"] == 5.0
    assert median["score,robust"] == median["score,official"] == 6.0
    assert metrics["judge_spread,robust"] == pytest.approx(stdev([6, 8, 1]))
    assert metrics["dimension_factuality,robust"] == 6.0
    assert all(outcome.judge_scores == [6.0, 8.0, 1.0] for outcome in outcomes)
    signature = parse_signature(metadata["signature"]["robust"])
    assert signature["judge"] == "a+b+c"
    assert signature["panel"] == "mean/2"
    assert signature["mode"] == "multi_dimensional+rule_calibrated without reference+critiquellm"
    assert parse_signature(median_metadata["signature"]["robust"])["panel"] == "median/3"
    assert [report["model"] for report in metadata["judge_report"]] == ["a", "b", "c"]
    assert [report["outcomes"] for report in metadata["judge_report"]] == [{"ok": 16}] * 3


def test_a_judge_asked_several_times_is_asked_anew_each_time_and_once_per_run() -> None:
    with JudgeServer(lambda body, before: says(4 + before)) as server:
        judge = {"model": "a", "base_url": server.url, "temperature": 0.7, "repeats": 3}
        metrics, metadata, outcomes = run(judge)
        again, _, _ = run(judge)
        once, once_metadata, _ = run({**judge, "repeats": 1})
        assert len(server.bodies) == 48
    assert again == metrics
    assert metrics["score,robust"] == 5.0
    assert metrics["judge_spread,robust"] == pytest.approx(1.0)
    assert all(outcome.judge_scores == [4.0, 5.0, 6.0] for outcome in outcomes)
    assert parse_signature(metadata["signature"]["robust"])["judge"] == "a+a+a"
    assert once["score,robust"] == 4.0
    assert math.isnan(once["judge_spread,robust"])
    assert "panel" not in parse_signature(once_metadata["signature"]["robust"])


def test_servers_are_asked_at_once_and_one_server_by_one_judge_at_a_time() -> None:
    """Each server turns requests away until the other has been asked: in turn, the first one would never reply."""
    asked = {"a": threading.Event(), "b": threading.Event()}

    def waits_for(own: str, other: str) -> Callable[[dict[str, Any], int], Step]:
        def behave(body: dict[str, Any], before: int) -> Step:
            asked[own].set()
            return says(5) if asked[other].is_set() else Step(status=503)

        return behave

    with JudgeServer(waits_for("a", "b")) as first, JudgeServer(waits_for("b", "a")) as second:
        judges = [
            {"model": "a", "base_url": first.url, "repeats": 2, "concurrency": 3},
            {"model": "b", "base_url": second.url, "concurrency": 3},
        ]
        metrics, _, _ = run({"panel": judges})
        assert max(first.at_once) <= 3
    assert metrics["score,robust"] == 5.0


def test_a_seed_is_another_for_each_repeat() -> None:
    with JudgeServer(steps(says(5))) as server:
        run({"model": "a", "base_url": server.url, "seed": 7, "repeats": 2})
        assert {body["seed"] for body in server.bodies} == {7, 8}


def test_below_the_quorum_a_question_has_no_score() -> None:
    def fails(body: dict[str, Any], before: int) -> Step:
        return Step(status=400, body={"error": {"code": "content_filter", "message": "no"}})

    with JudgeServer(steps(says(6))) as works, JudgeServer(fails) as filtered:
        panel = [{"model": "a", "base_url": works.url}, {"model": "b", "base_url": filtered.url}]
        both, _, _ = run({"panel": panel})
        one, _, _ = run({"panel": panel, "quorum": 1})
    for pipeline in ("official", "robust"):
        assert math.isnan(both[f"score,{pipeline}"])
        assert (both[f"judge_failed,{pipeline}"], both[f"coverage,{pipeline}"]) == (16, 0.0)
        assert (one[f"score,{pipeline}"], one[f"judge_failed,{pipeline}"]) == (6.0, 0)


def test_a_panel_marks_the_gaokao_too() -> None:
    with JudgeServer(lambda body, before: Step(text=f"【总分】{before}分")) as server:
        metrics, metadata, outcomes = run(
            {"model": "a", "base_url": server.url, "repeats": 3, "aggregate": "median"}, task="gaokao_sample"
        )
    marked = [outcome for outcome in outcomes if hasattr(outcome, "marks")]
    assert {outcome.points for outcome in marked} == {1.0}
    assert all(outcome.marks == [0.0, 1.0, 2.0] for outcome in marked)
    assert metrics["judge_failed,robust"] == 0
    assert parse_signature(metadata["signature"]["robust"])["panel"] == "median/2"


@pytest.mark.parametrize(("named", "reported"), [("a", "qwen-max"), ("qwen-max", "judge-2026")])
def test_the_candidates_family_is_told_by_its_name(named: str, reported: str) -> None:
    model = Recorder("好的。")
    model.pretrained = "Qwen/Qwen2.5-7B-Instruct"
    body = {"choices": [{"finish_reason": "stop", "message": {"content": "{'综合得分': 5}"}}], "model": reported}
    with JudgeServer(steps(Step(body=body))) as server:
        metrics, _, _ = run({"model": named, "base_url": server.url}, model)
    assert metrics["flag_same_family,robust"] == metrics["flag_same_family,official"] == 16


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"pretrained": "Qwen/Qwen3-8B"}, "Qwen/Qwen3-8B"),
        ({"model": "gpt-4"}, "gpt-4"),
        ({"model_args": {"model": "a/b"}}, "a/b"),
        ({"model": object(), "pretrained": None}, ""),
        ({}, ""),
    ],
)
def test_the_name_of_a_model(attributes: dict[str, Any], name: str) -> None:
    assert candidate_name(type("Model", (), attributes)()) == name


def test_no_model_has_no_name() -> None:
    assert candidate_name(None) == ""


def test_a_panel_may_name_its_judges_only() -> None:
    panel = panel_of({"panel": ["overlap", {"model": "overlap", "mode": "general"}]})
    assert [member.judge.describe()["model"] for member in panel.members] == ["overlap", "overlap"]
    assert (panel.rule.aggregate, panel.rule.quorum) == ("mean", 2)
    assert panel_of("overlap").rule.quorum == 1


def test_the_quorum_is_more_than_half_of_the_judges_recorded_teachers_among_them(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    path.write_text('{"id": "gaokao_sample/x/1", "correction_score": [1, 2, 3]}', encoding="utf-8")
    recorded = {"model": "recorded", "path": str(path)}
    assert panel_of(recorded).rule.quorum == 1
    assert panel_of({"panel": [recorded, "overlap"]}).rule.quorum == 3


def test_a_judge_stands_in_a_panel_once_in_each_way_of_asking() -> None:
    one = {"model": "a", "base_url": "http://localhost:1/v1"}
    for twins in (["overlap", "overlap"], [one, one], [one, {**one, "concurrency": 2}]):
        with pytest.raises(JudgeSettingsError, match="stands twice in it, asked in the same way"):
            panel_of({"panel": twins})
    assert len(panel_of({"panel": [one, {**one, "temperature": 0.5}, {**one, "mode": "general"}]}).members) == 3


def test_repeats_share_a_budget() -> None:
    with JudgeServer(steps(says(5))) as server:
        judge = {"model": "a", "base_url": server.url, "repeats": 3, "max_calls": 20, "quorum": 1}
        _, metadata, _ = run(judge)
        assert len(server.bodies) == 20
    (report,) = metadata["judge_report"]
    assert (report["repeats"], report["calls"]) == (3, 20)
    assert report["outcomes"] == {"ok": 20, "not_asked": 28}


def test_each_judges_way_of_asking_is_in_the_signature() -> None:
    modes = [["general", "general", "rule_calibrated"], ["general", "rule_calibrated", "general"]]
    with JudgeServer(steps(Step(text="[[5]]"))) as server:
        signatures = [
            parse_signature(
                run(
                    {
                        "panel": [
                            {"model": m, "base_url": server.url, "mode": mode}
                            for m, mode in zip("abc", of, strict=True)
                        ]
                    }
                )[1]["signature"]["robust"]
            )
            for of in modes
        ]
    assert [signature["mode"] for signature in signatures] == ["+".join(of) for of in modes]


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"panel": []}, "'panel': expected a list of judges"),
        ({"panel": "overlap"}, "'panel': expected a list of judges, got 'overlap'"),
        ({"panel": [3]}, "expected a name or an object, got int"),
        ({"panel": ["overlap"], "model": "a"}, "'model' beside 'panel'"),
        ({"panel": [{"model": "overlap", "quorum": 1}]}, "'quorum' of a judge in 'panel'"),
        ({"panel": [{"panel": ["overlap"]}]}, "'panel' of a judge in 'panel'"),
        ({"panel": ["overlap", {"model": "a", "modle": 1}]}, "'modle' is unknown"),
        ({"panel": [{"model": "overlap", "api_key": "sk-secret"}]}, "keys come from the environment"),
        ({"model": "overlap", "repeats": 0}, "'repeats': expected a whole number of at least 1, got 0"),
        ({"model": "overlap", "repeats": True}, "'repeats': expected a whole number"),
        ({"model": "overlap", "quorum": 1.5}, "'quorum': expected a whole number"),
        ({"model": "overlap", "aggregate": "max"}, "'aggregate': expected mean or median, got 'max'"),
        ({"model": "overlap", "aggregate": ["mean"]}, "'aggregate': expected mean or median"),
    ],
)
def test_settings_of_a_panel_that_can_not_be_used(judge: object, message: str) -> None:
    for read in (panel_of, check_panel):
        with pytest.raises(JudgeSettingsError, match=message) as raised:
            read(judge)
        assert "sk-secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"model": "overlap", "quorum": 2}, "'quorum': 2 scores are wanted, and the number of judges is 1"),
        ({"model": "overlap", "repeats": 2}, "'repeats': the judge 'overlap' says the same each time"),
    ],
)
def test_a_panel_that_could_never_score(judge: object, message: str) -> None:
    with pytest.raises(JudgeSettingsError, match=message):
        panel_of(judge)


@pytest.mark.parametrize(
    ("judge", "task", "message"),
    [
        ({"model": "overlap", "mode": "generall"}, TASK, "'mode': expected one of"),
        (
            {"model": "overlap", "mode": "general"},
            "gaokao_sample",
            "'mode': GAOKAO-Bench's judges are all asked in one way",
        ),
    ],
)
def test_a_way_of_asking_that_is_unknown_stops_the_run_before_generation(
    judge: object, task: str, message: str
) -> None:
    model = Recorder("好的。")
    with pytest.raises(JudgeSettingsError, match=message):
        run(judge, model, task)
    assert model.asked == []
