"""The files that the harness wrote for its runs, found in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lm_eval_zh.sources import SourceError

_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_(?P<date>{_DATE})\.jsonl")
_RESULTS = re.compile(rf"results_(?P<date>{_DATE})\.json")


@dataclass
class RunFiles:
    """One run: its samples by task, and its results, which may not be there."""

    folder: Path
    date: str  # as it stands in the names; empty for samples with another name
    results: Path | None = None
    samples: dict[str, Path] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """For messages."""
        return f"{self.folder} ({self.date})" if self.date else ", ".join(map(str, self.samples.values()))


def find_runs(path: Path) -> list[RunFiles]:
    """The runs in a folder and its subfolders, or the one a `samples_*.jsonl` or `results_*.json` is of.

    A file of samples stands for its task alone, one of results for all tasks of the run. Hidden files and folders are passed
    over. In the order of folders and dates; empty if there is none, as for files with other names. A run may lack samples.

    Raises SourceError if the path leads nowhere.
    """
    try:
        path.stat()
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if path.is_dir():
        return _grouped(_visible_files(path))
    if named := _RESULTS.fullmatch(path.name):
        siblings = (file for file in path.parent.iterdir() if named["date"] in file.name)
        return _grouped(siblings)
    if named := _SAMPLES.fullmatch(path.name):
        results = path.with_name(f"results_{named['date']}.json")
        return _grouped([path, *([results] if results.is_file() else [])])
    return []


def _visible_files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def _grouped(files: Iterable[Path]) -> list[RunFiles]:
    runs: dict[tuple[Path, str], RunFiles] = {}
    for file in sorted(files):
        named = _SAMPLES.fullmatch(file.name) or _RESULTS.fullmatch(file.name)
        if not named:
            continue
        run = runs.setdefault((file.parent, named["date"]), RunFiles(file.parent, named["date"]))
        if "task" in named.groupdict():
            run.samples[named["task"]] = file
        else:
            run.results = file
    return [runs[key] for key in sorted(runs)]
