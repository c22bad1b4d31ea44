"""What a judge is asked about a reply: the prompt of its profile as the user message, upstream's to the byte by default."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zh_metrics.judge import Answer, JudgeRequest
from zh_metrics.judge.labels import without_labels

from alignbench_tasks.judge_profiles import JudgeProfile, chosen_profile
from alignbench_tasks.judgment import HIGHEST
from alignbench_tasks.readings import RATING, reading_of
from lm_eval_zh.run_signature import text_digest

# The marks between which the prompts put reference and answer. In an answer they would end it.
_MARK_IN_ANSWER = re.compile(r"(?:参考答案|助手的?答案|助手的?回答)(?:开始|结束)")
_RATING_IN_ANSWER = re.compile(r"[\[［]{2}([^\[\]［］\n]*)[\]］]{2}")


class JudgedByProfile:
    """Makes the requests to a judge of `alignbench`, as the profile asks that `asking` chooses.

    Raises JudgeSettingsError for a profile that is unknown, SourceError if upstream's prompt can't be had.
    """

    def __init__(
        self,
        metadata: Mapping[str, Any],
        collection: str,
        category: str | None = None,
        asking: Mapping[str, Any] | None = None,
    ) -> None:
        self._profile, self._reference = chosen_profile(asking or {})
        self._prompt = self._profile.prompt(collection, self._reference)
        self._reading = reading_of(self._profile.reading)

    def request(self, doc: Mapping[str, Any], reply: str) -> JudgeRequest | None:
        """The case of one reply; None for an empty one, which is nobody's to judge."""
        if not reply.strip():
            return None
        dimensions = list(doc["dimensions"])
        reading = self._reading
        return JudgeRequest(
            messages=(("user", case_text(self._prompt, doc, reply, self._profile)),),
            accept=lambda text: reading.robust(text, dimensions).score is not None,
            answer=Answer(doc["id"], reply, doc["reference"], HIGHEST, lambda mark: reading.as_reply(mark, dimensions)),
            reading=self._profile.reading,
        )

    def signature_fields(self) -> dict[str, str]:
        """The profile, whether there is a reference, and a digest of the prompt."""
        mode = self._profile.name if self._reference else f"{self._profile.name} without reference"
        return {"mode": mode, "judge_prompt": text_digest([self._prompt])}


def case_text(prompt: str, doc: Mapping[str, Any], reply: str, profile: JudgeProfile) -> str:
    """The user message. Without marks of the prompt in the reply the benchmark's own is upstream's to the byte.

    Such marks, and a rating where one is asked for, are put in other brackets: what a model writes can neither end its
    answer and go on as the judge's instructions, nor give itself a rating.
    """
    named = zip(doc["dimensions"], doc["dimension_definitions"], strict=True)
    answer = without_labels(reply, _MARK_IN_ANSWER)
    if profile.reading == RATING:
        answer = _RATING_IN_ANSWER.sub(r"〔〔\1〕〕", answer)
    return prompt.format(
        category=doc["category_name"],
        dimensions="".join(f"{number}. {name}: {text}\n" for number, (name, text) in enumerate(named, start=1)),
        question=doc["question"],
        question_kind=profile.question_kinds.get(doc["category_name"], ""),
        reference=doc["reference"],
        answer=answer,
    )
