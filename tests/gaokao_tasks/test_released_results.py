"""Upstream's released replies through the tasks themselves: the numbers upstream and the paper give for them."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from zh_metrics.aggregation import rate

from gaokao_tasks.docs import documents
from gaokao_tasks.scoring import official_points
from lm_eval_zh.answers import match
from lm_eval_zh.recorded import RecordedReply

GPT_4 = "OpenLMLab/GAOKAO-Bench/6dbb24f8d8439041e5431c4c184a582182a6ce9c/Results/gpt_4_0314_obj"
GPT_3_5 = "OpenLMLab/GAOKAO-Bench/b82e164ac1616abd203ecb5c6acc8058136e82dd/result/gpt-3.5-turbo_选择题"
SUBJECTS = {
    "English": "english",
    "Math": "math",
    "Chinese": "chinese",
    "Physics": "physics",
    "Chemistry": "chemistry",
    "Biology": "biology",
    "History": "history",
    "Geography": "geography",
    "Politics": "politics",
}
TABLE_1 = {
    "Chinese": "chinese",
    "Eng.": "english",
    "Sci. Math": "math_sci",
    "Hum. Math": "math_hum",
    "Chem.": "chemistry",
    "Biol.": "biology",
    "Poli.": "politics",
    "Hist.": "history",
    "Geog.": "geography",
}


def replay(path: Path, task_manager: TaskManager, task: str = "gaokao_obj") -> dict[str, Any]:
    results = simple_evaluate(
        model="answers", model_args={"path": str(path)}, tasks=[task], task_manager=task_manager, bootstrap_iters=0
    )
    assert results is not None
    metrics: dict[str, Any] = results["results"][task]
    return metrics


def test_gpt_4_gives_upstreams_own_scores(mirror: Path, task_manager: TaskManager) -> None:
    metrics = replay(mirror / GPT_4, task_manager)
    released = json.loads((mirror / GPT_4 / "result" / "correction_score.json").read_text(encoding="utf-8"))
    assert metrics["points,official"] == released["correct_score"] == 7000
    assert metrics["points_possible,official"] == released["total_score"] == 9702
    assert round(metrics["scoring_rate,official"], 3) == released["scoring_rate"] == 0.722
    files = 0
    for name, subject in released["subject"].items():
        rate = metrics[f"scoring_rate_{SUBJECTS[name]},official"]
        assert rate * subject["total_score"] == pytest.approx(subject["correct_score"], abs=1e-6)
        assert round(rate, 3) == subject["scoring_rate"]
        for keyword, file in subject["type"].items():
            rate = metrics[f"scoring_rate_{keyword.split('_', 1)[1].lower()},official"]
            assert rate * file["total_score"] == pytest.approx(file["correct_score"], abs=1e-6)
            assert round(rate, 3) == file["scoring_rate"]
            files += 1
    assert files == 14


def test_a_subjects_task_gives_the_subjects_number(mirror: Path, task_manager: TaskManager) -> None:
    metrics = replay(mirror / GPT_4, task_manager, "gaokao_obj_physics")
    assert (metrics["points,official"], metrics["points_possible,official"]) == (213, 384)
    assert metrics["coverage,official"] == 1.0


def test_gpt_3_5_gives_the_papers_row(mirror: Path, shared: Path, task_manager: TaskManager) -> None:
    runs = [replay(mirror / GPT_3_5 / f"gpt-3.5-turbo_选择题_{run}", task_manager) for run in (1, 2, 3)]
    with (shared / "leaderboards" / "gaokao_table1_objective_rate.csv").open(encoding="utf-8") as rows:
        (printed,) = (row for row in csv.DictReader(rows) if row["Model"] == "GPT-3.5-turbo-0301")
    mean = {part: 100 * sum(run[f"scoring_rate_{part},official"] for run in runs) / 3 for part in SUBJECTS.values()}
    mean |= {part: 100 * sum(run[f"scoring_rate_{part},official"] for run in runs) / 3 for part in TABLE_1.values()}
    for column, part in TABLE_1.items():
        assert mean[part] == pytest.approx(float(printed[column]), abs=0.1), column
    # Not the paper's 41.1, which comes from the answers as they were stored: see the next test.
    assert mean["physics"] == pytest.approx(46.354, abs=0.001)


def test_gpt_3_5_as_stored_gives_the_papers_row_exactly(mirror: Path, shared: Path) -> None:
    """Runs 1 and 2 store physics answers as texts, whose letters upstream's scoring counts as answers of their own."""
    questions = {question["id"]: question for question in documents("gaokao_obj")}
    rates: dict[str, list[float]] = defaultdict(list)
    for run in (1, 2, 3):
        pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
        stored = list(stored_answers(mirror / GPT_3_5 / f"gpt-3.5-turbo_选择题_{run}"))
        matched, strays = match(stored, list(questions.values()))
        assert (len(matched), strays) == (len(questions), [])
        for id_, answer in matched.items():
            question = questions[id_]
            earned = official_points(json.loads(answer), question["answer"], question["score"], question["subject"])
            for part in ("overall", question["subject"]):
                pairs[part].append((earned, question["score"] * len(question["answer"])))
        for part, values in pairs.items():
            rates[part].append(round(rate(values), 3))  # as upstream rounds each run's rate
    with (shared / "leaderboards" / "gaokao_table1_objective_rate.csv").open(encoding="utf-8") as rows:
        (printed,) = (row for row in csv.DictReader(rows) if row["Model"] == "GPT-3.5-turbo-0301")
    for column, part in {**TABLE_1, "Phys.": "physics", "Overall": "overall"}.items():
        assert round(100 * sum(rates[part]) / 3, 1) == float(printed[column]), column


def stored_answers(folder: Path) -> Iterator[RecordedReply]:
    """The extracted answers of a run, as JSON in the place of replies."""
    for path in sorted(folder.glob("gpt-*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for record in content["example"] if isinstance(content, dict) else content:
            yield RecordedReply(
                json.dumps(record["model_answer"]), path.name, question=record["question"], index=record["index"]
            )
