"""A model of the harness that judges: its settings, its prompt, its tokens. Nothing is loaded before it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from lm_eval.api.model import LM
from lm_eval.api.registry import get_model, model_registry
from lm_eval.utils import simple_parse_args_string
from pydantic import BaseModel, Field, ValidationError
from zh_metrics.judge import JudgeSettingsError
from zh_metrics.judge.settings import STRICT, refuse_secrets

Messages = tuple[tuple[str, str], ...]
"""Role and content of each message of a request."""

_NO_JUDGES = ("answers", "dummy")  # they generate nothing
# The arguments that name a model, as the harness looks for them.
_NAMES = ("peft", "delta", "pretrained", "model", "path")
# Those that say where and how fast it runs, not what it says.
_OF_THE_MACHINE = (
    *("batch_size", "max_batch_size", "device", "device_map", "parallelize", "max_memory_per_gpu", "offload_folder"),
    *("tensor_parallel_size", "data_parallel_size", "gpu_memory_utilization", "swap_space", "num_concurrent"),
)


class HarnessJudgeSettings(BaseModel):
    """Which model judges, and how it is asked."""

    model_config = STRICT

    harness_model: Annotated[str, Field(min_length=1)]  # what lm_eval's --model takes
    model_args: str | dict[str, Any] = ""  # what its --model_args takes
    chat_template: bool | None = None  # None: where the model has one
    temperature: Annotated[float, Field(ge=0)] = 0.0
    max_tokens: Annotated[int, Field(ge=1)] = 2048
    samples: Annotated[int, Field(ge=1)] = 3  # how often an unread reply is asked for in all, where replies are sampled

    @property
    def arguments(self) -> dict[str, Any]:
        """`model_args` by name."""
        if isinstance(self.model_args, dict):
            return self.model_args
        parsed: dict[str, Any] = simple_parse_args_string(self.model_args)
        return parsed

    @property
    def defaults(self) -> dict[str, Any]:
        """What lm_eval's command line gives a model beside its arguments; but vLLM finds device and batches itself."""
        return {"batch_size": "auto"} if self.harness_model == "vllm" else {"device": "cuda:0", "batch_size": 1}

    @property
    def name(self) -> str:
        """What the model is called in the harness's results: the first of its arguments that names it."""
        return next((str(self.arguments[name]) for name in _NAMES if name in self.arguments), self.harness_model)

    @property
    def most_samples(self) -> int:
        """How often a reply is asked for in all. Once where decoding is greedy: it would be the same reply."""
        return self.samples if self.temperature else 1

    def score_settings(self) -> dict[str, Any]:
        """What can move a mark; one setting written in two ways is one."""
        arguments = {name: value for name, value in self.arguments.items() if name not in _OF_THE_MACHINE}
        return {"model": self.name, **self.model_dump(), "model_args": arguments}

    def generation_kwargs(self) -> dict[str, Any]:
        """The settings of generation, as the harness takes them."""
        sampling = {"do_sample": True, "temperature": self.temperature} if self.temperature else {"do_sample": False}
        return {"until": [], "max_gen_toks": self.max_tokens, **sampling}


def harness_judge_settings(given: Mapping[str, Any]) -> HarnessJudgeSettings:
    """The settings in `given`.

    Raises JudgeSettingsError for one that is unknown, of the wrong type or out of range, for a model the harness doesn't
    have, and for anything that looks like a key: settings are written to results files.
    """
    try:
        settings = HarnessJudgeSettings(**{str(name): value for name, value in given.items()})
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(map(str, problem["loc"]))
        raise JudgeSettingsError(
            f"judge setting {name!r}: {problem['msg']}; a judge that is a model of the harness takes "
            f"{', '.join(HarnessJudgeSettings.model_fields)}"
        ) from None
    refuse_secrets(settings.arguments)
    if settings.harness_model not in _known_models():
        raise JudgeSettingsError(
            f"judge setting 'harness_model': {settings.harness_model!r} is no model of lm_eval: expected one of "
            f"{', '.join(_known_models())}"
        )
    return settings


def is_harness_model(name: str) -> bool:
    """Whether lm_eval has a model of that name that can judge."""
    return name in _known_models()


class HarnessModel:
    """A model of the harness that is loaded when it is first asked, so that nobody waits for one that is not."""

    def __init__(self, settings: HarnessJudgeSettings) -> None:
        self._settings = settings

    @cached_property
    def lm(self) -> LM:
        """The model. Raises JudgeSettingsError if it can't be loaded."""
        settings = self._settings
        try:
            return get_model(settings.harness_model).create_from_arg_obj({**settings.defaults, **settings.arguments})
        except Exception as error:  # each kind of model fails in ways of its own
            raise JudgeSettingsError(
                f"the judge {settings.harness_model} with {settings.arguments} can't be loaded: "
                f"{type(error).__name__}: {error}"
            ) from error

    def prompt(self, messages: Messages) -> Any:
        """What the model is given: the messages in its chat template, or one below the other where it has none.

        Templates without a system role lose or refuse its text. Then all of it is the user's. The model's own marks for
        the ends of messages are broken up where they stand in a text: no answer can end itself and go on as the judge.

        Raises JudgeSettingsError for a template that loses the user's text too.
        """
        parts = tuple((role, self._without_marks(content)) for role, content in messages)
        text = "\n".join(content for _, content in parts)
        if not self._has_template:
            return text
        for tried in (parts, (("user", text),)):
            prompt = self.lm.apply_chat_template([{"role": role, "content": content} for role, content in tried])
            if not isinstance(prompt, str) or all(content.strip() in prompt for _, content in tried):
                return prompt
        raise JudgeSettingsError(f"the chat template of the judge {self._settings.name} leaves out what it is asked")

    def _without_marks(self, text: str) -> str:
        for mark in self._marks:
            text = text.replace(mark, f"{mark[0]} {mark[1:]}")
        return text

    @cached_property
    def _marks(self) -> list[str]:
        """What the tokenizer takes for more than text, the longest first; nothing of one character, which can't be broken."""
        added = getattr(self._tokenizer, "added_tokens_decoder", {}).values()
        marks = {
            *getattr(self._tokenizer, "all_special_tokens", ()),
            *(token.content for token in added if token.special),
        }
        return sorted((mark for mark in marks if len(mark.strip()) > 1), key=len, reverse=True)

    @cached_property
    def _has_template(self) -> bool:
        if self._settings.chat_template is not None:
            return self._settings.chat_template
        if self._tokenizer is not None:
            return bool(self._tokenizer.chat_template)
        return type(self.lm).apply_chat_template is not LM.apply_chat_template

    @cached_property
    def _tokenizer(self) -> Any:
        """Its tokenizer, if that is one of transformers'."""
        tokenizer = getattr(self.lm, "tokenizer", None)
        return tokenizer if hasattr(tokenizer, "chat_template") else None

    def tokens(self, text: Any) -> int:
        """How many tokens a text is; 0 where that can't be known."""
        if self._tokenizer is None or not isinstance(text, str):
            return 0
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    @property
    def room(self) -> int | None:
        """How many tokens a prompt may have beside the reply's and a first one of the model; None where that isn't known."""
        length = getattr(self.lm, "max_length", None)
        if not isinstance(length, int) or self._tokenizer is None:
            return None
        return length - self._settings.max_tokens - 1

    @cached_property
    def files(self) -> str:
        """A digest of names, sizes and times of the model's files: a folder's name may soon stand for another checkpoint."""
        folders = [Path(str(value)) for value in self._settings.arguments.values() if _is_folder(value)]
        files = sorted(file for folder in folders for file in folder.iterdir() if file.is_file())
        told = [f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files]
        return sha256("\n".join(told).encode()).hexdigest() if told else ""


def _is_folder(value: object) -> bool:
    try:
        return isinstance(value, str) and Path(value).is_dir()
    except (OSError, ValueError):  # too long a name, a null character
        return False


def _known_models() -> list[str]:
    import lm_eval.models  # noqa: F401 - fills the registry

    return sorted(name for name in model_registry if name not in _NO_JUDGES)
