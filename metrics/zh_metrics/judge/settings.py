"""The settings of a judge, from a mapping and the environment. The key is none of them: see `api_key`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

_PREFIX = "ZH_JUDGE_"
_KEYS = ("ZH_JUDGE_API_KEY", "OPENAI_API_KEY")
_SECRET = ("key", "secret", "password", "authorization", "bearer", "token")
_TEXTS = ("model", "base_url")  # variables that hold text, where the others hold JSON
_NOT_FOR_SETTINGS = ("messages", "stream", "n")  # fields of the request that only the client may choose

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]


class JudgeSettingsError(ValueError):
    """A judge's settings that can't be used; the message names the setting, and what was expected."""


class JudgeSettings(BaseModel):
    """How a judge on an OpenAI-compatible endpoint is asked. Times in seconds; prices per million tokens.

    Raises pydantic's ValidationError, a ValueError, for a setting that is unknown, of the wrong type or out of range.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, protected_namespaces=())

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
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("expected http(s)://HOST[:PORT]/PATH")
        if parts.username or parts.password or parts.query:
            raise ValueError(
                f"it holds a user, password or query, and is written to the results file; put the key into {_KEYS[0]}"
            )
        return url

    @field_validator("extra_body")
    @classmethod
    def _is_for_settings_to_choose(cls, body: dict[str, Any]) -> dict[str, Any]:
        json.dumps(body)  # what it can't hold is a TypeError, which is made a ValueError below
        if chosen := [name for name in _NOT_FOR_SETTINGS if name in body]:
            raise ValueError(f"{', '.join(chosen)} is not for settings to choose")
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

    Raises JudgeSettingsError for a setting that is unknown, of the wrong type or out of its range, for a missing model,
    and for anything that looks like a key: settings are written to results files.
    """
    known = JudgeSettings.model_fields
    for name in given:
        if name not in known and any(word in str(name).lower() for word in _SECRET):
            raise JudgeSettingsError(
                f"judge setting {name!r}: keys come from the environment only ({' or '.join(_KEYS)}), for settings are "
                "written to the results file"
            )
    values = {name: _from_environment(name) for name in known if os.environ.get(_PREFIX + name.upper())}
    values.update({name: value for name, value in given.items() if value is not None})
    try:
        return JudgeSettings(**values)
    except ValidationError as error:
        raise JudgeSettingsError(_first_problem(error)) from None  # its own text repeats what was given, keys too
    except TypeError as error:
        raise JudgeSettingsError(f"judge setting 'extra_body': expected what JSON can hold ({error})") from error


def api_key() -> str:
    """The key from the environment. A server without keys takes any, so that none is no error here."""
    return next((value for name in _KEYS if (value := os.environ.get(name))), "none")


def _from_environment(name: str) -> Any:
    text = os.environ[_PREFIX + name.upper()]
    if name in _TEXTS:
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise JudgeSettingsError(f"{_PREFIX}{name.upper()}: expected a number or JSON, got {text!r:.80}") from error


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    name = str(problem["loc"][0]) if problem["loc"] else "max_cost"
    if problem["type"] == "extra_forbidden":
        return f"judge setting {name!r} is unknown: expected {', '.join(JudgeSettings.model_fields)}"
    if problem["type"] == "missing":
        return f"judge setting {name!r} is missing: name the judge there, or in {_PREFIX}{name.upper()}"
    given = "" if name == "base_url" or problem["type"] == "value_error" else f", got {problem['input']!r:.80}"
    return f"judge setting {name!r}: {problem['msg'].removeprefix('Value error, ')}{given}"
