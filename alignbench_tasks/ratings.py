"""Which single rating a judge's reply gives, `[[7]]` say, read in two ways. Both are pure and total, as `judgment` is."""

from __future__ import annotations

import re

from zh_metrics.judge.texts import without_thinking

from alignbench_tasks.judgment import FAILED, NO_SCORES, OVERALL, TRUNCATED, Scores, checked

# --- official

_OFFICIAL = re.compile(r"\[\[(\d+\.?\d*)\]\]")
_OFFICIAL_SINGLE = re.compile(r"\[(\d+\.?\d*)\]")
_MOST_DIGITS = 300  # more than a float holds

# --- robust

_BRACKETS = str.maketrans(
    {**dict.fromkeys("［【〔〚", "["), **dict.fromkeys("］】〕〛", "]"), "：": ":", "／": "/", "＝": "="}
)
_MARKUP = re.compile(r"\*{1,3}|\\(?=[\[\]])|`")
_DOUBLE = re.compile(r"\[\s?\[([^\[\]\n]{0,40})\]\s?\]")
_OPENED = re.compile(r"\[\s?\[[^\[\]\n]{0,40}\]?\Z")  # the reply ends within its rating
_NUMBER = re.compile(r"(?P<number>-?\d{1,6}(?:\.\d{1,4})?|十|[一二三四五六七八九]) ?(?:/ ?10)? ?分?")
_LABELLED = re.compile(
    r"(?:评分|打分|得分|分数|总分|[Rr]ating|[Ss]core) ?(?:[:=]|为|是) ?\[? ?(?P<number>-?\d{1,6}(?:\.\d{1,4})?)(?![\d.]|\s?[-~～—]\s?\d| ?/ ?(?!10(?!\d)))"
)
# Stands before a rating that only shows the format. Looked for in so many characters before it.
_EXAMPLE = re.compile(r"(?:例如|比如|譬如|格式|形如|示例|e\.g\.|for example)[^\n。;；\]]*\Z", re.I)
_BEFORE = 30
_CHINESE = {character: float(number) for number, character in enumerate("一二三四五六七八九十", start=1)}


def official_rating(judgment: str) -> float:
    """The first number in double square brackets, else the first in single ones, else -1. No range is checked.

    The benchmark's code has only its multi-dimensional judge; this is the rule of the code its other modes' format comes
    from. Source: lm-sys/FastChat, `fastchat/llm_judge/common.py`, `run_judge_single`.
    """
    found = _OFFICIAL.search(judgment) or _OFFICIAL_SINGLE.search(judgment)
    return float(found[1][:_MOST_DIGITS]) if found else FAILED


def robust_rating(judgment: str) -> Scores:
    """The rating a careful reader takes from a judge's reply.

    The last number in double brackets counts, whatever the brackets' width, with or without 分 or /10; one that shows the
    format is none. Without double brackets, the last number stated as the rating. If the last brackets hold something
    else, or the reply ends within them, or the number is not in [1, 10], there is no rating: an earlier one is not taken
    instead.
    """
    text = _MARKUP.sub("", without_thinking(judgment).translate(_BRACKETS))
    if _OPENED.search(text, max(0, len(text) - 60)):
        return Scores({}, None, TRUNCATED)
    ratings = [found for found in _DOUBLE.finditer(text) if not _shows_format(text, found.start())]
    if ratings:
        number = _NUMBER.fullmatch(ratings[-1][1].strip())
        return _rated(number["number"]) if number else Scores({}, None, NO_SCORES)
    stated = [found for found in _LABELLED.finditer(text) if not _shows_format(text, found.start())]
    return _rated(stated[-1]["number"]) if stated else Scores({}, None, NO_SCORES)


def _shows_format(text: str, position: int) -> bool:
    return _EXAMPLE.search(text, max(0, position - _BEFORE), position) is not None


def _rated(number: str) -> Scores:
    return checked({OVERALL: _CHINESE[number] if number in _CHINESE else float(number)}, ())
