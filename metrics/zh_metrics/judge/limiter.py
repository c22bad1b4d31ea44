"""How many requests may be under way: fewer while the server says they are too many, more again as it takes them."""

from __future__ import annotations

import asyncio
from collections import deque

_CALM = 1.0  # seconds before another 429 counts: those of one burst are one sign


class Limiter:
    """`enter` waits for a free place, `leave` gives it back. Halved by `slow_down`, regained one by one by `speed_up`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self._active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()  # a place is theirs once they are done
        self._not_before = 0.0
        self._slowed_at = float("-inf")

    async def enter(self, deadline: float) -> bool:
        """Wait for a free place, and for the end of a pause; False, and no place, if `deadline` comes before."""
        if self._active < int(self.limit) and not self._waiting:
            self._active += 1
        elif not await self._queue(deadline):
            return False
        try:
            while (pause := min(self._not_before, deadline) - _now()) > 0:
                await asyncio.sleep(pause)
        except asyncio.CancelledError:
            self.leave()
            raise
        if _now() < deadline:
            return True
        self.leave()
        return False

    def leave(self) -> None:
        """Give the place back."""
        self._active -= 1
        self._let_in()

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
        self._let_in()

    async def _queue(self, deadline: float) -> bool:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await asyncio.wait([place], timeout=max(0.0, deadline - _now()))
        except asyncio.CancelledError:
            if not place.cancel():
                self.leave()
            raise
        return not place.cancel()

    def _let_in(self) -> None:
        while self._waiting and self._active < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self._active += 1
                place.set_result(None)


def _now() -> float:
    return asyncio.get_running_loop().time()
