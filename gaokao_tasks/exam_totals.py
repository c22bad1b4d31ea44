"""Totals out of 750 from results files of the harness: both halves of the exam from one run or from two."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaokao_tasks.question_types import KINDS
from gaokao_tasks.totals import HUMANITIES, POINTS, SCIENCES, Cell, converted_points, total
from lm_eval_zh.json_files import read_json
from lm_eval_zh.sources import SourceError

PIPELINES = ("official", "robust")
_TASK = re.compile(r"gaokao|gaokao_(?P<short>obj|subj)(?:_(?P<subject>[a-z_]+))?")
_KIND_OF = dict(zip(("obj", "subj"), KINDS, strict=True))
_RESULTS = "results_*.json"


@dataclass(frozen=True)
class Half:
    """Where the rates of one kind of question come from."""

    kind: str
    path: Path
    model: str
    judge: str  # empty for objective questions
    subset: str  # `none` for a run on all documents
    coverage: float  # share of the points possible that are in the rates, for the pipeline


@dataclass(frozen=True)
class ExamTotals:
    """One pipeline's rates and where they are from."""

    pipeline: str
    rates: Mapping[Cell, float]
    halves: Sequence[Half]

    def points(self, subject: str, kind: str, official_rounding: bool = False) -> float:
        """The subject's points in the exam for one kind of question; NaN without a rate."""
        return converted_points(self.rates, subject, kind, official_rounding)

    def sciences(self, official_rounding: bool = False) -> float:
        """The total of the sciences' subjects, in [0, 750]; NaN if a part is missing."""
        return total(self.rates, SCIENCES, official_rounding)

    def humanities(self, official_rounding: bool = False) -> float:
        """The total of the humanities' subjects, as `sciences`."""
        return total(self.rates, HUMANITIES, official_rounding)

    def missing(self) -> list[str]:
        """The parts without a rate, as subject and kind."""
        return [
            f"{subject} {kind}" for subject, kind in POINTS if math.isnan(self.rates.get((subject, kind), math.nan))
        ]


def exam_totals(paths: Sequence[Path]) -> list[ExamTotals]:
    """The totals of each pipeline, from results files or folders that hold one.

    Raises SourceError for a file that is no results file or has none of our tasks, and if two files give the same part.
    """
    found: dict[str, dict[Cell, float]] = {pipeline: {} for pipeline in PIPELINES}
    halves: dict[str, list[Half]] = {pipeline: [] for pipeline in PIPELINES}
    given: dict[Cell, Path] = {}
    for path in map(_results_file, paths):
        if path.suffix == ".jsonl":
            raise SourceError(f"{path}: these are samples: name the results_*.json beside them, or their folder")
        content = read_json(path)
        cells: set[Cell] = set()
        for pipeline in PIPELINES:
            for half, rates in _halves(path, content, pipeline):
                if twice := [cell for cell in rates if cell in found[pipeline] and cell not in given]:
                    raise SourceError(f"{path}: {' '.join(twice[0])} is in two of its tasks: keep one of them")
                halves[pipeline].append(half)
                found[pipeline].update(rates)
                cells.update(rates)
        if not cells:
            raise SourceError(
                f"{path}: no rates of gaokao, gaokao_obj or gaokao_subj: expected a results file of such a run"
            )
        for cell in cells:
            if cell in given:
                raise SourceError(
                    f"{' '.join(cell)} is in {given[cell]} and in {path}: give one results file for each half of the exam"
                )
            given[cell] = path
    return [ExamTotals(pipeline, found[pipeline], halves[pipeline]) for pipeline in PIPELINES]


def _results_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    files = sorted(path.rglob(_RESULTS))
    if len(files) != 1:
        raise SourceError(
            f"{path}: expected one {_RESULTS} in it, found {len(files)}; name the file"
            + "".join(f"\n  {file}" for file in files[:5])
        )
    return files[0]


def _halves(path: Path, content: object, pipeline: str) -> Iterator[tuple[Half, dict[Cell, float]]]:
    """Each half of the exam that the file's tasks hold, with its rates."""
    if not isinstance(content, Mapping) or not isinstance(content.get("results"), Mapping):
        raise SourceError(f"{path}: field 'results': expected the metrics by task, as lm_eval writes them")
    for task, metrics in content["results"].items():
        match = _TASK.fullmatch(task)
        if not match or not isinstance(metrics, Mapping) or f"scoring_rate,{pipeline}" not in metrics:
            continue
        where = f"{path}: results.{task}"
        for kind in KINDS if not match["short"] else (_KIND_OF[match["short"]],):
            rates = dict(_rates(where, metrics, pipeline, kind, match))
            if rates:
                coverage = _share(where, f"coverage,{pipeline}", metrics.get(f"coverage,{pipeline}"))
                yield _half(path, content, task, kind, pipeline, coverage), rates


def _rates(
    where: str, metrics: Mapping[str, Any], pipeline: str, kind: str, task: re.Match[str]
) -> Iterator[tuple[Cell, float]]:
    for subject in dict.fromkeys((*SCIENCES, *HUMANITIES)):
        if task["short"] and task["subject"]:
            name = "scoring_rate" if task["subject"] == subject else None
        else:
            name = f"scoring_rate_{subject}" if task["short"] else f"scoring_rate_{subject}_{kind}"
        if name and f"{name},{pipeline}" in metrics:
            yield (subject, kind), _share(where, f"{name},{pipeline}", metrics[f"{name},{pipeline}"])


def _share(where: str, name: str, value: object) -> float:
    """A number from 0 to 1; NaN where the file has none, as the harness writes for a part without documents."""
    if value is None or value in ("N/A", "nan", "NaN"):
        return math.nan
    if isinstance(value, (int, float)) and not isinstance(value, bool) and (0 <= value <= 1 or value != value):
        return float(value)
    raise SourceError(f"{where}: field {name!r}: expected a number from 0 to 1, got {value!r:.80}")


def _half(path: Path, content: Mapping[str, Any], task: str, kind: str, pipeline: str, coverage: float) -> Half:
    signature = _inside(content, "configs", task, "metadata", "signature", pipeline)
    fields = dict(part.partition(":")[::2] for part in signature.split("|")) if isinstance(signature, str) else {}
    return Half(
        kind=kind,
        path=path,
        model=str(content.get("model_name") or ""),
        judge=fields.get("judge", "") if kind == KINDS[1] else "",
        subset=fields.get("subset", ""),
        coverage=coverage,
    )


def _inside(content: object, *names: str) -> object:
    """What lies under these names, each in the one before; None where one is missing."""
    for name in names:
        content = content.get(name) if isinstance(content, Mapping) else None
    return content
