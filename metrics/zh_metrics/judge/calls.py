"""One call to a judge's endpoint: tried again where that can help, within the limits of time and budget."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from openai import AsyncOpenAI

from zh_metrics.judge.faults import CONNECTION, REPLACEMENTS, Fault, fault_of
from zh_metrics.judge.limiter import Limiter
from zh_metrics.judge.records import JudgeReply, Status
from zh_metrics.judge.settings import JudgeSettings
from zh_metrics.judge.usage import JudgeUsage

log = logging.getLogger(__name__)

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0  # seconds between tries where the server does not say


class Caller:
    """Calls that share a client, a limiter and a budget. Counts what it does in `usage`."""

    def __init__(self, client: AsyncOpenAI, settings: JudgeSettings, usage: JudgeUsage) -> None:
        self._client = client
        self._settings = settings
        self._usage = usage
        self._limiter = Limiter(settings.concurrency)
        self._in_flight = 0
        self._shut: str | None = None  # why the server would take no request of ours

    async def ask(self, fields: dict[str, Any]) -> JudgeReply | Fault:
        """The server's reply to a request of these fields; a fault with a status once trying is over."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.total_timeout
        retries = 0
        while True:
            got = await self._try(fields, deadline)
            if isinstance(got, JudgeReply) or got.status:
                return got
            self._usage.faults[got.reason] += 1
            if got.refused_field:
                self._adjust(got.refused_field)
                continue
            if got.overload:
                self._limiter.slow_down(got.wait or 0.0)
            wait = _jittered(got.wait, retries)
            if retries >= self._settings.max_retries or loop.time() + wait > deadline:
                if got.reason == CONNECTION and not self._usage.latencies:
                    self._shut = CONNECTION  # nobody is there: no need to find out for each request
                return replace(got, status=Status.EXHAUSTED)
            retries += 1
            await asyncio.sleep(wait)

    async def _try(self, fields: dict[str, Any], deadline: float) -> JudgeReply | Fault:
        async with self._limiter:
            if stop := self._stop_reason():
                return Fault(stop, Status.NOT_ASKED)
            sent = self._sent(fields)
            left = deadline - asyncio.get_running_loop().time()
            self._usage.calls += 1
            self._in_flight += 1
            started = perf_counter()
            try:
                # `post`, not `chat.completions.create`: that checks every field of request and reply against its types,
                # which takes more time than all else together, and lets no field of another server through.
                response = self._client.post("/chat/completions", cast_to=object, body=sent)
                # The client's own limit is on each wait for bytes: a server that sends one now and then would hold us.
                completion = await asyncio.wait_for(response, max(0.0, min(self._settings.timeout, left)))
                got = reply_in(completion, perf_counter() - started)
            except Exception as error:  # noqa: BLE001 - whatever a server provokes costs one request, not the run
                got = fault_of(error)
            finally:
                self._in_flight -= 1
        if isinstance(got, JudgeReply):
            self._shut = None
            self._limiter.speed_up()
            self._count(got)
            return got
        got = replace(got, reason=got.reason.replace(self._client.api_key, "***"))
        if got.no_entry and not self._usage.latencies:
            self._shut = got.reason
        if got.refused_field and got.refused_field not in sent:
            return replace(got, status=Status.REFUSED)
        return got

    def _count(self, reply: JudgeReply) -> None:
        usage = self._usage
        usage.models[reply.model] += 1
        usage.prompt_tokens += reply.prompt_tokens
        usage.completion_tokens += reply.completion_tokens
        usage.cost = self._settings.cost(usage.prompt_tokens, usage.completion_tokens)
        usage.latencies.append(reply.latency)

    def _stop_reason(self) -> str | None:
        """Why no more requests are to be sent, if so."""
        settings, usage = self._settings, self._usage
        if self._shut:
            return self._shut
        if settings.max_calls is not None and usage.calls >= settings.max_calls:
            return "max_calls reached"
        if settings.max_cost is not None and usage.cost is not None:
            under_way = usage.cost / max(1, len(usage.latencies)) * self._in_flight  # will cost as much as those before
            if usage.cost + under_way >= settings.max_cost:
                return "max_cost reached"
        return None

    def _sent(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields as this server takes them."""
        sent = dict(fields)
        for name in self._usage.adjustments:
            if name in sent:
                value, replacement = sent.pop(name), REPLACEMENTS[name]
                if replacement:
                    sent[replacement] = value
        return sent

    def _adjust(self, name: str) -> None:
        """Send `name` no more, or under its newer name, from now on; said once, and kept for the results."""
        if name not in self._usage.adjustments:
            replacement = REPLACEMENTS[name]
            done = f"sent as {replacement}" if replacement else "left out"
            log.warning("judge %s does not take %s: %s", self._settings.model, name, done)
            self._usage.adjustments[name] = done


def _jittered(asked: float | None, retries: int) -> float:
    """Seconds to wait: what the server asks for and a little more, else twice as long each time, half of it by chance."""
    if asked is not None:
        return asked + random.uniform(0, min(1.0, 0.25 * asked))
    longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(retries, 10))
    return random.uniform(longest / 2, longest)


def reply_in(completion: object, latency: float) -> JudgeReply | Fault:
    """The reply in what the server sent, JSON of whatever shape; a fault where there is none."""
    if not isinstance(completion, Mapping):
        return Fault("malformed response")
    choices = completion.get("choices")
    if not isinstance(choices, list) or not choices:
        return Fault("empty reply" if choices == [] else "malformed response")
    choice = choices[0] if isinstance(choices[0], Mapping) else {}
    message, finish_reason = choice.get("message"), choice.get("finish_reason")
    text, refusal = (message.get("content"), message.get("refusal")) if isinstance(message, Mapping) else (None, None)
    if finish_reason == "content_filter":
        return Fault("content_filter", Status.FILTERED)
    if isinstance(text, str) and text.strip():
        return JudgeReply(
            text=text,
            model=str(completion.get("model") or ""),
            finish_reason=str(finish_reason or ""),
            prompt_tokens=_tokens(completion, "prompt_tokens"),
            completion_tokens=_tokens(completion, "completion_tokens"),
            latency=latency,
        )
    if refusal:
        return Fault("refusal", Status.REFUSED)
    if finish_reason == "length":  # a reasoning judge that never came to its answer: it would not next time either
        return Fault("no text within max_tokens", Status.EXHAUSTED)
    return Fault("empty reply")


def _tokens(completion: Mapping[str, Any], name: str) -> int:
    usage = completion.get("usage")
    count = usage.get(name) if isinstance(usage, Mapping) else None
    return count if isinstance(count, int) else 0
