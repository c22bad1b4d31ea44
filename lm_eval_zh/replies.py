"""What a task may be given instead of a reply that was just generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zh_metrics.judge import Judge

MISSING_REPLY = "missing_reply"  # the status of a question to which a replayed run has no reply: nobody was asked


class ReplayedReply(str):
    """A reply that was recorded earlier: how it was generated is not known. A text like any other, told by its type."""

    __slots__ = ()


class MissingReply(ReplayedReply):
    """Stands for the reply to a question that a replayed run was never asked. Empty as a text; tell it by its type.

    A text, because the harness and its cache take nothing else for a reply.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Provenance:
    """What the files of a run say of its replies and judgments, for the task that scores them again.

    `reply_fields` and `judging_fields` are those of its signatures; without the former nobody knows how the replies came
    about. `judges` replay its judgments: without them the replies are judged anew, and `judging_fields` say nothing.
    """

    reply_fields: Mapping[str, str] = field(default_factory=dict)
    judging_fields: Mapping[str, str] = field(default_factory=dict)
    judges: Sequence[Judge] = ()
