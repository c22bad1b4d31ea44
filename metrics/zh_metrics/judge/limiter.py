"""How many requests may be under way: fewer while the server says they are too many, more again as it takes them."""

from __future__ import annotations

import asyncio
from types import TracebackType

_CALM = 1.0  # seconds before another 429 counts: those of one burst are one sign


class Limiter:
    """`async with limiter:` waits for a free place. Halved by `slow_down`, regained one by one by `speed_up`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self._active = 0
        self._free = asyncio.Condition()
        self._not_before = 0.0
        self._slowed_at = float("-inf")

    async def __aenter__(self) -> None:
        async with self._free:
            await self._free.wait_for(lambda: self._active < int(self.limit))
            self._active += 1
        if (pause := self._not_before - _now()) > 0:
            await asyncio.sleep(pause)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with self._free:
            self._active -= 1
            self._free.notify(max(1, int(self.limit) - self._active))

    def slow_down(self, pause: float = 0.0) -> None:
        """The server had too many: half as many from now on, and none for `pause` seconds."""
        now = _now()
        self._not_before = max(self._not_before, now + pause)
        if now - self._slowed_at >= _CALM:
            self._slowed_at = now
            self.limit = max(1.0, self.limit / 2)

    def speed_up(self) -> None:
        """The server took one: after a round of successes there is one more place."""
        self.limit = min(float(self.most), self.limit + 1 / self.limit)


def _now() -> float:
    return asyncio.get_running_loop().time()
