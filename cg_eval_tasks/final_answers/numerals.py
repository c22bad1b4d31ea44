"""Whole numbers in Chinese numerals."""

from __future__ import annotations

import re

_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九", 1)} | {"两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_BELOW_10_000 = r"(?:[一二两三四五六七八九]?[十百千][零〇]?)*[一二三四五六七八九两]?"
_NUMERAL = re.compile(
    rf"(?:(?P<yi>{_BELOW_10_000})亿(?P<yi0>[零〇]?))?(?:(?P<wan>{_BELOW_10_000})万(?P<wan0>[零〇]?))?(?P<ones>{_BELOW_10_000})"
)

CHARACTERS = "零〇一二两三四五六七八九十百千万亿"


def numeral_value(text: str) -> int | None:
    """The number that Chinese numerals stand for, such as 105 for 一百零五; None for anything else.

    Anything else are also digits in a row (一二三) and numbers with a power left out (三百五, 三万五). One 万 and one 亿 at most.
    """
    if text in ("零", "〇"):
        return 0
    match = _NUMERAL.fullmatch(text)
    if not text or not match:
        return None
    total, complete = 0, True  # complete: a smaller part may follow
    for name, power in (("yi", 10**8), ("wan", 10**4), ("ones", 1)):
        part = match[name]
        if part is None or (not part and power == 1):
            continue
        value = _below_10_000(part)
        if not value or (not complete and value < 1000):
            return None
        total += value * power
        complete = power > 1 and bool(match[f"{name}0"])
    return total


def _below_10_000(text: str) -> int | None:
    """None if powers do not fall, or one is left out without 零."""
    value, last, complete = 0, 10_000, True
    for digit, power, zero in re.findall(r"([一二两三四五六七八九]?)([十百千])([零〇]?)", text):
        if _POWERS[power] >= last:
            return None
        last = _POWERS[power]
        value += (_DIGITS[digit] if digit else 1) * last
        complete = last == 10 or bool(zero)
    ones = _DIGITS.get(text[-1:], 0)
    return value + ones if complete or not ones else None
