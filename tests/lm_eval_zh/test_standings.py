"""Published tables: the figures as published, and runs among them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from finished_runs import finished_run
from typer.testing import CliRunner

from lm_eval_zh import registry
from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.questions import Table
from lm_eval_zh.analysis.runs import read_runs
from lm_eval_zh.analysis.standings import Standing, standings
from lm_eval_zh.analysis.tables import read_tables
from lm_eval_zh.cli import app
from lm_eval_zh.sources import SourceError

GAOKAO = "OpenLMLab/GAOKAO-Bench/6dbb24f8d8439041e5431c4c184a582182a6ce9c/Results"
TABLES = [
    (benchmark, table) for benchmark in registry.BENCHMARKS for table in benchmark.analysis().tables()
]  # fmt: skip


@pytest.mark.parametrize(("benchmark", "table"), TABLES, ids=[f"{b.name}-{t.name}" for b, t in TABLES])
def test_each_table_names_numbers_its_benchmark_knows(benchmark: registry.Benchmark, table: Table) -> None:
    for column in table.columns:
        assert benchmark.analysis().named(column).name == column
    assert table.collections <= set(benchmark.collections)
    assert all(set(values) == set(table.columns) for values in table.rows.values())
    assert table.date and set(table.title) == set(table.source) == {"en", "zh"}
    for values in table.rows.values():
        assert all(table.scale.low <= value <= table.scale.high for value in values.values())


@pytest.mark.parametrize(
    ("name", "file", "column"),
    [
        ("objective", "gaokao_table1_objective_rate", "Overall"),
        ("subjective", "gaokao_table2_subjective_rate_human", "Overall"),
        ("totals_teachers", "gaokao_table4_totals_and_judge_agreement", "Sciences, Human"),
        ("totals_gpt4_turbo", "gaokao_table4_totals_and_judge_agreement", "Sciences, GPT-4-turbo"),
        ("objective_2023", "gaokao_table5_2023", "GAOKAO-Bench-2023"),
    ],
)
def test_the_figures_are_the_papers(shared: Path, name: str, file: str, column: str) -> None:
    (table,) = (table for _, table in TABLES if table.name == name)
    with (shared / "leaderboards" / f"{file}.csv").open(encoding="utf-8", newline="") as rows:
        printed = {row["Model"]: row for row in csv.DictReader(rows)}
    assert table.rows.keys() == printed.keys()
    factor = 100 if table.scale.percent else 1
    for model, values in table.rows.items():
        assert values[table.columns[0]] * factor == pytest.approx(float(printed[model][column]))
        if file.startswith(("gaokao_table1", "gaokao_table2")):
            figures = [float(figure) for figure in list(printed[model].values())[1:]]
            assert [value * factor for value in values.values()] == pytest.approx(figures)


@pytest.mark.parametrize(
    ("row", "message"),
    [("model,overall\nA,x\n", "line 2: column 'overall': expected a number, got 'x'"),
     ("model\nA\n", "line 2: column 'overall' is missing or empty")],
)  # fmt: skip
def test_bad_tables_are_named(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "rows.csv").write_text(row, encoding="utf-8")
    (tmp_path / "_tables_yaml").write_text(
        "[{name: t, file: rows.csv, columns: {overall: score}, scale: {low: 0, high: 1}}]", encoding="utf-8"
    )
    with pytest.raises(SourceError, match=message):
        read_tables(tmp_path)


def of(found: list[Standing], name: str) -> Standing:
    return next(standing for standing in found if standing.table.name == name)


def test_the_real_replies_of_gpt_4(mirror: Path, tmp_path: Path) -> None:
    """One subject's task is no row of the whole table; the whole is, where the paper has it."""
    answers = mirror / GAOKAO / "gpt_4_0314_obj"
    physics = read_runs(f"physics={finished_run(tmp_path / 'physics', 'gaokao_obj_physics', answers)}")
    (row,) = (row for row in of(standings(physics, "official", Bootstrap()), "objective").rows if row.ours)
    assert [str(remark) for remark in row.remarks] == ["questions: 64, in the table 1781"]
    whole = read_runs(f"GPT-4 here={finished_run(tmp_path / 'whole', 'gaokao_obj', answers)}")
    standing = of(standings(whole, "official", Bootstrap()), "objective")
    published, ours = standing.rows[:2]
    assert (published.model, ours.model, ours.remarks) == ("GPT-4-0314", "GPT-4 here", [])
    for name, value in published.values.items():
        assert ours.values[name] == pytest.approx(value, abs=0.0006), name
    interval = ours.figures["scoring_rate_objective"].estimate
    assert interval.low < 0.7215 < interval.high
    assert 0.008 < interval.error < 0.012
    robust = of(standings(whole, "robust", Bootstrap()), "objective")
    (row,) = (row for row in robust.rows if row.ours)
    assert [str(remark) for remark in row.remarks] == ["pipeline: robust, in the table official"]
    status, out, _ = run("leaderboard", f"GPT-4 here={tmp_path / 'whole'}", "--benchmark", "gaokao")
    assert status == 0
    assert "│ > │ GPT-4 here" in out
    assert "72.2 [70" in out
    status, out, _ = run("leaderboard", f"GPT-4 here={tmp_path / 'whole'}", "--format", "json")
    (record,) = json.loads(out)
    assert record["rows"][1]["values"]["scoring_rate_objective"]["value"] == 7000 / 9702


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160"})
    return result.exit_code, result.stdout, result.stderr


def test_a_sample_has_no_place_among_published_models(first_run: Path) -> None:
    status, _, error = run("leaderboard", first_run)
    assert status == 1
    assert "no published table for the tasks of these runs: gaokao_sample" in error
    assert run("leaderboard", first_run, "--benchmark", "mmlu")[0] == 2


@pytest.mark.parametrize("judge", ["teachers", "someone"])
def test_whose_judge_it_was_is_told(first_run: Path, judge: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run's samples stand in for the subjective questions, to look at the remarks alone."""
    from dataclasses import replace

    (sample,) = read_runs(str(first_run))
    questions = {
        id_.replace("gaokao_sample", "gaokao_subj"): replace(question, id=id_.replace("gaokao_sample", "gaokao_subj"))
        for id_, question in sample.questions.items()
        if question.labels["kind"] == "subjective"
    }
    signature = f"judge:recorded {judge} 1+recorded {judge} 2|criteria:abc"
    stand_in = replace(sample, questions=questions, signatures={"official": signature}, metrics={})
    (row,) = (row for row in of(standings([stand_in], "official", Bootstrap()), "subjective").rows if row.ours)
    told = [remark.what for remark in row.remarks]
    assert told == [*([] if judge == "teachers" else ["judge"]), "criteria", "questions"]


def test_alignbench_has_another_edition_than_its_tables(alignbench_run: Path) -> None:
    """The sample stands in for the benchmark, to look at the remarks alone: judge, edition, number, one empty reply."""
    from dataclasses import replace

    (sample,) = read_runs(f"here={alignbench_run}")
    questions = {
        id_.replace("_sample", ""): replace(question, id=id_.replace("_sample", ""))
        for id_, question in sample.questions.items()
    }
    stand_in = replace(sample, questions=questions, metrics={})
    found = standings([stand_in], "official", Bootstrap())
    assert [standing.table.name for standing in found] == ["gpt-4-0613", "critiquellm"]
    for standing in found:
        (row,) = (row for row in standing.rows if row.ours)
        assert [remark.what for remark in row.remarks] == ["judge", "questions", "edition", "unscored"]
        assert len(standing.rows) == 18
        assert row.values["score"] == pytest.approx(sample.metrics["score,official"])
