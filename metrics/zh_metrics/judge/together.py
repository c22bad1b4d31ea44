"""Several judges at work: as long as the slowest server takes, not as long as all of them together."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from zh_metrics.judge.anywhere import run_anywhere
from zh_metrics.judge.records import Judge, JudgeRequest, Judgment


@runtime_checkable
class ServedJudge(Protocol):
    """A judge behind an address, which can be asked while others are."""

    @property
    def address(self) -> str:
        """The server's."""

    async def ajudge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """As `Judge.judge`."""


def judge_together(asked: Sequence[tuple[Judge, Sequence[JudgeRequest]]]) -> list[list[Judgment]]:
    """The judgments of each judge on its requests, in the same order.

    Judges behind different addresses are asked at once. Those behind one address take turns, so that a server gets no more
    requests at once than one judge sends; so do judges without an address.
    """
    judgments: dict[int, list[Judgment]] = {}
    by_address: dict[str, list[int]] = defaultdict(list)
    for position, (judge, requests) in enumerate(asked):
        if isinstance(judge, ServedJudge):
            by_address[judge.address].append(position)
        else:
            judgments[position] = judge.judge(requests)

    async def in_turn(positions: Sequence[int]) -> None:
        for position in positions:
            judge, requests = asked[position]
            assert isinstance(judge, ServedJudge)
            judgments[position] = await judge.ajudge(requests)

    async def all_of_them() -> None:
        await asyncio.gather(*map(in_turn, by_address.values()))

    if by_address:
        run_anywhere(all_of_them)
    return [judgments[position] for position in range(len(asked))]
