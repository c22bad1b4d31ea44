"""A number may only change with the version beside it; see tests/version_guard.py for what to do when this fails."""

from __future__ import annotations

import hashlib
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from version_guard import assert_recorded, assert_tasks, fingerprint, settings
from zh_metrics.gscore import PairScore, gscore_settings, weighted
from zh_metrics.gscore.lexical import lexical_parts

from cg_eval_tasks.answers import final_answer, official_match, robust_match, working
from cg_eval_tasks.docs import documents
from cg_eval_tasks.questions import SAMPLE, questions_file
from cg_eval_tasks.references import Reference
from cg_eval_tasks.scoring import (
    explanation_outcome,
    mean_of_categories,
    measure,
    official_calculation,
    robust_calculation,
)
from lm_eval_zh.sources import upstream_files

FOLDER = Path(__file__).parents[2] / "cg_eval_tasks"
RECORDED = Path(__file__).with_name("fingerprints.json")
TASKS = sorted(path.stem for path in FOLDER.glob("cg_eval*.yaml"))
PIECES = (
    *(
        "解：",
        "\n",
        "最终答案：",
        "**最终答案**：",
        "83",
        "48元",
        "350千米,2小时",
        "x=5或x=-3",
        "$x=-3$ 或 $x=5$",
        "-3",
        "。",
    ),
    *(
        "<think>",
        "</think>",
        "因为",
        "36+47=",
        "答案是",
        "１２",
        r"\frac{1}{2}",
        "1,200",
        " ",
        "0.5",
        "物体的性质",
        "𠀀",
        "→",
    ),
)
ANSWERS = (
    *("83", "48", "x=5或x=-3", "350千米,2小时", "0.5", "1200", "-3", r"\frac{1}{2}", "y'=3x^2-2", "(x-1)(x+1)"),
    *(
        "x^2-1",
        "80+3",
        "x>1",
        r"(1,+\infty)",
        r"\ln|x|+C",
        r"\ln|2x|+C",
        "杏树62棵，桃树186棵",
        "186棵，62棵",
        "三分之一",
        "1/3",
    ),
    *("1小时30分", "90分钟", r"\lg 2", r"\log_{10}2", "A^T", "A", "f(1)=2", "f(2)=2"),
)


def data_digests(collection: str) -> list[str]:
    """The digest of the collection's questions, without fetching them."""
    if collection == SAMPLE:
        return [hashlib.sha256(questions_file(SAMPLE).read_bytes()).hexdigest()]
    return [file.sha256 for file in upstream_files("cg_eval")]


@cache
def behaviour() -> str:
    """Digest of what both pipelines make of made-up replies, of the lexical parts, of the weights, and of the means."""
    digest = hashlib.sha256()
    chance = random.Random(11_000)
    replies = ["".join(chance.choice(PIECES) for _ in range(chance.randint(1, 7))) for _ in range(150)]
    for reply, other in zip(replies, reversed(replies), strict=True):
        digest.update(repr((final_answer(reply), working(reply))).encode())
        digest.update(repr([round(part, 9) for part in lexical_parts(reply, other)]).encode())
    for answer in ANSWERS:
        for reference in ANSWERS:
            given = f"略。\n最终答案：{answer}"
            digest.update(repr((official_match(given, reference), robust_match(given, reference))).encode())
    weights = gscore_settings({}).weights
    scored = []
    for position, doc in enumerate(documents(SAMPLE)):
        reply, reference = replies[position], Reference(ANSWERS[position % len(ANSWERS)], "解：略，得83。")
        parts = (0.1, 0.2, 0.3, position / 30)
        if doc["target"] or doc["question_type"] in ("应用题", "计算求解"):
            made = [score(doc, reply, reference) for score in (official_calculation, robust_calculation)]
        else:
            made = [explanation_outcome(reply, PairScore(*parts, weighted(parts, weights)))]
        digest.update(repr([(_rounded(list(outcome)), _rounded(measure(doc, outcome))) for outcome in made]).encode())
        scored.append((doc["category"], made[-1].score))
    digest.update(repr((round(mean_of_categories(scored), 9), gscore_settings({}).encoder)).encode())
    return digest.hexdigest()


def _rounded(value: Any) -> Any:
    """Without the last digits, which a library may compute in another order."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def fingerprint_of(task: str, chosen: dict[str, Any] | None = None) -> str:
    chosen = chosen or settings(FOLDER, task)
    return fingerprint(chosen, data_digests(chosen["dataset_kwargs"]["collection"]), behaviour())


@pytest.mark.parametrize("task", TASKS)
def test_scores_change_only_with_the_version(task: str) -> None:
    assert_recorded(RECORDED, FOLDER, task, fingerprint_of(task))


def test_every_recorded_task_exists() -> None:
    assert_tasks(RECORDED, TASKS)


@pytest.mark.parametrize(
    "change",
    [
        {"process_results": "function x.y"},
        {"metric_by_part": "chrf"},
        {"generation_kwargs": {"until": ["\n\n"]}},
        {"measuring": "function x.y"},
        {"doc_to_text": "text"},
    ],
)
def test_a_change_of_the_settings_changes_the_fingerprint(change: dict[str, Any]) -> None:
    chosen = settings(FOLDER, "cg_eval")
    assert fingerprint_of("cg_eval", {**chosen, **change}) != fingerprint_of("cg_eval")


def test_a_new_version_alone_does_not() -> None:
    chosen = settings(FOLDER, "cg_eval")
    assert fingerprint_of("cg_eval", {**chosen, "metadata": {"version": 9.0}}) == fingerprint_of("cg_eval")
