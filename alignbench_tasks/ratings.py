"""Which single rating a judge's reply gives, `[[7]]` say, read in two ways. Both are pure and total, as `judgment` is."""

from __future__ import annotations

import re

from alignbench_tasks.judgment import FAILED, NO_SCORES, OVERALL, TRUNCATED, Scores, checked
from alignbench_tasks.verdict_text import GOES_ON, is_correction, is_example, is_of_others, number_of, plain_text

# --- official

_OFFICIAL = re.compile(r"\[\[(\d+\.?\d*)\]\]")
_OFFICIAL_SINGLE = re.compile(r"\[(\d+\.?\d*)\]")
_MOST_DIGITS = 300  # more than a float holds

# --- robust

_NUMERAL = r"[-+]?\d{1,6}(?:\.\d{1,6})?|[一二三四五六七八九十]"
_LABEL = r"(?:评分|打分|得分|分数|总分|评级|rating|score)"
_DOUBLE = re.compile(
    r"\[\s?\[([^\[\]]{0,40})\]\s?\](?P<of_ten>\s?/\s?10(?!\d))?(?P<goes_on>\s?(?:/|%|(?:到|至|-|~)\s?\[))?"
)
_CONTENT = re.compile(rf"\s*(?:{_LABEL}\s?[:为]?\s?)?(?P<number>{_NUMERAL})\.?\s?(?:/\s?10)?\s?分?\s*", re.I)
_RANGE_BEFORE = re.compile(r"\]\s?(?:到|至|-|~)\s?\Z")
_LABEL_BEFORE = re.compile(rf"{_LABEL}\s?(?:结果)?\s?(?:[:为是]\s?)*\Z", re.I)
_FORMAT_BEFORE = re.compile(r"格式\s?(?:应?[为是]|如下?)?\s?:?\s?\Z")
_BROKEN_OFF = re.compile(rf"(?<!\w)\[\s?\[\s?(?:{_LABEL}\s?:?)?\s?-?\d{{0,6}}\.?\d{{0,6}}\s?分?\]?\Z", re.I)
_LONGEST_END = 40  # characters of what a reply may break off within
_STATED = re.compile(
    r"(?:^|[\n。;,:!?(])\s?(?:因此|所以|综上|我)?(?:认为|给出)?(?:我?的)?(?:综合|最终|总体|整体|总)?的?"
    rf"{_LABEL}\s?(?:(?:[:=]|应?[为是])\s?)+\[?\s?(?P<number>{_NUMERAL})(?:\s?/\s?10(?!\d))?\s?分?\]?"
    rf"{GOES_ON}",
    re.I,
)
_BEFORE = 20  # characters in which a label is looked for


def official_rating(judgment: str) -> float:
    """The first number in double square brackets, else the first in single ones, else -1. No range is checked.

    The benchmark's code has only its multi-dimensional judge; this is the rule of the code its other modes' format comes
    from. Source: lm-sys/FastChat, `fastchat/llm_judge/common.py`, `run_judge_single`.
    """
    found = _OFFICIAL.search(judgment) or _OFFICIAL_SINGLE.search(judgment)
    return float(found[1][:_MOST_DIGITS]) if found else FAILED


def robust_rating(judgment: str) -> Scores:
    """The rating a careful reader takes from a judge's reply.

    The last number in double brackets counts, whatever the brackets' kind, with or without 分 or /10, and one with a label
    (评分：) or said to be a correction before one without. Not counted are those that show the format, those of the answer or
    the reference, and ranges. Without double brackets, the last number stated as the rating. If the last brackets hold
    something else, or the reply ends within them, or the number is not in [1, 10], there is no rating: an earlier one is not
    taken instead.
    """
    text = plain_text(judgment)
    if _BROKEN_OFF.search(text, max(0, len(text) - _LONGEST_END)):
        return Scores({}, None, TRUNCATED)
    ratings = [found for found in _DOUBLE.finditer(text) if _is_own(text, found.start()) and not _is_range(text, found)]
    if ratings:
        labelled = [found for found in ratings if _is_labelled(text, found.start())]
        is_number = _CONTENT.fullmatch(ratings[-1][1]) is not None
        return _rated(labelled[-1] if labelled and is_number else ratings[-1])
    stated = [found for found in _STATED.finditer(text) if _is_own(text, found.start())]
    return checked({OVERALL: number_of(stated[-1]["number"])}, ()) if stated else Scores({}, None, NO_SCORES)


def _rated(found: re.Match[str]) -> Scores:
    number = _CONTENT.fullmatch(found[1])
    if number is None or found["goes_on"]:
        return Scores({}, None, NO_SCORES)
    return checked({OVERALL: number_of(number["number"])}, ())


def _is_own(text: str, position: int) -> bool:
    before = text[max(0, position - _BEFORE) : position]
    return not (is_example(text, position) or is_of_others(text, position) or _FORMAT_BEFORE.search(before))


def _is_labelled(text: str, position: int) -> bool:
    before = text[max(0, position - _BEFORE) : position]
    return _LABEL_BEFORE.search(before) is not None or is_correction(text, position)


def _is_range(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - _BEFORE) : found.start()]
    goes_on = found["goes_on"] or ""
    return "[" in goes_on or _RANGE_BEFORE.search(before) is not None
