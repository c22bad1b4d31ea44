"""What a model thinks before it replies is no part of its reply."""

from __future__ import annotations

import re

_TAG = re.compile(
    r"[<◁] ?(?P<slash>/)? ?(?:[a-z]{1,9}:)?(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|思考(?:过程)?) ?[>▷]"
    r"|\[(?P<bracket_slash>/)?THINK\]"
    r"|<\|(?:begin|(?P<end>end))_of_thought\|>"
    r"|<\|channel\|>(?:analysis|(?P<final>final))<\|message\|>",
    re.IGNORECASE,
)


def answer_of(reply: str) -> str:
    """`reply` as it is where it holds no thinking, else the rest of it without white space around it."""
    answer = without_thinking(reply)
    return reply if answer == reply else answer.strip()


def without_thinking(text: str) -> str:
    """The text outside thinking tags: none after a tag that is never closed, none before a closing tag on its own."""
    kept: list[str] = []
    before_stray_close = ""
    start, inside, closed = 0, False, False
    for tag in _TAG.finditer(text):
        closes = any(tag[name] for name in ("slash", "bracket_slash", "end", "final"))
        if not inside:
            kept.append(text[start : tag.start()])
        if not closes:
            inside = True  # a second opening tag is a slip: one closing tag ends both
            continue
        if not inside:
            # Nothing opened it, so all before it was thinking; unless thinking had ended already and nothing follows.
            before_stray_close = kept[-1] if closed and kept[-1].strip() else before_stray_close
            kept = []
        start, inside, closed = tag.end(), False, True
    if not inside:
        kept.append(text[start:])
    answer = "\n".join(kept)
    return answer if answer.strip() else before_stray_close
