"""One spelling of what final answers write in many: Unicode's mathematics, TeX's variants, typed words."""

from __future__ import annotations

import re
import unicodedata

_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("’‘′ʹ＇´`", "'"),
        **dict.fromkeys("−–—﹣", "-"),
        **dict.fromkeys("，、；;", ","),
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
    }
)
_WRITTEN = str.maketrans(  # what NFKC would make plain digits of
    {
        **{digit: f"^{number}" for number, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        "⁻": "^-",
        **{digit: f"_{number}" for number, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        **dict.fromkeys("①②③④⑤⑥⑦⑧⑨", ","),
        "…": r"\dots ",
        **{"㎡": "m^2", "㎢": "km^2", "㎠": "cm^2", "㎟": "mm^2", "㎥": "m^3", "㎤": "cm^3"},
        "½": r"\frac{1}{2}",
        "¼": r"\frac{1}{4}",
        "¾": r"\frac{3}{4}",
    }
)
_WRAPPER = re.compile(r"\\(?:text|mathrm|mbox|textbf|mathbf|mathbb|boldsymbol|operatorname|boxed|fbox) ?\{([^{}]*)\}")
_BOXED = re.compile(r"\\(?:boxed|fbox) ?\{(.*)\}")
_REWRITTEN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\^(-?\d?)\^(\d)", r"^{\1\2}"),  # of x¹⁰ and x⁻¹
        (r"\$|\\[()\[\]]|\\(?:left|right|displaystyle|limits)(?![a-zA-Z])\.?", ""),
        (r"\\(?:begin|end) ?\{(?:cases|array|aligned|align\*?|split|gathered)\}(?:\{[lcr|]*\})?", ""),
        (r"\\[dt]frac(?![a-zA-Z])", r"\\frac"),
        (r"\\frac ?(\d) ?(\d)", r"\\frac{\1}{\2}"),  # \frac12
        (r"\\sqrt ?(\d+|[a-z])", r"\\sqrt{\1}"),
        (r"(?<=\d)\{,\}(?=\d{3})", ","),
        (r"(?<=\d)\\[,!:](?=\d{3})", ","),
        (r"\\\\(?:\[\w+\])?", ","),  # a new line of cases
        (r"\\[,;:! ]|\\q?quad(?![a-zA-Z])|~|&", " "),
        (r"\\%", "%"),
        (r"\^ ?\{? ?\\prime ?\}?|\\prime", "'"),
        (r"\^ ?\{? ?\\circ ?\}?|°", r"^{\\circ}"),
        (r"\.{3,}|\\[lc]dots(?![a-zA-Z])", r"\\dots "),
        (r"\\math(?:bb|bf|rm) ?([RZNQC])(?![a-zA-Z])", r"\1"),
        (r"\\varnothing", r"\\emptyset"),
        (r"\\bigcup(?![a-zA-Z])", r"\\cup"),
        (r"\\(?:mid|vert)(?![a-zA-Z])", "|"),
        (r">=", r"\\ge "),
        (r"<=", r"\\le "),
        (r"!=|\\neq(?![a-z])", r"\\ne "),
        (r"\\geq(?![a-z])|\\geqslant", r"\\ge"),
        (r"\\leq(?![a-z])|\\leqslant", r"\\le"),
        (r"(\+ ?)c\b(?! ?[=^_(])", r"\1C"),  # the constant of an integral
        (r"[,(]? ?(?:其中 ?)?C ?(?:为|是) ?(?:任意|积分)?常数 ?\)?", ""),
        (r"[,(]? ?(?:其中 ?)?[kmn] ?(?:\\in ?(?:\\\w+ ?)?\{? ?Z ?\}?|(?:为|是) ?(?:任意)?整数) ?\)?", ""),
        (r"(\d[a-zA-Z\u4e00-\u9fff]{1,3})每(小时|分钟|[时分秒天日])", r"\1/\2"),
        (r"(?<=[\da-zA-Z\u4e00-\u9fff])(?<!的)(?:和|与|及)(?=\d)", ","),
        (r"(?<=[\d)}]) ?(?:和|与|及|以及|且|并且|\band\b) ?(?=[-\d(\\a-zA-Z])", ","),
        (r"^(?:原|该|此|这个)?(?:方程|不等式)组?(?=无)", ""),
        (r"\((?=[^()]*[\u4e00-\u9fff])(?![^()]*[\d舍增不无错非])[^()]*\)\Z", ""),  # a remark
        (r"(?<=\d) (?=[\u4e00-\u9fff]+ ?=)", ","),  # 甲=20 乙=30
        (r"\s+", " "),
    )
)


def one_spelling(text: str) -> str:
    """An answer in half-width characters and plain TeX, without delimiters, remarks on its constants and a final full stop."""
    text = unicodedata.normalize("NFKC", text.translate(_WRITTEN)).translate(_CHARACTERS)
    text = _BOXED.sub(r"\1", text)
    for _ in range(2):  # wrappers stand in one another
        text = _WRAPPER.sub(r"\1", text)
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    return text.strip().rstrip("。.,").strip()
