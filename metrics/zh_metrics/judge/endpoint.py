"""A judge on an OpenAI-compatible endpoint: many requests under way at once, each finished reply kept on disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from openai import AsyncOpenAI, DefaultAioHttpClient
from tqdm import tqdm

from zh_metrics.judge.cache import ReplyCache, request_key
from zh_metrics.judge.calls import Caller
from zh_metrics.judge.faults import Fault
from zh_metrics.judge.records import JudgeReply, JudgeRequest, Judgment, Status
from zh_metrics.judge.settings import JudgeSettings, api_key
from zh_metrics.judge.usage import JudgeUsage

log = logging.getLogger(__name__)


class EndpointJudge:
    """Asks a judge, `settings.concurrency` requests at a time.

    Identical requests are sent once. A reply is on disk before it is counted, so that a run that was killed repeats no
    finished call; without a `cache` nothing is kept. The key comes from the environment: `ZH_JUDGE_API_KEY`, else
    `OPENAI_API_KEY`.
    """

    def __init__(self, settings: JudgeSettings, cache: ReplyCache | None = None, progress: bool = True) -> None:
        self.settings = settings
        self.usage = JudgeUsage(cost=0.0 if settings.has_prices else None)
        self._cache = cache
        self._cache_failed = False
        self._writer = ThreadPoolExecutor(max_workers=1)  # more of them would fight the event loop for the interpreter
        self._progress = progress

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """One judgment per request, in the same order. Works within a running event loop (a notebook) too."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.ajudge(requests))
        with ThreadPoolExecutor(max_workers=1) as pool:
            return pool.submit(asyncio.run, self.ajudge(requests)).result()

    async def ajudge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """`judge` for callers with an event loop of their own."""
        same: dict[tuple[tuple[str, str], ...], list[int]] = {}
        for position, request in enumerate(requests):
            same.setdefault(request.messages, []).append(position)
        judgments: dict[int, Judgment] = {}
        todo = iter(same.values())
        with tqdm(total=len(same), desc=f"judge {self.settings.model}", unit="req", disable=not self._progress) as bar:
            async with _client(self.settings) as client:
                caller = Caller(client, self.settings, self.usage)
                workers = [
                    asyncio.create_task(self._work(caller, todo, requests, judgments, bar))
                    for _ in range(min(self.settings.concurrency, len(same)))
                ]
                try:
                    await asyncio.gather(*workers)
                finally:
                    for worker in workers:
                        worker.cancel()
        return [judgments[position] for position in range(len(requests))]

    def describe(self) -> dict[str, Any]:
        """The settings, for a results file."""
        return self.settings.model_dump()

    def score_settings(self) -> dict[str, Any]:
        """The fields of each request, and how often it is repeated."""
        return {**self.settings.request_fields(), "samples": self.settings.samples}

    async def _work(
        self,
        caller: Caller,
        todo: Iterator[list[int]],
        requests: Sequence[JudgeRequest],
        judgments: dict[int, Judgment],
        bar: Any,
    ) -> None:
        for positions in todo:
            judgment = await self._judgment(caller, requests[positions[0]])
            judgments.update(dict.fromkeys(positions, judgment))
            self.usage.statuses[judgment.status.value] += len(positions)
            if judgment.reason:
                self.usage.reasons[judgment.reason] += len(positions)
            bar.set_postfix(self._so_far(), refresh=False)
            bar.update()

    def _so_far(self) -> dict[str, object]:
        ok = self.usage.statuses[Status.OK.value]
        cost = {} if self.usage.cost is None else {"cost": f"{self.usage.cost:.3f}"}
        return {"ok": ok, "failed": self.usage.statuses.total() - ok, **cost}

    async def _judgment(self, caller: Caller, request: JudgeRequest) -> Judgment:
        replies: list[JudgeReply] = []
        for sample in range(self.settings.samples):
            reply = await self._reply(caller, request, sample)
            if isinstance(reply, Fault):
                return Judgment(reply.status or Status.EXHAUSTED, reply.reason, tuple(replies))
            replies.append(reply)
            if request.accept(reply.text):
                return Judgment(Status.OK, replies=tuple(replies))
        return Judgment(Status.UNPARSED, "no reply could be read", tuple(replies))

    async def _reply(self, caller: Caller, request: JudgeRequest, sample: int) -> JudgeReply | Fault:
        """The reply from the cache, else from the server; then it is in the cache when this returns."""
        messages = [{"role": role, "content": content} for role, content in request.messages]
        fields = {**self.settings.request_fields(), "messages": messages}
        key = request_key({**fields, "base_url": self.settings.base_url, "sample": sample})
        if self._cache and (kept := self._cache.get(self.settings.model, key)):
            self.usage.cached_replies += 1
            self.usage.models[kept.model] += 1
            return kept
        reply = await caller.ask(fields)
        if self._cache and isinstance(reply, JudgeReply):
            await self._keep(self._cache, key, reply)
        return reply

    async def _keep(self, cache: ReplyCache, key: str, reply: JudgeReply) -> None:
        try:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._writer, cache.put, self.settings.model, key, reply)
        except OSError as error:
            if not self._cache_failed:
                log.warning("judge cache: %s: replies can't be kept, and will be asked for again", error)
            self._cache_failed = True


def _client(settings: JudgeSettings) -> AsyncOpenAI:
    return AsyncOpenAI(
        api_key=api_key(),
        base_url=settings.base_url,
        timeout=settings.timeout,
        max_retries=0,  # ours know of the budget, and slow all requests down where the server asks for it
        http_client=DefaultAioHttpClient(),
    )
