"""The settings of a run, `--metadata`, which other tasks share: what in them must be meant for ours."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from zh_metrics.gscore import GscoreSettings
from zh_metrics.judge import JudgeSettings

SETTINGS = ("judge", "marking_criteria", "cg_eval_references", "gscore")
"""The names that our tasks read."""

_LIKE = 0.8
_SHARED = ("version", "model", "seed", "device", "dtype")  # others may have settings of these names


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """Refuse a name that is nearly one of ours, or that belongs into one of ours: passed over, it would change the scores unseen.

    Raises ValueError.
    """
    for name in metadata:
        if name in SETTINGS or name in _SHARED:
            continue
        if near := get_close_matches(name, SETTINGS, n=1, cutoff=_LIKE):
            raise ValueError(f"--metadata: {name!r} is no setting: did you mean {near[0]!r}?")
        for setting, fields in (("judge", JudgeSettings.model_fields), ("gscore", GscoreSettings.model_fields)):
            if name in fields:
                raise ValueError(
                    f'--metadata: {name!r} belongs into the setting {setting!r}: {{"{setting}": {{"{name}": ...}}}}'
                )
