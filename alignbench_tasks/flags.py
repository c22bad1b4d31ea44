"""What should make a reader look twice at a judgment. A flag changes no score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zh_metrics.judge import Judgment
from zh_metrics.judge.families import families

from alignbench_tasks.judgment import HIGHEST, OVERALL

OUTSIDE_DIMENSIONS, AGAINST_RULES = "outside_dimensions", "against_rules"
SAME_FAMILY, LONG_REPLY = "same_family", "long_reply"
FLAGS = (OUTSIDE_DIMENSIONS, AGAINST_RULES, SAME_FAMILY, LONG_REPLY)

_FACTS, _WRONG = "事实正确性", 2  # the dimension of facts, and the most that wrong ones can have
_LONG, _TIMES_REFERENCE = 500, 3  # characters; judges tend to favour length


def contradictions(rating: Mapping[str, float], score: float) -> list[str]:
    """In what one judge contradicts itself or the rules it was given; empty where it doesn't, and without dimensions.

    `outside_dimensions`: the overall score is lower than each dimension's, or higher. `against_rules`: more than 2 for an
    answer whose facts the judge calls wrong (1 or 2), which the prompt's rules forbid.
    """
    parts = [value for name, value in rating.items() if name != OVERALL]
    flags = [OUTSIDE_DIMENSIONS] if parts and not min(parts) <= score <= max(parts) else []
    return [*flags, *([AGAINST_RULES] if rating.get(_FACTS, HIGHEST) <= _WRONG < score else [])]


def same_family(candidate: str, judgments: Sequence[Judgment]) -> bool:
    """Whether a judge is of the family of the model `candidate`, by their names; False for unknown ones.

    A judge has the name the settings give it and the one its server reports.
    """
    judges = {name for judgment in judgments for name in (judgment.judge, *(reply.model for reply in judgment.replies))}
    return any(families(candidate) & families(judge) for judge in judges)


def is_long(reply: str, reference: str) -> bool:
    """Whether a reply has at least 500 characters and more than three times as many as the reference."""
    return len(reply) >= max(_LONG, _TIMES_REFERENCE * len(reference) + 1)
