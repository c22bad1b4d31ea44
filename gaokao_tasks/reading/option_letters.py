"""Groups of option letters as replies write them: `C`, `(B)`, `选项A`, `ACD`, `A、C和D`, `B, C and D`, `C A E F G`.

The fragments below go into larger patterns, and `letters_in` reads what they match. Letters A to H are recognised
whatever the question offers: an answer outside its options is an answer that names none, not a reason to read on.
All repetitions are bounded, so that a pattern built from the fragments takes linear time.
"""

from __future__ import annotations

import re

# Not inside a word, a formula, a number with a unit or a name: NaCl, x_A, 5A, C=90, C(10,2), O2, A'.
_ALONE_BEFORE = r"(?<![A-Za-z0-9_\\^'])"
_ALONE_AFTER = r"(?![A-Za-z0-9_^'°%]| ?[=<>^]|\([0-9])"
# Nouns that make the letter before them part of a name: B细胞, A型血, C语言.
_NOT_A_NAME = r"(?!型|族|细胞|淋巴|语言|大调|小调)"
# The English article: a lower-case word follows, other than one that can follow an answer, and the sentence goes on.
_NOT_AN_ARTICLE = (
    r"(?!A (?!(?:is|are|was|and|or|nor|because|since|as|for|but|not|with|would|should|must|rather|instead|due|based|which"
    r"|by|seems|fits|matches)\b)[a-z]{2,}(?: [^\s]{1,40}){4})"
)

_UNIT = (
    r"(?:[(\[【<]{1,2} ?)?(?:(?:选项|[Oo]ptions?|[Cc]hoices?) ?[(\[【]?)?"
    rf"{_ALONE_BEFORE}[A-H]{{1,7}}{_ALONE_AFTER}{_NOT_A_NAME}"
    r"(?: ?[)\]】>]{1,2})?(?: ?(?:选项|项(?!目|链|圈)))?"
)
_JOINT = r"(?: ?(?:、|和|与|及|以及|或者?|且|跟|&|/|\+|\|) ?| (?:and|or) |(?<=[)\]】]) ?(?=[(\[【]))"
_TIGHT = rf"{_UNIT}(?:{_JOINT}{_UNIT}){{0,6}}"
# A comma or a space joins letters only if the list they make comes to an end: in "选B，A项错误" it does not.
# Between brackets a space is _JOINT's: if both joined them, a long list could be parted in exponentially many ways.
# A letter with 项 joins only one with 项: in "【答案】B A项…" the second begins a statement on another option, as it does
# in "B A. 错误".
_LOOSE_JOINT = (
    r"(?:(?<=项)|(?! ?[,;]? ?[A-H] ?(?:选?项|[.:、] ?[错不正对√×])))"
    r"(?: ?[,;] ?(?:(?:and|or) |和|以及)?| (?![(\[【])|(?<![)\]】]) (?=[(\[【]))"
)
_LISTED = r"(?:[A-H、,;和与及或/&+|()\[\]【】 ]|选?项|and |or ){1,40}(?:$|[\n。.!?()\]】<|:]|[,;](?! ?[(\[【]?(?:选项)?[A-H]))"

# Letters that follow a cue (答案是 …).
GROUP = rf"{_NOT_AN_ARTICLE}{_TIGHT}(?:{_LOOSE_JOINT}(?={_LISTED}){_TIGHT}){{0,6}}"
# Letters that are the subject of a statement (… 都正确), where commas join freely.
SUBJECT = rf"{_NOT_AN_ARTICLE}{_UNIT}(?:(?:{_JOINT}| ?, ?(?:(?:and|or) )?){_UNIT}){{0,6}}"
# Lower-case letters, which are words and variables too: alone or in alphabetical order, and nothing after them.
LOWER_GROUP = (
    rf"[(\[]?{_ALONE_BEFORE}(?:[a-h]|(?=[a-d]{{2,4}}(?![a-z]))a?b?c?d?)(?![A-Za-z0-9_^'=])[)\]]?"
    r"(?:(?: ?[、,/和与及] ?| and | or )[(\[]?[a-h](?![A-Za-z0-9_^'=])[)\]]?){0,6}"
    r"(?= ?(?:$|[\n。.,:;!)\]】]|选项|项|(?:because|since|as)\b))"
)

_LETTERS = re.compile(r"(?<![A-Za-z])[A-Ha-h]{1,40}(?![A-Za-z])")  # a run over all blanks is longer than a group
_EITHER = re.compile(r"或|/|\bor\b")


def letters_in(group: str) -> str:
    """The letters of a matched group, sorted, upper-case and without repeats; empty if there are none."""
    return "".join(sorted(set(sequence_in(group))))


def sequence_in(group: str) -> list[str]:
    """The letters of a matched group in the order written, upper-case, repeats included."""
    return list("".join(_LETTERS.findall(group)).upper())


def leaves_a_choice(group: str) -> bool:
    """Whether the group offers alternatives (A或C) rather than stating letters."""
    return _EITHER.search(group) is not None
