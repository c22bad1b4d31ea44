from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

from gaokao_tasks.docs import documents
from lm_eval_zh.answers import AnswersError, RecordedAnswers, match
from lm_eval_zh.recorded import RecordedReply
from lm_eval_zh.sources import SourceError

QUESTIONS = [
    {"id": "c/F/0", "question": "下列句子中，没有语病的一项是", "index": 0},
    {"id": "c/F/1", "question": "下列句子中，没有语病的一项是", "index": 1},
    {"id": "c/G/0", "question": "下列句子中，没有语病的一项是", "index": 0},
    {
        "id": "c/G/1",
        "question": "设集合 A 与集合 B 之和有 12 个元素，其中一半是偶数，那么至少有几个元素大于五？",
        "index": 1,
    },
]


def reply(text: str = "A", **known: Any) -> RecordedReply:
    return RecordedReply(text, "file: record 0", **known)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"id": "c/G/1"}, "c/G/1"),
        ({"question": " 设集合A与集合B之和有12个元素，\n其中一半是偶数，那么至少有几个元素大于五？"}, "c/G/1"),
        ({"question": QUESTIONS[0]["question"], "keyword": "F", "index": 1}, "c/F/1"),
        ({"question": QUESTIONS[0]["question"], "keyword": "G", "index": 0}, "c/G/0"),
        ({"question": QUESTIONS[0]["question"], "index": 1}, "c/F/1"),
        ({"question": QUESTIONS[3]["question"].replace("那么", ""), "index": 1}, "c/G/1"),
        ({"question": QUESTIONS[3]["question"].replace("那么", ""), "index": 0}, None),
        ({"question": QUESTIONS[3]["question"].replace("那么", "")}, None),
        ({"question": "另一道题", "index": 1}, None),
        ({"id": "c/G/7"}, None),
    ],
    ids=[
        "by_id",
        "by_text_white_space_aside",
        "same_text_file_and_index_decide",
        "same_text_other_file",
        "same_text_index_alone_decides",
        "corrected_since",
        "alike_but_other_index",
        "alike_but_no_index",
        "unknown_text",
        "unknown_id",
    ],
)
def test_which_question_a_reply_belongs_to(known: dict[str, Any], expected: str | None) -> None:
    matched, strays = match([reply(**known)], QUESTIONS)
    assert list(matched) == ([expected] if expected else [])
    assert len(strays) == (0 if expected else 1)


def test_a_text_that_several_questions_have_needs_more() -> None:
    with pytest.raises(AnswersError, match="several questions have this text"):
        match([reply(question=QUESTIONS[0]["question"], index=0)], QUESTIONS)


def test_the_same_reply_twice_is_one_reply_but_two_different_ones_are_refused() -> None:
    assert match([reply("A", id="c/F/0"), reply("A", id="c/F/0")], QUESTIONS)[0] == {"c/F/0": "A"}
    with pytest.raises(AnswersError, match="c/F/0 has two different replies: file: record 0 and file: record 0"):
        match([reply("A", id="c/F/0"), reply("B", id="c/F/0")], QUESTIONS)


def test_an_id_and_a_question_that_contradict_each_other_are_refused() -> None:
    corrected = QUESTIONS[3]["question"].replace("那么", "")
    assert match([reply(id="c/G/1", question=corrected)], QUESTIONS)[0] == {"c/G/1": "A"}
    with pytest.raises(
        AnswersError, match="file: record 0: id 'c/G/1' is not that of the question beside it, '另一道题"
    ):
        match([reply(id="c/G/1", question="另一道题")], QUESTIONS)


@pytest.fixture
def key() -> dict[str, str]:
    """The right reply to each sample question."""
    return {
        doc["id"]: "\n".join(f"【答案】{letters}" for letters in doc["answer"]) for doc in documents("gaokao_sample")
    }


def write_replies(path: Path, replies: dict[str, str]) -> Path:
    lines = (json.dumps({"id": id_, "reply": text}, ensure_ascii=False) for id_, text in replies.items())
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def evaluate(path: Path, task_manager: TaskManager, **settings: Any) -> dict[str, Any]:
    arguments = {"path": str(path), **settings.pop("model_args", {})}
    model = RecordedAnswers(**arguments)
    results = simple_evaluate(
        model=model, tasks=["gaokao_sample"], task_manager=task_manager, bootstrap_iters=0, **settings
    )
    assert results is not None
    return results


def test_a_question_without_reply_is_named(tmp_path: Path, key: dict[str, str], task_manager: TaskManager) -> None:
    left_out = list(key)[3]
    del key[left_out]
    with pytest.raises(AnswersError, match=f"1 questions have no recorded reply: {left_out}.*missing=skip"):
        evaluate(write_replies(tmp_path / "replies.jsonl", key), task_manager)


def test_a_reply_without_question_is_named(tmp_path: Path, key: dict[str, str], task_manager: TaskManager) -> None:
    path = write_replies(tmp_path / "replies.jsonl", {**key, "gaokao_sample/none/0": "A"})
    with pytest.raises(AnswersError, match=r"1 recorded replies belong to no question: .*replies\.jsonl: line 42"):
        evaluate(path, task_manager)


def test_replies_of_which_none_belongs_there_are_no_run(tmp_path: Path, task_manager: TaskManager) -> None:
    path = write_replies(tmp_path / "replies.jsonl", {"gaokao_sample/none/0": "A"})
    with pytest.raises(AnswersError, match="none of its 1 replies belongs to a question of these tasks"):
        evaluate(path, task_manager, model_args={"missing": "skip"})


def test_skipping_leaves_both_out_and_counts_them(
    tmp_path: Path, key: dict[str, str], task_manager: TaskManager
) -> None:
    left_out = next(doc for doc in documents("gaokao_sample") if doc["question_type"] == "single_choice")
    del key[left_out["id"]]
    path = write_replies(tmp_path / "replies.jsonl", {**key, "gaokao_sample/none/0": "A"})
    results = evaluate(path, task_manager, model_args={"missing": "skip"})
    metrics = results["results"]["gaokao_sample"]
    for pipeline in ("official", "robust"):
        assert metrics[f"reply_missing,{pipeline}"] == 1
        assert metrics[f"extraction_failed,{pipeline}"] == 0
        assert metrics[f"points_possible,{pipeline}"] == left_out["task_points"] - left_out["score"]
        assert metrics[f"coverage,{pipeline}"] == pytest.approx(1 - left_out["score"] / left_out["task_points"])
        assert metrics[f"scoring_rate_objective,{pipeline}"] == 1.0
    counts = results["config"]["answers"]
    assert (counts["questions"], counts["questions_without_reply"], counts["replies_without_question"]) == (41, 1, 1)


def test_a_limited_run_takes_no_reply_for_a_stray(
    tmp_path: Path, key: dict[str, str], task_manager: TaskManager
) -> None:
    results = evaluate(write_replies(tmp_path / "replies.jsonl", key), task_manager, limit=5)
    assert results["results"]["gaokao_sample"]["scoring_rate_objective,robust"] == 1.0
    assert results["results"]["gaokao_sample"]["coverage,robust"] < 0.5


def test_replaying_the_samples_of_a_run_gives_its_results(
    tmp_path: Path, key: dict[str, str], task_manager: TaskManager
) -> None:
    first, second = list(key)[:2]
    key[first], key[second] = "", "我不知道。"
    once = evaluate(write_replies(tmp_path / "replies.jsonl", key), task_manager, log_samples=True)
    logged = tmp_path / "samples_gaokao_sample.jsonl"
    samples = once["samples"]["gaokao_sample"]
    logged.write_text("".join(json.dumps(sample, default=str) + "\n" for sample in samples), encoding="utf-8")
    assert len(samples) == 2 * len(key)
    twice = evaluate(logged, task_manager)
    assert "replies:recorded" in twice["configs"]["gaokao_sample"]["metadata"]["signature"]["robust"]
    assert "temperature" not in twice["configs"]["gaokao_sample"]["metadata"]["signature"]["robust"]
    assert twice["results"] == once["results"]
    assert twice["results"]["gaokao_sample"]["extraction_failed,official"] == 2


def test_samples_of_a_run_with_predict_only_hold_no_reply_where_it_had_none(
    tmp_path: Path, key: dict[str, str], task_manager: TaskManager
) -> None:
    left_out, empty, *_ = key
    del key[left_out]
    key[empty] = ""
    recorded = write_replies(tmp_path / "replies.jsonl", key)
    predicted = evaluate(recorded, task_manager, model_args={"missing": "skip"}, log_samples=True, predict_only=True)
    tracker = EvaluationTracker(output_path=str(tmp_path / "results"))  # the harness's own writer: None becomes "None"
    tracker.save_results_aggregated({}, predicted["samples"])
    tracker.save_results_samples("gaokao_sample", predicted["samples"]["gaokao_sample"])
    (logged,) = tmp_path.rglob("samples_gaokao_sample_*.jsonl")
    assert "reply_missing" not in logged.read_text(encoding="utf-8")
    with pytest.raises(AnswersError, match=f"1 questions have no recorded reply: {left_out}"):
        evaluate(logged.parent, task_manager)
    results = evaluate(logged.parent, task_manager, model_args={"missing": "skip"})["results"]
    assert results == evaluate(recorded, task_manager, model_args={"missing": "skip"})["results"]
    assert results["gaokao_sample"]["reply_missing,official"] == 1
    assert results["gaokao_sample"]["extraction_failed,official"] == 1


def test_a_cache_of_the_harness_is_refused(tmp_path: Path, key: dict[str, str], task_manager: TaskManager) -> None:
    """Its files hold texts: where greedy replies are asked for, it would give one question's reply to its twin."""
    with pytest.raises(AnswersError, match="run it without --use_cache"):
        evaluate(write_replies(tmp_path / "replies.jsonl", key), task_manager, use_cache=str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("~nosuchuser/replies.jsonl", r"path=~nosuchuser/replies\.jsonl: no home folder"),
        ("a\0b.jsonl", "no path"),
        ("x" * 300, "File name too long"),
    ],
    ids=["home_of_nobody", "null_character", "name_too_long"],
)
def test_paths_that_cannot_be(path: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        RecordedAnswers(path=path)


def test_a_chat_template_changes_nothing(tmp_path: Path, key: dict[str, str], task_manager: TaskManager) -> None:
    results = evaluate(
        write_replies(tmp_path / "replies.jsonl", key),
        task_manager,
        apply_chat_template=True,
        system_instruction="请认真作答。",
    )
    assert results["results"]["gaokao_sample"]["scoring_rate_objective,official"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({}, "path=FILE_OR_FOLDER"), ({"path": "x", "missing": "ignore"}, "missing=ignore: expected error or skip")],
)
def test_bad_arguments(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(AnswersError, match=message):
        RecordedAnswers(**arguments)


def test_likelihoods_are_not_to_be_had(tmp_path: Path, key: dict[str, str]) -> None:
    model = RecordedAnswers(path=write_replies(tmp_path / "replies.jsonl", key))
    with pytest.raises(NotImplementedError, match="replies only"):
        model.loglikelihood([])
