"""From the judgments of a reply to its points, as the benchmark's own code makes them and as a careful reader would."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from zh_metrics.judge import Judgment, Status

from gaokao_tasks.marking import official_marks, robust_mark

OK = "ok"
_ENDED = (Status.OK, Status.UNPARSED)  # upstream's loop came to its end: with a mark, or after its last try
NOT_JUDGED = "not_judged"  # nobody was asked: another process of the run asks


class MarkOutcome(NamedTuple):
    """What one pipeline makes of the judgments of one reply."""

    marks: list[float]
    points: float | None  # None if there is no mark: a failure, not a score
    status: str
    judgments: list[list[object]]  # as they came, for the samples: [status, reason, [[model, text], ...]]


def official_mark_outcome(judgments: Sequence[Judgment], max_score: float) -> MarkOutcome:
    """Points as upstream makes them: the mean of all marks in the last reply, rounded to two decimals.

    Marks above the maximum are in the mean too, for upstream keeps what the third try gives. It keeps nothing of the tries
    before a request that fails, and neither does this.

    Source: OpenLMLab/GAOKAO-Bench, `Bench/SUB_score_evaluation.py`, `sub_score_eval`.
    """
    ended = [judgment for judgment in judgments if judgment.status in _ENDED]
    marks = [mark for judgment in ended for mark in official_marks(judgment.text)]
    if not marks:
        return MarkOutcome(
            [], None, "no_mark" if ended else _failure(judgments, ""), [judgment.as_record() for judgment in judgments]
        )
    return MarkOutcome(marks, round(mean(marks), 2), OK, [judgment.as_record() for judgment in judgments])


def robust_mark_outcome(judgments: Sequence[Judgment], max_score: float) -> MarkOutcome:
    """Points as a careful reader makes them: each judge's first mark that can be read, and the judges' mean."""
    marks, reason = [], ""
    for judgment in judgments:
        for reply in judgment.replies:
            mark = robust_mark(reply.text, max_score)
            if mark.points is not None:
                marks.append(mark.points)
                break
            reason = mark.reason
    if not marks:
        return MarkOutcome([], None, _failure(judgments, reason), [judgment.as_record() for judgment in judgments])
    return MarkOutcome(marks, mean(marks), OK, [judgment.as_record() for judgment in judgments])


def _failure(judgments: Sequence[Judgment], unread: str) -> str:
    """Why there is no mark: what kept the judges from replying, or why their replies could not be read."""
    if not judgments:
        return NOT_JUDGED
    return unread or judgments[-1].status.value
