"""Which score CritiqueLLM gives, as its own code reads it. A careful reader reads it as any other judge's dictionary.

Source: thu-coai/CritiqueLLM, `evaluation/eval_pointwise.py`, `extract_number`.
"""

from __future__ import annotations

import re

from alignbench_tasks.judgment import OVERALL

UNREAD_SCORE = 5.0  # what upstream's code gives for a reply it can't read
_NUMBER = r"(0(?:\.0*)?|10(?:\.0*)?|[1-9](?:\.\d*)?)"  # of 0.5 that is 0
_PATTERNS = [re.compile(before + _NUMBER) for before in (f"'{OVERALL}': ", f"{OVERALL}: ", f"{OVERALL}：")]


def official_critique_score(critique: str) -> float | None:
    """The score upstream's code reads, in [0, 10]; None where it finds none and takes 5 instead.

    It is the number after the first `'综合得分': `, else after the first `综合得分: `, else after the first `综合得分：`; of a
    number above 10 the first digit.
    """
    found = next((match for pattern in _PATTERNS if (match := pattern.search(critique))), None)
    return float(found[1]) if found else None
