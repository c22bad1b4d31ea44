"""The settings of a judge, from a mapping and the environment. The key is none of them: see `api_key`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

NO_KEY = "none"  # what a server without keys is sent

_PREFIX = "ZH_JUDGE_"
_KEYS = ("ZH_JUDGE_API_KEY", "OPENAI_API_KEY")
_SECRET = re.compile(
    r"api[_-]?key|authorization|secret|password|bearer|credential|(?:^|access[_-]|auth[_-]|api[_-])token$", re.I
)
_TEXTS = ("model", "base_url")  # variables that hold text, where the others hold JSON
_NOT_FOR_SETTINGS = ("messages", "stream", "n")  # fields of the request that only the client may choose
_UNNAMED = "unnamed"  # stands for the model where only the other settings are looked at

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]


STRICT = ConfigDict(
    frozen=True,
    extra="forbid",
    strict=True,
    allow_inf_nan=False,
    protected_namespaces=(),
    hide_input_in_errors=True,  # it may hold a key
)


class JudgeSettingsError(ValueError):
    """A judge's settings that can't be used; the message names the setting, and what was expected."""


class JudgeSettings(BaseModel):
    """How a judge on an OpenAI-compatible endpoint is asked. Times in seconds; prices per million tokens.

    Raises pydantic's ValidationError, a ValueError, for a setting that is unknown, of the wrong type or out of range.
    """

    model_config = STRICT

    model: Annotated[str, Field(min_length=1, pattern=r"\S")]
    base_url: str = "https://api.openai.com/v1"
    temperature: NotNegative = 0.0
    max_tokens: AtLeastOne = 4096
    seed: int | None = None
    extra_body: dict[str, Any] = {}  # further fields of the request, such as top_p
    samples: AtLeastOne = 3  # how often a reply that can't be read is asked for, the first time included
    concurrency: AtLeastOne = 16  # requests under way at once, while the server does not ask for fewer
    max_retries: Annotated[int, Field(ge=0)] = 6  # further tries of one call after transport faults, 429 and 5xx
    timeout: Positive = 180.0  # of one try
    total_timeout: Positive = 1200.0  # of one call with its retries
    max_calls: Annotated[int, Field(ge=0)] | None = None  # stop when this many calls were made
    max_cost: NotNegative | None = None  # stop when this much was spent; needs the two prices
    price_prompt: NotNegative | None = None
    price_completion: NotNegative | None = None

    @field_validator("base_url")
    @classmethod
    def _is_an_address_without_secrets(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                f"it holds a user, password, query or fragment, and is written to the results file; put the key into "
                f"{_KEYS[0]}"
            )
        if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s\x00-\x1f]", url):
            raise ValueError("expected http(s)://HOST[:PORT]/PATH, without blanks")
        _ = parts.port, parts.hostname.encode("idna")  # a ValueError if they can't be any
        if parts.path.rstrip("/").endswith("/chat/completions"):
            raise ValueError("expected the address up to and with /v1: /chat/completions is added to it")
        return url

    @field_validator("extra_body")
    @classmethod
    def _is_for_settings_to_choose(cls, body: dict[str, Any]) -> dict[str, Any]:
        # What JSON can't hold is a ValueError, or a TypeError, which is made one below.
        json.dumps(body, allow_nan=False, ensure_ascii=False).encode()
        if chosen := [name for name in _NOT_FOR_SETTINGS if name in body]:
            raise ValueError(f"{', '.join(chosen)} is not for settings to choose")
        if secret := next((name for name in _names_in(body) if _SECRET.search(name)), None):
            raise ValueError(f"{secret!r} in it looks like a key, and is written to the results file; see {_KEYS[0]}")
        return body

    @model_validator(mode="after")
    def _has_prices_for_its_budget(self) -> JudgeSettings:
        if self.max_cost is not None and not self.has_prices:
            raise ValueError("max_cost needs price_prompt and price_completion, per million tokens")
        return self

    @property
    def has_prices(self) -> bool:
        """Whether the cost of a call can be known."""
        return self.price_prompt is not None and self.price_completion is not None

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost, in the prices' currency; None without prices."""
        if self.price_prompt is None or self.price_completion is None:
            return None
        return (prompt_tokens * self.price_prompt + completion_tokens * self.price_completion) / 1e6

    def request_fields(self) -> dict[str, Any]:
        """The fields of each request but its messages; with them they are the key of the cache."""
        seed = {} if self.seed is None else {"seed": self.seed}
        own = {"model": self.model, "temperature": self.temperature, "max_tokens": self.max_tokens}
        return {**own, **seed, **self.extra_body}


def judge_settings(given: Mapping[str, Any]) -> JudgeSettings:
    """The settings in `given`, and for what it lacks those of the environment: `ZH_JUDGE_MODEL`, `ZH_JUDGE_BASE_URL` ...

    Raises JudgeSettingsError for a setting or a variable `ZH_JUDGE_...` that is unknown, of the wrong type or out of its
    range, for a missing model, and for anything that looks like a key: settings are written to results files.
    """
    refuse_secrets(given)
    _refuse_unknown_variables()
    values = {name: value for name, value in given.items() if value is not None}
    lacking = (name for name in JudgeSettings.model_fields if name not in values)
    values.update({name: _from_environment(name) for name in lacking if os.environ.get(_variable(name))})
    return _settings(values)


def check_given(given: Mapping[str, Any]) -> None:
    """Refuse what `judge_settings` would, of `given` alone: where nobody is asked, it is written to the results too."""
    refuse_secrets(given)
    values = {name: value for name, value in given.items() if value is not None}
    if values.get("max_cost") is not None:  # the prices may be in the environment
        values = {"price_prompt": 0.0, "price_completion": 0.0, **values}
    _settings({"model": _UNNAMED, **values})


def refuse_secrets(given: Mapping[str, Any]) -> None:
    """Raise JudgeSettingsError for a setting that looks like a key; the message has its name, not its value."""
    for name in given:
        if name not in JudgeSettings.model_fields and _SECRET.search(str(name)):
            raise JudgeSettingsError(
                f"judge setting {name!r}: keys come from the environment only ({' or '.join(_KEYS)}), for settings are "
                "written to the results file"
            )


def api_key() -> str:
    """The key from the environment. A server without keys takes any, so that none is no error here."""
    return os.environ[variable] if (variable := key_variable()) else NO_KEY


def key_variable() -> str | None:
    """The variable that holds the key, if one does."""
    return next((name for name in _KEYS if os.environ.get(name)), None)


def _settings(values: Mapping[str, Any]) -> JudgeSettings:
    try:
        return JudgeSettings(**{str(name): value for name, value in values.items()})
    except ValidationError as error:
        raise JudgeSettingsError(_first_problem(error)) from None  # its own text repeats what was given, keys too
    except TypeError as error:
        raise JudgeSettingsError(f"judge setting 'extra_body': expected what JSON can hold ({error})") from error


def _names_in(value: object) -> Iterator[str]:
    """All names of fields in it, at any depth."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _names_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _names_in(inner)


def _variable(name: str) -> str:
    return _PREFIX + name.upper()


def _refuse_unknown_variables() -> None:
    known = [_KEYS[0], *map(_variable, JudgeSettings.model_fields)]
    for name in os.environ:
        if name.startswith(_PREFIX) and name not in known:
            raise JudgeSettingsError(f"the variable {name} is unknown: expected {', '.join(known)}")


def _from_environment(name: str) -> Any:
    text = os.environ[_variable(name)]
    if name in _TEXTS:
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise JudgeSettingsError(f"{_variable(name)}: expected a number or JSON, got {text!r:.80}") from error


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    name = str(problem["loc"][0]) if problem["loc"] else "max_cost"
    if problem["type"] == "extra_forbidden":
        return f"judge setting {name!r} is unknown: expected {', '.join(JudgeSettings.model_fields)}"
    if problem["type"] == "missing":
        return f"judge setting {name!r} is missing: name the judge there, or in {_variable(name)}"
    given = "" if name == "base_url" or problem["type"] == "value_error" else f", got {problem['input']!r:.80}"
    return f"judge setting {name!r}: {problem['msg'].removeprefix('Value error, ')}{given}"
