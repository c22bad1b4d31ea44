"""One folder with the task files of all benchmarks: `lm_eval --include_path` takes a single one."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

_TASK_FILES = ("*.yaml", "_*_yaml")  # tasks and what they include


def include_folder(folders: Iterable[Path], cache: Path) -> Path:
    """Copies of the task files in `folders`, each in a folder of its name, brought up to date.

    The files name functions by their packages, so that copies work as the originals do. Files that a benchmark no longer
    has are removed. Raises OSError if the cache can't be written.
    """
    target = cache / "tasks"
    for folder in folders:
        copies = target / folder.name
        copies.mkdir(parents=True, exist_ok=True)
        originals = [path for pattern in _TASK_FILES for path in folder.glob(pattern)]
        for path in originals:
            _copy(path, copies / path.name)
        for stale in {path.name for path in copies.iterdir()} - {path.name for path in originals}:
            (copies / stale).unlink(missing_ok=True)
    return target


def _copy(source: Path, target: Path) -> None:
    """Move a whole copy into place: a run that reads the folder now finds the former file or the new one."""
    if target.is_file() and target.read_bytes() == source.read_bytes():
        return
    beside = target.with_name(f".{target.name}.{uuid4().hex}")
    shutil.copyfile(source, beside)
    beside.replace(target)
