"""What a Gscore depends on, from a mapping or from arguments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

DEFAULT_ENCODER = "BAAI/bge-large-zh-v1.5"

AtLeastOne = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1, pattern=r"^[^\s|][^|\n]*$")]  # what can stand in a signature
Share = Annotated[float, Field(ge=0, le=1)]


class GscoreSettingsError(ValueError):
    """Settings of a Gscore that can't be used; the message names the setting, and what was expected."""


class EncoderError(RuntimeError):
    """An encoder can't be had, or doesn't give vectors. The message says what to do."""


class GscoreSettings(BaseModel):
    """How texts are compared.

    Raises pydantic's ValidationError, a ValueError, for a setting that is unknown, of the wrong type or out of range.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, protected_namespaces=())

    similarity: Literal["on", "off"] = "on"  # off: the three lexical parts, and no Gscore
    encoder: Text = DEFAULT_ENCODER  # a sentence-transformers model: its name on the Hugging Face Hub, or a folder
    revision: Text | None = None  # of the model on the Hub; its main branch where None
    device: Text | None = None  # cpu, cuda, cuda:1, mps ...; sentence-transformers chooses where None
    dtype: Literal["float32", "float16", "bfloat16", "auto"] = "float32"
    backend: Literal["torch", "onnx", "openvino"] = "torch"
    window: AtLeastOne | None = None  # tokens of a text encoded at once; as many as the encoder takes where None
    stride: AtLeastOne | None = None  # tokens from one window's beginning to the next; the window where None
    batch_size: AtLeastOne = 32
    bleu4_weight: Share = 0.2
    rouge2_weight: Share = 0.25
    chrf_weight: Share = 0.25
    similarity_weight: Share = 0.3

    @field_validator("similarity", mode="before")
    @classmethod
    def _as_yaml_reads_it(cls, value: object) -> object:
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else value  # on and off, unquoted in YAML

    @field_validator("bleu4_weight", "rouge2_weight", "chrf_weight", "similarity_weight", mode="before")
    @classmethod
    def _whole_numbers_too(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _fits_together(self) -> GscoreSettings:
        if not math.isclose(sum(self.weights), 1):
            raise ValueError(f"the four weights add up to {sum(self.weights):g}, expected 1")
        if self.stride and self.window and self.stride > self.window:
            raise ValueError(f"a stride of {self.stride} tokens leaves some out of windows of {self.window}")
        return self

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """Of BLEU-4, ROUGE-2, chrF and similarity, in this order."""
        return self.bleu4_weight, self.rouge2_weight, self.chrf_weight, self.similarity_weight


def gscore_settings(given: Mapping[str, Any]) -> GscoreSettings:
    """The settings in `given`, and the defaults for what it lacks.

    Raises GscoreSettingsError for a setting that is unknown, of the wrong type or out of its range.
    """
    try:
        return GscoreSettings(**{str(name): value for name, value in given.items()})
    except ValidationError as error:
        raise GscoreSettingsError(_first_problem(error)) from None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    message = problem["msg"].removeprefix("Value error, ")
    if not problem["loc"]:
        return f"Gscore settings: {message}"
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        return f"Gscore setting {name!r} is unknown: expected {', '.join(GscoreSettings.model_fields)}"
    return f"Gscore setting {name!r}: {message}, got {problem['input']!r:.80}"
