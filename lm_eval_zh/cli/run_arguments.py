"""The arguments of the commands that look at finished runs. Intervals' defaults are those of `zh_metrics.bootstrap`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

Resamples = Annotated[int, typer.Option("--resamples", min=2, max=10_000, help="Resamples of the bootstrap.")]
Level = Annotated[float, typer.Option("--level", min=0.5, max=0.999, help="Confidence level of the intervals.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the bootstrap.")]


class Pipeline(str, Enum):
    """Whose readings are taken."""

    official = "official"
    robust = "robust"


class Form(str, Enum):
    """How a result is printed."""

    table = "table"
    json = "json"


RunArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RESULTS...", help="Folders or results_*.json of lm_eval --log_samples; NAME=PATH names one."
    ),
]
PipelineOption = Annotated[Pipeline, typer.Option(help="Whose readings of the replies.")]
