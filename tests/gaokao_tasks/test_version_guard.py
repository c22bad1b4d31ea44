"""A number may only change with the version beside it; see tests/version_guard.py for what to do when this fails."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from version_guard import assert_recorded, assert_tasks, fingerprint, settings
from zh_metrics.judge import JudgeReply, Judgment, Status, Verdict

from gaokao_tasks.catalog import SAMPLE, SOURCES
from gaokao_tasks.judged import official_mark_outcome, robust_mark_outcome
from gaokao_tasks.measures import measure
from gaokao_tasks.question_types import (
    CORRECTION,
    FIVE_OUT_OF_SEVEN,
    KINDS,
    MULTI_CHOICE,
    MULTI_QUESTION_CHOICE,
    OPEN_ENDED,
    SINGLE_CHOICE,
)
from gaokao_tasks.scoring import official_outcome, robust_outcome
from gaokao_tasks.teacher import Teacher, as_reply
from gaokao_tasks.totals import HUMANITIES, POINTS, SCIENCES, total
from lm_eval_zh.sources import upstream_files

FOLDER = Path(__file__).parents[2] / "gaokao_tasks"
RECORDED = Path(__file__).with_name("fingerprints.json")
TASKS = sorted(path.stem for path in FOLDER.glob("gaokao*.yaml"))

PIECES = (
    *"ABCDEFG",
    *"abcdＡＢＣＤ",
    *(
        "【答案】",
        "【解析】",
        "<eoa>",
        "<eoe>",
        "\n",
        "\n\n",
        " ",
        "：",
        ":",
        "（1）",
        "（2）",
        "（3）",
        "1. ",
        "2. ",
        "3. ",
    ),
    *(
        "答案是",
        "故选",
        "应选",
        "选项",
        "不选",
        "排除",
        "错误",
        "正确",
        "更正：",
        "因此",
        "和",
        "、",
        ",",
        "。",
        "，",
        "**",
    ),
    *(
        "<think>",
        "</think>",
        "\\boxed{",
        "}",
        "(",
        ")",
        "Answer: ",
        "The answer is ",
        "not ",
        "but ",
        "DNA",
        "CO2",
        "无法作答",
    ),
    *(
        "例如：",
        "选項",
        "選擇",
        "答案為",
        "该项",
        "两项",
        "均",
        "都",
        "甲",
        "乙",
        "1-5 ",
        "36.",
        "Blank 36: ",
        "| 1 | C |",
    ),
)


def data_digests(collection: str) -> list[str]:
    """The digests of the collection's questions and prompts, without fetching them."""
    if collection == SAMPLE:
        return [hashlib.sha256((FOLDER / "sample" / f"{kind}.json").read_bytes()).hexdigest() for kind in KINDS]
    return [
        file.sha256
        for source in SOURCES[collection]
        for place in (source.folder, source.prompts, source.marking_prompts)
        if place
        for file in upstream_files("gaokao", place)
    ]


def made_up_replies() -> Iterator[tuple[str, dict[str, Any]]]:
    chance = random.Random(750)
    for _ in range(2000):
        text = "".join(PIECES[int(chance.random() * len(PIECES))] for _ in range(int(1 + chance.random() * 14)))
        for question_type, answer, subject in (
            (SINGLE_CHOICE, ["B"], "history"),
            (MULTI_CHOICE, ["AC"], "physics"),
            (MULTI_QUESTION_CHOICE, ["C", "A", "D"], "english"),
            (FIVE_OUT_OF_SEVEN, ["C", "F", "A", "E", "D"], "english"),
        ):
            yield (
                text,
                {
                    "question_type": question_type,
                    "answer": answer,
                    "subject": subject,
                    "score": 6.0,
                    "task_points": 60.0,
                    "sciences_points": 30.0,
                    "humanities_points": 40.0,
                    "parts": [subject],
                },
            )


@cache
def behaviour() -> str:
    """Digest of what both pipelines make of thousands of made-up replies."""
    digest = hashlib.sha256()
    for text, doc in made_up_replies():
        for outcome in (official_outcome(text, doc), robust_outcome(text, doc)):
            digest.update(repr((list(outcome), measure(doc, outcome))).encode())
    return digest.hexdigest()


MARK_PIECES = (
    *("【总分】", "【得分】", "总分", "最终得分", "满分", "分", "分中", "得", "为", "如", "可能", "四舍五入", "学生"),
    *("7", "2.5", "12", "十", "=", "+", "-", "/", "10", "：", " ", "\n", "**", "<think>", "</think>", "。"),
)


@cache
def marking_behaviour() -> str:
    """Digest of what both pipelines make of made-up judgments, of what a judge is asked, and of the totals."""
    digest = hashlib.sha256()
    chance = random.Random(1030)
    doc = {
        "id": "gaokao_subj/made_up/0", "question_type": OPEN_ENDED, "subject": "physics", "question": "甲？\n",
        "analysis": "乙", "answer": ["丙"], "score": 10.0, "marking_prompt": "阅卷。", "task_points": 60.0,
        "sciences_points": 30.0, "humanities_points": 40.0, "parts": ["physics"],
    }  # fmt: skip
    for _ in range(3000):
        texts = ["".join(chance.choice(MARK_PIECES) for _ in range(chance.randint(1, 9))) for _ in range(3)]
        replies = tuple(JudgeReply(text) for text in texts[1:])
        judgments = (Judgment(Status.OK, "", replies[:1]), Judgment(Status.UNPARSED, "", replies))
        verdict = Verdict(judgments)
        for outcome in (official_mark_outcome(verdict, 10.0), robust_mark_outcome(verdict, 10.0)):
            digest.update(repr((list(outcome), measure(doc, outcome))).encode())
        for question_type in (OPEN_ENDED, CORRECTION):
            request = Teacher({}, SAMPLE).request({**doc, "question_type": question_type}, texts[0])
            assert request
            digest.update(repr((request.messages, [request.accept(text) for text in texts])).encode())
    digest.update(repr([as_reply(mark) for mark in (0.0, 7.0, 7.25, 10 / 3)]).encode())
    rates = {cell: position / 30 for position, cell in enumerate(POINTS)}
    digest.update(
        repr([total(rates, part, official) for part in (SCIENCES, HUMANITIES) for official in (0, 1)]).encode()
    )
    return digest.hexdigest()


def fingerprint_of(task: str, chosen: dict[str, Any] | None = None) -> str:
    chosen = chosen or settings(FOLDER, task)
    judged = [marking_behaviour()] if "assessment" in chosen else []
    return fingerprint(chosen, data_digests(chosen["dataset_kwargs"]["collection"]), behaviour(), *judged)


@pytest.mark.parametrize("task", TASKS)
def test_scores_change_only_with_the_version(task: str) -> None:
    assert_recorded(RECORDED, FOLDER, task, fingerprint_of(task))


def test_every_recorded_task_exists() -> None:
    assert_tasks(RECORDED, TASKS)


@pytest.mark.parametrize(
    "change",
    [
        lambda chosen: chosen.update(description="请作答：{{prompt}}"),
        lambda chosen: chosen["generation_kwargs"].update(temperature=0.0),
        lambda chosen: chosen["filter_list"].pop(),
        lambda chosen: chosen["dataset_kwargs"].update(subject="physics"),
    ],
    ids=["prompt", "temperature", "filter", "data"],
)
def test_a_change_changes_the_fingerprint(change: Any) -> None:
    changed = settings(FOLDER, "gaokao_obj")
    change(changed)
    assert fingerprint_of("gaokao_obj", changed) != fingerprint_of("gaokao_obj")
