"""Running a coroutine to its end from ordinary code, within a running event loop (a notebook) too."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, TypeVar

T = TypeVar("T")

_LOOK = 0.2  # seconds between looks at whether the waiting task has been cancelled


def run_anywhere(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of the coroutine. In a running loop it runs in a thread of its own; an interrupt ends it there."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def announced() -> T:
        task = asyncio.current_task()
        assert task
        started.set_result((asyncio.get_running_loop(), task))
        return await make()

    with ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(lambda: asyncio.run(announced()))
        try:
            return _wait(running)
        except BaseException:
            # Else the end of the `with` would wait until all is done. A loop that is closed has nothing to cancel.
            loop, task = started.result()
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)
            raise


def _wait(running: Future[T]) -> T:
    """The result. `asyncio.run` makes Ctrl-C a cancellation of its task, which this thread can't notice but by looking."""
    before = _cancellations()
    while True:
        try:
            return running.result(timeout=_LOOK)
        except FutureTimeoutError:
            if running.done():  # a time-out of its own
                raise
            if _cancellations() > before:
                raise asyncio.CancelledError from None


def _cancellations() -> int:
    count = getattr(asyncio.current_task(), "cancelling", None)  # since Python 3.11
    return count() if count else 0
