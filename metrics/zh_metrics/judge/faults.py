"""What a failed try means: try again, ask differently, or give up, and why."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import openai

from zh_metrics.judge.records import Status

CONNECTION = "connection"

_RETRIED = (408, 409, 425, 429)  # and every 5xx
_NO_ENTRY = (401, 403, 404)
_REASON_LENGTH = 200

# Servers say the same in different words; codes first, for they are exact.
_FILTER = re.compile(r"content[_ ](?:filter|policy|management)|data_inspection_failed|sensitive|内容安全|敏感", re.I)
_TOO_LONG = re.compile(
    r"context[_ ]length|maximum context|too many tokens|context window|(?:prompt|input|message)[^.]{0,40}too long"
    r"|exceeds? [^.]{0,40}(?:length|tokens|context)|string_above_max_length|上下文|超长",
    re.I,
)
_UNSUPPORTED = re.compile(r"unsupported|not supported|does not support|unknown|unrecognized|not permitted|extra", re.I)
_QUOTA = re.compile(r"insufficient_quota|quota|arrearage|billing", re.I)

# What replaces a field the model refuses; None: the field is left out.
REPLACEMENTS: dict[str, str | None] = {"max_tokens": "max_completion_tokens", "temperature": None, "seed": None}


@dataclass(frozen=True)
class Fault:
    """A failed try. `status` None: worth another try, not before `wait` seconds if the server says when."""

    reason: str
    status: Status | None = None
    wait: float | None = None
    overload: bool = False  # the server has too many requests
    no_entry: bool = False  # it would turn down every request of ours
    refused_field: str | None = None  # a field of the request to replace


def fault_of(error: Exception) -> Fault:
    """What an exception of a call means."""
    if _is_broken_connection(error):
        return Fault(CONNECTION)
    if isinstance(error, (openai.APITimeoutError, TimeoutError, asyncio.TimeoutError)):  # two classes before 3.11
        return Fault("timeout")
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    if isinstance(error, openai.APIConnectionError):
        return Fault(CONNECTION)
    return Fault("malformed response")  # JSON cut short, bytes that are no text, a reply of another shape


def _is_broken_connection(error: BaseException | None) -> bool:
    """Whether no connection was had, or it broke: the aiohttp transport of openai's package calls some of these time-outs."""
    while error is not None:
        if isinstance(error, aiohttp.ClientConnectionError) and not isinstance(error, asyncio.TimeoutError):
            return True
        error = error.__cause__
    return False


def _status_fault(error: openai.APIStatusError) -> Fault:
    status = error.status_code
    described = f"{error.code or ''} {_message(error)}"
    if status == 429 and _QUOTA.search(str(error.code or error.type or "")):
        return Fault("insufficient_quota", Status.REFUSED, no_entry=True)
    if status in _RETRIED or status >= 500:
        return Fault(f"HTTP {status}", wait=retry_after(error.response.headers), overload=status == 429)
    if _FILTER.search(described):
        return Fault("content_filter", Status.FILTERED)
    if status in (400, 413, 422) and (status == 413 or _TOO_LONG.search(described)):
        return Fault("context_length_exceeded", Status.TOO_LONG)
    if status in (400, 422) and (field := _refused_field(error, described)):
        return Fault(f"refuses {field}", refused_field=field)
    reason = f"HTTP {status}: {_message(error)}"[:_REASON_LENGTH]
    return Fault(reason, Status.REFUSED, no_entry=status in _NO_ENTRY)


def _refused_field(error: openai.APIStatusError, described: str) -> str | None:
    named = [name for name in REPLACEMENTS if error.param == name or re.search(rf"\b{name}\b", described)]
    return named[0] if named and _UNSUPPORTED.search(described) else None


def _message(error: openai.APIStatusError) -> str:
    body: Any = error.body
    text = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(text or error.message).split())


def retry_after(headers: Any) -> float | None:
    """Seconds a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date; None if unsaid."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        text = headers.get("retry-after")
        if not text:
            return None
        if re.fullmatch(r"\s*\d+(\.\d*)?\s*", text):
            return float(text)
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
