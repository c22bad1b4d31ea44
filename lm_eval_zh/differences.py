"""Where the official and the robust pipeline read a reply differently, from the samples the harness logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lm_eval_zh.json_files import read_jsonl
from lm_eval_zh.sources import SourceError

_PIPELINES = ("official", "robust")


@dataclass(frozen=True)
class Difference:
    """One question whose reply the two pipelines read differently."""

    id: str
    target: str
    official: str
    robust: str
    reply: str


def differences(path: Path) -> tuple[list[Difference], int]:
    """The questions of one run on which the pipelines differ, in the order of the file, and how many were compared.

    `path` is a `samples_*.jsonl` file of the harness. Raises SourceError naming file, line and field for a line that is no
    sample of our tasks, and for a question that only one of the pipelines has.
    """
    readings: dict[str, dict[str, Mapping[str, Any]]] = {}
    for where, sample in _samples(path):
        readings.setdefault(sample["doc"]["id"], {})[sample["filter"]] = {**sample, "where": where}
    found = []
    for id_, by_pipeline in readings.items():
        missing = [name for name in _PIPELINES if name not in by_pipeline]
        if missing:
            where = next(iter(by_pipeline.values()))["where"]
            raise SourceError(f"{where}: {id_} has no reading by the pipeline {missing[0]!r}; is the file complete?")
        official, robust = (by_pipeline[name] for name in _PIPELINES)
        if official["filtered_resps"] != robust["filtered_resps"]:
            found.append(
                Difference(
                    id_,
                    str(official["target"]),
                    _reading(official["filtered_resps"]),
                    _reading(robust["filtered_resps"]),
                    official["resps"][0][0],
                )
            )
    return found, len(readings)


def _samples(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, sample in read_jsonl(path):
        where = f"{path}: line {number}"
        for field in ("doc", "filter", "filtered_resps", "resps", "target"):
            if not isinstance(sample, Mapping) or field not in sample:
                raise SourceError(
                    f"{where}: field {field!r} is missing: expected samples_*.jsonl of lm_eval --log_samples"
                )
        if not isinstance(sample["doc"], Mapping) or "id" not in sample["doc"]:
            raise SourceError(f"{where}: field 'doc': expected a document of one of our tasks, with an 'id'")
        if sample["filter"] in _PIPELINES:
            yield where, sample


def _reading(filtered: list[Any]) -> str:
    """`C . A (6.0 points)`, or the reason why nothing was read."""
    letters, points, status = filtered[0]
    text = " ".join(letter or "." for letter in letters)
    return f"{text} ({points} points)" if letters else status
