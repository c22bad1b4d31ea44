"""CG-Eval in the harness: with and without references, with and without an encoder."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from recorder import Recorder
from small_encoder import encoder_folder
from zh_metrics.gscore import EncoderError, GscoreSettingsError, gscore
from zh_metrics.signature import parse_signature

from cg_eval_tasks.docs import documents
from cg_eval_tasks.questions import questions_file
from lm_eval_zh.answers import RecordedAnswers
from lm_eval_zh.csv_files import read_csv
from lm_eval_zh.sources import SourceError

ROOT = Path(__file__).parents[2]


def run(task: str, model: Any, metadata: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    manager = TaskManager(include_defaults=False, include_path=str(ROOT / "cg_eval_tasks"), metadata=metadata or {})
    results = simple_evaluate(model=model, tasks=[task], task_manager=manager, bootstrap_iters=0, **settings)
    assert results is not None
    return results


def metrics_of(results: dict[str, Any], pipeline: str = "robust") -> dict[str, Any]:
    (metrics,) = results["results"].values()
    return {
        name.partition(",")[0]: value
        for name, value in metrics.items()
        if name.endswith(f",{pipeline}") and "_stderr" not in name
    }


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))


class Sample(Recorder):
    """A model that knows the sample's references, behind some thinking if it is told to."""

    def __init__(self, thinking: str = "") -> None:
        super().__init__()
        self.thinking = thinking
        self.rows = {row["题目prompt"]: row for _, row in read_csv(questions_file("cg_eval_sample"))}

    def generate_until(self, requests: list[Any]) -> list[str]:
        self.asked = requests
        return [self.thinking + self.answer(self.rows[request.doc["question"]]) for request in requests]

    @staticmethod
    def answer(row: dict[str, str]) -> str:
        if row["题目类型"] in ("应用题", "计算求解"):
            return f"{row['解题过程']}\n最终答案：{row['参考答案']}"
        return row["参考答案"]


def test_the_references_themselves_score_1() -> None:
    metadata = {"gscore": {"encoder": str(encoder_folder()), "device": "cpu"}}
    results = run("cg_eval_sample", Sample(), metadata)
    for pipeline in ("official", "robust"):
        metrics = metrics_of(results, pipeline)
        for name, value in metrics.items():
            failures = ("extraction_failed", "reference_missing", "reply_empty", "reply_missing")
            assert value == pytest.approx(0 if name in failures else 1), (name, pipeline)
        assert {"gscore", "gscore_math", "gscore_civil_law", "similarity", "format_ok", "length_ratio"} <= set(metrics)
    told = results["configs"]["cg_eval_sample"]["metadata"]
    assert told["references"]["with_reference"] == told["references"]["needed"] == 27  # three are arithmetic
    fields = parse_signature(told["signature"]["official"])
    assert fields["encoder"].startswith("model@")
    assert fields["weights"] == "0.2,0.25,0.25,0.3"
    assert fields["formulas"].startswith("math-verify ")
    assert fields["references"] == told["references"]["digest"]


def test_thinking_is_scored_by_the_official_pipeline_only() -> None:
    results = run("cg_eval_sample", Sample("<think>想一想。</think>"))
    official, robust = metrics_of(results, "official"), metrics_of(results, "robust")
    assert robust["chrf"] == robust["arithmetic_acc"] == robust["format_ok"] == pytest.approx(1)
    assert official["chrf"] < 0.95
    assert official["arithmetic_acc"] == 0


def test_similarity_off_gives_three_parts_and_no_gscore() -> None:
    metrics = metrics_of(run("cg_eval_sample", Sample()))
    assert not [name for name in metrics if name.startswith("gscore") or name == "similarity"]
    assert metrics["bleu4"] == metrics["rouge2"] == metrics["chrf"] == metrics["calculation_acc"] == pytest.approx(1)
    assert metrics["coverage"] == pytest.approx(1 / 3)  # calculations have a score all the same


def test_the_metric_is_that_of_zh_metrics() -> None:
    folder = str(encoder_folder())
    results = run("cg_eval_sample", Recorder("物体的性质"), {"gscore": {"encoder": folder, "device": "cpu"}}, limit=6)
    docs = [sample["doc"] for sample in results["samples"]["cg_eval_sample"] if sample["filter"] == "robust"]
    references = {row["题目prompt"]: row["参考答案"] for _, row in read_csv(questions_file("cg_eval_sample"))}
    asked = [references[doc["question"]] for doc in docs if doc["category"] != "math"]
    expected = gscore(["物体的性质"] * len(asked), asked, encoder=folder, device="cpu")
    metrics = metrics_of(results)
    for name in ("bleu4", "rouge2", "chrf", "similarity"):
        assert metrics[name] == pytest.approx(getattr(expected.parts, name), abs=1e-6)
    assert metrics["gscore"] == pytest.approx(sum(pair.gscore or 0 for pair in expected.pairs) / 6, abs=1e-6)


@pytest.mark.parametrize("reply", ["", " \n", None])
def test_empty_replies_score_0_and_are_counted(reply: str | None) -> None:
    metrics = metrics_of(run("cg_eval_sample", Recorder(reply)))
    assert metrics["reply_empty"] == 30
    assert metrics["bleu4"] == metrics["chrf"] == metrics["calculation_acc"] == 0
    assert metrics["extraction_failed"] == 0  # there was nothing to extract from


def test_predict_only_needs_no_encoder() -> None:
    metadata = {"gscore": {"encoder": "no-owner/no-such-model"}}
    results = run("cg_eval_sample", Recorder(), metadata, limit=2, predict_only=True)
    assert results["results"]["cg_eval_sample"]["bypass,official"] == 999


@pytest.mark.parametrize(
    ("metadata", "error", "message"),
    [
        ({"gscore": {"encoder": "no-owner/no-such-model"}}, EncoderError, "'no-owner/no-such-model'"),
        ({"gscore": {"similarity": "maybe"}}, GscoreSettingsError, "'similarity'"),
        ({"gscore": {"encodr": "x"}}, GscoreSettingsError, "'encodr' is unknown"),
        ({"gscore": "off"}, GscoreSettingsError, "expected an object, got str"),
        ({"cg_eval_references": "/no/such/file.csv"}, SourceError, "/no/such/file.csv: No such file"),
        ({"cg_eval_references": 5}, SourceError, "'cg_eval_references': expected the path"),
    ],
)
def test_what_scoring_needs_is_missed_before_generation(
    monkeypatch: pytest.MonkeyPatch, metadata: dict[str, Any], error: type[Exception], message: str
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    model = Recorder()
    with pytest.raises(error, match=message):
        run("cg_eval_sample", model, metadata)
    assert model.asked == []


def test_references_that_lack_rows(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [row for _, row in read_csv(questions_file("cg_eval_sample")) if row["题目编号"] == "0"]
    path = tmp_path / "references.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    metadata = {"cg_eval_references": str(path), "gscore": {"similarity": "off"}}
    results = run("cg_eval_sample", Sample(), metadata)
    told = results["configs"]["cg_eval_sample"]["metadata"]["references"]
    referred = [row for row in rows if row["题目类型"] != "小学计算"]
    missing = 27 - len(referred)
    assert (told["needed"], told["with_reference"]) == (27, len(referred))
    assert f"{missing} of the 27 questions that need a reference" in caplog.text
    metrics = metrics_of(results)
    assert metrics["reference_missing"] == missing  # arithmetic questions need none
    assert metrics["chrf"] == pytest.approx(1)


def full_replies(folder: Path) -> Path:
    """A reply to each of the 11,000 questions: right for arithmetic, in the right form for the others."""
    path = folder / "replies.jsonl"
    replies = (
        {"id": doc["id"], "reply": doc["target"] or f"解：{doc['text'].strip()}\n最终答案：1"}
        for doc in documents("cg_eval")
    )
    path.write_text("\n".join(json.dumps(reply, ensure_ascii=False) for reply in replies), encoding="utf-8")
    return path


def test_a_full_set_of_replies_without_references(mirror: Path, tmp_path: Path) -> None:
    results = run("cg_eval", RecordedAnswers(full_replies(tmp_path)), log_samples=False)
    for pipeline in ("official", "robust"):
        metrics = metrics_of(results, pipeline)
        assert metrics["arithmetic_acc"] == metrics["format_ok"] == 1
        assert metrics["coverage"] == pytest.approx(100 / 11_000)
        assert metrics["extraction_failed"] == metrics["reply_empty"] == metrics["reply_missing"] == 0
        assert set(metrics) == {
            *("arithmetic_acc", "format_ok", "coverage", "length_ratio"),
            *("extraction_failed", "reply_empty", "reply_missing"),
        }
    fields = parse_signature(results["configs"]["cg_eval"]["metadata"]["signature"]["robust"])
    assert (fields["replies"], fields["references"]) == ("recorded", "none")


def test_a_category_reports_its_subjects_and_what_it_has(mirror: Path, tmp_path: Path) -> None:
    path = tmp_path / "references.jsonl"
    columns = ("subject", "question_type", "index")
    names = ("子科目名称", "题目类型", "题目编号")
    with path.open("w", encoding="utf-8") as file:
        for doc in documents("cg_eval", "math"):
            key = dict(zip(names, (doc[column] for column in columns), strict=True))
            file.write(json.dumps({**key, "参考答案": doc["target"] or "1", "解题过程": doc["text"]}) + "\n")
    metadata = {"cg_eval_references": str(path), "gscore": {"encoder": "no-owner/never-needed"}}
    results = run("cg_eval_math", RecordedAnswers(full_replies(tmp_path)), metadata, log_samples=False)
    metrics = metrics_of(results)
    assert metrics["gscore"] == metrics["gscore_university_math"] == metrics["calculation_acc"] == 1
    assert set(metrics) == {
        *("gscore", "gscore_elementary_school_math", "gscore_middle_school_math", "gscore_high_school_math"),
        *("gscore_university_math", "calculation_acc", "arithmetic_acc", "format_ok", "coverage"),
        *("extraction_failed", "reference_missing", "reply_empty", "reply_missing"),
    }
    with pytest.raises(SourceError, match="no reference to any of the 1200 questions"):
        run("cg_eval_cpa", Recorder(), metadata)


def test_a_limited_run_has_no_overall_score_until_it_has_every_category() -> None:
    metadata = {"gscore": {"encoder": str(encoder_folder()), "device": "cpu"}}
    metrics = metrics_of(run("cg_eval_sample", Sample(), metadata, limit=5))
    assert math.isnan(metrics["gscore"])
    assert math.isnan(metrics["gscore_cpa"])
    assert metrics["gscore_questions"] == pytest.approx(1)
    assert metrics["coverage"] == pytest.approx(5 / 30)
    assert not math.isnan(metrics_of(run("cg_eval_sample", Sample(), metadata, limit=6))["gscore"])


def test_prompts_are_sent_as_they_are() -> None:
    model = Sample()
    run("cg_eval_sample", model)
    for request in model.asked:
        assert request.args == (request.doc["question"], {"do_sample": False, "max_gen_toks": 4096, "until": []})
