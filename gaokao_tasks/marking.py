"""Which mark a teacher's reply gives to an answer, read in two ways.

`official_marks` reads as the benchmark's own code does, quirks included; `robust_mark` reads as a careful person would.
Both are pure and total: any text gives marks or a reason, never an exception.
"""

from __future__ import annotations

import re

from gaokao_tasks.mark_reading import Mark, robust_mark
from gaokao_tasks.mark_statements import ABOVE_MAXIMUM, NO_TOTAL, NOT_FINAL

__all__ = ["ABOVE_MAXIMUM", "NOT_FINAL", "NO_TOTAL", "TAG", "Mark", "official_marks", "robust_mark"]

TAG = "【总分】"

_OFFICIAL_MARK = re.compile(r"\s*(\d+(?:\.\d*)?)\s*分")


def official_marks(reply: str) -> list[float]:
    """Every mark upstream's code finds in a teacher's reply, in order; above the maximum too. Empty if there is none.

    A mark is a number before 分 after `【总分】`, or after an equals sign later in that line, of which the last with a
    mark behind it counts. Takes time in proportion to the text where upstream's pattern may take its square.

    Source: OpenLMLab/GAOKAO-Bench, `Bench/bench_function.py`, the pattern in `subjective_grade`.
    """
    marks = []
    position = 0
    line_end, after_equals = -1, None  # the line the last tag's number was looked for in
    while (tag := reply.find(TAG, position)) >= 0:
        start = position = tag + len(TAG)
        while start < len(reply) and reply[start].isspace():
            start += 1
        if start > line_end:
            line_end = end if (end := reply.find("\n", start)) >= 0 else len(reply)
            after_equals = _last_mark_after_equals(reply, start, line_end)
        found = after_equals if after_equals and after_equals.start() > start else _OFFICIAL_MARK.match(reply, start)
        if found:
            marks.append(float(found[1]))
            position = found.end()
    return marks


def _last_mark_after_equals(reply: str, start: int, end: int) -> re.Match[str] | None:
    while (equals := reply.rfind("=", start, end)) >= 0:
        if found := _OFFICIAL_MARK.match(reply, equals + 1):
            return found
        end = equals
    return None
