"""Runs of the harness, written by its own tracker, scored again by the command."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Step
from lm_eval.loggers import EvaluationTracker
from rescored_runs import lines_of, rescore, results_in, run

from gaokao_tasks.docs import documents
from gaokao_tasks.filters import Robust
from gaokao_tasks.scoring import Outcome, robust_outcome
from lm_eval_zh.answers import RecordedAnswers
from lm_eval_zh.logged_samples import outcome_text, split_outcome
from lm_eval_zh.outcome_changes import moved_metrics

pytestmark = pytest.mark.usefixtures("no_look_at_the_machine")


def assert_equal(folder: Path, other: Path) -> None:
    """The same samples to the byte, the same numbers, signatures and settings; only times and `rescored` differ."""
    assert lines_of(folder, "samples_*") == lines_of(other, "samples_*")
    one, two = results_in(folder), results_in(other)
    for content in (one, two):
        content["config"].pop("rescored", None)
        content.pop("date")
        content.pop("total_evaluation_time_seconds")
        for task in content["configs"].values():
            task["metadata"].pop("judge_report", None)  # calls and latencies: nobody is asked a second time
    assert json.dumps(two, sort_keys=True) == json.dumps(one, sort_keys=True)  # as texts, in which NaN equals NaN


def edit_samples(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    for path in folder.rglob("samples_*.jsonl"):
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
        for record in records:
            change(record)
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.mark.parametrize(
    "task",
    [
        "gaokao_sample", "alignbench_sample", "gaokao_obj", "gaokao_subj", "gaokao", "gaokao_obj_2023", "gaokao_obj_2024",
        "gaokao_obj_physics", "gaokao_subj_english", "alignbench", "alignbench_logic", "cg_eval_sample", "cg_eval",
        "cg_eval_math",
    ],
)  # fmt: skip
def test_a_run_scored_again_is_that_run(tmp_path: Path, task: str, mirror: Path) -> None:
    whole = task.endswith("sample")
    run(tmp_path / "run", task, metadata={"judge": "overlap"}, limit=None if whole else 36)
    printed = rescore(tmp_path / "run", "-o", tmp_path / "again")
    assert "0 of" in printed
    assert "0 numbers moved" in printed
    assert "signature:" not in printed
    assert_equal(tmp_path / "run", tmp_path / "again")
    assert lines_of(tmp_path / "again", "changes_*") == [""]
    assert "temperature:" in json.dumps(results_in(tmp_path / "again")["configs"])


def test_the_numbers_to_read_first_are_listed_first(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=3)
    (results,) = (tmp_path / "run").rglob("results_*.json")
    content = json.loads(results.read_text(encoding="utf-8"))
    numbers = content["results"]["gaokao_sample"]
    numbers.update({name: 0.123 for name in numbers if name.startswith(("coverage", "scoring_rate"))})
    results.write_text(json.dumps(content), encoding="utf-8")
    printed = rescore(tmp_path / "run", "-o", tmp_path / "again")
    rows = [line.split()[1] for line in printed[printed.index("Metric") :].splitlines() if "0.1230" in line]
    first = rows.index("coverage,official")
    assert {"scoring_rate,official", "scoring_rate,robust"} <= set(rows[:first])
    assert rows[first:] == sorted(rows[first:])


def test_a_run_scored_again_twice_is_still_that_run(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample,alignbench_sample")
    rescore(tmp_path / "run", "-o", tmp_path / "once")
    rescore(tmp_path / "once", "-o", tmp_path / "twice")
    assert_equal(tmp_path / "run", tmp_path / "twice")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert "nothing is overwritten" in rescore(tmp_path / "run", "-o", tmp_path / "once", status=1)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_with_another_parser_only_the_questions_it_reads_otherwise_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "run", "gaokao_sample")
    gone = "第3题"

    def other(reply: str, doc: Any) -> Outcome:
        return Outcome([], None, "no_answer") if gone in reply else robust_outcome(reply, doc)

    monkeypatch.setattr(Robust, "read", staticmethod(other))
    printed = rescore(tmp_path / "run", "-o", tmp_path / "again")
    records = [json.loads(line) for line in lines_of(tmp_path / "again", "changes_*") if line]
    expected = [
        sample["doc"]["id"]
        for sample in map(json.loads, filter(None, lines_of(tmp_path / "run", "samples_*")))
        if sample["filter"] == "robust" and gone in sample["resps"][0][0] and sample["filtered_resps"][0][2] == "ok"
    ]
    assert expected
    assert [record["id"] for record in records] == expected
    assert {record["pipeline"] for record in records} == {"robust"}
    assert {record["after"] for record in records} == {"no_answer"}
    assert all(record["before"][0].isdigit() for record in records)
    assert all(id_ in printed.replace("\n", "") for id_ in expected)
    assert "extraction_failed,robust" in printed
    assert ",official" not in printed


def test_the_judgments_in_the_samples_are_read_anew_and_nobody_is_asked(tmp_path: Path) -> None:
    with JudgeServer(
        lambda body, before: Step(text=f"【判分理由】\n【总分】{len(body['messages'][1]['content']) % 3}分")
    ) as server:
        judge = {"judge": {"model": "real-judge", "base_url": server.url, "seed": 3}}
        run(tmp_path / "run", "gaokao_sample", metadata=judge)
        asked = len(server.bodies)
    assert asked
    rescore(tmp_path / "run", "-o", tmp_path / "again")  # the server is gone
    assert_equal(tmp_path / "run", tmp_path / "again")
    metadata = results_in(tmp_path / "again")["configs"]["gaokao_sample"]["metadata"]
    assert metadata["judge"] == judge["judge"]
    (report,) = metadata["judge_report"]
    assert (report["model"], report["seed"], report["calls"]) == ("real-judge", 3, 0)
    assert "judge:real-judge|" in metadata["signature"]["robust"]


def test_each_of_several_judges_is_kept(tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    judged = [doc for doc in documents("gaokao_sample") if doc["marking_prompt"]]
    lines = [
        {"id": doc["id"], "correction_score": [1, None if number == 2 else 2]} for number, doc in enumerate(judged)
    ]
    marks.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run(tmp_path / "run", "gaokao_sample", metadata={"judge": {"model": "recorded", "path": str(marks)}})
    marks.unlink()
    rescore(tmp_path / "run", "-o", tmp_path / "again")
    assert_equal(tmp_path / "run", tmp_path / "again")
    configs = results_in(tmp_path / "again")["configs"]["gaokao_sample"]["metadata"]
    assert [report["model"] for report in configs["judge_report"]] == ["recorded teacher 1", "recorded teacher 2"]
    assert [report["outcomes"] for report in configs["judge_report"]] == [{"ok": 13}, {"ok": 12, "not_asked": 1}]


def test_a_panel_keeps_its_rule_and_each_judge_its_way_of_asking(tmp_path: Path) -> None:
    def reply(body: dict[str, Any], before: int) -> Step:
        score = 2 + (len(body["messages"][-1]["content"]) + len(body["model"])) % 7
        return Step(text=f"{{'事实正确性': {score}, '综合得分': {score}}} [[{score}]]")

    with JudgeServer(reply) as server:
        one = {"model": "one", "base_url": server.url, "temperature": 0.5, "repeats": 2}
        other = {"model": "another", "base_url": server.url, "mode": "general"}
        judge = {"panel": [one, other], "aggregate": "median", "quorum": 2}
        run(tmp_path / "run", "alignbench_sample", metadata={"judge": judge})
    printed = rescore(tmp_path / "run", "-o", tmp_path / "again")
    assert "0 numbers moved" in printed
    assert_equal(tmp_path / "run", tmp_path / "again")
    metadata = results_in(tmp_path / "again")["configs"]["alignbench_sample"]["metadata"]
    assert "|panel:median/2|" in metadata["signature"]["robust"]
    assert [report["model"] for report in metadata["judge_report"]] == ["one", "one", "another"]


def test_another_judge_is_asked_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    run(tmp_path / "run", "gaokao_sample")
    with JudgeServer(lambda body, before: Step(text="【总分】1分")) as server:
        arguments = ("--judge", "second", "--judge_args", f"base_url={server.url},temperature=0.5")
        printed = rescore(tmp_path / "run", "-o", tmp_path / "again", *arguments)
        asked = len(server.bodies)
        assert asked
        assert {body["temperature"] for body in server.bodies} == {0.5}
        rescore(tmp_path / "run", "-o", tmp_path / "third", *arguments)
        assert len(server.bodies) == asked
    assert "signature: judge was overlap, is second" in printed
    again = results_in(tmp_path / "again")
    assert again["config"]["rescored"]["judgments"] == {"gaokao_sample": "judge"}
    assert "judge:second|" in again["configs"]["gaokao_sample"]["metadata"]["signature"]["robust"]
    changed = {json.loads(line)["id"] for line in lines_of(tmp_path / "again", "changes_*") if line}
    judged = {
        sample["doc"]["id"]
        for sample in map(json.loads, filter(None, lines_of(tmp_path / "again", "samples_*")))
        if sample["doc"]["marking_prompt"]
    }
    assert changed
    assert changed <= judged
    assert again["results"] == results_in(tmp_path / "third")["results"]


def test_samples_of_a_run_that_only_predicted(tmp_path: Path) -> None:
    run(tmp_path / "scored", "gaokao_sample,alignbench_sample")
    run(tmp_path / "predicted", "gaokao_sample,alignbench_sample", predict_only=True)
    printed = rescore(tmp_path / "predicted", "-o", tmp_path / "again")
    assert "changed" not in printed
    again, scored = results_in(tmp_path / "again"), results_in(tmp_path / "scored")
    assert again["results"] == scored["results"]
    for task in ("gaokao_sample", "alignbench_sample"):
        signature = again["configs"][task]["metadata"]["signature"]
        assert signature == scored["configs"][task]["metadata"]["signature"]
    assert lines_of(tmp_path / "again", "samples_*") == lines_of(tmp_path / "scored", "samples_*")
    assert not list((tmp_path / "again").rglob("changes_*"))


def test_a_judged_run_that_only_predicted_needs_a_judge(tmp_path: Path, mirror: Path) -> None:
    run(tmp_path / "predicted", "gaokao_subj", predict_only=True, limit=4)
    assert "gaokao_subj: the replies have not been judged yet: name a judge with --judge" in rescore(
        tmp_path / "predicted", "-o", tmp_path / "a", status=1
    )
    assert not (tmp_path / "a").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["predicted"]
    rescore(tmp_path / "predicted", "-o", tmp_path / "a", "--judge", "overlap")
    assert "judge:overlap|" in json.dumps(results_in(tmp_path / "a")["configs"])


def test_chosen_samples_and_missing_replies_stay_what_they_were(tmp_path: Path) -> None:
    run(tmp_path / "chosen", "gaokao_sample", samples={"gaokao_sample": [2, 3, 30]})
    rescore(tmp_path / "chosen", "-o", tmp_path / "chosen again")
    assert_equal(tmp_path / "chosen", tmp_path / "chosen again")
    replies = tmp_path / "replies.jsonl"
    some = [json.loads(line) for line in lines_of(tmp_path / "chosen", "samples_*") if line]
    lines = {sample["doc"]["id"]: json.dumps({"id": sample["doc"]["id"], "reply": "A"}) for sample in some}
    replies.write_text("\n".join(lines.values()), encoding="utf-8")
    run(tmp_path / "lacking", "gaokao_sample", model=RecordedAnswers(replies, "skip"))
    rescore(tmp_path / "lacking", "-o", tmp_path / "lacking again")
    assert_equal(tmp_path / "lacking", tmp_path / "lacking again")
    assert results_in(tmp_path / "lacking again")["results"]["gaokao_sample"]["reply_missing,robust"] == 38


def test_several_runs_in_a_folder_are_scored_each(tmp_path: Path) -> None:
    run(tmp_path / "runs", "gaokao_sample", limit=3)
    run(tmp_path / "runs", "gaokao_sample", limit=5)
    run(tmp_path / "runs" / "deeper", "alignbench_sample", limit=3)
    printed = rescore(tmp_path / "runs", "-o", tmp_path / "again")
    told = [line.split(",")[0] for line in printed.splitlines() if "questions" in line]
    assert sorted(told) == [
        "alignbench_sample: 3 questions",
        "gaokao_sample: 3 questions",
        "gaokao_sample: 5 questions",
    ]
    assert len(list((tmp_path / "again").rglob("results_*.json"))) == 3


def test_one_file_of_samples_stands_for_its_task_alone(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample,alignbench_sample", limit=4)
    (path,) = (tmp_path / "run").rglob("samples_gaokao_sample_*")
    rescore(path, "-o", tmp_path / "again")
    assert list(results_in(tmp_path / "again")["results"]) == ["gaokao_sample"]
    rescore(tmp_path / "run", "-o", tmp_path / "chosen", "--tasks", "alignbench_sample")
    assert list(results_in(tmp_path / "chosen")["results"]) == ["alignbench_sample"]


def test_samples_under_another_name(tmp_path: Path, mirror: Path) -> None:
    run(tmp_path / "run", "gaokao_subj_physics", metadata={"judge": "overlap"}, limit=5)
    (path,) = (tmp_path / "run").rglob("samples_*")
    renamed = tmp_path / "mine.jsonl"
    renamed.write_bytes(path.read_bytes())
    assert "no results file of this run" in rescore(renamed, "-o", tmp_path / "again", "--name", "m")
    assert lines_of(tmp_path / "again", "changes_*") == [""]  # the judgments are kept
    assert list(results_in(tmp_path / "again")["results"]) == ["gaokao_subj"]
    rescore(renamed, "-o", tmp_path / "physics", "--tasks", "gaokao_subj_physics")
    assert results_in(tmp_path / "physics")["results"] == results_in(tmp_path / "run")["results"]
    assert "--tasks can name another" in rescore(
        renamed, "-o", tmp_path / "c", "--tasks", "gaokao_subj_chinese", status=1
    )


def test_samples_of_others_are_passed_over_and_named(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=4)
    (path,) = (tmp_path / "run").rglob("samples_*")
    other = path.with_name(path.name.replace("gaokao_sample", "mmlu_anatomy"))
    other.write_text(json.dumps({"doc": {"question": "?"}, "resps": [[["-1.5", "False"]]]}), encoding="utf-8")
    assert "mmlu_anatomy: passed over" in rescore(tmp_path / "run", "-o", tmp_path / "again")
    path.unlink()
    assert "samples of mmlu_anatomy only" in rescore(tmp_path / "run", "-o", tmp_path / "none", status=1)


def test_without_a_results_file_nobody_knows_how_replies_came_about(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample")
    (results,) = (tmp_path / "run").rglob("results_*.json")
    before = results_in(tmp_path / "run")["results"]
    results.unlink()
    assert "model, settings, judge and references are not known" in rescore(
        tmp_path / "run", "-o", tmp_path / "again", "--name", "m/1"
    )
    again = results_in(tmp_path / "again")
    assert again["results"] == before
    assert again["model_name"] == "m/1"
    signature = again["configs"]["gaokao_sample"]["metadata"]["signature"]["robust"]
    assert "replies:recorded|" in signature
    assert "judge:overlap|" in signature


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record["doc"].update(question="另一道题"), "is not that of the question beside it"),
        (lambda record: record["doc"].update(id="gaokao_sample/none/7"), "is no question of gaokao_sample as it is now"),
        (lambda record: record.update(resps=[[None]]), "field 'resps': expected"),
        (lambda record: record.update(filtered_resps="C"), "field 'filtered_resps': expected"),
        (lambda record: record.update(doc="C"), "field 'doc': expected"),
        (lambda record: record.update(filter=None), "field 'filter': expected"),
        (lambda record: record.pop("resps"), "field 'resps' is missing"),
        (lambda record: record.update(filter="official"), "has a second reading by the pipeline 'official'"),
        (
            lambda record: record.update(resps=[[record["filter"]]]),
            "the reply to gaokao_sample/.* is not that of .*line 1",
        ),
    ],
    ids=[
        "other_question", "unknown_id", "no_reply", "no_outcome", "no_document", "no_pipeline", "no_field", "twice",
        "other_reply",
    ],
)  # fmt: skip
def test_samples_that_are_none_are_named(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=1)
    edit_samples(tmp_path / "run", change)
    said = rescore(tmp_path / "run", "-o", tmp_path / "again", status=1)
    assert re.search(message, said), said
    assert re.search(r"samples_gaokao_sample_.*\.jsonl: line \d", said)
    assert not (tmp_path / "again").exists()


def test_samples_that_lack_their_end_are_told_by_the_results(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=3)
    (path,) = (tmp_path / "run").rglob("samples_*")
    lines = path.read_text(encoding="utf-8").split("\n")
    kept = [line for line in lines if line and json.loads(line)["doc_id"] < 2]
    path.write_text("\n".join(kept), encoding="utf-8")
    said = rescore(tmp_path / "run", "-o", tmp_path / "again", status=1)
    assert "2 questions, where" in said
    assert "counts 3; is the file complete?" in said
    path.write_text("\n".join(lines)[:-200], encoding="utf-8")
    assert "not JSON" in rescore(tmp_path / "run", "-o", tmp_path / "again", status=1)
    path.write_text("", encoding="utf-8")
    assert "no samples" in rescore(tmp_path / "run", "-o", tmp_path / "again", status=1)


@pytest.mark.parametrize("content", ["[]", "{", '{"config": 3, "configs": {"gaokao_sample": []}, "n-samples": null}'])
def test_results_that_are_none(tmp_path: Path, content: str) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=2)
    (results,) = (tmp_path / "run").rglob("results_*.json")
    results.write_text(content, encoding="utf-8")
    if "config" in content:
        rescore(tmp_path / "run", "-o", tmp_path / "again")
        assert "replies:recorded" in json.dumps(results_in(tmp_path / "again")["configs"])
    else:
        assert results.name in rescore(tmp_path / "run", "-o", tmp_path / "again", status=1)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("nowhere", "-o", "new"), 1, "nowhere: No such file"),
        (("full", "-o", "new", "--tasks", "no_such"), 1, "'no_such' is no task of lm-eval-zh"),
        (("full", "-o", "full"), 1, "nothing is overwritten"),
        (("full", "-o", "full/file"), 1, "nothing is overwritten"),
        (("full", "-o", "new", "--judge", "{"), 2, "is no JSON"),
        (("full", "-o", "new", "--judge_args", "a=b"), 2, "needs --judge"),
        (("full", "-o", "new"), 1, "no recorded replies"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], status: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("", encoding="utf-8")
    assert message in " ".join(rescore(*arguments, status=status).replace("│", " ").split())
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


def test_an_empty_folder_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=2)
    (tmp_path / "again").mkdir()
    monkeypatch.chdir(tmp_path / "again")
    rescore(tmp_path / "run", "-o", ".")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "run"]
    assert math.isfinite(results_in(tmp_path / "again")["results"]["gaokao_sample"]["coverage,robust"])


@pytest.mark.parametrize("name", ["../../outside", "..", "a/b", ".", 3])
def test_no_recorded_name_leads_out_of_the_folder(tmp_path: Path, name: object) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=2)
    (path,) = (tmp_path / "run").rglob("results_*.json")
    content = {**results_in(tmp_path / "run"), "model_name": name, "model_name_sanitized": name}
    path.write_text(json.dumps(content), encoding="utf-8")
    rescore(tmp_path / "run", "-o", tmp_path / "deep" / "again")
    (written,) = (tmp_path / "deep").rglob("results_*.json")
    assert written.parents[1] == tmp_path / "deep" / "again"


def test_what_the_harness_could_not_write_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=2)

    for writer in ("save_results_aggregated", "save_results_samples"):
        with monkeypatch.context() as patch:
            # The harness logs its own errors: nothing is raised here either.
            patch.setattr(EvaluationTracker, writer, lambda *_, **__: None)
            said = rescore(tmp_path / "run", "-o", tmp_path / "again", status=1)
        assert "could not be written as a whole" in said
        assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_results_without_samples(tmp_path: Path) -> None:
    run(tmp_path / "run", "gaokao_sample", limit=2)
    (samples,) = (tmp_path / "run").rglob("samples_*")
    (results,) = (tmp_path / "run").rglob("results_*")
    samples.unlink()
    for path in (tmp_path / "run", results):
        assert "only a run with --log_samples can be" in rescore(path, "-o", tmp_path / "again", status=1)


def test_numbers_that_moved() -> None:
    before = {"a": 1.0, "b": 0.1 + 0.2, "c": math.nan, "d": 2, "alias": "x", "e": math.nan, "gone": 1}
    after = {"a": 1.5, "b": 0.3, "c": math.nan, "d": 2.0, "alias": "y", "e": 1.0, "new": 2}
    moved = [(metric.name, metric.before, metric.after) for metric in moved_metrics(before, after)]
    assert [name for name, _, _ in moved] == ["a", "e", "gone", "new"]
    assert moved[0] == ("a", 1.0, 1.5)
    assert moved[2:] == [("gone", 1.0, None), ("new", None, 2.0)]
    assert moved_metrics({}, {}) == []


@pytest.mark.parametrize(
    ("outcome", "judged", "text"),
    [
        ([["C", "", "A"], "6.0", "ok"], 0, "6.0 (C . A)"),
        ([["C"], "0.0", "wrong_count"], 0, "0.0 (C) wrong_count"),
        ([[], "None", "no_answer"], 0, "no_answer"),
        ([["8.0"], "8.0", "ok", [["ok", "", [["judge", "【总分】8分"]]]]], 1, "8.0 (8.0)"),
        ([[], "None", "exhausted", [["exhausted", "HTTP 500", []]]], 1, "exhausted"),
        (
            [[["清晰度", "7"], ["综合得分", "6"]], "6.0", "ok", [], [["ok", "", [["", "好"]]]]],
            1,
            "6.0 (清晰度 7 综合得分 6)",
        ),
        ([[], "None", "not_judged", [], []], 0, "not_judged"),
        ([], 0, ""),
    ],
    ids=["letters", "count", "unread", "mark", "no_mark", "scores", "not_judged", "nothing"],
)
def test_outcomes_in_one_line(outcome: list[Any], judged: int, text: str) -> None:
    judgments, rest = split_outcome(outcome)
    assert len(judgments) == judged
    assert outcome_text(rest) == text
    assert [judgment.as_record() for judgment in judgments] == (outcome[-1] if judged else [])
