"""Finished runs that several tests look at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from finished_runs import MARKUP, Document, answered, finished_run


def first_model(doc: Document) -> str:
    """Right in everything, but its reply to the first history question is markup."""
    if doc["id"].endswith("sample_history_mcqs/0"):
        return MARKUP
    return answered(doc, lambda _: True)


def second_model(doc: Document) -> str:
    """As the first, but wrong in physics, and silent in geography."""
    if doc["subject"] == "geography":
        return ""
    return first_model(doc) if doc["subject"] != "physics" else answered(doc, lambda _: False)


@pytest.fixture(scope="session")
def runs_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder where runs are made once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def first_run(runs_folder: Path) -> Path:
    """`gaokao_sample` answered by the first model."""
    return finished_run(runs_folder / "first", "gaokao_sample", first_model)


@pytest.fixture(scope="session")
def second_run(runs_folder: Path) -> Path:
    """`gaokao_sample` answered by the second model."""
    return finished_run(runs_folder / "second", "gaokao_sample", second_model)


@pytest.fixture(scope="session")
def judged_twice(runs_folder: Path) -> Path:
    """`gaokao_sample` with two teachers, who differ by a point in every subjective question, as its judges."""
    from gaokao_tasks.docs import documents

    marks = runs_folder / "marks.jsonl"
    records = [
        {"id": doc["id"], "correction_score": [1.0, 2.0]} for doc in documents("gaokao_sample") if doc["marking_prompt"]
    ]
    marks.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    judge = {"model": "recorded", "name": "teachers", "path": str(marks)}
    return finished_run(runs_folder / "judged_twice", "gaokao_sample", first_model, judge)


@pytest.fixture(scope="session")
def alignbench_run(runs_folder: Path) -> Path:
    """`alignbench_sample` judged by `overlap`; one reply is empty, one is markup."""

    def reply(doc: Document) -> str:
        return {1: "", 2: MARKUP}.get(doc["index"], doc["reference"])

    return finished_run(runs_folder / "alignbench", "alignbench_sample", reply)
