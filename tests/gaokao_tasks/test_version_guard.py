"""A number may only change with the version beside it.

`fingerprints.json` holds, per task and version, a digest of all that affects its scores. When this test fails, raise
`metadata.version` in the task's YAML (for all tasks of the template: in `_obj_template_yaml`), say in CHANGELOG.md which
way scores move, and add the new fingerprint under the new version. Never edit a past one.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from gaokao_tasks.catalog import _OBJECTIVE_SOURCES, SAMPLE
from gaokao_tasks.extraction import FIVE_OUT_OF_SEVEN, MULTI_CHOICE, MULTI_QUESTION_CHOICE, SINGLE_CHOICE
from gaokao_tasks.scoring import measure, official_outcome, robust_outcome
from lm_eval_zh.sources import upstream_files

FOLDER = Path(__file__).parents[2] / "gaokao_tasks"
RECORDED = Path(__file__).with_name("fingerprints.json")
TASKS = sorted(path.stem for path in FOLDER.glob("gaokao_*.yaml"))

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


class _Functions(yaml.SafeLoader):
    """Reads `!function` as the name it gives."""


_Functions.add_constructor("!function", lambda loader, node: f"function {node.value}")


def settings(task: str) -> dict[str, Any]:
    """The task's settings with those of its template."""
    own = yaml.load((FOLDER / f"{task}.yaml").read_text(encoding="utf-8"), Loader=_Functions)
    template = yaml.load((FOLDER / own.pop("include")).read_text(encoding="utf-8"), Loader=_Functions)
    return {**template, **own}


def data_digests(collection: str) -> list[str]:
    """The digests of the collection's questions and prompts, without fetching them."""
    if collection == SAMPLE:
        return [hashlib.sha256((FOLDER / "sample" / "objective.json").read_bytes()).hexdigest()]
    return [file.sha256 for place in _OBJECTIVE_SOURCES[collection] for file in upstream_files("gaokao", place)]


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


def fingerprint(task: str) -> str:
    chosen = settings(task)
    chosen.pop("metadata")
    chosen.pop("tag", None)
    content = [chosen, data_digests(chosen["dataset_kwargs"]["collection"]), behaviour()]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@pytest.mark.parametrize("task", TASKS)
def test_scores_change_only_with_the_version(task: str) -> None:
    version = str(settings(task)["metadata"]["version"])
    recorded = json.loads(RECORDED.read_text(encoding="utf-8")).get(task, {})
    assert recorded.get(version) == fingerprint(task), (
        f"{task}: something that affects its scores is not what it was in version {version}. Raise metadata.version, "
        f"note it in CHANGELOG.md, and add the new fingerprint to {RECORDED.name}: see this file's first lines"
    )


def test_every_recorded_task_exists() -> None:
    assert sorted(json.loads(RECORDED.read_text(encoding="utf-8"))) == TASKS


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
def test_a_change_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    before = fingerprint("gaokao_obj")
    changed = settings("gaokao_obj")
    change(changed)
    monkeypatch.setitem(globals(), "settings", lambda _: changed)
    assert fingerprint("gaokao_obj") != before
