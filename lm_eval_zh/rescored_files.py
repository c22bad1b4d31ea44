"""Writing what was scored again: in the harness's format, all of it or nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from lm_eval.loggers import EvaluationTracker

from lm_eval_zh.rescoring import OF_THE_MODEL, Rescored
from lm_eval_zh.sources import SourceError


def refuse_to_overwrite(folder: Path) -> None:
    """Raise SourceError if there is anything at `folder` but an empty folder."""
    try:
        if folder.is_dir() and not any(folder.iterdir()):
            return
        there = folder.exists() or folder.is_symlink()
    except (OSError, ValueError) as error:
        raise SourceError(f"{folder}: {getattr(error, 'strerror', None) or error}") from error
    if there:
        raise SourceError(f"{folder}: something is there already, and nothing is overwritten: name another folder")


def write_all(done: Iterable[Rescored], folder: Path) -> list[tuple[Rescored, Path]]:
    """Write each run as soon as it is scored; together they appear in `folder` when all are there.

    Returns each with its results file. Raises SourceError if there is something at `folder`, OSError if it can't be
    written. Whatever ends it before, `folder` is as it was.
    """
    refuse_to_overwrite(folder)
    with _appearing(folder) as beside:
        written = [(one, _write(one, beside)) for one in done]
    return [(one, folder / path.relative_to(beside)) for one, path in written]


@contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """A hidden folder beside `folder` that takes its place at the end, and is gone if the end is not reached."""
    target = folder.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    beside.mkdir(parents=True)
    try:
        yield beside
        refuse_to_overwrite(folder)
        if folder.is_dir():  # it may be where somebody stands, or have permissions of its own
            for path in beside.iterdir():
                path.rename(target / path.name)
        else:
            beside.rename(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write(done: Rescored, folder: Path) -> Path:
    """Results, samples, and a list of what changed: `changes_<task>_<date>.jsonl`; the results file.

    Raises OSError if something can't be written, which the harness itself only logs.
    """
    samples = done.results.pop("samples")  # those of many runs need not stay in memory
    results = dict(done.results)  # the tracker adds its own
    tracker = EvaluationTracker(output_path=str(folder))
    for name in OF_THE_MODEL:
        setattr(tracker.general_config_tracker, name, results.get(name))
    tracker.save_results_aggregated(results, samples)
    place = folder / str(results["model_name_sanitized"])
    date = getattr(tracker, "date_id", "")
    written = place / f"results_{date}.json"
    _check_whole(written, written.is_file() and written.read_bytes().endswith(b"}"))
    for name, of_task in samples.items():
        tracker.save_results_samples(name, of_task)
        path = place / f"samples_{name}_{date}.jsonl"
        _check_whole(path, path.is_file() and path.read_bytes().count(b"\n") == len(of_task))
    for task in done.tasks:
        if task.compared:
            lines = (json.dumps(asdict(change), ensure_ascii=False) + "\n" for change in task.changes)
            (place / f"changes_{task.name}_{date}.jsonl").write_text("".join(lines), encoding="utf-8")
    return written


def _check_whole(path: Path, is_whole: bool) -> None:
    if not is_whole:
        raise OSError(f"{path} could not be written as a whole; is the disk full?")
