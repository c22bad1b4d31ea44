"""What the version guards of all benchmarks share: a task's settings, and a fingerprint of them and of what else scores.

Each benchmark's `fingerprints.json` holds, per task and version, a digest of all that affects its scores. When a guard
fails, raise `metadata.version` in the task's YAML or template, say in CHANGELOG.md which way scores move, and add the new
fingerprint under the new version. Never edit a past one.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml


class _Functions(yaml.SafeLoader):
    """Reads `!function` as the name it gives."""


_Functions.add_constructor("!function", lambda loader, node: f"function {node.value}")


def settings(folder: Path, task: str) -> dict[str, Any]:
    """The settings of a task in `folder`, with those of its templates."""
    file = folder / (task if task.endswith("_yaml") else f"{task}.yaml")
    own = yaml.load(file.read_text(encoding="utf-8"), Loader=_Functions)
    included = own.pop("include", None)
    return {**(settings(folder, included) if included else {}), **own}


def fingerprint(chosen: dict[str, Any], *content: Any) -> str:
    """The digest of a task's settings, its version and tag aside, and of `content`."""
    scoring = {name: value for name, value in chosen.items() if name not in ("metadata", "tag")}
    return hashlib.sha256(json.dumps([scoring, *content], sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def version_of(chosen: dict[str, Any]) -> str:
    """The task's version as text."""
    return str(chosen["metadata"]["version"])


def assert_recorded(recorded: Path, folder: Path, task: str, made: str) -> None:
    """That `made` is the fingerprint recorded for the task's present version."""
    known = json.loads(recorded.read_text(encoding="utf-8")).get(task, {})
    assert known.get(version_of(settings(folder, task))) == made, f"{task}: see tests/version_guard.py"


def assert_tasks(recorded: Path, tasks: list[str]) -> None:
    """That fingerprints are recorded for these tasks and no others."""
    assert sorted(json.loads(recorded.read_text(encoding="utf-8"))) == tasks
