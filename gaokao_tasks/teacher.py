"""What a teacher is asked about an answer, as upstream asks: its marking prompt as system message, the case as the user's.

Source: OpenLMLab/GAOKAO-Bench, `Bench/subjective_grade.py` (the order of the fields) and `Bench/bench_function.py`,
`subjective_grade`.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Mapping
from typing import Any

from zh_metrics.judge import Answer, JudgeRequest
from zh_metrics.judge.settings import JudgeSettingsError

from gaokao_tasks.corrections import listed_corrections
from gaokao_tasks.marking import TAG, official_marks
from gaokao_tasks.question_types import CORRECTION, SUBJECTIVE, kind_of
from gaokao_tasks.reading.reply_text import without_thinking
from lm_eval_zh.contradictions import refuse_contradictions
from lm_eval_zh.matching import match, questions_of
from lm_eval_zh.recorded import read_recorded
from lm_eval_zh.sources import user_path

log = logging.getLogger(__name__)

_QUESTION, _ANALYSIS, _STANDARD, _SCORE, _ANSWER = "题目", "分析过程", "标准答案", "分值", "学生分析与答案"
_CRITERION = "评分标准"
# Labels of the case and of the teacher's reply. In an answer they would end it and begin something else.
_LABELS = (_QUESTION, _ANALYSIS, _STANDARD, _SCORE, _ANSWER, _CRITERION, "判分理由", "得分", "总分")
_LABEL_IN_ANSWER = re.compile(rf"[【\[［](\s*(?:{'|'.join(_LABELS)})\s*)[】\]］]")
_CRITERION_FIELD = "marking_criterion"  # upstream's name for it
_CRITERION_NOTE = f"另附【{_CRITERION}】，请按其中各点给分。\n"


class Teacher:
    """Makes the requests to the judge of `gaokao_subj`.

    `--metadata '{"marking_criteria": FILE}'` adds a criterion to the cases of the questions in the file: records with an
    `id` or `question` and a `marking_criterion` (the paper's Table 6 setting; upstream's own criteria are not public).
    """

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        path = metadata.get("marking_criteria")
        if path is not None and (not isinstance(path, str) or not path):
            raise JudgeSettingsError(f"the setting 'marking_criteria': expected a file, got {path!r:.80}")
        self._records = read_recorded(user_path(path, "marking_criteria"), (_CRITERION_FIELD,)) if path else []
        refuse_contradictions(self._records)
        self._criteria: dict[str, str] | None = None

    def request(self, doc: Mapping[str, Any], reply: str) -> JudgeRequest | None:
        """The case of one reply; None for an objective question."""
        if kind_of(doc["question_type"]) != SUBJECTIVE:
            return None
        criterion = self._criterion(doc["id"])
        answer = reply if (shown := without_thinking(reply)) == reply else shown.strip()
        if doc["question_type"] == CORRECTION:
            answer = listed_corrections(doc["question"], answer)
        return JudgeRequest.of_texts(
            system=doc["marking_prompt"] + (_CRITERION_NOTE if criterion else ""),
            user=case_text(doc, answer, criterion),
            accept=lambda text: _is_accepted(text, doc["score"]),
            answer=Answer(doc["id"], answer, doc["answer"][0], doc["score"], as_reply),
        )

    def signature_fields(self) -> dict[str, str]:
        """A digest of the criteria, `none` without."""
        texts = sorted(f"{record.id}{record.question}{record.reply}" for record in self._records)
        return {"criteria": hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8] if texts else "none"}

    def _criterion(self, id_: str) -> str:
        if self._criteria is None:
            self._criteria, strays = match(self._records, questions_of([id_])) if self._records else ({}, [])
            if strays:
                log.warning(
                    "marking criteria: %d of %d fit no question of the task, the first one: %s",
                    len(strays), len(self._records), strays[0].where,
                )  # fmt: skip
        return self._criteria.get(id_, "")


def case_text(doc: Mapping[str, Any], answer: str, criterion: str = "") -> str:
    """The user message: question, analysis, model answer, points and the answer to mark, each after its label.

    Labels within the answer are put in other brackets: what a model writes can neither end its answer nor give itself a
    total. Without any the text is upstream's to the byte.
    """
    fields = {
        _QUESTION: doc["question"],
        _ANALYSIS: doc["analysis"],
        _STANDARD: doc["answer"][0],
        _SCORE: f"{doc['score']:g}",
        **({_CRITERION: criterion} if criterion else {}),
        _ANSWER: _LABEL_IN_ANSWER.sub(r"〔\1〕", answer),
    }
    return "".join(f"【{label}】{text}\n" for label, text in fields.items())


def as_reply(mark: float) -> str:
    """A mark the way the prompt asks for it."""
    return f"{TAG}{round(mark, 2):g}分"


def _is_accepted(text: str, max_score: float) -> bool:
    """Whether upstream takes the reply: exactly one mark, not above the maximum."""
    marks = official_marks(text)
    return len(marks) == 1 and marks[0] <= max_score
