"""From the judgments of a reply to its points, as the benchmark's own code makes them and as a careful reader would."""

from __future__ import annotations

from typing import NamedTuple

from zh_metrics.judge import Status, Verdict
from zh_metrics.judge.panel import AGGREGATES

from gaokao_tasks.marking import official_marks, robust_mark

OK = "ok"
_ENDED = (Status.OK, Status.UNPARSED)  # upstream's loop came to its end: with a mark, or after its last try


class MarkOutcome(NamedTuple):
    """What one pipeline makes of the judgments of one reply."""

    marks: list[float]
    points: float | None  # None if there is no mark: a failure, not a score
    status: str
    judgments: list[list[object]]  # as they came, for the samples: [status, reason, [[model, text], ...]]


def official_mark_outcome(verdict: Verdict, max_score: float) -> MarkOutcome:
    """Points as upstream makes them: the mean of all marks in the last reply, rounded to two decimals.

    Marks above the maximum are in the mean too, for upstream keeps what the third try gives. It keeps nothing of the tries
    before a request that fails, and neither does this. Upstream has one judge or several teachers and the mean; a panel's
    median is that of all marks, its quorum is of judges with a mark.

    Source: OpenLMLab/GAOKAO-Bench, `Bench/SUB_score_evaluation.py`, `sub_score_eval`.
    """
    ended = [judgment for judgment in verdict.judgments if judgment.status in _ENDED]
    by_judge = [marks for judgment in ended if (marks := official_marks(judgment.text))]
    if len(by_judge) < max(1, verdict.rule.quorum):
        return _unmarked(verdict, len(by_judge), "no_mark" if ended else "")
    marks = [mark for of_judge in by_judge for mark in of_judge]
    points = AGGREGATES[verdict.rule.aggregate](marks)
    return MarkOutcome(marks, round(points, 2), OK, verdict.as_records())


def robust_mark_outcome(verdict: Verdict, max_score: float) -> MarkOutcome:
    """Points as a careful reader makes them: each judge's first mark that can be read, and their mean or median."""
    marks, reason = [], ""
    for judgment in verdict.judgments:
        for reply in judgment.replies:
            mark = robust_mark(reply.text, max_score)
            if mark.points is not None:
                marks.append(mark.points)
                break
            reason = mark.reason
    points = verdict.rule.combine(marks)
    if points is None:
        return _unmarked(verdict, len(marks), reason)
    return MarkOutcome(marks, points, OK, verdict.as_records())


def _unmarked(verdict: Verdict, marked: int, unread: str) -> MarkOutcome:
    return MarkOutcome([], None, verdict.no_score(marked, unread), verdict.as_records())
