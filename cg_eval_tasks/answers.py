"""The final answer of a calculation question: taken from a reply, and compared with the reference in two ways.

`official_match` compares texts, as the benchmark's rule has it; `robust_match` compares what they say. Both are total: any
text gives a verdict, in bounded time.
"""

from __future__ import annotations

import re
import unicodedata

from zh_metrics.thinking import without_thinking

from cg_eval_tasks.final_answers.items import parsed
from cg_eval_tasks.final_answers.matching import Matching
from cg_eval_tasks.final_answers.quantities import quantity
from cg_eval_tasks.final_answers.spelling import one_spelling

_OFFICIAL_MARKER = re.compile(r"最终答案[:：]")
# Markdown around the words, Traditional characters, 是 or 为. Not where the words are quoted, as in the question's instruction.
_MARKER = re.compile(r"最[终終]答案(?:[*_`】\s]*(?:[是为為][*_\s]*[:：]?|[:：])(?!\s*[”\"」』])|[*_`】 \t]*\n)")
# What an answer over several lines stands in.
_BLOCKS = {"$$": "$$", r"\[": r"\]", r"\begin{": r"\end{", "$": "$"}
_FENCE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_NUMBERED_LINE = re.compile(r"\s*(?:[(（]\d[)）]|[①-⑨])")
_MOST_LINES = 20  # of a final answer
_DECORATION = " \t\r\n*_`"
_SENTENCE_END = "。．.;；,，"
_ADDRESSED = 200  # characters: a reply without marker that is longer says more than an answer

_OPERATION = re.compile(r"[-+*/×÷^√]|\\[a-zA-Z]")
_GOES_ON = (r"(?<![\w\\+\-*/^=.({\[])", r"(?![\w\\+\-*/^=.)}\]])")  # no part of a longer formula
_OPPOSITES = (
    ("[亏损赔]", "[盈赚]"),
    ("[降减少跌]", "[升增多涨]"),
    ("[晚迟]", "早|提前"),
    ("法线", "切线"),
    ("便宜", "贵"),
)
_SAYS_WHAT = re.compile(r"[\u4e00-\u9fff=]|\\(?:int|lim|sum)")
_LONGEST = 2000  # characters that are compared with the question
_TEX_NOISE = re.compile(r"\$|\\[()\[\],;:!]|\\(?:left|right|displaystyle|quad|qquad)(?![a-zA-Z])|\s+")


def final_answer(reply: str) -> str | None:
    r"""What stands after the last `最终答案：` of a reply, to the end of its line, or of the lines that the answer goes on for.

    These are those of a formula that begins on the line, and those that number its parts: (1), (2) ... Thinking in `<think>`
    is no part of the reply. None if there is no such line, or nothing on it.

    >>> final_answer("解：30÷5=6\n**最终答案：** 6元。")
    '6元'
    """
    text = without_thinking(reply)
    markers = list(_MARKER.finditer(text))
    if not markers:
        return None
    rest = text[markers[-1].end() :].strip(_DECORATION.replace("`", ""))
    if fenced := _FENCE.match(rest):
        return _bare(fenced[1]) or None
    statement = _first_statement(rest).strip()
    for opening, closing in (("$$", "$$"), (r"\[", r"\]")):
        if statement.startswith(opening) and statement.endswith(closing) and statement.count(closing, 2) == 1:
            statement = statement[2:-2]
    return _bare(statement) or None


def _first_statement(text: str) -> str:
    """The first line, with all of a formula that begins on it, and with the lines that go on numbering its parts."""
    lines = text.split("\n")[:_MOST_LINES]
    end = 1
    while end < len(lines) and (
        _is_open("\n".join(lines[:end]))
        or (_NUMBERED_LINE.match(lines[0]) and (_NUMBERED_LINE.match(lines[end]) or not lines[end].strip()))
    ):
        end += 1
    return "\n".join(lines[:end])


def _is_open(text: str) -> bool:
    """Whether a formula begins in a text that does not end there."""
    for opening, closing in _BLOCKS.items():
        if opening == closing:
            if text.count(opening) % 2:
                return True
            text = text.replace(opening, "")
        elif text.count(opening) > text.count(closing):
            return True
    return False


def working(reply: str) -> str:
    """What stands before the last `最终答案：` of a reply, the whole reply where there is none."""
    markers = list(_MARKER.finditer(reply))
    return (reply[: markers[-1].start()].rstrip(_DECORATION + "#") if markers else reply).strip()


def official_answer(reply: str) -> str | None:
    """The normalised text after the last `最终答案：`; None if there is no such text.

    Without white space, TeX's delimiters and a final full stop, and with digits and signs of one width.
    """
    marked = _OFFICIAL_MARKER.split(reply)[1:]
    return (_normalised(marked[-1]) or None) if marked else None


def official_match(reply: str, reference: str) -> bool:
    """Whether the final answers are equal texts once they are normalised. A text without `最终答案：` counts whole.

    Source: paper, section on the scoring of calculation questions, which does not say more than that texts are normalised.
    """
    answer, expected = (_normalised(_OFFICIAL_MARKER.split(text)[-1]) for text in (reply, reference))
    return bool(answer) and answer == expected


def robust_match(reply: str, reference: str, question: str = "") -> bool:
    """Whether both final answers say the same: equal numbers, equivalent formulas, the same solutions in any order.

    The marker may be missing from a reply that is nothing but its answer, and from the reference. Numbers are compared
    exactly, whatever their notation (fractions, mixed fractions, percent, thousands separators); what they count by
    its unit, where both give one. Formulas are compared by math-verify, where it is installed.

    With the `question`, an answer that only repeats a formula of it is none, and a reference in factors is matched by other forms
    too, unless the question asks for factors or is a bare formula. Without it, only by factors.
    """
    answer, expected = _answer_in(reply), _answer_in(reference)
    if not answer or not expected:
        return False
    if question and _repeats(answer, question) and not official_match(answer, expected):
        return False
    if _contradicts(answer, expected, question):
        return False
    matching = Matching(_asks_for_factors(question))
    if "互化" in question:  # of 5^4=625 and \log_5 625=4, which are equations, whatever their value is
        sides = [one_spelling(text[:_LONGEST]).split("=") for text in (answer, expected)]
        return len(sides[0]) == len(sides[1]) and any(
            all(matching.same(parsed(one), parsed(other)) for one, other in zip(found, sides[1], strict=True))
            for found in (sides[0], sides[0][::-1])
        )
    return matching.same(parsed(answer), parsed(expected))


def _contradicts(answer: str, expected: str, question: str) -> bool:
    """Whether an answer says the opposite of what is asked: 亏30元 where the question is how much was gained."""
    for pair in _OPPOSITES:
        for said, asked in (pair, pair[::-1]):
            if re.search(said, answer) and not re.search(said, expected + question) and re.search(asked, question):
                return True
    return False


def _asks_for_factors(question: str) -> bool:
    """Whether a product is to be found: it is said, or the question is a bare formula; and where the question isn't known."""
    return "因式" in question or not _SAYS_WHAT.search(question)


def _repeats(answer: str, question: str) -> bool:
    """Whether an answer is a whole formula of the question, as it stands there."""
    text = _plain(answer)
    if quantity(text) is not None or not _OPERATION.search(text):
        return False  # 48 may well stand there
    return bool(re.search(_GOES_ON[0] + re.escape(text) + _GOES_ON[1], _plain(question), re.ASCII))


def _plain(text: str) -> str:
    return re.sub(r"[\s{}]", "", one_spelling(text[:_LONGEST]))


def _normalised(text: str) -> str:
    return _TEX_NOISE.sub("", unicodedata.normalize("NFKC", text)).rstrip("。.")


def _answer_in(text: str) -> str | None:
    marked = final_answer(text)
    if marked is not None or _MARKER.search(without_thinking(text)):
        return marked
    whole = _bare(without_thinking(text))
    return whole if len(whole) <= _ADDRESSED and "\n" not in whole else None


def _bare(text: str) -> str:
    text = text.strip(_DECORATION)
    if text.endswith(".."):
        return text  # it goes on
    return text.rstrip(_SENTENCE_END).strip(_DECORATION)
