"""One call to a judge's endpoint: tried again where that can help, within the limits of time and budget."""

from __future__ import annotations

import asyncio
import logging
import random
from dataclasses import replace
from time import perf_counter
from typing import Any

from openai import AsyncOpenAI

from zh_metrics.judge.completion import decoded, has_choices, reply_in, tokens_in
from zh_metrics.judge.faults import Fault, RefusedField, fault_of
from zh_metrics.judge.limiter import Limiter
from zh_metrics.judge.records import JudgeReply, Status
from zh_metrics.judge.settings import JudgeSettings
from zh_metrics.judge.texts import Masker
from zh_metrics.judge.usage import JudgeUsage

log = logging.getLogger(__name__)

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0  # seconds between tries where the server does not say
_LONGEST_PAUSE = 60.0  # seconds one 429 may hold up the requests it was not for, whatever it asks
_TURNED_AWAY = 3  # so many different requests with no success between them: the others would fare alike
_NO_TOKENS = "max_cost can't be kept: the server reports no tokens"


class Caller:
    """Calls that share a client, a limiter and a budget. Counts what it does in `usage`."""

    def __init__(self, client: AsyncOpenAI, settings: JudgeSettings, usage: JudgeUsage, masker: Masker) -> None:
        self._client = client
        self._settings = settings
        self._usage = usage
        self._masker = masker
        self._limiter = Limiter(settings.concurrency)
        self._in_flight = 0
        self._priced = self._unpriced = 0  # responses whose tokens the server counted, and did not count
        self._turned_away = 0  # requests the server would take nothing of, since the last it took
        self._shut: str | None = None  # why the server would take no request of ours

    async def ask(self, fields: dict[str, Any]) -> JudgeReply | Fault:
        """The server's reply to a request of these fields; a fault with a status once trying is over."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.total_timeout
        reason = "HTTP 429 until total_timeout"  # what keeps a request waiting that was never sent
        retries = 0
        while True:
            got = await self._try(fields, deadline)
            if isinstance(got, JudgeReply):
                return got
            if got is None:
                return Fault(reason, Status.EXHAUSTED)
            if got.status:
                return self._final(got)
            reason = got.reason
            self._usage.faults[reason] += 1
            if got.refused_field:
                self._adjust(got.refused_field)
                continue
            if got.overload:
                longest = min(_LONGEST_PAUSE, self._settings.total_timeout / 2)  # time enough to be asked afterwards
                self._limiter.slow_down(min(got.wait or 0.0, longest))
            wait = _jittered(got.wait, retries)
            if retries >= self._settings.max_retries or loop.time() + wait > deadline:
                return self._final(replace(got, status=Status.EXHAUSTED))
            retries += 1
            await asyncio.sleep(wait)

    def stop_reason(self) -> str | None:
        """Why no more requests are to be sent, if so."""
        settings, usage = self._settings, self._usage
        if self._shut:
            return self._shut
        if settings.max_calls is not None and usage.calls >= settings.max_calls:
            return "max_calls reached"
        if settings.max_cost is not None and usage.cost is not None:
            if self._unpriced and not self._priced:
                return _NO_TOKENS
            # What is under way, or came without a count, costs as much as the others.
            unknown = usage.cost / max(1, self._priced) * (self._in_flight + self._unpriced)
            if usage.cost + unknown >= settings.max_cost:
                return "max_cost reached"
        return None

    async def _try(self, fields: dict[str, Any], deadline: float) -> JudgeReply | Fault | None:
        """One try; None if there is no time left for it."""
        if not await self._limiter.enter(deadline):
            return None
        try:
            if stop := self.stop_reason():
                return Fault(stop, Status.NOT_ASKED)
            sent = self._sent(fields)
            left = deadline - asyncio.get_running_loop().time()
            got = await self._send(sent, max(0.0, min(self._settings.timeout, left)))
        finally:
            self._limiter.leave()
        if isinstance(got, JudgeReply):
            self._shut, self._turned_away = None, 0
            self._limiter.speed_up()
            self._usage.models[got.model] += 1
            self._usage.latencies.append(got.latency)
            return got
        if got.refused_field and got.refused_field.name not in sent:
            return replace(got, status=Status.REFUSED)
        return got

    async def _send(self, sent: dict[str, Any], timeout: float) -> JudgeReply | Fault:
        self._usage.calls += 1
        self._in_flight += 1
        started = perf_counter()
        try:
            # `post`, not `chat.completions.create`: that checks every field of request and reply against its types,
            # which takes more time than all else together, and lets no field of another server through.
            response = self._client.post("/chat/completions", cast_to=object, body=sent)
            # The client's own limit is on each wait for bytes: a server that sends one now and then would hold us.
            completion = decoded(await asyncio.wait_for(response, timeout))
            self._count(completion)
            got = reply_in(completion, perf_counter() - started)
        except Exception as error:  # noqa: BLE001 - whatever a server provokes costs one request, not the run
            got = fault_of(error)
        finally:
            self._in_flight -= 1
        if isinstance(got, Fault):
            return replace(got, reason=self._masker.reason(got.reason))
        mask = self._masker.text
        return replace(got, text=mask(got.text), model=mask(got.model), finish_reason=mask(got.finish_reason))

    def _count(self, completion: object) -> None:
        """Count what a response cost, one without a reply too."""
        usage, tokens = self._usage, tokens_in(completion)
        usage.prompt_tokens += tokens.prompt
        usage.completion_tokens += tokens.completion
        usage.cost = self._settings.cost(usage.prompt_tokens, usage.completion_tokens)
        if tokens.prompt or tokens.completion:
            self._priced += 1
        elif has_choices(completion):
            self._unpriced += 1
            if self._settings.max_cost is not None and self._unpriced == 1:
                log.warning("judge %s: a response came without its tokens, which max_cost needs", self._settings.model)

    def _final(self, fault: Fault) -> Fault:
        """`fault`, counted if it says that the server would take nothing of ours."""
        if fault.no_entry:
            self._turned_away += 1
            if self._turned_away >= _TURNED_AWAY:
                self._shut = fault.reason  # no need to find out for each request
        return fault

    def _sent(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields as this server takes them. What a user set under the newer name stays as it is."""
        sent = dict(fields)
        for name, replacement in self._usage.adjustments.items():
            if name in sent:
                value = sent.pop(name)
                if replacement:
                    sent.setdefault(replacement, value)
        return sent

    def _adjust(self, field: RefusedField) -> None:
        """Send a field no more, or under its newer name, from now on; said once, and kept for the results."""
        if field.name not in self._usage.adjustments:
            self._usage.adjustments[field.name] = field.replacement
            done = self._usage.described_adjustments()[field.name]
            log.warning("judge %s does not take %s: %s", self._settings.model, field.name, done)


def _jittered(asked: float | None, retries: int) -> float:
    """Seconds to wait: what the server asks for and a little more, else twice as long each time, half of it by chance."""
    if asked is not None:
        return asked + random.uniform(0, min(1.0, 0.25 * asked))
    longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(retries, 10))
    return random.uniform(longest / 2, longest)
