"""What looks at all replies of a task at once, before its filters run: a judge, or a metric that needs a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from lm_eval.api.instance import Instance


class Measuring(Protocol):
    """Made before generation, so that what it needs is missed then; runs after it, in one process."""

    def measure(self, instances: Sequence[Instance], candidate: str) -> None:
        """Put what was measured of each reply beside it, in a text that the filters take for the reply.

        `candidate` is the name of the model that replied, empty where it is not known.
        """

    def reports(self, metric: str) -> bool:
        """Whether a metric of the task can be had in this run. One that can't is left out of the results."""

    def report(self) -> dict[str, Any]:
        """What the results file is to say of it, under the task's `metadata`."""

    def signature_fields(self) -> dict[str, str]:
        """What of it a number depends on."""
