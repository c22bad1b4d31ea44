"""A judged task in the harness, with a real local server as its judge."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Step, completion, steps
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval.utils import handle_non_serializable
from recorder import Recorder
from zh_metrics.judge import Answer, JudgeRequest, JudgeSettingsError, Status
from zh_metrics.signature import parse_signature

from gaokao_tasks.docs import documents
from gaokao_tasks.teacher import Teacher
from lm_eval_zh.differences import differences
from lm_eval_zh.estimate import estimated_tokens, estimates
from lm_eval_zh.judges import judges_of
from lm_eval_zh.matching import AnswersError
from lm_eval_zh.run_metadata import check_metadata
from lm_eval_zh.sources import SourceError

ROOT = Path(__file__).parents[2]
KEY = "sk-test-0123456789"
SUBJECTIVE = 13  # questions of the sample that a judge marks


@pytest.fixture(autouse=True)
def _own_cache_and_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZH_JUDGE_API_KEY", KEY)


def run(judge: object, task: str = "gaokao_sample", model: LM | None = None, **settings: Any) -> dict[str, Any]:
    metadata = {} if judge is None else {"judge": judge}
    manager = TaskManager(include_defaults=False, include_path=str(ROOT / "gaokao_tasks"), metadata=metadata)
    results = simple_evaluate(
        model=model or Recorder(), tasks=[task], task_manager=manager, bootstrap_iters=0, **settings
    )
    assert results is not None
    return results


def serve(behave: Callable[[dict[str, Any], int], Step], **judge: Any) -> tuple[dict[str, Any], JudgeServer]:
    with JudgeServer(behave) as server:
        results = run({"model": "judge", "base_url": server.url, **judge})
    return results, server


def test_marks_of_a_real_server_become_points(tmp_path: Path) -> None:
    results, server = serve(steps(Step(text="【判分理由】略【得分】1分\n【总分】1分")))
    metrics = results["results"]["gaokao_sample"]
    assert len(server.bodies) == SUBJECTIVE
    assert server.keys == {f"Bearer {KEY}"}
    for pipeline in ("official", "robust"):
        assert metrics[f"judge_failed,{pipeline}"] == 0
        assert metrics[f"coverage,{pipeline}"] == metrics[f"total_sciences_coverage,{pipeline}"] == 1.0
        assert metrics[f"scoring_rate_biology_subjective,{pipeline}"] == pytest.approx(1 / 6)
        assert 0 < metrics[f"total_sciences,{pipeline}"] < 750
    metadata = results["configs"]["gaokao_sample"]["metadata"]
    (report,) = metadata["judge_report"]
    assert report["reported_models"] == {"judge-2026-01-01": SUBJECTIVE}
    assert (report["outcomes"], report["calls"]) == ({"ok": SUBJECTIVE}, SUBJECTIVE)
    assert (report["prompt_tokens"], report["completion_tokens"]) == (100 * SUBJECTIVE, 10 * SUBJECTIVE)
    assert 0 <= report["latency_median"] <= report["latency_p95"]
    sample = next(
        sample
        for sample in results["samples"]["gaokao_sample"]
        if sample["doc"]["question_type"] == "cloze" and sample["filter"] == "robust"
    )
    marks, points, status, judgments = sample["filtered_resps"][0]
    assert (marks, points, status) == ([1.0], 1.0, "ok")
    assert judgments == [["ok", "", [["judge-2026-01-01", "【判分理由】略【得分】1分\n【总分】1分"]]]]
    assert sample["resps"] == [["【答案】A"]]
    everything = json.dumps(results, default=handle_non_serializable, ensure_ascii=False)
    kept = "".join(
        path.read_text(encoding="utf-8") for path in (tmp_path / "cache" / "judge").rglob("*") if path.is_file()
    )
    assert KEY not in everything + kept


def test_written_samples_hold_the_judges_words(tmp_path: Path) -> None:
    results, _ = serve(steps(Step(text="【总分】1分，但满分为5分，最终得分为0.5分")))
    tracker = EvaluationTracker(output_path=str(tmp_path / "results"))  # the harness's own writer
    tracker.save_results_aggregated({}, results["samples"])
    tracker.save_results_samples("gaokao_sample", results["samples"]["gaokao_sample"])
    (logged,) = tmp_path.rglob("samples_gaokao_sample_*.jsonl")
    found, compared = differences(logged)
    assert compared == 41
    marked = [difference for difference in found if difference.target.startswith("of ")]
    assert len(marked) == SUBJECTIVE
    assert {(d.official, d.robust, d.judgment) for d in marked} == {
        ("1.0 (1.0 points)", "0.5 (0.5 points)", "【总分】1分，但满分为5分，最终得分为0.5分")
    }


def test_a_second_run_asks_nobody() -> None:
    with JudgeServer(steps(Step(text="【总分】1分"))) as server:
        first = run({"model": "judge", "base_url": server.url})
        again = run({"model": "judge", "base_url": server.url, "concurrency": 2})
        assert len(server.bodies) == SUBJECTIVE
        assert again["results"] == first["results"]


def test_failures_are_counted_by_reason_and_scored_by_nobody() -> None:
    def behave(body: dict[str, Any], before: int) -> Step:
        if "豌豆" in str(body) or "锡箔" in str(body):  # biology
            return Step(status=400, body={"error": {"code": "content_filter", "message": "no"}})
        if "等差数列" in str(body):  # mathematics of the sciences
            return Step(text="写得很好。")
        return Step(text="【总分】1分")

    results, server = serve(behave)
    metrics = results["results"]["gaokao_sample"]
    for pipeline in ("official", "robust"):
        assert metrics[f"judge_failed,{pipeline}"] == 2
        assert math.isnan(metrics[f"scoring_rate_biology_subjective,{pipeline}"])
        assert math.isnan(metrics[f"total_sciences,{pipeline}"])
        assert metrics[f"total_sciences_coverage,{pipeline}"] < 1
        assert metrics[f"total_humanities,{pipeline}"] > 0
        assert metrics[f"points_possible,{pipeline}"] < metrics["points_possible,official"] + 1
    assert len(server.bodies) == SUBJECTIVE + 2  # the unread reply was asked for three times
    (report,) = results["configs"]["gaokao_sample"]["metadata"]["judge_report"]
    assert report["outcomes"] == {"ok": SUBJECTIVE - 2, "filtered": 1, "unparsed": 1}
    assert report["failures"] == {"content_filter": 1, "no reply could be read": 1}


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"judges": {"model": "m"}}, "'judges' is no setting: did you mean 'judge'"),
        ({"cg_eval_reference": "refs.csv"}, "did you mean 'cg_eval_references'"),
        ({"marking_criterion": "x.csv"}, "did you mean 'marking_criteria'"),
        ({"base_url": "http://x"}, "'base_url' belongs into the setting 'judge'"),
        ({"similarity": "off"}, "'similarity' belongs into the setting 'gscore'"),
    ],
)
def test_a_misspelt_setting_stops_the_run_before_generation(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_metadata({"version": 1.1, "judge": "overlap", **metadata})


def test_settings_of_others_are_let_through() -> None:
    check_metadata({"version": 1.1, "max_seq_lengths": [4096], "tokenizer": "t", "pretrained": "m", "model": "x"})


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({}, r"13 of 13 replies are without its judgment: connection \(13\)\. "),
        (
            {"max_calls": 2, "max_retries": 3},
            r": max_calls reached \(\d+\).*; of its calls failed: connection \(2\)\. ",
        ),
    ],
)
def test_a_judge_that_nobody_reaches_is_an_error_in_the_log(
    limits: dict[str, Any], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    with JudgeServer(steps(Step())) as server:
        address = server.url
    run({"model": "judge", "base_url": address, "max_retries": 0} | limits)
    (record,) = (record for record in caplog.records if "without its judgment" in record.getMessage())
    assert record.levelname == "ERROR"
    assert record.getMessage().startswith(f"judge judge at {address}: ")
    assert re.search(why, record.getMessage())
    assert "lm-eval-zh rescore --judge" in record.getMessage()


def test_without_a_judge_nothing_is_generated(mirror: Path) -> None:
    model = Recorder()
    with pytest.raises(JudgeSettingsError) as raised:
        run(None, "gaokao_subj", model)
    assert model.asked == []
    for way_out in ("--metadata", "ZH_JUDGE_MODEL", "ZH_JUDGE_API_KEY", "overlap", "--predict_only"):
        assert way_out in str(raised.value)


def test_predict_only_needs_no_judge_and_asks_none(mirror: Path) -> None:
    results = run(None, "gaokao_subj", limit=3, predict_only=True)
    assert len(results["samples"]["gaokao_subj"]) == 6
    with JudgeServer(steps(Step(text="【总分】1分"))) as server:
        run({"model": "judge", "base_url": server.url}, predict_only=True)
        assert server.bodies == []


def test_the_environment_names_a_judge(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with JudgeServer(steps(Step(text="【总分】1分"))) as server:
        monkeypatch.setenv("ZH_JUDGE_MODEL", "from-environment")
        monkeypatch.setenv("ZH_JUDGE_BASE_URL", server.url)
        results = run(None, "gaokao_subj_chemistry", limit=2)
        assert {body["model"] for body in server.bodies} == {"from-environment"}
    signature = results["configs"]["gaokao_subj_chemistry"]["metadata"]["signature"]["official"]
    assert parse_signature(signature)["judge"] == "from-environment"


@pytest.mark.parametrize(
    "judge",
    [
        {"model": "judge", "api_key": KEY},
        {"model": "judge", "modle": 1},
        7,
        [KEY],
        {"model": "recorded"},
        {"model": "recorded", "path": "x", "api_key": KEY},
        {"model": "overlap", "api_key": KEY},
        {"model": "overlap", "modle": 1},
        {"model": "judge", "base_url": "http://localhost:1/v1#" + KEY},
    ],
)
def test_settings_that_can_not_be_used_stop_the_run_before_generation(judge: object) -> None:
    model = Recorder()
    with pytest.raises(JudgeSettingsError) as raised:
        run(judge, model=model)
    assert model.asked == []
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    "judge", [{"api_key": KEY}, {"model": "overlap", "api_key": KEY}, {"extra_body": {"api_key": KEY}}]
)
def test_a_key_in_the_settings_is_refused_where_nobody_is_asked_too(judge: object, mirror: Path) -> None:
    for task, only_predict in (("gaokao_sample", True), ("gaokao_obj_physics", False)):
        model = Recorder()
        with pytest.raises(JudgeSettingsError) as raised:
            run(judge, task, model, predict_only=only_predict, limit=1)
        assert model.asked == []
        assert KEY not in str(raised.value)


def test_an_environment_that_allows_no_judge_stops_the_run_before_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such.pem")
    model = Recorder()
    with pytest.raises(JudgeSettingsError, match="SSL_CERT_FILE"):
        run({"model": "judge", "base_url": "http://localhost:1/v1"}, model=model)
    monkeypatch.delenv("SSL_CERT_FILE")
    monkeypatch.setenv("ZH_JUDGE_MODEL", "recorded")
    with pytest.raises(JudgeSettingsError, match="ZH_JUDGE_MODEL"):
        run({}, model=model)
    assert model.asked == []


def test_a_lone_surrogate_of_the_judge_loses_no_sample(tmp_path: Path) -> None:
    body = completion("【总分】1分\ud800", model="judge\udfff")
    results, _ = serve(steps(Step(body=body)))
    tracker = EvaluationTracker(output_path=str(tmp_path / "results"))
    tracker.save_results_aggregated(results, results["samples"])
    tracker.save_results_samples("gaokao_sample", results["samples"]["gaokao_sample"])
    (logged,) = tmp_path.rglob("samples_gaokao_sample_*.jsonl")
    (written,) = tmp_path.rglob("results_*.json")
    assert "【总分】1分?" in logged.read_text(encoding="utf-8")
    assert "judge?" in written.read_text(encoding="utf-8")


def test_the_first_process_alone_asks_under_torchrun(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness takes the results of that process too: the others get none from it."""
    monkeypatch.setenv("LOCAL_RANK", "1")
    with JudgeServer(steps(Step(text="【总分】1分"))) as server:
        manager = TaskManager(
            include_defaults=False,
            include_path=str(ROOT / "gaokao_tasks"),
            metadata={"judge": {"model": "judge", "base_url": server.url}},
        )
        model = Recorder()
        assert simple_evaluate(model=model, tasks=["gaokao_sample"], task_manager=manager, bootstrap_iters=0) is None
        assert len(model.asked) > SUBJECTIVE
        assert server.bodies == []


def test_the_overlap_judge_is_named_in_every_output() -> None:
    results = run(None)
    metadata = results["configs"]["gaokao_sample"]["metadata"]
    assert parse_signature(metadata["signature"]["robust"])["judge"] == "overlap"
    assert metadata["judge_report"][0]["model"] == "overlap"
    sample = next(s for s in results["samples"]["gaokao_sample"] if s["doc"]["question_type"] == "cloze")
    assert sample["filtered_resps"][0][3][0][2][0][0] == "overlap"
    assert results["results"]["gaokao_sample"]["judge_failed,robust"] == 0


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ({"model": "other"}, {"judge", "judge_settings"}),
        ({"temperature": 0.5}, {"judge_settings"}),
        ({"samples": 1}, {"judge_settings"}),
        ({"extra_body": {"top_p": 0.5}}, {"judge_settings"}),
        ({"concurrency": 1, "timeout": 5, "max_retries": 0}, set()),
    ],
)
def test_what_can_move_a_mark_is_in_the_signature(change: dict[str, Any], changed: set[str]) -> None:
    with JudgeServer(steps(Step(text="【总分】1分"))) as server:
        plain, other = (
            parse_signature(run(judge)["configs"]["gaokao_sample"]["metadata"]["signature"]["official"])
            for judge in (
                {"model": "judge", "base_url": server.url},
                {"model": "judge", "base_url": server.url, **change},
            )
        )
    assert {name for name in plain if plain[name] != other[name]} == changed


def test_judges_of_recorded_marks(tmp_path: Path) -> None:
    doc = next(doc for doc in documents("gaokao_sample") if doc["question_type"] == "cloze")
    path = tmp_path / "marks.jsonl"
    path.write_text(json.dumps({"id": doc["id"], "correction_score": [1, 2.5, None]}), encoding="utf-8")
    judges = judges_of({"model": "recorded", "path": str(path)})
    assert [judge.describe()["model"] for judge in judges] == [f"recorded teacher {n}" for n in (1, 2, 3)]
    (named, *_) = judges_of({"model": "recorded", "path": str(path), "name": "school"})
    assert named.describe()["model"] == "recorded school 1"
    results = run({"model": "recorded", "path": str(path)})
    sample = next(
        s for s in results["samples"]["gaokao_sample"] if s["doc"]["id"] == doc["id"] and s["filter"] == "official"
    )
    assert sample["filtered_resps"][0][:3] == ([1.0, 2.5], 1.75, "ok")
    assert results["results"]["gaokao_sample"]["judge_failed,official"] == SUBJECTIVE - 1


@pytest.mark.parametrize(
    "records",
    [
        [{"id": "q", "correction_score": [1]}, {"id": "q", "correction_score": [2]}],
        [{"id": "q", "model_correction": "【总分】1分"}, {"id": "q", "model_correction": "【总分】2分"}],
    ],
)
def test_recorded_judgments_that_contradict_each_other_are_found_before_generation(
    tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    path = tmp_path / "marks.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    with pytest.raises(AnswersError, match=r"marks\.jsonl: line 1 and .*line 2"):
        judges_of({"model": "recorded", "path": str(path)})
    by_place = [{**record, "index": 3, "question": f"{n}"} for n, record in enumerate(records)]
    for record in by_place:
        record.pop("id")
    path = tmp_path / "marks.json"
    path.write_text(json.dumps({"keyword": "file", "example": by_place}), encoding="utf-8")
    with pytest.raises(AnswersError, match="file/3 has two"):
        judges_of({"model": "recorded", "path": str(path)})


@pytest.mark.parametrize("marks", [[], [math.inf], [math.nan], [-1], ["3"]])
def test_marks_that_are_none_are_refused_on_reading(tmp_path: Path, marks: list[object]) -> None:
    path = tmp_path / "marks.jsonl"
    path.write_text(json.dumps({"id": "q", "correction_score": marks}), encoding="utf-8")
    with pytest.raises(SourceError, match=r"line 1: field 'correction_score': expected .*marks?"):
        judges_of({"model": "recorded", "path": str(path)})


def test_a_recorded_judgment_that_can_not_be_read_has_a_reason(tmp_path: Path) -> None:
    id_ = next(doc["id"] for doc in documents("gaokao_sample") if doc["question_type"] == "cloze")
    path = tmp_path / "words.jsonl"
    path.write_text(json.dumps({"id": id_, "model_correction": "写得很好"}), encoding="utf-8")
    (judge,) = judges_of({"model": "recorded", "path": str(path)})
    (judgment,) = judge.judge([JudgeRequest.of_texts("", "", lambda _: False, Answer(id_, "", "", 5.0, str))])
    assert (judgment.status, judgment.reason) == (Status.UNPARSED, "no reply could be read")


def test_marking_criteria_are_checked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "criteria.jsonl"
    records = [{"id": "gaokao_sample/none", "marking_criterion": text} for text in ("一", "二")]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    with pytest.raises(AnswersError, match=r"line 1 and .*line 2"):
        Teacher({"marking_criteria": str(path)}, "gaokao_sample")
    path.write_text(json.dumps(records[0]), encoding="utf-8")
    teacher = Teacher({"marking_criteria": str(path)}, "gaokao_sample")
    doc = next(doc for doc in documents("gaokao_sample") if doc["question_type"] == "cloze")
    for _ in range(2):
        teacher.request(doc, "答")
    assert [record.message for record in caplog.records if "1 of 1 fit no question" in record.message] != []


def test_estimates_count_what_a_run_asks() -> None:
    (estimate,) = estimates(["gaokao_sample"], 600, 400)
    assert (estimate.replies, estimate.most_calls) == (SUBJECTIVE, 3 * SUBJECTIVE)
    assert estimate.completion_tokens == 400 * SUBJECTIVE
    (longer,) = estimates(["gaokao_sample"], 1600, 400)
    assert longer.prompt_tokens - estimate.prompt_tokens == 1000 * SUBJECTIVE
    assert estimate.cost((10.0, 30.0)) == pytest.approx((estimate.prompt_tokens * 10 + 5200 * 30) / 1e6)
    assert estimate.cost() is None
    (priced,) = estimates(["gaokao_sample"], 600, 400, judge={"model": "m", "price_prompt": 1, "price_completion": 2})
    assert priced.cost() == pytest.approx((priced.prompt_tokens + 5200 * 2) / 1e6)
    with pytest.raises(JudgeSettingsError, match="'quorum': 3 scores are wanted"):
        estimates(["gaokao_sample"], 600, 400, judge={"panel": [{"model": "a"}, {"model": "b"}], "quorum": 3})
    assert estimated_tokens("北京 ABCD") == 2 + 2


@pytest.mark.parametrize(
    ("tasks", "message"), [([], "no task given"), (["no_such_task"], "'no_such_task' is no task of lm-eval-zh")]
)
def test_estimates_of_unknown_tasks(tasks: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        estimates(tasks, 1, 1)


def test_a_tag_stands_for_its_tasks(mirror: Path) -> None:
    found = estimates(["gaokao_subj_subjects"], 1, 1)
    assert len(found) == 10
    assert sum(estimate.replies for estimate in found) == 1030


def test_an_objective_task_needs_no_judge(mirror: Path) -> None:
    with pytest.raises(ValueError, match="nothing in it is judged"):
        estimates(["gaokao_obj_physics"], 1, 1)
