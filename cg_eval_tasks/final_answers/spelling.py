"""One spelling of what final answers write in many: Unicode's mathematics, TeX's variants, Chinese words for signs."""

from __future__ import annotations

import re
import unicodedata

_WRITTEN = str.maketrans(  # what NFKC would make plain digits, or another sign, of
    {
        **{digit: f"^{number}" for number, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        "⁻": "^-",
        **{digit: f"_{number}" for number, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        **{digit: f"({number})" for number, digit in enumerate("①②③④⑤⑥⑦⑧⑨", 1)},
        "…": r"\dots ",
        "∶": ":",
        "，": ", ",  # no separator of thousands
        **{"㎡": "m^2", "㎢": "km^2", "㎠": "cm^2", "㎟": "mm^2", "㎥": "m^3", "㎤": "cm^3"},
        "½": r"\frac{1}{2}",
        "¼": r"\frac{1}{4}",
        "¾": r"\frac{3}{4}",
    }
)
_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("’‘′ʹ＇´", "'"),
        **dict.fromkeys("−–—﹣", "-"),
        "、": ", ",
        "×": r"\times ",
        "÷": "/",
        "·": r"\cdot ",
        "π": r"\pi ",
        "√": r"\sqrt",
        "±": r"\pm ",
        "∓": r"\mp ",
        "∞": r"\infty ",
        "≥": r"\ge ",
        "≤": r"\le ",
        "≠": r"\ne ",
        "∈": r"\in ",
        "∪": r"\cup ",
        "∅": r"\emptyset ",
        "≈": r"\approx ",
        "≒": r"\approx ",
        **dict.fromkeys("∴∵⇒→", " "),
        **dict.fromkeys("≧⩾", r"\ge "),
        **dict.fromkeys("≦⩽", r"\le "),
    }
)
_WRAPPER = re.compile(
    r"\\(?:text(?:rm|bf|it)?|math(?:rm|bf|bb|it)|mbox|bm|underline|boldsymbol|operatorname|boxed|fbox) ?\{"
)
_WRAPPERS = 40  # taken off one answer at most
_HAN = "[\u4e00-\u9fff]"
_NUMBER = r"\d+(?:\.\d+)?"
_REWRITTEN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<![\w)}])(\*\*|__)(.+?)\1(?![\w(])", r"\2"),  # bold in Markdown
        (r"(?<=[\w)}]) ?\*\* ?(-?\d+|\w)", r"^{\1}"),  # powers as in programs
        (r"\*\*|`", ""),
        (r"\\(?:therefore|because|Rightarrow|to)(?![a-zA-Z])", " "),
        (r"\s+", " "),
        (r"\^(-?\d?)\^(\d)", r"^{\1\2}"),  # of x¹⁰ and x⁻¹
        (r"\\left ?\\\{ ?(?=\\begin)|\\\{ ?(?=\\begin)", ""),
        (r"\$|\\[()\[\]]|\\(?:left|right|displaystyle|limits)(?![a-zA-Z])\.?", ""),
        (r"\\(?:begin|end) ?\{(?:cases|array|aligned|align\*?|split|gathered)\}(?: ?\{[lcr|]*\})?", ""),
        (r"\\[dt]frac(?![a-zA-Z])", r"\\frac"),
        (r"\\frac ?(\d) ?(\d)", r"\\frac{\1}{\2}"),  # \frac12
        (r"\\frac ?(\d) ?(?=\{)", r"\\frac{\1}"),
        (r"(\\frac ?\{[^{}]*\}) ?(\d)", r"\1{\2}"),
        (r"\\frac ?(\\[a-zA-Z]+|\w) ?(\\[a-zA-Z]+|\w)(?![{a-zA-Z])", r"\\frac{\1}{\2}"),
        (r"\\sqrt ?\(([^()]*)\)", r"\\sqrt{\1}"),
        (r"\\sqrt ?(\[\d+\])? ?(\d+|[a-z])", r"\\sqrt\1{\2}"),
        (r"(?<=\d)\{,\}(?=\d{3})", ","),
        (r"(?<=\d)\\[,!:](?=\d{3})", ","),
        (r"\\\\(?:\[\w+\])?", ";"),  # a new line of cases
        (r"\\[,;:! ]|\\q?quad(?![a-zA-Z])|~|&", " "),
        (r"\\%", "%"),
        (r"\^ ?\{? ?\\prime ?\}?|\\prime", "'"),
        (r"\^ ?\{? ?\\circ ?\}?|°", r"^{\\circ}"),
        (r"\.{3,}|\\[lc]dots(?![a-zA-Z])", r"\\dots "),
        (r"\\math(?:bb|bf|rm) ?([RZNQC])(?![a-zA-Z])", r"\1"),
        (r"\\varnothing", r"\\emptyset"),
        (r"\\bigcup(?![a-zA-Z])", r"\\cup"),
        (r"\\(?:mid|vert|lvert|rvert)(?![a-zA-Z])", "|"),
        (r">=", r"\\ge "),
        (r"<=", r"\\le "),
        (r"!=|\\neq(?![a-z])", r"\\ne "),
        (r"\\geq(?![a-z])|\\geqslant", r"\\ge"),
        (r"\\leq(?![a-z])|\\leqslant", r"\\le"),
        (r"\( ?-\\infty ?, ?\+? ?\\infty ?\)|(?:全体|任意|一切)实数", "R"),
        # Chinese words for signs and numbers.
        (r"\((?:二重根|重根|等根)\)|[,(]? ?经检验(?!.*(?:增根|[舍不无应]|为 ?0)).*\Z", ""),
        (r"\((?:[^()]*(?:=|负根|负值)[^()]*舍去?|舍去?[^()]*(?:=|负)[^()]*)\)", ""),
        (r"在? ?([(\[][^()\[\]]*[)\]]) ?上?是?单?调?递?(增|减)(?:函数)?", r"\2区间为\1"),
        (r"单调递?(?=[增减]区间)", ""),
        ("等于", "="),
        ("无穷大", r"\\infty "),
        (r"正负(?=[\d\\])", r"\\pm "),
        (r"(?:负数?|零下)(?=[\d\\零一二三四五六七八九十])", "-"),
        (r"根号(\d+|\([^()]*\))", r"\\sqrt{\1}"),
        (r"(?<![a-zA-Z\d])([a-zA-Z])的值[为是:=]", r"\1="),
        (r"(?<![a-zA-Z])([a-z])[为是](?=[-\d\\])", r"\1="),
        (r"(?<=\d)比(?=\d)", ":"),
        (rf"[¥￥] ?({_NUMBER})", r"\1元"),
        (r"点(?=\()", ""),
        (rf"({_NUMBER}) ?\( ?([a-zA-Z%/\u4e00-\u9fff]{{1,6}}(?:\^[23])?) ?\)", r"\1\2"),  # 12（元）
        (rf"(?<=\d)个(?=小时|人(?!{_HAN})|星期)", ""),
        (r"(\d[a-zA-Z\u4e00-\u9fff]{1,3})每(小时|分钟|{_HAN})(?!{_HAN})", r"\1/\2"),
        # What goes with an answer and is none.
        (r"(?<![a-zA-Z])C_\{?1\}?(?!.*C_\{?2)", "C"),
        (r"\A((?:(?!(?<!\\)b).)*\+ ?)c\Z", r"\1C"),  # the constant of an integral, beside no coefficient b
        (r"[,(]? ?(?:其中 ?)?C ?(?:为|是) ?(?:任意|积分)?常数 ?\)?", ""),
        (r"[,(]? ?(?:其中 ?)?[kmn] ?(?:\\in ?(?:\\\w+ ?)?\{? ?Z ?\}?|(?:为|是) ?(?:任意)?整数) ?\)?", ""),
        # A value of a derivative, at a point that the question gives.
        (r"\|_ ?(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\w) ?(?==)", ""),
        (r"(?:无|没有) ?(?:实数?)?(?:解|根)", "无解"),
        (rf"\A{_HAN}{{0,8}}(?=无解\Z)", ""),
        (r"\A没有(?=极|最)", "无"),
        (r"\A[该此原]?极限(?=不存在\Z)", ""),
        # Lists.
        (r"(?<=[\d%a-zA-Z\u4e00-\u9fff])(?<!的)(?:和|与|及)(?=\d)", ", "),
        (rf"(?<=\d{_HAN})(?:和|与|及)(?={_HAN}{{1,8}}\d)", ", "),
        (r"(?<=[\d)}]) ?(?:和|与|及|以及|且|并且|\band\b) ?(?=[-\d(\\a-zA-Z])", ", "),
        (r"(?<=\d) (?=(?:[\u4e00-\u9fff]+|[a-z]) ?=)", ", "),  # 甲=20 乙=30
        (r"\s+", " "),
    )
)


def one_spelling(text: str) -> str:
    """An answer in half-width characters and plain TeX, without delimiters, remarks on its constants and a final full stop.

    Items of a list have `,` or `;` between them.
    """
    text = unicodedata.normalize("NFKC", text.translate(_WRITTEN)).translate(_CHARACTERS)
    text = _unwrapped(text)
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    text = text.strip().rstrip("。.,;").strip()
    opened, closed = (sum(map(text.count, brackets)) for brackets in ("([{", ")]}"))
    return text[:-1] if text.endswith(")") and closed == opened + 1 else text  # of （最终答案：5）


def _unwrapped(text: str) -> str:
    r"""The text without \boxed{...}, \text{...} and their like around parts of it."""
    for _ in range(_WRAPPERS):
        match = _WRAPPER.search(text)
        if not match:
            break
        depth = 1
        for end in range(match.end(), len(text)):
            depth += (text[end] == "{") - (text[end] == "}")
            if not depth:
                break
        else:
            return text[: match.start()] + text[match.end() :]  # a reply that was cut off
        inside, rest = text[match.end() : end], text[end + 1 :]
        text = f"{text[: match.start()]}{inside}{rest}"
    return text
