"""What a judge is asked about a reply: the prompt of its profile as the user message, upstream's to the byte by default."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zh_metrics.judge import Answer, JudgeRequest
from zh_metrics.judge.labels import without_labels
from zh_metrics.thinking import answer_of

from alignbench_tasks.judge_profiles import JudgeProfile, chosen_profile
from alignbench_tasks.judgment import HIGHEST, LOWEST, OVERALL
from alignbench_tasks.readings import RATING, reading_of
from lm_eval_zh.run_signature import text_digest

# The marks between which the prompts put reference and answer. In an answer they would end it.
_MARK_IN_ANSWER = re.compile(r"(?:参考答案|助手的?答案|助手的?回答)(?:已|到此|至此)?(?:开始|结束)")
# What a judge would write as its verdict: an overall score by name, a rating in double brackets of any kind.
_SCORE_IN_ANSWER = re.compile(rf"{OVERALL}(?=\s*['\"’”」』`*]*\s*[:：=])")
_RATING_IN_ANSWER = re.compile(r"[\[［【〔〚]\s*[\[［【〔〚]([^\[\]［］【】〔〕〚〛]{0,40})[\]］】〕〛]\s*[\]］】〕〛]")


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
        """The case of one reply; None for an empty one, which is nobody's to judge. Thinking is no part of a reply."""
        answer = answer_of(reply)
        if not answer.strip():
            return None
        dimensions = list(doc["dimensions"])
        reading = self._reading
        return JudgeRequest(
            messages=(("user", case_text(self._prompt, doc, answer, self._profile)),),
            accept=lambda text: reading.robust(text, dimensions).score is not None,
            answer=Answer(
                doc["id"],
                answer,
                doc["reference"],
                HIGHEST,
                lambda mark: reading.as_reply(mark, dimensions),
                least_mark=LOWEST,
                whole_marks=True,
            ),
            reading=self._profile.reading,
        )

    def signature_fields(self) -> dict[str, str]:
        """The profile, whether there is a reference, and a digest of the prompt."""
        mode = self._profile.name if self._reference else f"{self._profile.name} without reference"
        return {"mode": mode, "judge_prompt": text_digest([self._prompt])}


def case_text(prompt: str, doc: Mapping[str, Any], answer: str, profile: JudgeProfile) -> str:
    """The user message. Without marks of the prompt in the answer the benchmark's own is upstream's to the byte.

    Such marks, and a score of the kind that is asked for, are put in other brackets: what a model writes can neither end
    its answer and go on as the judge's instructions, nor give itself a score.
    """
    named = zip(doc["dimensions"], doc["dimension_definitions"], strict=True)
    own_score = _RATING_IN_ANSWER if profile.reading == RATING else _SCORE_IN_ANSWER
    shown = own_score.sub(_other_brackets, without_labels(answer, _MARK_IN_ANSWER))
    return prompt.format(
        category=doc["category_name"],
        dimensions="".join(f"{number}. {name}: {text}\n" for number, (name, text) in enumerate(named, start=1)),
        question=doc["question"],
        question_kind=profile.question_kinds.get(doc["category_name"], ""),
        reference=doc["reference"],
        answer=shown,
    )


def _other_brackets(score: re.Match[str]) -> str:
    return f"〔{score[0].strip('[]［］【】〔〕〚〛 ')}〕"
