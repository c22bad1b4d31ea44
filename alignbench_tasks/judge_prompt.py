"""What a judge is asked about a reply: upstream's multi-dimensional, rule-calibrated prompt as the user message.

The prompt's wording is upstream's and is fetched; see `lm_eval_zh.python_literals`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files as package_files
from typing import Any

from zh_metrics.judge import Answer, JudgeRequest
from zh_metrics.judge.labels import without_labels

from alignbench_tasks.docs import SAMPLE
from alignbench_tasks.judgment import HIGHEST, LOWEST, OVERALL, robust_scores
from lm_eval_zh.run_signature import text_digest
from lm_eval_zh.sources import fetch, upstream_files

# The marks between which upstream's prompt puts reference and answer. In an answer they would end it.
_MARK_IN_ANSWER = re.compile(r"(?:参考答案|助手的?答案|助手的?回答)(?:开始|结束)")


class MultiDimensional:
    """Makes the requests to the judge of `alignbench`: one score per dimension, then an overall one."""

    def __init__(self, metadata: Mapping[str, Any], collection: str, category: str | None = None) -> None:
        self._prompt = judge_prompt(collection)

    def request(self, doc: Mapping[str, Any], reply: str) -> JudgeRequest | None:
        """The case of one reply; None for an empty one, which is nobody's to judge."""
        if not reply.strip():
            return None
        dimensions = list(doc["dimensions"])
        return JudgeRequest(
            messages=(("user", case_text(self._prompt, doc, reply)),),
            accept=lambda text: robust_scores(text, dimensions).score is not None,
            answer=Answer(doc["id"], reply, doc["reference"], HIGHEST, lambda mark: as_reply(mark, dimensions)),
        )

    def signature_fields(self) -> dict[str, str]:
        """The mode, and a digest of the prompt."""
        return {"mode": "multi_dimensional", "judge_prompt": text_digest([self._prompt])}


def judge_prompt(collection: str) -> str:
    """The prompt with its fields `category`, `dimensions`, `question`, `reference` and `answer` in braces.

    Raises SourceError if upstream's can't be had.
    """
    if collection == SAMPLE:
        return package_files("alignbench_tasks").joinpath("sample/judge_prompt.txt").read_text(encoding="utf-8")
    (file,) = upstream_files("alignbench", "judge.py")
    return fetch(file).read_text(encoding="utf-8")


def case_text(prompt: str, doc: Mapping[str, Any], reply: str) -> str:
    """The user message. Without marks of the prompt in the reply it is upstream's to the byte.

    Such marks are put in other brackets: what a model writes can't end its answer and go on as the judge's instructions.
    """
    named = zip(doc["dimensions"], doc["dimension_definitions"], strict=True)
    return prompt.format(
        category=doc["category_name"],
        dimensions="".join(f"{number}. {name}: {text}\n" for number, (name, text) in enumerate(named, start=1)),
        question=doc["question"],
        reference=doc["reference"],
        answer=without_labels(reply, _MARK_IN_ANSWER),
    )


def as_reply(mark: float, dimensions: list[str]) -> str:
    """A mark from 1 to 10 the way the prompt asks for it, the same for each dimension."""
    score = min(HIGHEST, max(LOWEST, round(mark)))
    return "{" + ", ".join(f"'{name}': {score}" for name in (*dimensions, OVERALL)) + "}"
