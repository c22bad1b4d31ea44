from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lm_eval.tasks import TaskManager
from typer.testing import CliRunner
from zh_metrics.judge import JudgeReply

from gaokao_tasks.catalog import SUBJECTS
from lm_eval_zh import registry
from lm_eval_zh.cli import app
from lm_eval_zh.differences import Difference, differences
from lm_eval_zh.judges import judge_cache
from lm_eval_zh.sources import BENCHMARKS, SourceError

ROOT = Path(__file__).parents[2]


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def unwrapped(help_text: str) -> str:
    return " ".join(help_text.replace("│", " ").split())


def test_path_prints_one_folder_with_the_tasks_of_all_benchmarks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path))
    status, out, _ = run("path")
    (folder,) = map(Path, out.splitlines())
    assert status == 0
    for benchmark in registry.BENCHMARKS:
        here = {path.name: path.read_bytes() for path in (folder / benchmark.package).iterdir()}
        originals = [*(ROOT / benchmark.package).glob("*.yaml"), *(ROOT / benchmark.package).glob("_*_yaml")]
        assert here == {path.name: path.read_bytes() for path in originals}
    manager = TaskManager(include_defaults=False, include_path=str(folder))
    (task,) = manager.load(["gaokao_sample"])["tasks"].values()
    assert len(task.eval_docs) == 41


def test_the_folder_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path))
    folder = Path(run("path")[1].strip()) / "gaokao_tasks"
    (folder / "gaokao_obj.yaml").write_text("task: old", encoding="utf-8")
    (folder / "gone.yaml").write_text("task: gone", encoding="utf-8")
    assert run("path")[0] == 0
    assert (folder / "gaokao_obj.yaml").read_bytes() == (ROOT / "gaokao_tasks" / "gaokao_obj.yaml").read_bytes()
    assert not (folder / "gone.yaml").exists()


def test_fetch_fills_the_cache_and_says_what_it_holds(
    mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    status, out, _ = run("fetch", "gaokao")
    assert status == 0
    assert "OpenLMLab/GAOKAO-Bench-Updates" in out
    assert str(tmp_path / "cache") in out
    assert len([path for path in (tmp_path / "cache").rglob("*") if path.is_file()]) == 61
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(tmp_path / "gone"))
    assert run("fetch", "gaokao")[:2] == (0, out)


def test_a_judges_prompt_that_can_not_be_had_is_said_but_stops_nothing(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(shared / "upstream"))
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path))
    status, out, _ = run("fetch", "alignbench")
    assert status == 0
    assert "alignbench: judging needs one more file, generating does not: could not get judge.py" in out


def test_what_has_no_tasks_yet_is_fetched_but_not_promised(mirror: Path) -> None:
    with_tasks = {benchmark.name for benchmark in registry.BENCHMARKS}
    without = [name for name in BENCHMARKS if name not in with_tasks]
    assert ("without tasks yet" in unwrapped(run("fetch", "--help")[1])) == bool(without)
    status, out, _ = run("fetch")
    assert status == 0
    assert [line.split(":")[0] for line in out.splitlines() if "this version has no tasks" in line] == without
    assert all(benchmark.title in unwrapped(run("--help")[1]) for benchmark in registry.BENCHMARKS)
    assert "this version has no tasks" not in run("fetch", "gaokao")[1]


def test_fetch_without_source_fails_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(tmp_path / "gone"))
    status, _, err = run("fetch", "cg_eval")
    assert status == 1
    assert "could not get all_questions_without_answers.csv" in err
    assert "Traceback" not in err


def sample(id_: str, pipeline: str, letters: list[str], status: str = "ok") -> dict[str, Any]:
    return {
        "doc": {"id": id_},
        "filter": pipeline,
        "filtered_resps": [[letters, "4.0" if letters else "None", status]],
        "resps": [["=1+1 [bold]【答案】B\n多选则错"]],
        "target": "B",
    }


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "samples_gaokao_obj_2026.jsonl"
    records = [
        sample("q/1", "official", ["B"]),
        sample("q/2", "official", ["C"]),
        sample("q/3", "official", ["A", "B"], "wrong_count"),
        sample("q/1", "robust", ["B"]),
        sample("q/2", "robust", [], "no_answer"),
        sample("q/3", "robust", ["A", "", "C"]),
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_differences(samples: Path) -> None:
    found, compared = differences(samples)
    assert compared == 3
    assert [(d.id, d.official, d.robust) for d in found] == [
        ("q/2", "C (4.0 points)", "no_answer"),
        ("q/3", "A B (4.0 points)", "A . C (4.0 points)"),
    ]
    assert isinstance(found[0], Difference)


def test_differences_are_printed(samples: Path) -> None:
    status, out, _ = run("differences", samples)
    assert status == 0
    assert "2 of 3 replies read differently" in out
    status, out, _ = run("differences", samples, "--format", "jsonl")
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["q/2", "q/3"]
    status, out, _ = run("differences", samples, "--format", "tsv")
    header, *rows = out.splitlines()
    assert header.split("\t") == ["file", "id", "target", "official", "robust", "reply", "judgment"]
    assert len(rows) == 2  # replies hold line ends, rows don't
    assert not any(cell.startswith("=") for row in rows for cell in row.split("\t"))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"doc": {"id": "q/1"}, "filter": "official"}, "line 1: field 'filtered_resps' is missing"),
        (
            sample("q/1", "official", ["B"]) | {"doc": {}},
            "line 1: field 'doc': expected a document of one of our tasks",
        ),
        (
            sample("q/1", "official", ["B"]) | {"doc": {"id": 1}},
            "line 1: field 'doc': expected a document of one of our tasks",
        ),
        (sample("q/1", "official", ["B"]), "q/1 has no reading by the pipeline 'robust'"),
        ([], "line 1: field 'doc' is missing"),
        (None, "line 1: field 'doc' is missing"),
        (sample("q/1", "none", ["B"]), "no sample of the pipelines official and robust: expected samples"),
        (sample("q/1", "official", ["B"]) | {"target": 1}, "line 1: field 'target': expected text, got 1"),
        (sample("q/1", "official", ["B"]) | {"resps": ["ABC"]}, "line 1: field 'resps': .* got .'ABC'"),
    ],
)
def test_what_is_no_samples_file_is_named(tmp_path: Path, record: Any, message: str) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        differences(path)
    status, _, err = run("differences", path)
    assert status == 1
    assert str(path) in err


@pytest.mark.parametrize(
    "filtered",
    [
        None,
        [],
        ["B"],
        [["B"]],
        [[["B"], "4.0"]],
        [["B", "4.0", "ok"]],
        [[[None], "4.0", "ok"]],
        [[["B"], ["4.0"], "ok"]],
        [[["B"], "4.0", None]],
    ],
)
def test_what_is_no_outcome_is_named(tmp_path: Path, filtered: Any) -> None:
    path = tmp_path / "samples.jsonl"
    records = [sample("q/1", "official", ["B"]), sample("q/1", "robust", ["B"]) | {"filtered_resps": filtered}]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    with pytest.raises(SourceError, match="line 2: field 'filtered_resps': expected"):
        differences(path)


def test_differences_of_a_folder_are_those_of_its_runs(tmp_path: Path) -> None:
    records = [sample("gaokao_sample/q/1", "official", ["B"]), sample("gaokao_sample/q/1", "robust", ["C"])]
    others = tmp_path / "model" / "samples_mmlu_2026-01-01T00-00-00.000000.jsonl"
    others.parent.mkdir()
    others.write_text(json.dumps({"doc": {"id": 1}, "resps": [["A"]], "filter": "none"}), encoding="utf-8")
    status, _, err = run("differences", tmp_path)
    assert status == 1
    assert "no samples_*.jsonl of our tasks" in err
    ours = tmp_path / "model" / "samples_gaokao_sample_2026-01-01T00-00-00.000000.jsonl"
    ours.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    status, out, _ = run("differences", tmp_path, "--format", "jsonl")
    assert status == 0
    assert [(row["file"], row["id"]) for row in map(json.loads, out.splitlines())] == [(str(ours), "gaokao_sample/q/1")]


def test_an_empty_file_has_no_samples(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"samples\.jsonl: no samples: expected samples_"):
        differences(tmp_path / "samples.jsonl")


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (
            [sample("q/1", "official", ["B"]), sample("q/1", "official", ["C"])],
            r"line 2: q/1 has a second reading by the pipeline 'official', after .*line 1; keep each run in a file",
        ),
        (
            [sample("q/1", "official", ["B"]), sample("q/1", "robust", ["B"]) | {"resps": [["C"]]}],
            "line 2: the reply to q/1 is not that of .*line 1",
        ),
    ],
    ids=["question_twice", "another_runs_reply"],
)
def test_two_runs_in_one_file_are_refused(tmp_path: Path, records: list[Any], message: str) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        differences(path)


@pytest.fixture
def hostile_samples(tmp_path: Path) -> Path:
    path = tmp_path / "=samples_题.jsonl"
    id_, target = '=HYPERLINK("http://example.org")/题', "\x1b[31m\x1b]0;title\x07\u202e-1+1\r\n\t@B"
    records = [sample(id_, "official", ["B"]), sample(id_, "robust", ["\x1b[2J+C"])]
    path.write_text("".join(json.dumps(record | {"target": target}) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_spreadsheet_calculates_nothing(hostile_samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hostile_samples.parent)
    _, out, _ = run("differences", hostile_samples.name, "--format", "tsv")
    header, row = csv.reader(io.StringIO(out), delimiter="\t")
    cells = dict(zip(header, row, strict=True))
    assert cells["file"] == "'=samples_题.jsonl"
    assert cells["id"] == """'=HYPERLINK("http://example.org")/题"""
    assert cells["target"] == "]0;title-1+1@B"
    assert cells["robust"] == "'+C (4.0 points)"
    assert json.loads(cells["reply"]) == "=1+1 [bold]【答案】B\n多选则错"


@pytest.mark.parametrize("form", ["table", "tsv"])
def test_a_terminal_obeys_nothing(hostile_samples: Path, form: str) -> None:
    _, out, _ = run("differences", hostile_samples, "--format", form)
    assert not {char for char in out if ord(char) < 32 or char == "\u202e"} - set("\n\t")


@pytest.mark.parametrize("form", ["table", "tsv", "jsonl"])
def test_output_is_utf8_whatever_the_locale(hostile_samples: Path, form: str) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    result = subprocess.run(
        [
            sys.executable,
            "-c",
            "from lm_eval_zh.cli import app; app()",
            "differences",
            hostile_samples,
            "--format",
            form,
        ],
        env={**os.environ, **ascii_only},
        capture_output=True,
        check=True,
    )
    assert "题" in result.stdout.decode("utf-8")


def test_version_and_help() -> None:
    assert run("--version")[1].strip()
    assert "fetch" in run("--help")[1]
    assert run("fetch", "mmlu")[0] == 2


def test_the_judges_replies_are_shown_and_cleared_by_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path))
    kept = judge_cache()
    for key in ("ab", "cd"):
        kept.put("org/judge", key * 32, JudgeReply("【总分】1分"))
    status, out, _ = run("cache")
    assert status == 0
    assert "org_judge" in out
    status, _, error = run("cache", "--clear", "other")
    assert status == 1
    assert "judges there: org_judge" in error
    assert run("cache", "--clear", "org_judge")[1].startswith("2 replies of org_judge removed")
    assert "org_judge" not in run("cache")[1]
    (kept.folder / "[red]x").symlink_to(tmp_path)
    assert "[red]x" in run("cache")[1]
    status, _, error = run("cache", "--clear", "[red]x")
    assert (status, tmp_path.is_dir()) == (1, True)
    assert "is a link to" in error


def test_an_estimate_is_a_table_of_calls_tokens_and_cost() -> None:
    status, out, _ = run("estimate", "--tasks", "gaokao_sample", "--price-prompt", 10, "--price-completion", 30)
    assert status == 0
    assert "gaokao" in out
    assert "39" in out  # three times thirteen calls at most
    assert run("estimate", "--tasks", "gaokao_samples")[0] == 1


def test_an_estimate_for_a_panel_has_a_row_for_each_judge() -> None:
    panel = [{"model": "one", "repeats": 2, "samples": 5}, {"model": "another", "profile": "critiquellm"}]
    status, out, _ = run("estimate", "--tasks", "alignbench_sample", "--judge", json.dumps({"panel": panel}))
    assert status == 0
    one, another = ([cell.strip() for cell in row.split("│")[1:-1]] for row in out.splitlines() if "alignbench" in row)
    assert one[1:5] == ["one", "16", "32", "160"]
    assert another[1:5] == ["another", "16", "16", "48"]
    assert int(one[6].replace(",", "")) == 32 * 400
    status, _, error = run("estimate", "--tasks", "alignbench_sample", "--judge", "one", "--judge_args", "mode=loose")
    assert (status, "judge setting 'mode': expected" in error) == (1, True)


def exam(path: Path, task: str, **rates: float) -> Path:
    metrics = {f"{name},{pipeline}": rate for name, rate in rates.items() for pipeline in ("official", "robust")}
    metadata = {"signature": {"official": "judge:overlap|subset:first 3"}}
    content = {
        "results": {task: metrics},
        "configs": {task: {"metadata": metadata}},
        "model_name": f"model of {path.stem}",
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_totals_from_two_runs_and_from_one(tmp_path: Path) -> None:
    rates = {"scoring_rate": 0.5, "coverage": 0.25, **{f"scoring_rate_{subject}": 0.5 for subject in SUBJECTS}}
    halves = [exam(tmp_path / f"results_{kind}.json", f"gaokao_{kind}", **rates) for kind in ("obj", "subj")]
    status, out, _ = run("total", *halves)
    assert status == 0
    assert "375.0000" in out
    assert "judge overlap, only first 3 documents, coverage 0.2500" in out
    assert "models with different names" in out
    both = {f"scoring_rate_{subject}_{kind}": 0.5 for subject in SUBJECTS for kind in ("objective", "subjective")}
    whole = exam(tmp_path / "results_both.json", "gaokao", scoring_rate=0.5, coverage=1.0, **both)
    (official, robust) = json.loads(run("total", whole, "--json")[1])
    assert (official["sciences"], robust["humanities"]) == (375.0, 375.0)


def test_totals_have_intervals_where_the_samples_are(second_run: Path, tmp_path: Path) -> None:
    """The sample, renamed: it has a question of every subject and kind."""
    for path in second_run.rglob("*.json*"):
        text = (
            path.read_text(encoding="utf-8")
            .replace('"gaokao_sample/', '"gaokao_obj/')
            .replace("gaokao_sample", "gaokao")
        )
        (tmp_path / path.name.replace("gaokao_sample", "gaokao")).write_text(text, encoding="utf-8")
    status, out, _ = run("total", tmp_path)
    assert status == 0
    assert "95 % bootstrap intervals" in out
    (_, robust) = json.loads(run("total", tmp_path, "--json")[1])
    for exam in ("sciences", "humanities"):
        interval = robust["intervals"][exam]
        assert interval["value"] == pytest.approx(robust[exam])
        assert interval["low"] <= robust[exam] <= interval["high"]
    next(tmp_path.glob("samples_*.jsonl")).unlink()
    assert "No intervals: they need the samples" in run("total", tmp_path)[1]


def test_a_total_lacking_a_part_is_nan_and_says_which(tmp_path: Path) -> None:
    one = exam(tmp_path / "results_physics.json", "gaokao_obj_physics", scoring_rate=0.5, coverage=1.0)
    status, out, _ = run("total", one)
    assert status == 0
    assert "–: no rate for" in out
    assert "22.0000" in out
    assert "no rate for chinese objective" in unwrapped(out)
    assert json.loads(run("total", one, "--json")[1])[0]["sciences"] is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "field 'results'"),
        ('{"results": {"mmlu": {"acc,none": 1}}}', "no rates of gaokao"),
        ('{"results": {"gaokao_sample": {"scoring_rate,official": 1}}}', "no rates of gaokao"),
        ("{", "not JSON"),
        *(
            (json.dumps({"results": {"gaokao_obj": {"scoring_rate,official": 1, "scoring_rate_physics,official": bad}}}), "from 0 to 1")
            for bad in ("much", 7.5, -3, True, [1], 10**400, float("inf"))
        ),
        (
            json.dumps({"results": {"gaokao_obj": {"scoring_rate,official": 1, "scoring_rate_physics,official": 1},
                                    "gaokao_obj_physics": {"scoring_rate,official": 1}}}),
            "physics objective is in two of its tasks",
        ),
    ],
)  # fmt: skip
def test_a_file_without_the_exams_rates_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "results_x.json"
    path.write_text(content, encoding="utf-8")
    status, _, error = run("total", tmp_path)
    assert status == 1
    assert message in error
    assert "results_x.json" in error


@pytest.mark.parametrize(
    "more",
    [
        {"configs": None},
        {"configs": {"gaokao_obj": None}},
        {"configs": {"gaokao_obj": {"metadata": None}}},
        {"configs": {"gaokao_obj": {"metadata": {"signature": None}}}},
        {"configs": {"gaokao_obj": {"metadata": {"signature": {"official": 7}}}}},
        {"model_name": None},
    ],
)
def test_a_file_that_says_little_of_its_run_still_gives_its_rates(tmp_path: Path, more: dict[str, Any]) -> None:
    path = tmp_path / "results_x.json"
    metrics = {"scoring_rate,official": 0.5, "scoring_rate_physics,official": 0.5, "coverage,official": "N/A"}
    path.write_text(json.dumps({"results": {"gaokao_obj": metrics}, **more}), encoding="utf-8")
    (official, _) = json.loads(run("total", path, "--json")[1])
    assert official["points"]["physics objective"] == 22.0
    assert official["halves"][0]["coverage"] is None


def test_the_same_half_twice_is_named(tmp_path: Path) -> None:
    rates = {"scoring_rate": 0.5, "scoring_rate_physics": 0.5}
    files = [exam(tmp_path / f"results_{n}.json", "gaokao_obj", **rates) for n in range(2)]
    status, _, error = run("total", *files)
    assert (status, "physics objective is in" in error) == (1, True)
    assert "expected one results_*.json in it, found 2" in run("total", tmp_path)[2]
