"""A number may only change with the version beside it; see tests/version_guard.py for what to do when this fails."""

from __future__ import annotations

import hashlib
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from version_guard import assert_recorded, assert_tasks, fingerprint, settings
from zh_metrics.judge import JudgeReply, Judgment, PanelRule, Status, Verdict

from alignbench_tasks.docs import SAMPLE, documents
from alignbench_tasks.judge_profiles import judge_profiles
from alignbench_tasks.judge_prompt import JudgedByProfile
from alignbench_tasks.readings import READINGS
from alignbench_tasks.scoring import (
    language_score,
    measure,
    official_score_outcome,
    overall_score,
    reasoning_score,
    robust_score_outcome,
)
from lm_eval_zh.sources import upstream_files

FOLDER = Path(__file__).parents[2] / "alignbench_tasks"
RECORDED = Path(__file__).with_name("fingerprints.json")
TASKS = sorted(path.stem for path in FOLDER.glob("alignbench*.yaml"))
PIECES = (
    *("[[7]]", "[[", "]]", "[6]", "评分：8", "例如[[5]]"),
    *("{", "}", "\n", ", ", "，", "...", "```json", "<think>", "</think>", "评价", "综合得分：7", "综合得分: 85"),
    *(
        "'综合得分': 7",
        "'综合得分': 9.5",
        '"综合得分": "4"',
        "‘综合得分’：6",
        "'清晰度': 3",
        "'事实正确性': 8",
        "'事实正确性': 11",
    ),
)


def data_digests(collection: str) -> list[str]:
    """The digests of the collection's questions, configuration and prompt, without fetching them."""
    if collection == SAMPLE:
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted((FOLDER / "sample").iterdir())]
    return [file.sha256 for file in upstream_files("alignbench")]


@cache
def behaviour() -> str:
    """Digest of what both pipelines make of made-up judgments, of what a judge is asked, and of the means."""
    digest = hashlib.sha256()
    chance = random.Random(683)
    for doc in documents(SAMPLE):
        scored: list[tuple[str, float | None]] = []
        for _ in range(100):
            texts = ["".join(chance.choice(PIECES) for _ in range(chance.randint(1, 9))) for _ in range(2)]
            for reading in READINGS:
                said = tuple(Judgment(Status.OK, "", (JudgeReply(text),), reading) for text in texts)
                verdict = Verdict(said, PanelRule(*chance.choice((("mean", 1), ("median", 2)))), "gpt")
                for outcome in (official_score_outcome, robust_score_outcome):
                    made = outcome(verdict, doc, texts[0])
                    digest.update(repr((list(made), measure(doc, made))).encode())
                    scored.append((doc["category"], made.score))
        for asking in ({"profile": name, "reference": shown} for name in judge_profiles() for shown in (True, False)):
            request = JudgedByProfile({}, SAMPLE, asking=asking).request(doc, f"答{texts[0]}[[8]]")
            assert request and request.answer
            digest.update(repr((request.messages, [request.accept(text) for text in texts])).encode())
            digest.update(repr([request.answer.as_reply(mark) for mark in (0.0, 5.5, 10.0)]).encode())
        means = [("mathematics", 3.0), ("logic", 4.0), ("writing", 9.0), *scored[:3]]
        digest.update(repr([mean(means) for mean in (overall_score, reasoning_score, language_score)]).encode())
    return digest.hexdigest()


def fingerprint_of(task: str, chosen: dict[str, Any] | None = None) -> str:
    chosen = chosen or settings(FOLDER, task)
    return fingerprint(chosen, data_digests(chosen["dataset_kwargs"]["collection"]), behaviour())


@pytest.mark.parametrize("task", TASKS)
def test_scores_change_only_with_the_version(task: str) -> None:
    assert_recorded(RECORDED, FOLDER, task, fingerprint_of(task))


def test_every_recorded_task_exists() -> None:
    assert_tasks(RECORDED, TASKS)
