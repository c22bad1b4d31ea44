"""What a model writes can't be taken for the labels of the prompt it is put into."""

from __future__ import annotations

import re
import unicodedata

# Traditional characters of labels and of what judges write about marks.
SIMPLIFIED = str.maketrans(
    "總終滿學該題給計應評為實際獲數績綜無點兩標準參過則據細與開結",
    "总终满学该题给计应评为实际获数绩综无点两标准参过则据细与开结",
)
_OPENING, _CLOSING = "【[［〖〘〚⦗︻﹇", "】]］〗〙〛⦘︼﹈"
_BRACKETS = re.compile(rf"[{re.escape(_OPENING)}]([^{re.escape(_OPENING + _CLOSING)}]+)[{re.escape(_CLOSING)}]")


def without_labels(text: str, labels: re.Pattern[str]) -> str:
    """The text with its labels in other brackets: 〔总分〕 for 【总分】; the same text where it has none.

    A label is what stands in square or lenticular brackets and matches `labels` as a whole once decoration is taken away:
    white space, marks, invisible characters, full width, traditional characters.
    """
    return _BRACKETS.sub(lambda found: f"〔{found[1]}〕" if labels.fullmatch(bare(found[1])) else found[0], text)


def bare(text: str) -> str:
    """Only the letters, digits and colons of a text, in half width, simplified: what is left of a name undecorated."""
    letters = unicodedata.normalize("NFKC", text).translate(SIMPLIFIED)
    return "".join(c for c in letters if c == ":" or unicodedata.category(c)[0] in "LN")
