"""A chat-completions server for tests: a real socket, and whatever reply, fault or silence a test asks for."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

_HANG_SECONDS = 600


@dataclass(frozen=True)
class Step:
    """What the server does with one request. A `text` is an ordinary completion; a `body` is sent as it is."""

    text: str | None = None
    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0  # seconds
    hang: bool = False
    reset: bool = False  # the connection is cut in the middle of the response
    finish_reason: str = "stop"
    content_type: str = "application/json"  # of a `body`


def completion(text: str | None, finish_reason: str = "stop", model: str = "judge-2026-01-01") -> dict[str, Any]:
    """A chat completion as OpenAI's servers give it."""
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}},
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


class JudgeServer:
    """Serves on a free port while it is entered. `behave` gets the request's body and how often its prompt came before."""

    def __init__(self, behave: Callable[[dict[str, Any], int], Step], tls: ssl.SSLContext | None = None) -> None:
        self._behave = behave
        self._tls = tls
        self.bodies: list[dict[str, Any]] = []
        self.finished: Counter[str] = Counter()  # prompts answered with a whole completion
        self.at_once: list[int] = []  # how many requests were under way when each one came
        self._at_once = 0
        self.keys: set[str] = set()
        self._seen: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self.url = ""

    def __enter__(self) -> JudgeServer:
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def prompts(self) -> list[str]:
        """The user message of each request, in the order they came."""
        return [body["messages"][-1]["content"] for body in self.bodies]

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._start())
        self._ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(self._runner.cleanup())

    async def _start(self) -> None:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        self.url = f"{'https' if self._tls else 'http'}://localhost:{port}/v1"

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.keys.add(request.headers.get("Authorization", ""))
        prompt = json.dumps(body["messages"])
        step = self._behave(body, self._seen[prompt])
        self._seen[prompt] += 1
        self.bodies.append(body)
        self._at_once += 1
        self.at_once.append(self._at_once)
        try:
            return await self._do(step, request, prompt)
        finally:
            self._at_once -= 1

    async def _do(self, step: Step, request: web.Request, prompt: str) -> web.StreamResponse:
        await asyncio.sleep(_HANG_SECONDS if step.hang else step.delay)
        if step.reset:
            response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
            await response.prepare(request)
            await response.write(b'{"id": ')
            assert request.transport
            request.transport.close()
            return response
        if step.text is not None:
            self.finished[prompt] += 1
            return web.json_response(completion(step.text, step.finish_reason), headers=step.headers)
        text = step.body if isinstance(step.body, str) else json.dumps(step.body if step.body is not None else {})
        return web.Response(text=text, status=step.status, headers=step.headers, content_type=step.content_type)


def steps(*given: Step) -> Callable[[dict[str, Any], int], Step]:
    """Each prompt gets these steps in turn, and the last one again and again."""
    return lambda body, before: given[min(before, len(given) - 1)]
