"""Finished runs read back: what the harness wrote is what the tasks had, and what isn't theirs is named."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from finished_runs import MARKUP
from recorder import Recorder
from rescored_runs import run as finished

from alignbench_tasks.scoring import ScoreOutcome
from gaokao_tasks.judged import MarkOutcome
from gaokao_tasks.scoring import Outcome
from lm_eval_zh.analysis.comparison import compare
from lm_eval_zh.analysis.fields import outcome_of
from lm_eval_zh.analysis.numbers import Bootstrap, Readings, checked
from lm_eval_zh.analysis.questions import Failure
from lm_eval_zh.analysis.runs import merged_questions, read_runs
from lm_eval_zh.differences import differences
from lm_eval_zh.report.contents import report_of
from lm_eval_zh.sources import SourceError


def test_a_run_is_read_with_its_results(first_run: Path) -> None:
    (run,) = read_runs(f"GPT-5={first_run}")
    assert (run.name, run.task, run.whole, run.pipelines) == (
        "GPT-5", "gaokao_sample", "gaokao_sample", ("official", "robust"),
    )  # fmt: skip
    assert len(run.questions) == 41
    assert run.signature_fields("robust")["judge"] == "overlap"
    assert run.judge_reports[0]["model"] == "overlap"
    injected = run.questions["gaokao_sample/sample_history_mcqs/0"]
    assert injected.reply == MARKUP
    assert injected.readings["robust"].failure is Failure.UNREAD
    assert injected.readings["robust"].possible == 4  # an unread answer stays in the points possible


@pytest.mark.parametrize("fixture", ["first_run", "second_run", "judged_twice", "alignbench_run"])
def test_every_number_is_the_results_files(fixture: str, request: pytest.FixtureRequest) -> None:
    (run,) = checked(read_runs(str(request.getfixturevalue(fixture))))
    labels = [question.labels for question in run.questions.values()]
    compared = 0
    for pipeline in run.pipelines:
        readings = Readings(run.analysis, run.questions, pipeline)
        for number in run.analysis.headline(labels):
            told = run.metrics.get(f"{number.name},{pipeline}")
            found = readings.statistic(number).value()
            assert told == pytest.approx(found, nan_ok=True), number.name
            compared += not math.isnan(found)
    assert compared >= 2


def test_samples_of_another_run_are_not_taken_for_this_ones(first_run: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(first_run, tmp_path / "copy")
    (results,) = folder.rglob("results_*.json")
    content = json.loads(results.read_text(encoding="utf-8"))
    content["results"]["gaokao_sample"]["scoring_rate,robust"] = 0.5
    results.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(SourceError, match=r"scoring_rate by robust comes to 0\.98.* but the results file says 0\.5"):
        checked(read_runs(str(folder)))


def test_the_judges_scores_one_by_one(judged_twice: Path) -> None:
    (run,) = read_runs(str(judged_twice))
    for question in run.questions.values():
        subjective = question.labels["kind"] == "subjective"
        assert question.readings["robust"].repeats == ((1.0, 2.0) if subjective else ())
        assert len(question.readings["robust"].judged) == (2 if subjective else 0)


def test_failures_of_alignbench(alignbench_run: Path) -> None:
    (run,) = read_runs(str(alignbench_run))
    empty = run.questions["alignbench_sample/1"].readings["robust"]
    assert (empty.failure, empty.possible) == (Failure.EMPTY, 0)
    scored = run.questions["alignbench_sample/3"].readings["robust"]
    assert (scored.failure, scored.earned, scored.possible) == (None, 10, 1)
    assert scored.quantities["factuality"][1] in (0, 1)


def test_runs_are_found_by_folder_results_file_and_samples_file(first_run: Path) -> None:
    (results,) = first_run.rglob("results_*.json")
    (samples,) = first_run.rglob("samples_*.jsonl")
    found = [read_runs(str(path))[0] for path in (first_run, results, samples)]
    assert found[0] == found[1] == found[2]
    assert found[0].signatures


def test_samples_alone_have_no_signature(first_run: Path, tmp_path: Path) -> None:
    (samples,) = first_run.rglob("samples_*.jsonl")
    (run,) = read_runs(str(shutil.copy(samples, tmp_path)))
    assert (run.task, run.signatures, run.metrics) == ("gaokao_sample", {}, {})


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes the first sample."""
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(first)
    change(record)
    path.write_text("\n".join((json.dumps(record), *rest)), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.pop("filtered_resps"), r"line 1: field 'filtered_resps' is missing"),
        (lambda r: r.update(filtered_resps="A"), r"line 1: field 'filtered_resps': expected the fields of Outcome"),
        (lambda r: r.update(filtered_resps=[[["A"], "a lot", "ok"]]), r"expected the fields of Outcome"),
        (lambda r: r.update(resps=[["another"]]), r"the reply to gaokao_sample/\S+ is not that of"),
        (lambda r: r["doc"].pop("subject"), r"line 1: field 'doc.subject': expected text"),
        (lambda r: r.update(filter="robust"), r"has a second reading by the pipeline 'robust'"),
        (lambda r: r.update(filter="none"), r"has no reading by the pipeline 'official'; is the file complete"),
        (lambda r: r.update(filtered_resps=[[["A"], "1.0", "ok", "x"]]), r"expected the fields of Outcome"),
        (lambda r: r["doc"].update(id="alignbench/1"), r"field 'doc': expected a document of the same benchmark"),
    ],
    ids=[
        "no_reading",
        "no_outcome",
        "no_number",
        "other_reply",
        "no_subject",
        "twice",
        "incomplete",
        "too_many_fields",
        "other_task",
    ],
)
def test_bad_samples_are_named(
    first_run: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    (samples,) = first_run.rglob("samples_*.jsonl")
    copy = Path(shutil.copy(samples, tmp_path))
    edit(copy, change)
    with pytest.raises(SourceError, match=message):
        read_runs(str(copy))


def test_what_holds_no_run_of_ours_is_named(first_run: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no samples of our tasks"):
        read_runs(str(tmp_path))
    results = tmp_path / "results_2026-01-01T00-00-00.json"
    results.write_text("{}", encoding="utf-8")
    with pytest.raises(SourceError, match=r"no samples_.* of the same date beside it"):
        read_runs(str(results))
    foreign = tmp_path / "samples_mmlu_2026-01-01T00-00-00.jsonl"
    foreign.write_text('{"doc": {"question": "?"}, "resps": [["A"]]}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="no samples of our tasks"):
        read_runs(str(tmp_path))


def test_filters_of_the_user_are_passed_over(first_run: Path, tmp_path: Path) -> None:
    (samples,) = first_run.rglob("samples_*.jsonl")
    text = samples.read_text(encoding="utf-8")
    copy = tmp_path / samples.name
    copy.write_text(text + text.splitlines()[0].replace('"filter": "official"', '"filter": "mine"'), encoding="utf-8")
    assert read_runs(str(copy))[0].questions == read_runs(str(samples))[0].questions
    copy.write_text(text.splitlines()[0].replace('"filter": "official"', '"filter": "mine"'), encoding="utf-8")
    with pytest.raises(SourceError, match="no samples of our tasks"):
        read_runs(str(copy))


def test_one_task_twice_needs_a_choice(first_run: Path, second_run: Path, runs_folder: Path) -> None:
    with pytest.raises(SourceError, match=r"gaokao_sample of .* is there twice"):
        read_runs(f"both={runs_folder}")
    runs = [*read_runs(f"one={first_run}"), *read_runs(f"one={second_run}")]
    with pytest.raises(SourceError, match="is in two runs of one"):
        merged_questions(runs)


@pytest.mark.parametrize(
    ("model", "name"),
    [("Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-7B-Instruct"), ("/models/qwen/", "qwen"), ("C:\\models\\qwen", "qwen"),
     ("/data/replies.jsonl", "replies"), ("", "samples_gaokao_sample_2026-01-01T00-00-00")],
)  # fmt: skip
def test_a_run_has_its_models_name(first_run: Path, tmp_path: Path, model: str, name: str) -> None:
    (samples,) = first_run.rglob("samples_*.jsonl")
    shutil.copy(samples, tmp_path / "samples_gaokao_sample_2026-01-01T00-00-00.jsonl")
    (tmp_path / "results_2026-01-01T00-00-00.json").write_text(json.dumps({"model_name": model}), encoding="utf-8")
    assert read_runs(str(tmp_path))[0].name == name


@pytest.mark.parametrize(
    ("kind", "filtered", "expected"),
    [
        (Outcome, [[["A", ""], "3.0", "ok"]], Outcome(["A", ""], 3.0, "ok")),
        (Outcome, [[[], "None", "no_answer"]], Outcome([], None, "no_answer")),
        (MarkOutcome, [[["4.5"], "4.5", "ok", [["ok", "", [["m", "7"]]]]]],
         MarkOutcome([4.5], 4.5, "ok", [["ok", "", [["m", "7"]]]])),
    ],
    ids=["letters", "none", "marks"],
)  # fmt: skip
def test_outcomes_come_back_as_they_were(kind: Any, filtered: Any, expected: Any) -> None:
    """A judge's words stay text, also where they look like a number."""
    assert outcome_of("here", kind, filtered) == expected


def test_an_outcome_is_what_it_was_before_it_was_written() -> None:
    written = [[["综合得分", "7.0"]], "7.0", "ok", ["against_rules"], [], ["7.0", "None"], "12"]
    outcome = outcome_of("here", ScoreOutcome, [written])
    assert outcome == ScoreOutcome([["综合得分", "7.0"]], 7.0, "ok", ["against_rules"], [], [7.0, None], 12)
    with pytest.raises(SourceError, match="score the samples again if another version wrote them"):
        outcome_of("here", ScoreOutcome, [written[:5]])


@pytest.mark.parametrize(("task", "key"), [("alignbench_sample", "of 10"), ("cg_eval_sample", "")])
def test_differences_of_the_other_benchmarks_are_listed(tmp_path: Path, task: str, key: str) -> None:
    """A reply that only thinks and then answers is read differently, or by scores under their names."""
    finished(tmp_path, task, Recorder("<think>想</think>答"))
    (path,) = tmp_path.rglob("samples_*.jsonl")
    found, compared = differences(path)
    assert compared == {"alignbench_sample": 16, "cg_eval_sample": 30}[task]
    assert all(difference.official != difference.robust for difference in found)
    assert {difference.target for difference in found} <= {key}
    (run,) = checked(read_runs(str(tmp_path)))
    assert len(run.questions) == compared
    assert run.pipelines == ("official", "robust")


def test_a_number_that_a_run_does_not_have_is_in_no_report_and_no_comparison(tmp_path: Path) -> None:
    """The sample of CG-Eval has no encoder: no Gscore, though its calculations have scores."""
    for name in ("one", "other"):
        finished(tmp_path / name, "cg_eval_sample", Recorder("最终答案：3"))
    runs = [read_runs(f"{name}={tmp_path / name}") for name in ("one", "other")]
    (account, _) = report_of(runs[0], Bootstrap(resamples=20)).sections[0].accounts
    names = {figure.number.name for figure in account.headline}
    assert "chrf" in names
    assert not {"gscore", "gscore_questions", "similarity"} & names
    assert not any(account.parts.values())
    (comparison,) = compare(runs[0], runs[1], "robust", [], Bootstrap(resamples=20))
    assert {compared.number.name for compared in comparison.headline} == names
    assert all(compared.difference.value == 0 for compared in comparison.headline)
