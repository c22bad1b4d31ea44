"""How a judge can be asked and read: the profiles in `profiles/`, one YAML file each.

A profile has the name of a reading (see `readings`), a prompt with a reference and one without, and, where its prompt
names the kind of a question, the kind of each category. `{upstream: judge.py}` stands for upstream's prompt, which is
fetched; of the sample, for the sample's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files as package_files
from typing import Any

import yaml
from zh_metrics.judge.settings import JudgeSettingsError

from alignbench_tasks.docs import SAMPLE
from alignbench_tasks.readings import READINGS
from lm_eval_zh.sources import fetch, upstream_files

BENCHMARKS_OWN = "multi_dimensional"
_MODE, _PROFILE, _REFERENCE = "mode", "profile", "reference"
MODES = (BENCHMARKS_OWN, "rule_calibrated", "general")


@dataclass(frozen=True)
class JudgeProfile:
    """One way to ask a judge, with its prompts by whether it is shown the reference."""

    name: str
    reading: str
    with_reference: str | Mapping[str, str]
    without_reference: str
    question_kinds: Mapping[str, str] = field(default_factory=dict)  # by upstream's name of the category

    def prompt(self, collection: str, reference: bool) -> str:
        """The prompt with its fields in braces. Raises SourceError if it is upstream's and can't be had."""
        if not reference:
            return self.without_reference
        return self.with_reference if isinstance(self.with_reference, str) else _own_prompt(collection)


def chosen_profile(asking: Mapping[str, Any]) -> tuple[JudgeProfile, bool]:
    """The profile that a judge's settings choose, and whether it is shown the reference; the benchmark's own by default.

    `mode` is one of `MODES`, `profile` any profile's name; `reference` is true or false.

    Raises JudgeSettingsError for anything else.
    """
    mode, profile, reference = (asking.get(name) for name in (_MODE, _PROFILE, _REFERENCE))
    if mode is not None and profile is not None:
        raise JudgeSettingsError("judge settings 'mode' and 'profile': expected one of them")
    if mode is not None and mode not in MODES:
        raise JudgeSettingsError(
            f"judge setting {_MODE!r}: expected one of {', '.join(MODES)}, got {mode!r:.80}; for another judge's own layout "
            f"see {_PROFILE!r}"
        )
    profiles = judge_profiles()
    name = next((given for given in (mode, profile) if given is not None), BENCHMARKS_OWN)
    if not isinstance(name, str) or name not in profiles:
        raise JudgeSettingsError(f"judge setting {_PROFILE!r}: expected one of {', '.join(profiles)}, got {name!r:.80}")
    if reference is not None and not isinstance(reference, bool):
        raise JudgeSettingsError(f"judge setting {_REFERENCE!r}: expected true or false, got {reference!r:.80}")
    return profiles[name], reference is not False


@cache
def judge_profiles() -> dict[str, JudgeProfile]:
    """The profiles by name. Raises ValueError naming file and field if one is not as it should be."""
    folder = package_files("alignbench_tasks").joinpath("profiles")
    read = [_profile(file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir()]
    return {profile.name: profile for profile in sorted(read, key=lambda profile: profile.name)}


def _profile(file_name: str, text: str) -> JudgeProfile:
    fields = yaml.safe_load(text)
    try:
        profile = JudgeProfile(name=file_name.removesuffix(".yaml"), **fields)
    except TypeError as error:
        raise ValueError(f"{file_name}: {error}") from error
    if profile.reading not in READINGS:
        raise ValueError(
            f"{file_name}: field 'reading': expected one of {', '.join(READINGS)}, got {profile.reading!r}"
        )
    return profile


def _own_prompt(collection: str) -> str:
    if collection == SAMPLE:
        return package_files("alignbench_tasks").joinpath("sample/judge_prompt.txt").read_text(encoding="utf-8")
    (file,) = upstream_files("alignbench", "judge.py")
    return fetch(file).read_text(encoding="utf-8")
