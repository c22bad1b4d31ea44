"""A judge's reply as a careful reader sees it, and what stands before a verdict: is it one, and is it the judge's own?"""

from __future__ import annotations

import re
import unicodedata

from zh_metrics.judge.labels import SIMPLIFIED
from zh_metrics.thinking import without_thinking

# Where a reply ends that was not stopped there: what follows is another conversation.
_END = re.compile(r"<\|(?:endoftext|im_end|im_start|end|user|eot_id|end_of_text)\|>|</s>|<eo[as]>", re.I)
_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys('“”„‟「」『』＂‘’‚‛＇`´"', "'"),
        **dict.fromkeys("【〚", "["),  # 〔〕 stays: in such brackets a judge is shown what an answer says of itself
        **dict.fromkeys("】〛", "]"),
        **dict.fromkeys("–—−－", "-"),
        **dict.fromkeys("\r\u2028\u2029\x85", "\n"),
        "、": ",",
        "½": ".5",
    }
)
_TAKEN_BACK = re.compile(r"~~[^~\n]{1,200}~~|<(del|s|strike)>[^<\n]{0,200}</\1>", re.I)
_BOXED = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm) ?\{([^{}\n]{0,40})\}")
_MARKUP = re.compile(
    r"\*+|__+|\$|\\(?=[\[\]{}_'()])|</?(?:b|strong|i|em|u|span|p|br|h\d|code)\b[^<>\n]{0,40}/?>|^[ \t]*#+ ", re.I | re.M
)
_BLANKS = re.compile(r"[^\S\n]+")

_BEFORE = 60  # characters in which a reader looks for what introduces a verdict
_EXAMPLE = re.compile(r"(?:例如|比如|譬如|形如|示例|样例|e\.g\.|for example|such as)\s*[:,]?\s*\Z", re.I)
# Somebody else's verdict: what an answer says of itself, or what the reference is worth.
_OTHERS = re.compile(
    r"(?:助手|回答|答案|用户|模型)[^\n。;{}]{0,20}(?:写了|写道|写着|声称|自称|自评|附上|附了|输出了|给自己|自己给)[^\n。;{}]{0,15}\Z"
    r"|参考答案(?:[^\n。;,{}]{0,6}(?:得分|评分|分数|得到|打分)[^\n。;{}]{0,6}|[^\n。;,{}]{0,3})\Z"
)
_CORRECTION = re.compile(
    r"(?:更正|修正|订正|纠正|改为|改成|改判|调整|更新|重新|最终|correct(?:ion|ed))[^\n{}\[\]]{0,30}\s*\Z", re.I
)

# A number that is only the beginning of something else: 7-8, 7/100, 7%, 8+7, 1,000, 3个.
GOES_ON = r"(?!\s?(?:(?:[-~到至→/+*×=÷]|,(?=\d{3}))\s?\d|\.?\d|[%个项点]))"
_CHINESE = {character: float(number) for number, character in enumerate("一二三四五六七八九十", start=1)}


def plain_text(reply: str) -> str:
    """`reply` without thinking, mark-up and what was struck out, in half-width simplified characters and one kind of quote.

    White space within a line is single blanks. Takes time linear in the reply.
    """
    text = unicodedata.normalize("NFKC", _END.split(without_thinking(reply), maxsplit=1)[0].translate(_CHARACTERS))
    text = "".join(char for char in text if unicodedata.category(char) != "Cf").translate(SIMPLIFIED)
    text = _BOXED.sub(r"\1", _TAKEN_BACK.sub(" ", text))
    return _BLANKS.sub(" ", _MARKUP.sub("", text))


def number_of(text: str) -> float:
    """The value of a numeral in figures, or of a Chinese one from 一 to 十."""
    return _CHINESE[text] if text in _CHINESE else float(text)


def is_example(text: str, position: int) -> bool:
    """Whether what stands at `position` is introduced as an example of the format."""
    return _stands_before(_EXAMPLE, text, position)


def is_of_others(text: str, position: int) -> bool:
    """Whether what stands at `position` is introduced as the answer's words, or as what the reference is worth."""
    return _stands_before(_OTHERS, text, position)


def is_correction(text: str, position: int) -> bool:
    """Whether what stands at `position` is introduced as what is to count instead."""
    return _stands_before(_CORRECTION, text, position)


def _stands_before(pattern: re.Pattern[str], text: str, position: int) -> bool:
    return pattern.search(text[max(0, position - _BEFORE) : position]) is not None
