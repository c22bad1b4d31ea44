"""Upstream's released marks through the tasks themselves: the numbers upstream and the paper give for them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from lm_eval.utils import handle_non_serializable

from gaokao_tasks.exam_totals import exam_totals
from lm_eval_zh.sources import SourceError

RESULTS = "OpenLMLab/GAOKAO-Bench/6dbb24f8d8439041e5431c4c184a582182a6ce9c/Results"
MARKS = "gpt-4-1106-preview_correction_wo_marking_criterion"
GPT_3_5 = "OpenLMLab/GAOKAO-Bench/b82e164ac1616abd203ecb5c6acc8058136e82dd/result"
SUBJECTS = {
    "Chinese": "chinese", "English": "english", "Science-Math": "math_sci", "Liberal-Arts-Math": "math_hum",
    "Physics": "physics", "Chemistry": "chemistry", "Biology": "biology", "Politics": "politics", "History": "history",
    "Geography": "geography",
}  # fmt: skip
TABLE_2 = {
    "Overall": "", "Chinese": "_chinese", "Eng.": "_english", "Sci. Math": "_math_sci", "Hum. Math": "_math_hum",
    "Phys.": "_physics", "Chem.": "_chemistry", "Biol.": "_biology", "Poli.": "_politics", "Hist.": "_history",
    "Geog.": "_geography",
}  # fmt: skip


def replay(path: Path, task: str, judge: Path | None = None) -> dict[str, Any]:
    """The results of a replay, as the harness writes them."""
    metadata = {"judge": {"model": "recorded", "path": str(judge)}} if judge else {}
    manager = TaskManager(
        include_defaults=False, include_path=str(Path(__file__).parents[2] / "gaokao_tasks"), metadata=metadata
    )
    results = simple_evaluate(
        model="answers", model_args={"path": str(path)}, tasks=[task], task_manager=manager, bootstrap_iters=0
    )
    assert results is not None
    results.pop("samples")
    written: dict[str, Any] = json.loads(json.dumps(results, default=handle_non_serializable))
    return written


@pytest.fixture(scope="module")
def gpt_4(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Results files of GPT-4's objective and subjective answers."""
    files = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LM_EVAL_ZH_MIRROR", str(shared / "upstream"))
        patch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        folder = shared / "upstream" / RESULTS
        for kind, answers, judge in (
            ("obj", folder / "gpt_4_0314_obj", None),
            ("subj", folder / "gpt_4_0314_sub", folder / "gpt_4_0314_sub" / MARKS),
        ):
            files[kind] = tmp_path_factory.mktemp("results") / f"results_{kind}.json"
            files[kind].write_text(json.dumps(replay(answers, f"gaokao_{kind}", judge)), encoding="utf-8")
    return files


def test_gpt_4_gives_upstreams_own_marks(mirror: Path, gpt_4: dict[str, Path]) -> None:
    metrics = json.loads(gpt_4["subj"].read_text(encoding="utf-8"))["results"]["gaokao_subj"]
    (file,) = (mirror / RESULTS / "gpt_4_0314_sub" / MARKS).glob("result/model_score.json")
    released = json.loads(file.read_text(encoding="utf-8"))
    assert metrics["points,official"] == pytest.approx(released["correct_score"]) == 7672.83
    assert metrics["points_possible,official"] == released["total_score"] == 11839
    assert round(metrics["scoring_rate,official"], 3) == released["scoring_rate"] == 0.648
    files = 0
    for name, subject in released["subject"].items():
        ours = {"Math_1": "math_sci", "Math_2": "math_hum"}.get(name, name.lower())
        assert round(metrics[f"scoring_rate_{ours},official"], 3) == subject["scoring_rate"]
        for keyword, of_file in subject["type"].items():
            part = re.sub(r"^[\d-]+_", "", keyword).lower().replace("-", "_")
            rate = metrics[f"scoring_rate_{part},official"]
            assert rate * of_file["total_score"] == pytest.approx(of_file["correct_score"], abs=1e-6)
            assert round(rate, 3) == of_file["scoring_rate"]
            files += 1
    assert files == 18
    assert metrics["coverage,official"] == 1.0
    assert metrics["judge_failed,official"] == 0
    assert (metrics["points,robust"], metrics["points_possible,robust"]) == (pytest.approx(7650.58), 11834)
    assert metrics["judge_failed,robust"] == 1  # 6 points of 5


def test_gpt_4_gives_upstreams_own_totals(mirror: Path, gpt_4: dict[str, Path]) -> None:
    official, robust = exam_totals([gpt_4["obj"], gpt_4["subj"]])
    merged = json.loads((mirror / RESULTS / "merge_score.json").read_text(encoding="utf-8"))
    assert official.sciences(official_rounding=True) == merged["Science_Total_score"] == 466.1
    assert official.humanities(official_rounding=True) == merged["Liberal-Arts_Total_score"] == 548.3
    for name, subject in SUBJECTS.items():
        for kind in ("objective", "subjective"):
            assert official.points(subject, kind, official_rounding=True) == merged[name][f"{kind.capitalize()}_score"]
    assert official.sciences() == pytest.approx(465.9984, abs=5e-5)
    assert official.humanities() == pytest.approx(548.3224, abs=5e-5)
    assert official.missing() == robust.missing() == []
    assert [(half.kind, half.judge) for half in official.halves] == [("objective", ""), ("subjective", "recorded")]


def test_one_half_gives_no_total(gpt_4: dict[str, Path]) -> None:
    official, _ = exam_totals([gpt_4["obj"]])
    assert str(official.sciences()) == str(official.humanities(official_rounding=True)) == "nan"
    assert len(official.missing()) == 10
    with pytest.raises(SourceError, match="give one results file for each half"):
        exam_totals([gpt_4["obj"], gpt_4["obj"]])


def test_gpt_3_5_gives_the_papers_row(mirror: Path, shared: Path, tmp_path: Path) -> None:
    """Three runs, each marked by two teachers, whose recorded marks are the judges."""
    runs = []
    for run in (1, 2, 3):
        folder = tmp_path / str(run)
        folder.mkdir()
        for kind in ("主观题", "填空题"):
            for file in (mirror / GPT_3_5 / f"gpt-3.5-turbo_{kind}" / f"gpt-3.5-turbo_{kind}_{run}").glob("*.json"):
                (folder / file.name).symlink_to(file)
        runs.append(replay(folder, "gaokao_subj", folder)["results"]["gaokao_subj"])
    with (shared / "leaderboards" / "gaokao_table2_subjective_rate_human.csv").open(encoding="utf-8") as rows:
        (printed,) = (row for row in csv.DictReader(rows) if row["Model"] == "GPT-3.5-turbo-0301")
    for column, part in TABLE_2.items():
        mean = 100 * sum(run[f"scoring_rate{part},official"] for run in runs) / 3
        assert mean == pytest.approx(float(printed[column]), abs=0.1), column
        assert mean == pytest.approx(100 * sum(run[f"scoring_rate{part},robust"] for run in runs) / 3, abs=0.01)
    assert [run["judge_failed,official"] for run in runs] == [1, 1, 1]  # one answer that no teacher marked
