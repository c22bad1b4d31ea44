"""Numbers with their intervals in words, as the commands and the reports print them."""

from __future__ import annotations

import math

from zh_metrics.bootstrap import Estimate, PairedDifference

from lm_eval_zh.analysis.numbers import Figure
from lm_eval_zh.analysis.questions import Scale


def with_interval(figure: Figure) -> str:
    """`72.2 [70.3, 74.1]`: the number and its interval, in percent or in the unit of its scale."""
    return estimate_text(figure.estimate, figure.number.scale)


def estimate_text(estimate: Estimate | PairedDifference, scale: Scale, signed: bool = False) -> str:
    """A number and its interval; without the interval where there is none."""
    value = scale.shown(estimate.value, signed)
    if math.isnan(estimate.low) or math.isnan(estimate.value):
        return value
    return f"{value} [{scale.shown(estimate.low, signed)}, {scale.shown(estimate.high, signed)}]"


def judge_part(figure: Figure) -> str:
    """The standard error's parts, where questions were judged repeatedly; empty elsewhere."""
    parts, scale = figure.error_parts, figure.number.scale
    if parts is None:
        return ""
    error, judge, questions = (scale.shown(part, more_digits=1) for part in parts[:3])
    by_judge = ", ".join(scale.shown(value) for value in parts.by_judge)
    return f"standard error {error} (questions {questions}, judge {judge}); by each judge alone {by_judge}"
