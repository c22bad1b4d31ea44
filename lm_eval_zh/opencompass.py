"""Predictions as OpenCompass writes them: `predictions/<model>/<dataset>.json`, or the `.jsonl` beside a run under way.

Source: open-compass/opencompass, `openicl/icl_inferencer/icl_base_inferencer.py`, `GenInferencerOutputHandler`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_PROMPT, _PREDICTION, _NUMBER = "origin_prompt", "prediction", "idx"
_ASKING = ("HUMAN", "user")
_OUR_DATASETS = re.compile(r"gaokao_?bench|align(?:ment)?_?bench|cg_?eval", re.I)
_KEYWORD = re.compile(r"GaokaoBench_(?P<keyword>.+?)(?P<part>_\d+)?")  # a big dataset is asked in parts, each from 0 on


def is_prediction(record: object) -> bool:
    """Whether this is one of OpenCompass's predictions."""
    return isinstance(record, Mapping) and _PROMPT in record and _PREDICTION in record


def predictions(content: object) -> Iterator[tuple[str, object]]:
    """The records of such a file, which is one object, and the key of each; none for other files."""
    if isinstance(content, Mapping) and any(map(is_prediction, content.values())):
        for key, record in content.items():
            yield str(key), {_NUMBER: key, **record} if isinstance(record, Mapping) else record


def is_other_dataset(path: Path) -> bool:
    """Whether the name of a file with predictions is not that of one of our benchmarks in OpenCompass."""
    return not _OUR_DATASETS.search(path.stem)


def reply_of(record: Mapping[str, Any]) -> object:
    """The reply, whatever its type: the first one where several were asked for."""
    prediction = record[_PREDICTION]
    if isinstance(prediction, list) and prediction:
        return prediction[0]
    return prediction


def prompt_of(record: Mapping[str, Any]) -> str | None:
    """What the model was asked last, with whatever stands before and after the question; None if it is no text."""
    prompt = record[_PROMPT]
    if isinstance(prompt, str):
        return prompt
    if not isinstance(prompt, Sequence):
        return None
    messages = [message for message in prompt if isinstance(message, Mapping)]
    asking = [message for message in messages if message.get("role") in _ASKING] or messages
    text = asking[-1].get("prompt", asking[-1].get("content")) if asking else None
    return text if isinstance(text, str) else None


def place_of(path: Path, record: Mapping[str, Any]) -> tuple[str | None, int | None]:
    """The question file the prediction is about and its position there, as far as the file's name tells."""
    named = _KEYWORD.fullmatch(path.stem)
    if not named:
        return None, None
    number = str(record.get(_NUMBER, ""))
    whole = not named["part"] and number.isdecimal()
    return named["keyword"], int(number) if whole else None
