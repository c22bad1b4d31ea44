"""What one document adds to each metric of its task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zh_metrics.aggregation import Pair

from gaokao_tasks.judged import MarkOutcome
from gaokao_tasks.question_types import kind_of
from gaokao_tasks.scoring import OK, Outcome
from gaokao_tasks.totals import HUMANITIES, SCIENCES
from lm_eval_zh.replies import MISSING_REPLY

NOTHING: Pair = (0.0, 0.0)


def measure(doc: Mapping[str, Any], outcome: Outcome | MarkOutcome) -> dict[str, Any]:
    """The document's value for each metric; a task takes those it reports.

    `scoring_rate` and its parts: points earned and possible. An objective answer that could not be read earns nothing
    and stays in the points possible, as on a real exam sheet; `scoring_rate_answered` leaves unread questions and blanks
    out of both. An answer that got no mark is in neither: that is the judge's failure. So is a question for which there
    is no reply at all; both lower `coverage` instead.
    """
    missing = outcome.status == MISSING_REPLY
    unmarked = isinstance(outcome, MarkOutcome) and outcome.points is None
    earned = outcome.points or 0.0
    possible = 0.0 if missing or unmarked else doc["score"] * len(doc["answer"])
    pair = (earned, possible)
    return {
        "scoring_rate": pair,
        **_of_reading(doc, outcome, earned),
        "points": earned,
        "points_possible": possible,
        "coverage": (possible, doc["task_points"]),
        "judge_failed": outcome.status if unmarked and not missing else "",
        "reply_missing": outcome.status if missing else "",
        **{f"scoring_rate_{part}": pair for part in doc["parts"]},
        **_of_totals(doc, earned, possible),
    }


def _of_reading(doc: Mapping[str, Any], outcome: Outcome | MarkOutcome, earned: float) -> dict[str, Any]:
    if isinstance(outcome, MarkOutcome) or outcome.status == MISSING_REPLY:
        return {"scoring_rate_answered": NOTHING, "extraction_failed": "", "blanks_unanswered": 0}
    read = outcome.status == OK
    answered = sum(1 for letter in outcome.letters if letter) if read else 0
    return {
        "scoring_rate_answered": (earned, doc["score"] * answered) if read else NOTHING,
        "extraction_failed": "" if read else outcome.status,
        "blanks_unanswered": len(doc["answer"]) - answered,
    }


def _of_totals(doc: Mapping[str, Any], earned: float, possible: float) -> dict[str, Any]:
    contribution = (doc["subject"], kind_of(doc["question_type"]), earned, possible)
    return {
        "total_sciences": contribution,
        "total_sciences_coverage": (possible if doc["subject"] in SCIENCES else 0.0, doc["sciences_points"]),
        "total_humanities": contribution,
        "total_humanities_coverage": (possible if doc["subject"] in HUMANITIES else 0.0, doc["humanities_points"]),
    }
