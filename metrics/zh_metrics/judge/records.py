"""What a judge is asked, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from zh_metrics.judge.usage import JudgeUsage


class Status(str, Enum):
    """What became of a request. Only `OK` has a reply that can be read."""

    OK = "ok"
    UNPARSED = "unparsed"  # replies came, none could be read
    FILTERED = "filtered"  # a content filter stopped the request or the reply
    TOO_LONG = "too_long"  # the request does not fit the judge's context
    REFUSED = "refused"  # the server or the judge turns the request down, and would again
    EXHAUSTED = "exhausted"  # every try failed: timeouts, broken connections, an overloaded server, empty replies
    NOT_ASKED = "not_asked"  # the run stopped before: its budget was spent, or the server takes no request of ours


UNREAD = "no reply could be read"  # the reason of `UNPARSED`


def _any_text(_: str) -> bool:
    return True


@dataclass(frozen=True)
class Answer:
    """What is to be judged, for judges that do not read a prompt.

    `as_reply` writes a mark, from `least_mark` to `full_mark`, the way a judge would.
    """

    id: str
    prediction: str
    reference: str
    full_mark: float
    as_reply: Callable[[float], str]
    least_mark: float = 0.0
    whole_marks: bool = False  # whether the prompt asks for whole numbers


@dataclass(frozen=True)
class JudgeRequest:
    """One prompt to a judge. `accept` says whether a reply can be read; one that can't is asked for anew."""

    messages: tuple[tuple[str, str], ...]  # role and content
    accept: Callable[[str], bool] = _any_text
    answer: Answer | None = None
    reading: str = ""  # how replies to it are to be read, where a benchmark asks in several ways; no judge looks at it

    @classmethod
    def of_texts(
        cls, system: str, user: str, accept: Callable[[str], bool] = _any_text, answer: Answer | None = None
    ) -> JudgeRequest:
        """A request of a system message and a user message."""
        return cls((("system", system), ("user", user)), accept, answer)


@dataclass(frozen=True)
class JudgeReply:
    """One reply, as the server gave it."""

    text: str
    model: str = ""  # as the server names it, which may be more exact than what was asked for
    finish_reason: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency: float = 0.0  # seconds, from sending the request to having the reply
    cached: bool = False


@dataclass(frozen=True)
class Judgment:
    """What became of one request: its status, the reason of a failure ("" if ok), and all replies, oldest first.

    There are several replies where earlier ones could not be read; the last is the one that counts.
    """

    status: Status
    reason: str = ""
    replies: tuple[JudgeReply, ...] = ()
    reading: str = ""  # as the request said it
    judge: str = ""  # the judge's name in the run's settings

    @property
    def text(self) -> str:
        """The reply that counts; empty if there is none."""
        return self.replies[-1].text if self.replies else ""

    def as_record(self) -> list[object]:
        """As it is written beside a sample: [status, reason, [[model, text], ...]].

        Lists, not objects: the harness's writer of samples keeps lists and makes text of everything else.
        """
        return [self.status.value, self.reason, [[reply.model, reply.text] for reply in self.replies]]

    @classmethod
    def from_record(cls, record: object) -> Judgment:
        """The judgment that `as_record` wrote: what it knows no more, such as tokens, is 0.

        Raises ValueError for anything else.
        """
        match record:
            case [str(status), str(reason), [*replies]] if status in {known.value for known in Status}:
                return cls(Status(status), reason, tuple(map(_reply_from_record, replies)))
        raise ValueError(f"expected [status, reason, [[model, text], ...]], got {record!r:.80}")


def _reply_from_record(record: object) -> JudgeReply:
    match record:
        case [str(model), str(text)]:
            return JudgeReply(text, model)
    raise ValueError(f"expected [model, text] of a judge's reply, got {record!r:.80}")


class Judge(Protocol):
    """Anything that judges."""

    usage: JudgeUsage

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """One judgment per request, in the same order. Fails for no request: a failure is a status."""

    def describe(self) -> dict[str, Any]:
        """The judge's `model` and its settings, in values JSON can hold; no secret among them."""

    def score_settings(self) -> dict[str, Any]:
        """Those that can move a mark, `model` among them: not the address, the speed or the budget."""
