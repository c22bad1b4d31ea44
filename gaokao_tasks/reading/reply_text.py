"""A model's reply reduced to plain text: one spelling for every letter, sign and piece of mark-up, and no thinking.

The other modules of this reading see this text only, so they need no variants for full-width letters, TeX, Markdown or
HTML. Every step takes time linear in the reply.
"""

from __future__ import annotations

import re
import unicodedata

from zh_metrics.thinking import without_thinking

TAG = "【答案】"

# Characters that NFKC leaves alone or takes too far, and the Traditional ones that occur in verdicts.
_CHOSEN_CHARACTERS = {
    **{chr(base + i): "ABCDEFGH"[i] for base in (0x1F150, 0x1F170, 0x1F1E6) for i in range(8)},  # 🅐 🅰 🇦
    **{chr(0x2460 + i): chr(0x2460 + i) for i in range(20)},  # ① numbers a blank or a statement; NFKC makes it a 1
    # ⓵ ❶ ➀ ➊ Ⅰ ⅰ number as ① does
    **{chr(base + i): chr(0x2460 + i) for base in (0x24F5, 0x2776, 0x2780, 0x278A, 0x2160, 0x2170) for i in range(10)},
    **dict(zip("АВСЕΑΒΕ", "ABCEABE", strict=True)),  # Cyrillic and Greek letters that look like options
    **dict(zip("✓✔✅☑✗✘❌✖", "√√√√××××", strict=True)),
    **dict(zip("〖〗〔〕‘’—–−﹣～→⇒➜➡", "【】【】''----~>>>>", strict=True)),
    **dict.fromkeys('“”「」『』"`', ""),
    "\u20e3": ")",  # the keycap of 1️⃣
    "\r": "\n",
    **dict(
        zip(
            "選擇項錯誤應該為爲對確則與個題這無們論結綜據僅當後說認沒還會實總適處間兩顯過來訂經於並卻從餘",
            "选择项错误应该为为对确则与个题这无们论结综据仅当后说认没还会实总适处间两显过来订经于并却从余",
            strict=True,
        )
    ),
}


class _Characters(dict[int, str]):
    """Table for `str.translate` that works a character out on first sight, by itself, so that time stays linear."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) == "Cf" or 0xFE00 <= code <= 0xFE0F:
            plain = ""  # zero-width marks and variation selectors
        else:
            plain = unicodedata.normalize("NFKC", char)
        self[code] = plain
        return plain


_CHARACTERS = _Characters({ord(char): plain for char, plain in _CHOSEN_CHARACTERS.items()})

_TEX_WRAPPER = re.compile(
    r"\\(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathsf|mathit|mathbb|boldsymbol|bm|mbox|hbox|operatorname"
    r"|underline|emph) ?\{([^{}]*)\}"
)
_TEX_NESTING = 3  # levels of wrappers taken off; replies have at most two

# Lower-case letters that can only be options: option (b), 选项b.
_LOWER_OPTION = re.compile(
    r"(\boptions?|\bchoices?|选项) ?\(?([a-h])(?![a-z0-9_^'=])\)?(?! [a-z]+ [a-z]+ [a-z]+ [a-z]+)", re.IGNORECASE
)

# Applied in this order.
_MARKUP = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), replacement)
    for pattern, replacement in (
        # Struck-out text was taken back by its writer.
        (r"~~[^~\n]{1,200}~~|<(del|s|strike)>[^<\n]{0,200}</\1>", " "),
        # The answer element many prompts ask for and TeX's answer box are answer tags.
        (r"<(?:final[_ ]?)?(?:answer|答案)>|\\(?:boxed|fbox|framebox) ?\{", TAG),
        (r"</(?:final[_ ]?)?(?:answer|答案)>", "\n"),
        (r"&nbsp;?", " "),
        # What ends an answer or a line: <eoa> (also without its end), <|im_end|>, <br>, </p>.
        (r"</?eo[aest]\b>?|</?(?:p|div|li|ul|ol|br|h[1-6])(?: [^<>\n]{0,100})?/?>|<\|[^<>|\n]{0,40}\|>|</s>", "\n"),
        (r"</?(?:b|strong|i|em|u|span|sup|sub|font|center|code|mark|table|tr|t[dh])(?: [^<>\n]{0,100})?>", ""),
        (r"(?-i:<([A-H])>)", r"(\1)"),
        # TeX. Subscripts keep their mark, so that the A of x_{A} stays a subscript.
        (r"([_^]) ?\{", r"\1"),
        (r"\\(?:text)?color(?:box)? ?\{[a-z]{1,20}\}", ""),
        (r"\\(?:rm|bf|sf|it|tt|quad|qquad|left|right|displaystyle|therefore)(?![a-z])|\\[\s,;:!()\[\]\\]|\{~", " "),
        (r"[{}$]", " "),
        # Markdown: emphasis, headings, quotes, bullets and the rules of tables.
        (r"\*\*+|__+", ""),
        (r"(?<![\w}])_(?=\S)([^_\n]{1,40})(?<=\S)_(?![\w{])", r"\1"),
        (r"==(?=\S)([^=\n]{1,60})==", r"\1"),
        (r"\*", " "),
        (r"^[ \t]*(?:[>#•·▪◦●○■□◆◇★☆※➤]|[-+](?=[ \t]))[>#\-+ \t]*", ""),
        (r"^[|:\-= \t]+$", ""),
        (r"^\[x\](?= )", "√"),
        (r"^\[ \](?= )", "×"),
        (r"'([A-Za-z0-9]{1,8})'", r"\1"),
        # What a question is worth says nothing of its answer: B（3分）.
        (
            r"[(\[【][^()\[\]【】\nA-H]{0,12}\d{1,2} ?(?:分[^()\[\]【】\nA-H]{0,12}|points? ?|pts? ?|marks? ?)[)\]】]",
            " ",
        ),
        (r"[^\S\n]+", " "),
        (r" ?\n[\n ]*", "\n"),
    )
)

# The prompt's own example, often echoed before the answer: 例如：【答案】: A. Where the prompt's closing words about the
# format follow, the example runs up to them, since it may number several blanks on several lines.
_EXAMPLE = re.compile(
    r"(?:例如|比如|譬如|示例|样例|范例|for example|for instance|e\.g\.|example)[^\nA-Za-z。.]{0,8}?"
    r"(?:[【\[]答案|答案 ?:|answer ?:)"
    r"(?:[^\n]{0,60}(?:\n[^\n]{0,60}){0,3}?(?:上述|以上|此|该)格式[^\n]{0,60}|[^\n]{0,60}(?=\n|$))",
    re.IGNORECASE,
)


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
# The blank's number as a word: the first blank.
_ORDINAL_BLANK = re.compile(rf"\b({'|'.join(_ORDINALS)}) (blank|question|gap|item)\b", re.IGNORECASE)
# An answer right before a statement on another option: 答案：CA项错误. A set of letters would be in order.
_RUN_TOGETHER = re.compile(r"(?<![A-Za-z])([A-H]{1,4})(?=([A-G]) ?选?项)")
# An answer corrected on the spot: B（应为D）.
_CORRECTED_LETTER = re.compile(r"(?<![A-Za-z])[A-G] ?\((?:应该?[为是]|应改为|更正为?|改为):? ?([A-G])\)")
# All options as the set that one is chosen from: A、B、C、D中的C.
_SET_OF_OPTIONS = re.compile(r"A[、,/ ]{1,2}B[、,/ ]{1,2}C[、,/ ]{1,2}D ?(?:[这四]个?(?:选项)?)?(?:之?中|里)的 ?")


def plain_text(reply: str) -> str:
    """`reply` without thinking, mark-up and echoed examples, in half-width Simplified characters.

    White space is single spaces and single newlines. The result is empty where nothing but thinking is left.
    """
    text = without_thinking(reply.translate(_CHARACTERS))
    for _ in range(_TEX_NESTING):
        text = _TEX_WRAPPER.sub(r"\1", text)
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    text = _LOWER_OPTION.sub(lambda match: f"{match[1]} {match[2].upper()}", text)
    text = _ORDINAL_BLANK.sub(lambda match: f"{match[2]} {_ORDINALS.index(match[1].lower()) + 1}", text)
    text = _RUN_TOGETHER.sub(lambda match: f"{match[1]}\n" if match[2] < match[1][-1] else match[1], text)
    text = _SET_OF_OPTIONS.sub("", _CORRECTED_LETTER.sub(r"\1", text))
    return _EXAMPLE.sub("\n", text).strip()
