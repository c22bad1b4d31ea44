from __future__ import annotations

import csv
import math
from typing import Any

import pytest
from zh_metrics.judge import JudgeReply, Judgment, PanelRule, Status, Verdict

from gaokao_tasks.judged import official_mark_outcome, robust_mark_outcome
from gaokao_tasks.measures import NOTHING, measure
from gaokao_tasks.question_types import KINDS, OPEN_ENDED
from gaokao_tasks.totals import HUMANITIES, POINTS, SCIENCES, Cell, total, total_humanities, total_sciences
from lm_eval_zh.replies import MISSING_REPLY


def judgment(*replies: str, status: Status = Status.OK, reason: str = "") -> Judgment:
    return Judgment(status, reason, tuple(JudgeReply(text, model="j") for text in replies))


DOC: dict[str, Any] = {
    "id": "gaokao_subj/x/0",
    "question_type": OPEN_ENDED,
    "subject": "physics",
    "score": 10.0,
    "answer": ["略"],
    "parts": ["physics_open"],
    "task_points": 100.0,
    "sciences_points": 50.0,
    "humanities_points": 0.0,
}


@pytest.mark.parametrize(
    ("judgments", "official", "robust"),
    [
        pytest.param([judgment("【总分】7分")], ([7.0], 7.0), ([7.0], 7.0), id="one mark"),
        pytest.param([judgment("【总分】3.333分")], ([3.333], 3.33), ([3.333], 3.333), id="upstream rounds each question"),
        pytest.param([judgment("【总分】0分")], ([0.0], 0.0), ([0.0], 0.0), id="zero is a mark"),
        pytest.param(
            [judgment("【总分】9分\n更正\n【总分】8分", status=Status.UNPARSED)],
            ([9.0, 8.0], 8.5),
            ([8.0], 8.0),
            id="upstream averages both totals",
        ),
        pytest.param(
            [judgment("【总分】12分", status=Status.UNPARSED)], ([12.0], 12.0), ([], None), id="above the maximum"
        ),
        pytest.param(
            [judgment("【总分】：6分", "好", "【总分】5分")], ([5.0], 5.0), ([6.0], 6.0), id="tries upstream alone needs"
        ),
        pytest.param([judgment("【总分】6分"), judgment("【总分】9分")], ([6.0, 9.0], 7.5), ([6.0, 9.0], 7.5), id="two teachers"),
        pytest.param(
            [judgment("【总分】6分"), judgment(status=Status.EXHAUSTED, reason="timeout")],
            ([6.0], 6.0),
            ([6.0], 6.0),
            id="one of two teachers",
        ),
        pytest.param(
            [judgment("【总分】：6分，【总分】7分", status=Status.EXHAUSTED, reason="timeout"), judgment("【总分】5分")],
            ([5.0], 5.0),
            ([7.0, 5.0], 6.0),
            id="what a judge wrote before it failed",
        ),
    ],
)  # fmt: skip
def test_points_from_judgments(
    judgments: list[Judgment], official: tuple[list[float], float], robust: tuple[list[float], float | None]
) -> None:
    assert official_mark_outcome(Verdict(tuple(judgments)), 10)[:2] == official
    assert robust_mark_outcome(Verdict(tuple(judgments)), 10)[:2] == robust


@pytest.mark.parametrize(
    ("judgments", "status"),
    [
        ([], "not_judged"),
        ([judgment(status=Status.FILTERED, reason="content_filter")], "filtered"),
        ([judgment(status=Status.TOO_LONG, reason="context_length_exceeded")], "too_long"),
        ([judgment(status=Status.EXHAUSTED, reason="timeout")], "exhausted"),
        ([judgment(status=Status.REFUSED, reason="HTTP 401")], "refused"),
        ([judgment(status=Status.NOT_ASKED, reason="max_calls reached")], "not_asked"),
    ],
)
def test_no_judgment_is_a_failure_with_its_reason_in_both_pipelines(judgments: list[Judgment], status: str) -> None:
    for outcome in (
        official_mark_outcome(Verdict(tuple(judgments)), 10),
        robust_mark_outcome(Verdict(tuple(judgments)), 10),
    ):
        assert (outcome.marks, outcome.points, outcome.status) == ([], None, status)
        values = measure(DOC, outcome)
        assert values["judge_failed"] == status
        assert values["scoring_rate"] == values["scoring_rate_physics_open"] == NOTHING
        assert values["coverage"] == (0.0, 100.0)
        assert values["total_sciences"][2:] == NOTHING


def test_a_judgment_that_failed_gives_no_official_mark() -> None:
    failed = [judgment("【总分】12分", "【总分】6分\n【总分】7分", status=Status.EXHAUSTED, reason="timeout")]
    assert official_mark_outcome(Verdict(tuple(failed)), 10)[:3] == ([], None, "exhausted")
    assert robust_mark_outcome(Verdict(tuple(failed)), 10)[:2] == ([7.0], 7.0)


def test_an_unread_reply_names_what_is_wrong_with_it() -> None:
    unread = [judgment("很好", status=Status.UNPARSED)]
    assert official_mark_outcome(Verdict(tuple(unread)), 10).status == "no_mark"
    assert robust_mark_outcome(Verdict(tuple(unread)), 10).status == "no_total"
    assert robust_mark_outcome(Verdict((judgment("【总分】50分"),)), 10).status == "above_maximum"


@pytest.mark.parametrize(
    ("rule", "points", "status"),
    [
        (PanelRule("mean", 3), 6.0, "ok"),
        (PanelRule("median", 3), 5.0, "ok"),
        (PanelRule("mean", 4), None, "below_quorum"),
    ],
)
def test_a_panels_mark(rule: PanelRule, points: float | None, status: str) -> None:
    marked = [judgment(f"【总分】{mark}分") for mark in (4, 5, 9)]
    verdict = Verdict((*marked, judgment("很好", status=Status.UNPARSED)), rule)
    for outcome in (official_mark_outcome(verdict, 10), robust_mark_outcome(verdict, 10)):
        assert (outcome.points, outcome.status) == (points, status)
        assert measure(DOC, outcome)["judge_failed"] == ("" if points else status)


def test_samples_hold_the_judges_words() -> None:
    outcome = official_mark_outcome(Verdict((judgment("好", "【总分】7分"),)), 10)
    assert outcome.judgments == [["ok", "", [["j", "好"], ["j", "【总分】7分"]]]]


def test_a_marked_answer_counts_in_its_total_only() -> None:
    values = measure(DOC, robust_mark_outcome(Verdict((judgment("【总分】7分"),)), 10))
    assert values["scoring_rate"] == (7.0, 10.0)
    assert values["total_sciences"] == ("physics", "subjective", 7.0, 10.0)
    assert values["total_sciences_coverage"] == (10.0, 50.0)
    assert values["total_humanities_coverage"] == (0.0, 0.0)
    assert (values["extraction_failed"], values["judge_failed"], values["reply_missing"]) == ("", "", "")


def test_a_missing_reply_is_nobodys_failure() -> None:
    outcome = robust_mark_outcome(Verdict(), 10)._replace(status=MISSING_REPLY)
    values = measure(DOC, outcome)
    assert (values["judge_failed"], values["reply_missing"]) == ("", MISSING_REPLY)
    assert values["scoring_rate"] == NOTHING


def rates(value: float) -> dict[Cell, float]:
    return dict.fromkeys(POINTS, value)


@pytest.mark.parametrize("subjects", [SCIENCES, HUMANITIES])
def test_full_marks_are_750_points(subjects: tuple[str, ...]) -> None:
    assert total(rates(1.0), subjects) == total(rates(1.0), subjects, official_rounding=True) == 750
    assert total(rates(0.0), subjects) == 0
    assert total(rates(0.5), subjects) == pytest.approx(375)


def test_a_missing_part_makes_the_total_nan() -> None:
    lacking = {**rates(1.0), ("physics", "subjective"): math.nan}
    assert math.isnan(total(lacking, SCIENCES))
    assert math.isnan(total(lacking, SCIENCES, official_rounding=True))
    assert total(lacking, HUMANITIES) == 750
    del lacking["physics", "subjective"]
    assert math.isnan(total(lacking, SCIENCES))


def test_rounding_as_upstream_rounds() -> None:
    uneven = {cell: 0.1236 if cell[0] == "physics" else 0.0 for cell in POINTS}
    assert total(uneven, SCIENCES) == pytest.approx(13.596)
    assert total(uneven, SCIENCES, official_rounding=True) == 13.6
    assert total({**uneven, ("biology", "objective"): 0.0114}, SCIENCES, official_rounding=True) == 13.9


def test_totals_of_a_run_weigh_by_points_within_a_part() -> None:
    one_each = [(subject, kind, 1.0, 2.0) for subject in (*SCIENCES, *HUMANITIES) for kind in KINDS]
    assert total_sciences(one_each) == total_humanities(one_each) == pytest.approx(375)
    more = [*one_each, ("physics", "objective", 6.0, 6.0)]  # 7 of 8 points instead of 1 of 2
    assert total_sciences(more) == pytest.approx(375 + 44 * (7 / 8 - 1 / 2))
    assert total_humanities(more) == pytest.approx(375)
    assert math.isnan(total_sciences(row for row in one_each if row[0] != "biology"))
    assert math.isnan(total_sciences([]))


def test_the_published_rates_give_the_published_totals(shared: Any) -> None:
    """Tables 1, 2 and 7 through our formula against Table 4. The rates are printed to 0.1 percent: one total is off by 0.6."""
    columns = {
        "Chinese": "chinese", "Eng.": "english", "Sci. Math": "math_sci", "Hum. Math": "math_hum", "Phys.": "physics",
        "Chem.": "chemistry", "Biol.": "biology", "Poli.": "politics", "Hist.": "history", "Geog.": "geography",
    }  # fmt: skip

    def table(name: str) -> dict[str, dict[str, str]]:
        with (shared / "leaderboards" / name).open(encoding="utf-8", newline="") as file:
            return {row["Model"]: row for row in csv.DictReader(file)}

    halves = {
        "objective": table("gaokao_table1_objective_rate.csv"),
        "subjective": table("gaokao_table2_subjective_rate_human.csv"),
    }
    off = []
    for model, printed in table("gaokao_table4_totals_and_judge_agreement.csv").items():
        rates_of_model = {
            (subject, kind): float(halves[kind][model][column]) / 100
            for column, subject in columns.items()
            for kind in KINDS
        }
        for subjects, column in ((SCIENCES, "Sciences, Human"), (HUMANITIES, "Humanities, Human")):
            off.append(round(total(rates_of_model, subjects, official_rounding=True) - float(printed[column]), 1))
    assert len(off) == 10
    assert max(map(abs, off)) == 0.6
    assert sum(abs(difference) < 0.5 for difference in off) == 9
