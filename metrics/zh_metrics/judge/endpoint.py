"""A judge on an OpenAI-compatible endpoint: many requests under way at once, each finished reply kept on disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tqdm import tqdm

from zh_metrics.judge.anywhere import run_anywhere
from zh_metrics.judge.cache import ReplyCache, request_key
from zh_metrics.judge.calls import Caller
from zh_metrics.judge.client import masker, new_client
from zh_metrics.judge.faults import Fault
from zh_metrics.judge.records import UNREAD, JudgeReply, JudgeRequest, Judgment, Status
from zh_metrics.judge.settings import JudgeSettings, JudgeSettingsError
from zh_metrics.judge.texts import without_surrogates
from zh_metrics.judge.usage import JudgeUsage

log = logging.getLogger(__name__)


@dataclass
class _Run:
    """What the workers of one run share. `judgments` are by the position of their request."""

    caller: Caller
    requests: Sequence[JudgeRequest]
    bar: Any
    judgments: dict[int, Judgment] = field(default_factory=dict)
    not_asked: list[list[int]] = field(default_factory=list)  # positions of identical requests


class EndpointJudge:
    """Asks a judge, `settings.concurrency` requests at a time.

    Identical requests are sent once. A reply is on disk before it is counted, so that a run that was killed repeats no
    finished call; without a `cache` nothing is kept. The key comes from the environment: `ZH_JUDGE_API_KEY`, else
    `OPENAI_API_KEY`. Judges with different `repeat` ask the same again: the replies of one are none of another's, and a
    `seed` is raised by it.

    Raises JudgeSettingsError if no client can be had of settings and environment: here, and not when judging begins.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        cache: ReplyCache | None = None,
        progress: bool = True,
        repeat: int = 0,
    ) -> None:
        new_client(settings)  # holds nothing before it is used: there is nothing to close
        if masker().text(told := settings.model_dump_json()) != told:
            raise JudgeSettingsError("the key stands among the judge's settings, which are written to the results file")
        self.settings = settings
        self.usage = JudgeUsage(cost=0.0 if settings.has_prices else None)
        self._cache = cache
        self._cache_failed = False
        self._writer = ThreadPoolExecutor(max_workers=1)  # more of them would fight the event loop for the interpreter
        self._progress = progress
        self._repeat = {"repeat": repeat} if repeat else {}
        self._fields = settings.request_fields()
        if isinstance(seed := self._fields.get("seed"), int):
            self._fields["seed"] = seed + repeat

    def repeated(self, repeat: int) -> EndpointJudge:
        """A judge that asks the same again, within the budget of this one."""
        again = EndpointJudge(self.settings, self._cache, self._progress, repeat)
        again.usage = self.usage
        return again

    @property
    def address(self) -> str:
        """The server's."""
        return self.settings.base_url

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """One judgment per request, in the same order. Works within a running event loop (a notebook) too."""
        return run_anywhere(lambda: self.ajudge(requests))

    async def ajudge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """`judge` for callers with an event loop of their own."""
        same: dict[tuple[tuple[str, str], ...], list[int]] = {}
        for position, request in enumerate(requests):
            same.setdefault(request.messages, []).append(position)
        with tqdm(total=len(same), desc=f"judge {self.settings.model}", unit="req", disable=not self._progress) as bar:
            async with new_client(self.settings) as client:
                run = _Run(Caller(client, self.settings, self.usage, masker()), requests, bar)
                todo = list(same.values())
                while todo:
                    await self._round(run, todo)
                    # Not asked while the server seemed to take nothing, or for what was under way: it may have been wrong.
                    # Each round ends at least one request for good, or finds that no more are to be sent.
                    todo, run.not_asked = run.not_asked, []
                    if run.caller.stop_reason():
                        break
            for positions in todo:
                self._settle(run, positions)
        return [run.judgments[position] for position in range(len(requests))]

    def describe(self) -> dict[str, Any]:
        """The settings, for a results file."""
        return {**self.settings.model_dump(), **self._repeat}

    def score_settings(self) -> dict[str, Any]:
        """The fields of each request, how often an unread reply is asked for, and which repeat this is."""
        return {**self._fields, "samples": self.settings.samples, **self._repeat}

    async def _round(self, run: _Run, todo: Sequence[list[int]]) -> None:
        left = iter(todo)
        workers = [asyncio.create_task(self._work(run, left)) for _ in range(min(self.settings.concurrency, len(todo)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()

    async def _work(self, run: _Run, left: Iterator[list[int]]) -> None:
        for positions in left:
            judgment = await self._judgment(run.caller, run.requests[positions[0]])
            run.judgments.update(dict.fromkeys(positions, judgment))
            if judgment.status is Status.NOT_ASKED:
                run.not_asked.append(positions)
            else:
                self._settle(run, positions)

    def _settle(self, run: _Run, positions: list[int]) -> None:
        """Count the judgment of these requests, which is their last."""
        judgment = run.judgments[positions[0]]
        self.usage.statuses[judgment.status.value] += len(positions)
        if judgment.reason:
            self.usage.reasons[judgment.reason] += len(positions)
        run.bar.set_postfix(self._so_far(), refresh=False)
        run.bar.update()

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
        return Judgment(Status.UNPARSED, UNREAD, tuple(replies))

    async def _reply(self, caller: Caller, request: JudgeRequest, sample: int) -> JudgeReply | Fault:
        """The reply from the cache, else from the server; then it is in the cache when this returns."""
        messages = [{"role": role, "content": without_surrogates(content)} for role, content in request.messages]
        fields = {**self._fields, "messages": messages}
        key = request_key({**fields, "base_url": self.settings.base_url, "sample": sample, **self._repeat})
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
