"""What a teacher is asked about an answer, as upstream asks: its marking prompt as system message, the case as the user's.

Source: OpenLMLab/GAOKAO-Bench, `Bench/subjective_grade.py` (the order of the fields) and `Bench/bench_function.py`,
`subjective_grade`.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from zh_metrics.judge import Answer, JudgeRequest
from zh_metrics.judge.labels import without_labels
from zh_metrics.judge.settings import JudgeSettingsError
from zh_metrics.judge.texts import in_digits
from zh_metrics.thinking import answer_of

from gaokao_tasks.corrections import listed_corrections
from gaokao_tasks.docs import documents
from gaokao_tasks.marking import TAG, official_marks
from gaokao_tasks.question_types import CORRECTION, SUBJECTIVE, kind_of
from lm_eval_zh.contradictions import refuse_contradictions
from lm_eval_zh.matching import match
from lm_eval_zh.recorded import RecordedReply, read_recorded
from lm_eval_zh.sources import user_path

log = logging.getLogger(__name__)

_QUESTION, _ANALYSIS, _STANDARD, _SCORE, _ANSWER = "题目", "分析过程", "标准答案", "分值", "学生分析与答案"
_CRITERION = "评分标准"
# Labels of the case and of the teacher's reply. In an answer they would end it and begin something else. 【答案】 and
# 【解析】 are not among them: the benchmark asks for answers in them.
_LABELS = (_QUESTION, _ANALYSIS, _STANDARD, _SCORE, _ANSWER, _CRITERION, "判分理由", "得分", "总分")
# What a teacher would take for one of them.
_SYNONYMS = (
    "参考答案", "正确答案", "学生答案", "学生作答", "考生答案", "学生分析", "评分", "评分理由", "评分细则", "判分依据", "判分标准",
    "满分", "总得分", "总分数", "总评分", "学生得分", "学生总分", "最终得分", "最终总分", "最终评分", "最终分数", "最后得分",
)  # fmt: skip
_IS_LABEL = re.compile(rf"(?:{'|'.join(_LABELS + _SYNONYMS)})(?::.*|(?<=分)\d+分?)?", re.DOTALL)  # 总分:10分, 总分10分
_CRITERION_FIELD = "marking_criterion"  # upstream's name for it
_CRITERION_NOTE = f"另附【{_CRITERION}】，请按其中各点给分。\n"


class Teacher:
    """Makes the requests to the judge of `gaokao_subj`.

    `--metadata '{"marking_criteria": FILE}'` adds a criterion to the cases of the questions in the file: records with an
    `id` or `question` and a `marking_criterion` (the paper's Table 6 setting; upstream's own criteria are not public).
    """

    def __init__(
        self,
        metadata: Mapping[str, Any],
        collection: str,
        subject: str | None = None,
        asking: Mapping[str, Any] | None = None,
    ) -> None:
        if asking:
            raise JudgeSettingsError(
                f"judge setting {min(asking)!r}: GAOKAO-Bench's judges are all asked in one way: leave it out"
            )
        path = metadata.get("marking_criteria")
        if path is not None and (not isinstance(path, str) or not path):
            raise JudgeSettingsError(f"the setting 'marking_criteria': expected a file, got {path!r:.80}")
        self._records = read_recorded(user_path(path, "marking_criteria"), (_CRITERION_FIELD,)) if path else []
        refuse_contradictions(self._records)
        self._criteria = _matched(self._records, collection) if self._records else {}

    def request(self, doc: Mapping[str, Any], reply: str) -> JudgeRequest | None:
        """The case of one reply; None for an objective question."""
        if kind_of(doc["question_type"]) != SUBJECTIVE:
            return None
        criterion = self._criteria.get(doc["id"], "")
        answer = answer_of(reply)
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


def _matched(records: Sequence[RecordedReply], collection: str) -> dict[str, str]:
    """The criterion of each question that has one."""
    criteria, strays = match(records, documents(collection))
    if strays:
        log.warning(
            "marking criteria: %d of %d fit no question of %s, the first one: %s",
            len(strays), len(records), collection, strays[0].where,
        )  # fmt: skip
    return criteria


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
        _ANSWER: without_labels(answer, _IS_LABEL),
    }
    return "".join(f"【{label}】{text}\n" for label, text in fields.items())


def as_reply(mark: float) -> str:
    """A mark the way the prompt asks for it, in plain digits, which both pipelines read."""
    return f"{TAG}{in_digits(mark)}分"


def _is_accepted(text: str, max_score: float) -> bool:
    """Whether upstream takes the reply: exactly one mark, not above the maximum."""
    marks = official_marks(text)
    return len(marks) == 1 and marks[0] <= max_score
