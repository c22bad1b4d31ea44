"""What a judge did and what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class JudgeUsage:
    """Counts over all runs of one judge. Times in seconds, cost in the currency of the prices."""

    statuses: Counter[str] = field(default_factory=Counter)  # requests by what became of them
    reasons: Counter[str] = field(default_factory=Counter)  # failed requests by reason
    faults: Counter[str] = field(default_factory=Counter)  # tries that failed, whether or not a later one succeeded
    models: Counter[str] = field(default_factory=Counter)  # replies by the judge's name as the server reports it
    calls: int = 0  # requests sent to the server, failed tries included
    cached_replies: int = 0  # replies that cost nothing, for the cache had them
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None  # of the replies of this run; None where prices are not known
    latencies: list[float] = field(default_factory=list)
    adjustments: dict[str, str | None] = field(default_factory=dict)  # refused fields by the name they go under, if any

    def latency(self, percentile: float) -> float:
        """The latency that `percentile` percent of the replies keep below; NaN without replies."""
        return float(np.percentile(self.latencies, percentile)) if self.latencies else float("nan")

    def describe(self) -> dict[str, Any]:
        """For a results file: values JSON can hold."""
        timed = bool(self.latencies)
        return {
            "outcomes": dict(self.statuses),
            "failures": dict(self.reasons),
            "faults": dict(self.faults),
            "reported_models": dict(self.models),
            "calls": self.calls,
            "cached_replies": self.cached_replies,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": self.cost,
            "latency_median": round(self.latency(50), 3) if timed else None,
            "latency_p95": round(self.latency(95), 3) if timed else None,
            "adjustments": self.described_adjustments(),
        }

    def described_adjustments(self) -> dict[str, str]:
        """What was done about each field of the request that the server would not take."""
        return {name: f"sent as {other}" if other else "left out" for name, other in self.adjustments.items()}
