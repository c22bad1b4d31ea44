"""Replies in upstream's and OpenCompass's shapes, scored by the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from opencompass_files import as_messages, write
from rescored_runs import rescore, results_in

from gaokao_tasks.docs import documents
from gaokao_tasks.question_types import SUBJECTIVE, kind_of

pytestmark = pytest.mark.usefixtures("no_look_at_the_machine")


def right(doc: dict[str, Any]) -> str:
    return "\n".join(f"【答案】{letters}" for letters in doc["answer"])


def test_opencompass(tmp_path: Path) -> None:
    folder = write(tmp_path / "predictions" / "my-model", as_messages, right)
    printed = rescore(folder, "-o", tmp_path / "out")
    assert "gaokao_sample: 41 questions" in printed
    results = results_in(tmp_path / "out")
    assert results["model_name"] == "my-model"
    assert results["results"]["gaokao_sample"]["scoring_rate_objective,official"] == 1.0
    assert "replies:recorded|" in json.dumps(results["configs"])
    rescore(tmp_path / "out", "-o", tmp_path / "again")
    assert results_in(tmp_path / "again")["results"] == results["results"]


def test_opencompass_lacking_questions(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", as_messages, right)
    next(folder.iterdir()).unlink()
    assert "questions have no recorded reply" in rescore(folder, "-o", tmp_path / "out", status=1)
    rescore(folder, "-o", tmp_path / "out", "--missing", "skip")
    assert results_in(tmp_path / "out")["results"]["gaokao_sample"]["reply_missing,robust"] > 0


def gaokao_files(folder: Path, judged: bool) -> Path:
    """Result files of GAOKAO-Bench for the sample questions, those of the judged kind with a teacher's words."""
    files: dict[str, list[dict[str, Any]]] = {}
    for doc in documents("gaokao_sample"):
        if judged and kind_of(doc["question_type"]) != SUBJECTIVE:
            continue
        record = {"index": doc["index"], "question": doc["question"], "model_output": right(doc)}
        words = {"model_correction": "【判分理由】略\n【总分】1分"} if judged else {}
        files.setdefault(doc["id"].split("/")[1], []).append({**record, **words})
    folder.mkdir()
    for keyword, examples in files.items():
        content = {"keyword": keyword, "model_name": "m", "prompt": "", "example": examples}
        (folder / f"m_{keyword}.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    (folder / "result").mkdir()
    return folder


def test_gaokao_bench(tmp_path: Path) -> None:
    rescore(gaokao_files(tmp_path / "m", judged=False), "-o", tmp_path / "out", "--name", "org/m")
    results = results_in(tmp_path / "out")
    assert results["model_name"] == "org/m"
    assert results["results"]["gaokao_sample"]["scoring_rate_objective,robust"] == 1.0


def test_gaokao_bench_with_a_teachers_words(tmp_path: Path) -> None:
    folder = gaokao_files(tmp_path / "marked", judged=True)
    printed = rescore(folder, "-o", tmp_path / "out", "--missing", "skip")
    assert "judged by the judgments in the same files" in printed
    results = results_in(tmp_path / "out")
    judged = [doc for doc in documents("gaokao_sample") if kind_of(doc["question_type"]) == SUBJECTIVE]
    assert results["results"]["gaokao_sample"]["points,robust"] == len(judged)
    assert "judge:recorded|" in json.dumps(results["configs"])


def test_alignbench_judgments(tmp_path: Path, mirror: Path) -> None:
    """Upstream's judged answers, by number: the texts of its questions were edited between versions."""
    answers = [
        {
            "question_id": str(number), "category": "", "question": "?", "answer": f"答{number}", "dimensions": [],
            "judge_prompt": "", "judgment": f"好。{{'事实正确性': {number}, '综合得分': {number}}}", "rating": {}, "score": number,
        }
        for number in range(1, 10)
    ]  # fmt: skip
    path = tmp_path / "my-model.jsonl"
    path.write_text("".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers), encoding="utf-8")
    rescore(path, "-o", tmp_path / "out", "--missing", "skip")
    results = results_in(tmp_path / "out")["results"]["alignbench"]
    assert results["reply_missing,robust"] == 683 - 9
    assert results["score_professional,official"] == pytest.approx(5.0)  # all nine are of this category
    assert results["judge_failed,robust"] == 0


def test_plain_lines(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    lines = [json.dumps({"question": doc["question"], "reply": right(doc)}) for doc in documents("gaokao_sample")]
    path.write_text("\n".join(lines), encoding="utf-8")
    rescore(path, "-o", tmp_path / "out")
    assert results_in(tmp_path / "out")["results"]["gaokao_sample"]["scoring_rate_objective,robust"] == 1.0


def test_replies_to_nothing_of_ours(tmp_path: Path, mirror: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps({"question": "谁也没有问过的一道题？", "reply": "A"}), encoding="utf-8")
    assert "none of the replies belongs to a question of ours" in rescore(path, "-o", tmp_path / "out", status=1)
