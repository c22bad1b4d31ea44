"""What a server says of a request it does not take, and what its words mean. Servers say the same in different words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_MESSAGES = (
    "message",
    "detail",
    "msg",
    "error_msg",
    "error",
    "errors",
)  # where servers put the text, the usual place first
_CODES = ("code", "type", "error_code", "error_type")
_DEPTH = 4  # of a body: {"detail": [{"msg": ...}]} has three levels

_FILTER_CODES = ("1301",)  # Zhipu's
_FILTER = re.compile(
    r"content[_ ]?(?:filter|policy|management)|data_?inspection_?failed|inappropriate content|invalid_prompt"
    r"|considered high risk|content exists risk|(?:input|prompt) was flagged|(?<!case[- ])\bsensitive\b|内容安全|敏感",
    re.I,
)
_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|too many tokens|(?:prompt|input|message)[^.]{0,40}too long"
    r"|exceed(?:s|ed)? [^.]{0,40}(?:length|token|context)|string_above_max_length|range of input length"
    r"|max_new_tokens`? must be|max(?:imum)? input length|上下文|超长",
    re.I,
)
_QUOTA_CODES = ("1113",)  # Zhipu's for an account in arrears
_QUOTA = re.compile(
    r"quota|arrearage|billing|insufficient[_ ]balance", re.I
)  # of codes: messages name quotas of a minute
_QUOTA_WORDS = re.compile(r"欠费|insufficient balance", re.I)
_OVERLOAD = re.compile(r"overloaded|rate.?limit|too many requests|busy|繁忙|频率", re.I)
_NO_MODEL = re.compile(
    r"model[_ ]not[_ ](?:exist|found)|\bmodel\b.{0,80}?(?:does not|doesn't|not) (?:exist|found)", re.I
)
_NO_ACCESS = re.compile(r"key\b|permission|\bmodel\b|access|account|authori[sz]|credential|权限", re.I)

# Fields a model may refuse, with what replaces each; None: it is left out.
REPLACEMENTS: dict[str, str | None] = {"max_tokens": "max_completion_tokens", "temperature": None, "seed": None}
_REFUSAL = (
    r"unsupported|not supported|does not support|not permitted|not allowed|is allowed|deprecated|unrecognized|invalid"
    r"|unknown (?:field|parameter|argument|name|key)|extra (?:inputs|fields)|extra_forbidden|非法|不支持"
)
_REFUSED = re.compile(_REFUSAL, re.I)
# Near each other, and not across a brace: some servers quote the whole request in whatever they say.
_BETWEEN = r"[^{}]{0,40}"
_NAMED = {name: rf"(?<![A-Za-z_]){name}(?![A-Za-z_])" for name in REPLACEMENTS}
_REFUSED_NEAR = {
    name: re.compile(rf"(?:{_REFUSAL}){_BETWEEN}{named}|{named}{_BETWEEN}(?:{_REFUSAL})", re.I)
    for name, named in _NAMED.items()
}
_TOO_LARGE = re.compile(
    rf"{_NAMED['max_tokens']}{_BETWEEN}(?:too large|should be|must be|at most|<=)|range of {_NAMED['max_tokens']}", re.I
)


@dataclass(frozen=True)
class ServerError:
    """What a server said: its message on one line, its codes and types, and the parameter it complains of."""

    message: str
    codes: str = ""
    param: str | None = None

    @classmethod
    def of(cls, body: object) -> ServerError:
        """The error in the body of a response, whatever its shape; an empty message if it says nothing."""
        message = " ".join(_text(body, _DEPTH).split())
        if not isinstance(body, Mapping):
            return cls(message)
        codes = " ".join(str(body[name]) for name in _CODES if isinstance(body.get(name), (str, int)))
        param = body.get("param")
        return cls(message, codes, param if isinstance(param, str) else None)

    @property
    def is_filter(self) -> bool:
        """Whether a content filter stopped the request."""
        return self._has_code(_FILTER_CODES) or bool(_FILTER.search(self._described))

    @property
    def is_too_long(self) -> bool:
        """Whether the request does not fit the context."""
        return bool(_TOO_LONG.search(self._described))

    @property
    def is_quota(self) -> bool:
        """Whether the account has nothing left to pay with, which waiting does not change."""
        codes = self._has_code(_QUOTA_CODES) or _QUOTA.search(self.codes)
        return bool(codes or _QUOTA_WORDS.search(self.message))

    @property
    def is_overload(self) -> bool:
        """Whether the server has too much to do."""
        return bool(_OVERLOAD.search(self._described))

    @property
    def is_unknown_model(self) -> bool:
        """Whether the judge's name is one the server does not know."""
        return bool(_NO_MODEL.search(self._described))

    @property
    def is_about_access(self) -> bool:
        """Whether it is the key, the account or the model that is turned down, and not this one request."""
        return bool(_NO_ACCESS.search(self._described))

    @property
    def max_tokens_too_large(self) -> bool:
        """Whether the server would give fewer tokens than `max_tokens` asks for."""
        return bool(_TOO_LARGE.search(self._described))

    @property
    def refused_field(self) -> str | None:
        """The field of the request the model does not take, one of `REPLACEMENTS`."""
        if self.param in REPLACEMENTS and _REFUSED.search(self._described):
            return self.param
        return next((name for name, pattern in _REFUSED_NEAR.items() if pattern.search(self._described)), None)

    @property
    def _described(self) -> str:
        return f"{self.codes} {self.message}"

    def _has_code(self, codes: tuple[str, ...]) -> bool:
        return any(code in codes for code in self.codes.split())


def _text(body: Any, depth: int) -> str:
    if isinstance(body, str):
        return body
    if depth and isinstance(body, list):
        return "; ".join(text for part in body if (text := _text(part, depth - 1)))
    if depth and isinstance(body, Mapping):
        text = next((text for name in _MESSAGES if (text := _text(body.get(name), depth - 1))), "")
        place = body.get("loc")  # pydantic's: ["body", "seed"]
        return f"{'.'.join(map(str, place))}: {text}" if text and isinstance(place, list) else text
    return ""
