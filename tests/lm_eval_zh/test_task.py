from __future__ import annotations

import math
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from recorder import Recorder
from zh_metrics.signature import parse_signature

from gaokao_tasks.docs import documents
from lm_eval_zh.replies import MissingReply
from lm_eval_zh.task import ChineseTask


def evaluate(model: LM, task_manager: TaskManager, **settings: Any) -> dict[str, Any]:
    results = simple_evaluate(
        model=model, tasks=["gaokao_sample"], task_manager=task_manager, bootstrap_iters=0, **settings
    )
    assert results is not None
    return results


def signatures(results: dict[str, Any]) -> dict[str, dict[str, str]]:
    made = results["configs"]["gaokao_sample"]["metadata"]["signature"]
    return {pipeline: parse_signature(text) for pipeline, text in made.items()}


def test_prompt_and_question_reach_the_model_as_upstream_sends_them(task_manager: TaskManager) -> None:
    plain, chat = Recorder(), Recorder()
    evaluate(plain, task_manager, limit=14)
    evaluate(chat, task_manager, limit=14, apply_chat_template=True, system_instruction="认真。")
    assert len(plain.asked) == 14
    for request, with_template in zip(plain.asked, chat.asked, strict=True):
        doc = request.doc
        assert request.args[0] == doc["prompt"] + doc["question"]
        assert with_template.args[0].startswith("<system>认真。")
        assert with_template.args[0].endswith(f"{doc['prompt']}<user>{doc['question']}")
        assert request.args[1] == {"do_sample": True, "temperature": 0.3, "max_gen_toks": 4096, "until": []}


@pytest.mark.parametrize("temperature", [0, 0.0, "0"])
def test_a_temperature_of_zero_turns_sampling_off(task_manager: TaskManager, temperature: Any) -> None:
    model = Recorder()
    results = evaluate(model, task_manager, limit=1, gen_kwargs={"temperature": temperature})
    assert model.asked[0].args[1]["do_sample"] is False
    assert signatures(results)["official"]["sample"] == "no"


def test_parts_without_documents_are_nan_and_coverage_says_how_much_was_asked(task_manager: TaskManager) -> None:
    metrics = evaluate(Recorder(), task_manager, limit=3)["results"]["gaokao_sample"]
    values = {
        name.split(",")[0]: value for name, value in metrics.items() if name.endswith(",robust") and value != "N/A"
    }
    parts = {
        name: value for name, value in values.items() if name.startswith("scoring_rate_") and "answered" not in name
    }
    assert len(parts) == 51  # two kinds, ten subjects and mathematics as one for each, 27 files
    assert sum(1 for value in parts.values() if not math.isnan(value)) == 7
    assert 0 < values["coverage"] < 0.5
    assert values["points_possible"] < 250


def test_the_whole_sample_has_every_part(task_manager: TaskManager) -> None:
    metrics = evaluate(Recorder(), task_manager)["results"]["gaokao_sample"]
    assert not [name for name, value in metrics.items() if isinstance(value, float) and math.isnan(value)]
    assert 0 <= metrics["total_sciences,official"] <= 750
    assert metrics["coverage,official"] == metrics["coverage,robust"] == 1.0


@pytest.mark.parametrize("reply", ["", "无", None])
@pytest.mark.parametrize("pipeline", ["official", "robust"])
def test_failures_are_counted(task_manager: TaskManager, reply: str | None, pipeline: str) -> None:
    metrics = evaluate(Recorder(reply), task_manager)["results"]["gaokao_sample"]
    docs = [doc for doc in documents("gaokao_sample") if not doc["marking_prompt"]]
    assert metrics[f"extraction_failed,{pipeline}"] == len(docs)
    assert metrics[f"blanks_unanswered,{pipeline}"] == sum(len(doc["answer"]) for doc in docs)
    assert metrics[f"scoring_rate_objective,{pipeline}"] == 0.0


def test_predict_only_keeps_replies_and_scores_nothing(task_manager: TaskManager) -> None:
    results = evaluate(Recorder(), task_manager, limit=2, predict_only=True)
    assert results["results"]["gaokao_sample"]["bypass,official"] == 999
    assert results["samples"]["gaokao_sample"][0]["resps"] == [["【答案】A"]]


def test_each_pipeline_has_a_signature(task_manager: TaskManager) -> None:
    made = signatures(evaluate(Recorder(), task_manager, limit=1))
    assert set(made) == {"official", "robust"}
    assert made["official"]["pipeline"] == "official"
    assert {**made["official"], "pipeline": "robust"} == made["robust"]
    assert made["official"]["task"] == "gaokao_sample"
    assert made["official"]["version"] == "1.1"
    for field in (
        "data",
        "prompt",
        "subset",
        "replies",
        "temperature",
        "max_tokens",
        "stop",
        "chat",
        "system",
        "lm_eval",
        "lm_eval_zh",
    ):
        assert made["official"][field]


@pytest.mark.parametrize(
    ("settings", "changed"),
    [
        ({"apply_chat_template": True}, {"chat"}),
        ({"system_instruction": "认真。"}, {"system"}),
        ({"gen_kwargs": {"temperature": 0.7}}, {"temperature"}),
        ({"gen_kwargs": {"max_gen_toks": 64}}, {"max_tokens"}),
        ({"gen_kwargs": {"until": ["<eoa>"]}}, {"stop"}),
        ({"gen_kwargs": {"temperature": 0}}, {"temperature", "sample"}),
        ({"gen_kwargs": {"top_p": 0.5}}, {"generation"}),
        ({"limit": 2}, {"subset"}),
        ({"limit": None, "samples": {"gaokao_sample": [3]}}, {"subset"}),
    ],
)
def test_what_affects_the_score_shows_in_the_signature(
    task_manager: TaskManager, settings: dict[str, Any], changed: set[str]
) -> None:
    plain = signatures(evaluate(Recorder(), task_manager, limit=1))["official"]
    other = signatures(evaluate(Recorder(), task_manager, **{"limit": 1, **settings}))["official"]
    assert {name for name in plain if plain[name] != other[name]} == changed


def test_metadata_does_not_change_the_questions(task_manager: TaskManager) -> None:
    model = Recorder()
    evaluate(model, TaskManager(metadata={"subject": "physics", "collection": "gaokao_obj"}))
    assert {request.doc["id"].split("/")[0] for request in model.asked} == {"gaokao_sample"}
    assert len(model.asked) == len(documents("gaokao_sample"))


def test_a_setting_no_signature_can_hold_stops_the_run_before_generation() -> None:
    model = Recorder()
    with pytest.raises(ValueError, match="version"):
        evaluate(model, TaskManager(metadata={"version": "1|2"}), limit=1)
    assert model.asked == []


def test_requests_are_built_anew_for_other_settings(task_manager: TaskManager) -> None:
    warm, cold = Recorder(), Recorder()
    evaluate(warm, task_manager, limit=1, cache_requests=True, gen_kwargs={"temperature": 0.7})
    evaluate(cold, task_manager, limit=1, cache_requests=True, gen_kwargs={"temperature": 0})
    assert cold.asked[0].args[1]["do_sample"] is False


def test_runs_do_not_leave_anything_to_the_next(task_manager: TaskManager) -> None:
    first = evaluate(Recorder(), task_manager)["results"]
    evaluate(Recorder("【答案】B"), task_manager, gen_kwargs={"temperature": 0}, limit=2)
    again = evaluate(Recorder(), task_manager)
    assert again["results"] == first
    assert signatures(again)["official"]["temperature"] == "0.3"


def test_a_missing_reply_is_an_empty_text_of_its_own_type() -> None:
    assert MissingReply() == ""
    assert not isinstance("", MissingReply)


def test_the_task_is_one_of_the_harness(task_manager: TaskManager) -> None:
    task = task_manager.load(["gaokao_sample"])["tasks"]["gaokao_sample"]
    assert isinstance(task, ChineseTask)
    assert task.VERSION == 1.1
    assert task.higher_is_better()["scoring_rate_physics_objective"] is True
    assert task.higher_is_better()["extraction_failed"] is False
