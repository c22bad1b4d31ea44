"""Several judges of one reply: how their scores make one, how far apart they are, and when there are too few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, median, stdev

from zh_metrics.judge.records import Judgment

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {"mean": mean, "median": median}
BELOW_QUORUM = "below_quorum"  # the reason where judges gave scores, but too few of them
NOT_JUDGED = "not_judged"  # the reason where nobody was asked: another process of the run asks


@dataclass(frozen=True)
class PanelRule:
    """How the scores of several judges become one.

    `aggregate` is a name in `AGGREGATES`; `quorum`, at least 1, is the number of scores below which there is none.
    """

    aggregate: str = "mean"
    quorum: int = 1

    def combine(self, scores: Sequence[float]) -> float | None:
        """The scores' mean or median; None below the quorum, and without any score."""
        return AGGREGATES[self.aggregate](scores) if len(scores) >= max(1, self.quorum) else None


@dataclass(frozen=True)
class Verdict:
    """What a panel, or one judge, said of one reply: a judgment per judge, and how scores become one."""

    judgments: tuple[Judgment, ...] = ()
    rule: PanelRule = PanelRule()
    candidate: str = ""  # the name of the model that replied, where it is known

    def no_score(self, scored: int, unread: str) -> str:
        """Why there is no score: too few judges gave one, their replies could not be read, or what kept them from replying.

        `scored` is the number of judges that gave one; `unread` is why a reply could not be read, "" if none came.
        """
        if scored:
            return BELOW_QUORUM
        if not self.judgments:
            return NOT_JUDGED
        return unread or self.judgments[-1].status.value

    def as_records(self) -> list[list[object]]:
        """The judgments as they are written beside a sample, each as `Judgment.as_record` makes it."""
        return [judgment.as_record() for judgment in self.judgments]


def spread(scores: Sequence[float]) -> float | None:
    """The sample standard deviation of the judges' scores of one reply; None for fewer than two."""
    return stdev(scores) if len(scores) > 1 else None
