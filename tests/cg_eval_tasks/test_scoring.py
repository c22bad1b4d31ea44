from __future__ import annotations

import math
from typing import Any

import pytest
import sacrebleu
from zh_metrics.aggregation import rate
from zh_metrics.gscore import PairScore

from cg_eval_tasks.catalog import CATEGORIES
from cg_eval_tasks.docs import documents
from cg_eval_tasks.references import Reference
from cg_eval_tasks.scoring import (
    AnswerOutcome,
    explanation_outcome,
    mean_of_categories,
    measure,
    official_calculation,
    robust_calculation,
    unscored,
    well_formed,
)

DOCS = documents("cg_eval_sample")
TERM = next(doc for doc in DOCS if doc["question_type"] == "名词解释")
ARITHMETIC = next(doc for doc in DOCS if doc["question_type"] == "小学计算")
CALCULATION = next(doc for doc in DOCS if doc["question_type"] == "计算求解")
REFERENCE = Reference("x=5或x=-3", "因式分解，得 (x-5)(x+3)=0。")


def test_explanations_have_their_gscore() -> None:
    scores = PairScore(0.1, 0.2, 0.3, 0.4, 0.265)
    assert explanation_outcome("答 案", scores) == ([0.1, 0.2, 0.3, 0.4], 0.265, "ok", None, 2, None)
    assert explanation_outcome("答案", None) == ([], None, "no_reference", None, 2, None)
    assert explanation_outcome("答案", PairScore(0.1, 0.2, 0.3, None, None)).score is None
    assert explanation_outcome(" ", PairScore(0, 0, 0, 0, 0))[1:3] == (0, "reply_empty")


def test_a_right_answer_scores_1_whatever_its_working() -> None:
    for outcome in (official_calculation, robust_calculation):
        assert outcome(CALCULATION, "随便。\n最终答案：x=5或x=-3", REFERENCE)[:4] == (["x=5或x=-3"], 1.0, "ok", True)
    other_order = "最终答案：$x=-3$ 或 $x=5$"
    assert official_calculation(CALCULATION, other_order, REFERENCE).score == 0
    assert robust_calculation(CALCULATION, other_order, REFERENCE).score == 1


def test_a_wrong_answer_scores_a_share_of_its_working() -> None:
    reply = "因式分解，得 (x-5)(x+3)=1。\n最终答案：x=4"
    working = sacrebleu.sentence_chrf("因式分解，得 (x-5)(x+3)=1。", [REFERENCE.working]).score / 100
    for outcome in (official_calculation, robust_calculation):
        assert outcome(CALCULATION, reply, REFERENCE).score == pytest.approx(0.3 * working)
        without = outcome(CALCULATION, reply.split("\n")[0], REFERENCE)
        assert without.score == pytest.approx(0.3 * working)
        assert without.status == "no_final_answer"


@pytest.mark.parametrize(
    "reference",
    [Reference("x=5或x=-3", "解：略。\n最终答案：x=5或x=-3"), Reference("解：略。\n最终答案：x=5或x=-3", "")],
    ids=["answer_repeated_in_the_working", "all_in_one_text"],
)
def test_shapes_of_references(reference: Reference) -> None:
    assert robust_calculation(CALCULATION, "最终答案：x=5或x=-3", reference).score == 1
    assert robust_calculation(CALCULATION, "解：略。", reference).score == pytest.approx(0.3)


def test_without_a_working_to_compare_with_a_wrong_answer_scores_nothing() -> None:
    assert robust_calculation(CALCULATION, "最终答案：x=4", Reference("x=5或x=-3", "")).score == 0


@pytest.mark.parametrize(
    ("reply", "official", "robust", "status"),
    [
        ("83", 1, 1, "ok"),
        ("83。", 1, 1, "ok"),
        ("36+47=83", 0, 1, "no_number"),
        ("84", 0, 0, "ok"),
        ("", 0, 0, "reply_empty"),
        ("不会", 0, 0, "no_number"),
    ],
)
def test_arithmetic_needs_no_reference(reply: str, official: float, robust: float, status: str) -> None:
    assert official_calculation(ARITHMETIC, reply, None).score == official
    assert official_calculation(ARITHMETIC, reply, None).status == status
    assert robust_calculation(ARITHMETIC, reply, None).score == robust


def test_a_calculation_without_reference_has_no_score_but_a_form() -> None:
    assert robust_calculation(CALCULATION, "略\n最终答案：4", None) == (["4"], None, "no_reference", None, 7 + 0, True)
    assert robust_calculation(CALCULATION, "略", None)[1:3] == (None, "no_final_answer")


@pytest.mark.parametrize(
    ("kind", "reply", "fine"),
    [
        ("小学计算", "83", True),
        ("小学计算", " -3.5\n", True),
        ("小学计算", "83。", False),
        ("小学计算", "得83", False),
        ("应用题", "解：略\n最终答案：2元", True),
        ("应用题", "略\n最终答案：2元", False),
        ("计算求解", "略\n最终答案：2", True),
        ("计算求解", "略\n最终答案：2\n以上", False),
        ("计算求解", "略\n最终答案：", False),
        ("计算求解", "", False),
    ],
)
def test_the_form_that_prompts_ask_for(kind: str, reply: str, fine: bool) -> None:
    assert well_formed(kind, reply) is fine


def outcome(score: float | None, status: str = "ok", **fields: Any) -> AnswerOutcome:
    return AnswerOutcome([], score, status, None, 3, None)._replace(**fields)


def test_what_a_document_adds() -> None:
    measured = measure(TERM, outcome(0.5, read=[0.1, 0.2, 0.3, 0.4]))
    assert measured["gscore"] == (TERM["category"], 0.5)
    assert measured["gscore_questions"] == measured[f"gscore_{TERM['parts'][1]}"] == (0.5, 1.0)
    assert (measured["bleu4"], measured["similarity"]) == ((0.1, 1.0), (0.4, 1.0))
    assert measured["calculation_acc"] == measured["arithmetic_acc"] == measured["format_ok"] == (0, 0)
    assert measured["length_ratio"] == (3.0, TERM["length"])
    assert measured["coverage"] == (1.0, 30.0)


@pytest.mark.parametrize("doc", [TERM, ARITHMETIC, CALCULATION])
def test_a_missing_reply_is_in_no_mean(doc: dict[str, Any]) -> None:
    measured = measure(doc, unscored("missing_reply"))
    assert measured["reply_missing"] == "missing_reply"
    assert measured["gscore"] == (doc["category"], None)
    pairs = [
        value for name, value in measured.items() if name not in ("gscore", "coverage") and isinstance(value, tuple)
    ]
    assert set(pairs) == {(0, 0)}
    assert measured["reply_empty"] == measured["reference_missing"] == measured["extraction_failed"] == ""


def test_a_missing_reference_is_counted() -> None:
    assert measure(TERM, outcome(None, "no_reference"))["reference_missing"]
    assert measure(CALCULATION, outcome(None, "no_final_answer"))["reference_missing"]
    assert measure(CALCULATION, outcome(None, "no_final_answer"))["extraction_failed"]
    assert not measure(TERM, outcome(None, "ok", read=[0.1, 0.2, 0.3]))["reference_missing"]  # similarity is off


def test_the_overall_score_is_the_mean_of_six_means() -> None:
    scored = [(category, score) for category in CATEGORIES for score in (0.0, 1.0)]
    assert mean_of_categories(scored) == 0.5
    assert mean_of_categories([*scored, *[("math", 1.0)] * 98]) == pytest.approx((5 * 0.5 + 0.99) / 6)
    assert mean_of_categories(reversed(scored)) == 0.5
    assert math.isnan(mean_of_categories(scored[2:]))
    assert math.isnan(mean_of_categories([*scored[2:], ("science", None)]))
    assert math.isnan(mean_of_categories([]))
    assert math.isnan(rate([(0, 0)]))
