"""What a failed try means: try again, ask differently, or give up, and why."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import openai

from zh_metrics.judge.records import Status
from zh_metrics.judge.server_errors import REPLACEMENTS, ServerError

CONNECTION = "connection"

_RETRIED = (408, 409, 425, 429)  # and every 5xx
_BAD_REQUEST = (400, 413, 422)
_NO_ENTRY = (401, 402, 404)  # no key, no money, no such address or model


@dataclass(frozen=True)
class RefusedField:
    """A field of the request that the model does not take, and the name to send it under; None: leave it out."""

    name: str
    replacement: str | None


@dataclass(frozen=True)
class Fault:
    """A failed try. `status` None: worth another try, not before `wait` seconds if the server says when."""

    reason: str
    status: Status | None = None
    wait: float | None = None
    overload: bool = False  # the server has too many requests
    no_entry: bool = False  # it is about us or the server, not about this request: others would fare alike
    refused_field: RefusedField | None = None


def fault_of(error: Exception) -> Fault:
    """What an exception of a call means."""
    if _is_broken_connection(error):
        return Fault(CONNECTION, no_entry=True)
    if isinstance(error, (openai.APITimeoutError, TimeoutError, asyncio.TimeoutError)):  # two classes before 3.11
        return Fault("timeout")
    if isinstance(error, openai.APIStatusError):
        told = ServerError.of(error.body)
        told = told if told.message else ServerError(error.message, told.codes, told.param)
        return _status_fault(error.status_code, told, retry_after(error.response.headers))
    if isinstance(error, openai.APIConnectionError):
        return Fault(CONNECTION, no_entry=True)
    return Fault("malformed response")  # JSON cut short, bytes that are no text, a reply of another shape


def fault_in(error: object) -> Fault:
    """What an error means that a server sends as if all were well, with status 200; gateways do."""
    told = ServerError.of(error)
    code = str(error.get("code")) if isinstance(error, Mapping) else ""
    if re.fullmatch(r"[45]\d\d", code):
        return _status_fault(int(code), told, None)
    known = _known_fault(told)
    return known or Fault(f"error in the response: {told.message}", overload=told.is_overload)


def _is_broken_connection(error: BaseException | None) -> bool:
    """Whether no connection was had, or it broke: the aiohttp transport of openai's package calls some of these time-outs."""
    while error is not None:
        if isinstance(error, aiohttp.ClientConnectionError) and not isinstance(error, asyncio.TimeoutError):
            return True
        error = error.__cause__
    return False


def _status_fault(status: int, told: ServerError, wait: float | None) -> Fault:
    if status == 429 and told.is_quota:
        return _quota_fault()
    if status in _RETRIED or status >= 500:
        return Fault(f"HTTP {status}", wait=wait, overload=status == 429)
    if status in _BAD_REQUEST and (known := _known_fault(told)):
        return known
    if told.is_filter:
        return Fault("content_filter", Status.FILTERED)
    if status == 413:
        return Fault("context_length_exceeded", Status.TOO_LONG)
    about_us = status in _NO_ENTRY or told.is_unknown_model or (status == 403 and told.is_about_access)
    return Fault(f"HTTP {status}: {told.message}", Status.REFUSED, no_entry=about_us)


def _known_fault(told: ServerError) -> Fault | None:
    """What the server's words say, if they are known."""
    if told.is_quota:
        return _quota_fault()
    if told.is_filter:
        return Fault("content_filter", Status.FILTERED)
    if told.max_tokens_too_large:  # before the next: some name the context in the same breath
        return _refusal(RefusedField("max_tokens", None))
    if told.is_too_long:
        return Fault("context_length_exceeded", Status.TOO_LONG)
    name = told.refused_field
    return _refusal(RefusedField(name, REPLACEMENTS[name])) if name else None


def _quota_fault() -> Fault:
    return Fault("insufficient_quota", Status.REFUSED, no_entry=True)


def _refusal(field: RefusedField) -> Fault:
    return Fault(f"refuses {field.name}", refused_field=field)


def retry_after(headers: Any) -> float | None:
    """Seconds a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date; None if unsaid."""
    waits = (_seconds(headers.get("retry-after-ms"), 1000), _seconds(headers.get("retry-after"), 1))
    return next((wait for wait in waits if wait is not None), None)


def _seconds(text: str | None, per_second: int) -> float | None:
    if not text:
        return None
    try:
        if re.fullmatch(r"\s*[\d.]+\s*", text):
            seconds = float(text) / per_second
        else:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
