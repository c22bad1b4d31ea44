"""Runs compared: known differences, what makes a comparison void, what the command prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from finished_runs import answered, finished_run
from typer.testing import CliRunner

from gaokao_tasks.docs import documents
from lm_eval_zh.analysis.comparability import field_differences
from lm_eval_zh.analysis.comparison import compare
from lm_eval_zh.analysis.numbers import Bootstrap
from lm_eval_zh.analysis.questions import Failure
from lm_eval_zh.analysis.runs import Run, read_runs
from lm_eval_zh.cli import app
from lm_eval_zh.sources import SourceError


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160"})
    return result.exit_code, result.stdout, result.stderr


def compared(first: Path, second: Path, *kinds: str) -> Any:
    (comparison,) = compare(read_runs(f"A={first}"), read_runs(f"B={second}"), "robust", kinds, Bootstrap())
    return comparison


def test_a_known_difference(first_run: Path, second_run: Path) -> None:
    """The second model loses all of physics' objective points, and is silent in geography."""
    comparison = compared(first_run, second_run, "subject")
    docs = documents("gaokao_sample")
    objective = [doc for doc in docs if not doc["marking_prompt"]]
    possible = sum(doc["score"] * len(doc["answer"]) for doc in objective)
    lost = sum(doc["score"] * len(doc["answer"]) for doc in objective if doc["subject"] in ("physics", "geography"))
    by_name = {one.number.name: one for one in comparison.headline}
    difference = by_name["scoring_rate_objective"].difference
    assert difference.value == pytest.approx(-lost / possible)
    assert difference.low < difference.value < difference.high < 0
    by_subject = dict(comparison.by_part["subject"])
    for subject in ("chinese", "english", "math_sci", "politics"):
        assert by_subject[subject].difference == (0.0, 0.0, 0.0, 1.0)
    assert by_subject["physics"].difference.value < -0.5
    changed = {change.question.labels["subject"] for change in comparison.changes}
    assert changed == {"physics", "geography"}
    assert comparison.void == []
    gains = [abs(change.gain) for change in comparison.changes]
    assert gains == sorted(gains, reverse=True)


def test_a_run_does_not_differ_from_itself(first_run: Path) -> None:
    comparison = compared(first_run, first_run)
    assert comparison.changes == []
    assert {tuple(one.difference) for one in comparison.headline} == {(0.0, 0.0, 0.0, 1.0)}
    assert list(comparison.by_part) == ["subject", "year", "question_type"]


def test_only_common_questions_are_compared(first_run: Path, tmp_path: Path) -> None:
    part = finished_run(tmp_path, "gaokao_sample", lambda doc: answered(doc, lambda _: True), limit=16)
    comparison = compared(first_run, part)
    assert (comparison.questions, comparison.only_first, comparison.only_second) == (16, 25, 0)
    assert [difference.field for difference in comparison.signature_differences] == ["subset"]
    assert comparison.void == []


def test_a_question_without_a_score_in_one_run_is_in_neither_number(first_run: Path, second_run: Path) -> None:
    from dataclasses import replace

    (first,), (second,) = read_runs(f"A={first_run}"), read_runs(f"B={second_run}")
    id_ = next(id_ for id_, question in first.questions.items() if question.labels["subject"] == "physics")
    failed = replace(
        second.questions[id_].readings["robust"], quantities={"score": (0.0, 0.0)}, failure=Failure.UNJUDGED
    )
    question = replace(second.questions[id_], readings={"robust": failed})
    marked = replace(second, questions={**second.questions, id_: question})
    (comparison,) = compare([first], [marked], "robust", ["subject"], Bootstrap(resamples=50))
    assert (comparison.questions, comparison.scored) == (41, 40)
    (physics,) = (one for subject, one in comparison.by_part["subject"] if subject == "physics")
    assert physics.first.questions == physics.second.questions
    (change,) = (change for change in comparison.changes if change.question.id == id_)
    assert (change.gain, change.second.failure) == (0.0, Failure.UNJUDGED)


def test_other_judges_make_it_void(first_run: Path, judged_twice: Path) -> None:
    comparison = compared(first_run, judged_twice)
    assert {difference.field for difference in comparison.void} == {"judge", "judge_settings", "panel"}
    status, _, warning = run("compare", f"A={first_run}", f"B={judged_twice}", "--by", "subject")
    assert status == 0
    assert "do not measure the same thing" in warning
    assert "judge: overlap / recorded teachers 1+recorded teachers 2" in warning


@pytest.mark.parametrize(
    ("field", "voids"),
    [("version", True), ("data", True), ("prompt", True), ("pipeline", True), ("embedding_model", True),
     ("temperature", False), ("chat", False), ("max_tokens", False), ("subset", False), ("lm_eval", False)],
)  # fmt: skip
def test_which_fields_void_a_comparison(field: str, voids: bool) -> None:
    common = {"task": "gaokao_obj"}
    (difference,) = field_differences({**common, field: "1"}, {**common, field: "2"})
    assert (difference.voids, difference.field) == (voids, field)
    (missing,) = field_differences(common, {**common, field: "2"})
    assert (missing.voids, missing.first) == (voids, "none")


def test_runs_of_other_questions_have_nothing_in_common(first_run: Path, alignbench_run: Path) -> None:
    with pytest.raises(SourceError, match="no question is in both with a reading by 'robust'"):
        compared(first_run, alignbench_run)
    with pytest.raises(SourceError, match="no breakdown 'colour': expected one of subject, year, question_type"):
        compared(first_run, first_run, "colour")


def test_a_breakdown_is_that_of_the_benchmarks_that_have_it(first_run: Path, alignbench_run: Path) -> None:
    both = [*read_runs(str(first_run)), *read_runs(str(alignbench_run))]
    gaokao, alignbench = compare(both, both, "robust", ["category"], Bootstrap(resamples=20))
    assert (list(gaokao.by_part), list(alignbench.by_part)) == ([], ["category"])


def test_what_is_printed(first_run: Path, second_run: Path) -> None:
    status, out, warning = run("compare", f"A={first_run}", f"B={second_run}", "--changes", 2)
    assert (status, warning) == (0, "")
    assert "A = A, B = B, 41 questions with a score in both" in out
    assert "95 % bootstrap intervals over questions: 1,000 resamples, seed 0; paired" in out
    assert "more changed questions" in out
    row = next(line for line in out.splitlines() if "scoring_rate_objective" in line)
    assert "[-" in row
    physics = next(line for line in out.splitlines() if line.startswith("│ physics"))
    assert "0.0" in physics


def test_json_holds_everything(first_run: Path, second_run: Path) -> None:
    status, out, _ = run(
        "compare", f"A={first_run}", f"B={second_run}", f"C={first_run}", "--format", "json", "--seed", 7
    )
    assert status == 0
    to_second, to_itself = json.loads(out)
    assert (to_second["second"], to_itself["second"]) == ("B", "C")
    assert to_itself["headline"]["scoring_rate"]["difference"] == {"value": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}
    assert len(to_second["changes"]) > 2
    assert (
        run("compare", f"A={first_run}", f"B={second_run}", f"C={first_run}", "--format", "json", "--seed", 7)[1] == out
    )


def test_samples_without_a_signature_are_told(first_run: Path, tmp_path: Path) -> None:
    (samples,) = first_run.rglob("samples_*.jsonl")
    bare = tmp_path / samples.name
    bare.write_bytes(samples.read_bytes())
    _, _, warning = run("compare", first_run, bare)
    assert "no signature beside it" in warning


def test_one_run_is_not_enough(first_run: Path) -> None:
    assert run("compare", first_run)[0] == 2


def test_the_real_replies_of_two_models(mirror: Path, tmp_path: Path) -> None:
    """The released GPT-4 and GPT-3.5 replies in physics: 213 and 173 of 384 points officially."""
    released = mirror / "OpenLMLab/GAOKAO-Bench"
    folders = [
        "6dbb24f8d8439041e5431c4c184a582182a6ce9c/Results/gpt_4_0314_obj",
        "b82e164ac1616abd203ecb5c6acc8058136e82dd/result/gpt-3.5-turbo_选择题/gpt-3.5-turbo_选择题_3",
    ]
    runs: list[list[Run]] = []
    for number, folder in enumerate(folders):
        path = finished_run(tmp_path / str(number), "gaokao_obj_physics", released / folder)
        runs.append(read_runs(f"{number}={path}"))
    (comparison,) = compare(*runs, "official", [], Bootstrap())
    (rate,) = comparison.headline
    assert rate.first.value == 213 / 384
    assert rate.difference.value == pytest.approx(rate.second.value - 213 / 384)
    assert rate.difference.low < rate.difference.value < rate.difference.high
    assert comparison.void == []


def test_a_tasks_own_digests_do_not_void_what_two_tasks_share(first_run: Path) -> None:
    """A subject's task against the whole: the same questions under other digests of files."""
    from dataclasses import replace

    (whole,) = read_runs(f"A={first_run}")
    in_physics = {id_: q for id_, q in whole.questions.items() if q.labels["subject"] == "physics"}
    signatures = {"robust": whole.signatures["robust"].replace("gaokao_sample", "gaokao_sample_physics")}
    signatures["robust"] = signatures["robust"].replace("|data:", "|data:f").replace("|prompt:", "|prompt:f")
    part = replace(whole, task="gaokao_sample_physics", questions=in_physics, signatures=signatures, metrics={})
    (comparison,) = compare([whole], [part], "robust", [], Bootstrap(resamples=20))
    assert [difference.field for difference in comparison.signature_differences] == ["task"]
    assert comparison.void == []
    (id_, *_) = in_physics
    edited = replace(part, questions={**in_physics, id_: replace(in_physics[id_], text="another")})
    (comparison,) = compare([whole], [edited], "robust", [], Bootstrap(resamples=20))
    assert [difference.field for difference in comparison.void] == ["question_texts"]
    same_task = replace(part, task="gaokao_sample")
    (comparison,) = compare([whole], [same_task], "robust", [], Bootstrap(resamples=20))
    assert {difference.field for difference in comparison.void} == {"data", "prompt"}
