"""The settings of a judge, from a mapping and the environment. The key is none of them: see `api_key`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_type_hints
from urllib.parse import urlsplit

_PREFIX = "ZH_JUDGE_"
_KEYS = ("ZH_JUDGE_API_KEY", "OPENAI_API_KEY")
_SECRET = ("key", "token", "secret", "password", "authorization")


class JudgeSettingsError(ValueError):
    """A judge's settings that can't be used; the message names the setting, and what was expected."""


@dataclass(frozen=True)
class JudgeSettings:
    """How a judge on an OpenAI-compatible endpoint is asked. Times in seconds; prices per million tokens."""

    model: str
    base_url: str = "https://api.openai.com/v1"
    temperature: float = 0.0
    max_tokens: int = 4096
    seed: int | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)  # further fields of the request, such as top_p
    samples: int = 3  # how often a reply that can't be read is asked for, the first time included
    concurrency: int = 16  # requests under way at once, while the server does not ask for fewer
    max_retries: int = 6  # further tries of one call after transport faults, 429 and 5xx
    timeout: float = 180.0  # of one try
    total_timeout: float = 1200.0  # of one call with its retries
    max_calls: int | None = None  # stop when this many calls were made
    max_cost: float | None = None  # stop when this much was spent; needs the two prices
    price_prompt: float | None = None
    price_completion: float | None = None

    def __post_init__(self) -> None:
        for name in ("samples", "concurrency", "max_tokens"):
            if getattr(self, name) < 1:
                raise JudgeSettingsError(f"judge setting {name!r}: expected 1 or more, got {getattr(self, name)}")
        for name in ("timeout", "total_timeout"):
            if not getattr(self, name) > 0:
                raise JudgeSettingsError(f"judge setting {name!r}: expected seconds above 0, got {getattr(self, name)}")
        for name in ("max_retries", "max_calls", "max_cost", "price_prompt", "price_completion", "temperature"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise JudgeSettingsError(f"judge setting {name!r}: expected 0 or more, got {value}")
        if not self.model.strip():
            raise JudgeSettingsError("judge setting 'model': expected the name of the judge, got an empty text")
        if self.max_cost is not None and not self.has_prices:
            raise JudgeSettingsError(
                "judge setting 'max_cost' needs 'price_prompt' and 'price_completion' (per million tokens)"
            )
        _check_url(self.base_url)
        _check_body(self.extra_body)

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
        return {
            "model": self.model,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            **seed,
            **self.extra_body,
        }

    def describe(self) -> dict[str, Any]:
        """All settings, for a results file."""
        return {**asdict(self), "extra_body": dict(self.extra_body)}


def judge_settings(given: Mapping[str, Any]) -> JudgeSettings:
    """The settings in `given`, and for what it lacks those of the environment: `ZH_JUDGE_MODEL`, `ZH_JUDGE_BASE_URL` ...

    Raises JudgeSettingsError for a setting that is unknown, of the wrong type or out of its range, for a missing model,
    and for anything that looks like a key: settings are written to results files.
    """
    hints = get_type_hints(JudgeSettings)
    known = [setting.name for setting in fields(JudgeSettings)]
    for name in given:
        if name not in known and any(word in str(name).lower().replace("max_tokens", "") for word in _SECRET):
            raise JudgeSettingsError(
                f"judge setting {name!r}: keys come from the environment only ({' or '.join(_KEYS)}), for settings are "
                "written to the results file"
            )
        if name not in known:
            raise JudgeSettingsError(f"judge setting {name!r} is unknown: expected {', '.join(known)}")
    values = {name: _from_environment(name) for name in known if os.environ.get(_PREFIX + name.upper())}
    values.update({name: value for name, value in given.items() if value is not None})
    if "model" not in values:
        raise JudgeSettingsError(f"judge setting 'model' is missing: name the judge there, or in {_PREFIX}MODEL")
    return JudgeSettings(**{name: _typed(name, value, hints[name]) for name, value in values.items()})


def api_key() -> str:
    """The key from the environment. A server without keys takes any, so that none is no error here."""
    return next((value for name in _KEYS if (value := os.environ.get(name))), "none")


def _from_environment(name: str) -> Any:
    text = os.environ[_PREFIX + name.upper()]
    if name in ("model", "base_url"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise JudgeSettingsError(f"{_PREFIX}{name.upper()}: expected a number or JSON, got {text!r:.80}") from error


def _typed(name: str, value: Any, hint: Any) -> Any:
    wanted = str(hint)
    kind: type | tuple[type, ...] = str
    if "Mapping" in wanted:
        kind = Mapping
    elif "float" in wanted:
        kind = (int, float)
    elif "int" in wanted:
        kind = int
    if isinstance(value, kind) and not isinstance(value, bool):
        return float(value) if isinstance(value, int) and kind == (int, float) else value
    expected = {str: "text", int: "a whole number", Mapping: "an object"}.get(kind, "a number")  # type: ignore[arg-type]
    raise JudgeSettingsError(f"judge setting {name!r}: expected {expected}, got {value!r:.80}")


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise JudgeSettingsError(f"judge setting 'base_url': expected http(s)://host[:port]/path, got {url!r:.80}")
    if parts.username or parts.password or parts.query:
        raise JudgeSettingsError(
            "judge setting 'base_url' holds a user, password or query: the address is written to the results file; "
            f"put the key into {_KEYS[0]}"
        )


def _check_body(body: Mapping[str, Any]) -> None:
    try:
        json.dumps(body)
    except (TypeError, ValueError) as error:
        raise JudgeSettingsError(f"judge setting 'extra_body': expected what JSON can hold ({error})") from error
    for name in ("messages", "stream", "n"):
        if name in body:
            raise JudgeSettingsError(f"judge setting 'extra_body': {name!r} is not for settings to choose")
