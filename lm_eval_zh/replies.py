"""What a task may be given instead of a reply that was just generated."""

from __future__ import annotations

MISSING_REPLY = "missing_reply"  # the status of a question to which a replayed run has no reply: nobody was asked


class ReplayedReply(str):
    """A reply that was recorded earlier: how it was generated is not known. A text like any other, told by its type."""

    __slots__ = ()


class MissingReply(ReplayedReply):
    """Stands for the reply to a question that a replayed run was never asked. Empty as a text; tell it by its type.

    A text, because the harness and its cache take nothing else for a reply.
    """

    __slots__ = ()
