"""Arithmetic questions: the result computed from the question itself, and the number a reply gives."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from cg_eval_tasks.final_answers.numerals import numeral_value

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([-+*/()]))")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("×✕✖∗", "*"),
        **dict.fromkeys("÷➗∶:", "/"),
        **dict.fromkeys("−–➖", "-"),
        "➕": "+",
        **dict.fromkeys("[{", "("),
        **dict.fromkeys("]}", ")"),
    }
)
_LONGEST = 1000  # characters: more than any question has, and far from the depth at which Python gives up
_DEEPEST = 50


def exact_result(question: str) -> str:
    """The value of a question such as `（16+4）×2=`, exact: a whole number, a finite decimal, or a fraction `p/q`.

    + - × ÷, brackets, signs and decimals, × and ÷ before + and -, from left to right; digits and signs of any width.

    Raises ValueError for anything else, for a division by 0, and for a question of more than 1,000 characters.
    """
    return written(evaluate(question))


def evaluate(question: str) -> Fraction:
    """The value of an arithmetic question as a fraction. Raises ValueError as `exact_result` does."""
    if any(unicodedata.decomposition(char).startswith(("<super>", "<sub>")) for char in question):
        raise ValueError(f"{question!r:.80}: powers and indices are no part of arithmetic")
    text = unicodedata.normalize("NFKC", question).translate(_SIGNS).strip().removesuffix("=").rstrip()
    if len(text) > _LONGEST:
        raise ValueError(f"{question!r:.80}: longer than {_LONGEST} characters")
    parser = _Parser(list(_tokens(text)), question)
    value = parser.sum(0)
    if parser.next is not None:
        raise ValueError(f"{question!r:.80}: {parser.next!r} was not expected there")
    return value


def written(value: Fraction) -> str:
    """A whole number without, another with its decimals where these end, else `p/q`."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, digits = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        digits = max(digits, count)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    scaled = str(abs(value) * 10**digits).rjust(digits + 1, "0")
    return f"{'-' if value < 0 else ''}{scaled[:-digits]}.{scaled[-digits:]}"


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise ValueError(f"{text!r:.80}: {text[position:].strip()[:1]!r} is no part of arithmetic")
        yield match[1] or match[2]
        position = match.end()


class _Parser:
    """Recursive descent: sum -> product -> factor."""

    def __init__(self, tokens: list[str], question: str) -> None:
        self._tokens = tokens
        self._question = question
        self._position = 0

    @property
    def next(self) -> str | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def _take(self) -> str | None:
        token = self.next
        self._position += 1
        return token

    def sum(self, depth: int) -> Fraction:
        value = self._product(depth)
        while self.next in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            value += sign * self._product(depth)
        return value

    def _product(self, depth: int) -> Fraction:
        value = self._factor(depth)
        while self.next in ("*", "/"):
            if self._take() == "*":
                value *= self._factor(depth)
            else:
                value = self._divided(value, self._factor(depth))
        return value

    def _divided(self, value: Fraction, by: Fraction) -> Fraction:
        if by == 0:
            raise ValueError(f"{self._question!r:.80}: a division by 0 has no result")
        return value / by

    def _factor(self, depth: int) -> Fraction:
        if depth > _DEEPEST:
            raise ValueError(f"{self._question!r:.80}: more than {_DEEPEST} brackets or signs within one another")
        token = self._take()
        if token in ("+", "-"):
            value = self._factor(depth + 1)
            return -value if token == "-" else value
        if token == "(":
            value = self.sum(depth + 1)
            if self._take() != ")":
                raise ValueError(f"{self._question!r:.80}: a bracket is not closed")
            return value
        if token is None or not token[0].isdecimal():
            raise ValueError(f"{self._question!r:.80}: a number is missing")
        return Fraction(token)


_LONGEST_NUMBER = 200  # digits
_WRITTEN_NUMBER = r"(?<![\d.])(?:(?<![\d)])-)?\d+(?:\.\d+)?"
_STATED_NUMBER = rf"({_WRITTEN_NUMBER}(?:/\d+)?)(?![\d.]* ?[-+*/×÷=\d])"  # that is no part of a calculation
_FIRST = re.compile(rf" ?({_WRITTEN_NUMBER}(?:/\d+)?) ?(?:[。!\n]|\.?\n|\.?\Z)")
_STATED = re.compile(r"(?:答案|结果|得数|\\boxed ?\{)[^\d\n不非-]{0,12}" + _STATED_NUMBER)
_AFTER_EQUALS = re.compile(r"(?:=|等于) ?\$* ?" + _STATED_NUMBER)
_ANY = re.compile(f"({_WRITTEN_NUMBER})")
_CALCULATION = re.compile(rf"{_WRITTEN_NUMBER}(?: ?[-+*/×÷] ?\d+(?:\.\d+)?)+")
_CHECK = re.compile(r"(?<=[\d。\n])[^\d。\n]{0,4}(?:验算|验证|检验|检查|反过来|因为)")
_GROUPED = re.compile(r"(?<=\d)(?:\{,\}|,|\\,|(?<=\d) (?=\d{3}(?!\d)))(?=\d{3}(?!\d))")
_RESPELLED = (
    (re.compile(r"[ \t\r\f\v$]+"), " "),
    (re.compile(r"\s*\n\s*"), "\n"),
    (re.compile(rf"\d{{{_LONGEST_NUMBER + 1},}}"), " "),
    (re.compile(r"\\[dt]?frac ?\{ ?(\d+) ?\} ?\{ ?(\d+) ?\}"), r"\1/\2"),
    (re.compile(r"(?<=[是为:=]) ?- (?=\d)|负(?=\d)"), "-"),
)


def bare_number(reply: str) -> str | None:
    """The number a reply is, as it writes it in half-width characters, white space and a final full stop aside.

    None if the reply is anything else than a number.
    """
    text = unicodedata.normalize("NFKC", reply).strip().rstrip("。.").strip().replace("−", "-")
    text = re.sub(r"(?<!\d)\s+|\s+(?![\d\s])", "", text)  # but 12 345 are two numbers
    return text if re.fullmatch(_WRITTEN_NUMBER, text) else None


def stated_number(reply: str) -> Fraction | None:
    """The number a reply gives as its result; None if it gives none, as in a calculation that is not worked out.

    The one it begins with, if that is a sentence of its own; else the last one named as answer or result, else the last after
    an equals sign, else the last of all. What a reply says to check its result is passed over, and so are separators
    of thousands. Fractions are numbers in their lowest terms.
    """
    text = unicodedata.normalize("NFKC", reply).replace("−", "-")
    for pattern, replacement in _RESPELLED:
        text = pattern.sub(replacement, text)
    if (numeral := numeral_value(text.strip(" \n。."))) is not None:
        return Fraction(numeral)
    text = _GROUPED.sub("", _CHECK.split(text)[0]).strip()
    first = _FIRST.match(text)
    if first and _is_finished(first[1]):
        return Fraction(first[1])
    for pattern, where in ((_STATED, text), (_AFTER_EQUALS, text), (_ANY, _CALCULATION.sub("", text))):
        found = [number for number in pattern.findall(where) if _is_finished(number)]
        if found:
            return Fraction(found[-1])
    return None


def _is_finished(number: str) -> bool:
    """Whether a number is no fraction, or one in its lowest terms: 120/24 is a calculation."""
    numerator, slash, denominator = number.partition("/")
    return not slash or (
        "." not in numerator and int(denominator) > 1 and Fraction(number).denominator == int(denominator)
    )
