"""What a server's response to a request holds: the reply, or what went wrong, and the tokens that have to be paid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from zh_metrics.judge.faults import Fault, fault_in
from zh_metrics.judge.records import JudgeReply, Status

_FILTERED = ("content_filter", "sensitive")  # OpenAI's and Zhipu's word for the same end of a reply
_MOST_TOKENS = 10**9  # of one response; a count beyond is none


class Tokens(NamedTuple):
    """What a response cost; zeros where the server does not say, or says what can't be."""

    prompt: int = 0
    completion: int = 0


def decoded(response: object) -> object:
    """The JSON of a response; openai's package leaves it a text where the server does not call it JSON."""
    return json.loads(response) if isinstance(response, str) else response


def tokens_in(completion: object) -> Tokens:
    """The tokens the server counts. Replies without text are paid too."""
    usage = completion.get("usage") if isinstance(completion, Mapping) else None
    if not isinstance(usage, Mapping):
        return Tokens()
    return Tokens(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def has_choices(completion: object) -> bool:
    """Whether a model has been at work: then there is something to pay."""
    return isinstance(completion, Mapping) and bool(completion.get("choices"))


def reply_in(completion: object, latency: float) -> JudgeReply | Fault:
    """The reply in what the server sent, JSON of whatever shape; a fault where there is none."""
    if not isinstance(completion, Mapping):
        return Fault("malformed response")
    choices = completion.get("choices")
    if not choices and completion.get("error"):
        return fault_in(completion["error"])
    if not isinstance(choices, list) or not choices:
        return Fault("empty reply" if choices == [] else "malformed response")
    choice = choices[0] if isinstance(choices[0], Mapping) else {}
    message, finish_reason = choice.get("message"), choice.get("finish_reason")
    content, refusal = (message.get("content"), message.get("refusal")) if isinstance(message, Mapping) else ("", None)
    if finish_reason in _FILTERED:
        return Fault("content_filter", Status.FILTERED)
    text = _text(content)
    if text.strip():
        model = completion.get("model")
        return JudgeReply(
            text=text,
            model=model if isinstance(model, str) else "",
            finish_reason=finish_reason if isinstance(finish_reason, str) else "",
            prompt_tokens=tokens_in(completion).prompt,
            completion_tokens=tokens_in(completion).completion,
            latency=latency,
        )
    if refusal:
        return Fault("refusal", Status.REFUSED)
    if finish_reason == "length":  # a reasoning judge that never came to its answer: it would not next time either
        return Fault("no text within max_tokens", Status.EXHAUSTED)
    return Fault("empty reply")


def _text(content: Any) -> str:
    """The text of a message; of a list of parts those that are text, for some servers give thinking a part of its own."""
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _count(count: object) -> int:
    valid = isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= _MOST_TOKENS
    return count if valid else 0  # type: ignore[return-value]
