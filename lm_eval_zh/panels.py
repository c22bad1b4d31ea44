"""The panel of judges that a run's settings name: one judge, one asked several times, or several."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lm_eval.utils import simple_parse_args_string
from zh_metrics.judge import Judge, JudgeSettings, JudgeSettingsError, PanelRule
from zh_metrics.judge.panel import AGGREGATES

from lm_eval_zh.harness_model import HarnessJudgeSettings, is_harness_model
from lm_eval_zh.judges import HARNESS, RECORDED, check_judge, given_settings, judges_of

ASKING = ("mode", "reference", "profile")  # settings of a judge that the benchmark reads: how it is asked
_PANEL, _REPEATS, _AGGREGATE, _QUORUM = "panel", "repeats", "aggregate", "quorum"


class Member(NamedTuple):
    """One judge of a panel, and what its settings say of how it is to be asked."""

    judge: Judge
    asking: Mapping[str, Any]


@dataclass(frozen=True)
class Panel:
    """The judges of a run, and how their scores become one."""

    members: tuple[Member, ...]
    rule: PanelRule


class _Given(NamedTuple):
    """The settings of one judge, taken apart."""

    judge: Mapping[str, Any] | None  # None: the environment's
    asking: Mapping[str, Any]
    repeats: int


def panel_of(setting: object, recorded: Sequence[Judge] = ()) -> Panel:
    """The panel of the setting `judge` in `--metadata`, or of the environment where it is None.

    A judge as `judges_of` takes it, to which `repeats` may be added, the number of times it is asked; or
    `{"panel": [JUDGE, ...]}`. `aggregate`, mean or median, and `quorum` say how their scores become one. Without a quorum
    more than half of the judges must give a score; of the teachers recorded in one setting one is enough, as upstream has it.

    `recorded` are judges that replay what those of the setting have said, and stand in their places.

    Raises JudgeSettingsError for settings that can't be used, with what to do; SourceError and AnswersError as `judges_of`.
    """
    given, rule = _taken_apart(setting)
    if recorded:
        members = _in_their_places(given, recorded)
    else:
        members = [Member(judge, one.asking) for one in given for judge in judges_of(one.judge, one.repeats)]
        _refuse_twins(members)
    _check_quorum(rule[_QUORUM], len(members))
    is_panel = len(given) > 1 or given[0].repeats > 1  # and not the recorded teachers of one setting
    quorum = rule[_QUORUM] or (len(members) // 2 + 1 if is_panel else 1)
    return Panel(tuple(members), PanelRule(rule[_AGGREGATE], quorum))


def setting_of(name: str, arguments: str) -> dict[str, Any]:
    """The setting `judge` for a name and `key=value,...` as on a command line.

    For a model of the harness, what is no setting of the judge is an argument of the model.
    """
    given: dict[str, Any] = simple_parse_args_string(arguments)
    if not is_harness_model(name):
        return {"model": name, **given}
    known = (*HarnessJudgeSettings.model_fields, *ASKING, _REPEATS, _AGGREGATE, _QUORUM)
    own = {key: value for key, value in given.items() if key in known}
    return {HARNESS: name, "model_args": {key: given[key] for key in given if key not in own}, **own}


def check_panel(setting: object) -> None:
    """Refuse a setting `judge` that can't be used, of a run that asks no judge: the results file holds it all the same.

    Raises JudgeSettingsError.
    """
    given, _ = _taken_apart(setting)
    for one in given:
        check_judge(one.judge)


class Asked(NamedTuple):
    """How one judge of a setting is asked, known before there is a judge."""

    name: str  # empty where the setting names none
    asking: Mapping[str, Any]
    repeats: int
    samples: int  # calls at most per question and repeat
    prices: tuple[float, float] | None  # of a million tokens, of prompts and of replies


def asked_judges(setting: object) -> list[Asked]:
    """The judges that the setting `judge` names; nothing is connected to. Raises JudgeSettingsError as `check_panel` does."""
    check_panel(setting)
    given, rule = _taken_apart(setting)
    _check_quorum(rule[_QUORUM], sum(one.repeats for one in given))
    default: int = JudgeSettings.model_fields["samples"].default
    return [
        Asked(
            str((one.judge or {}).get("model") or (one.judge or {}).get(HARNESS) or ""),
            one.asking,
            one.repeats,
            int((one.judge or {}).get("samples", default)),
            _prices(one.judge or {}),
        )
        for one in given
    ]


def _prices(judge: Mapping[str, Any]) -> tuple[float, float] | None:
    given = (judge.get("price_prompt"), judge.get("price_completion"))
    return None if None in given else (float(given[0]), float(given[1]))  # type: ignore[arg-type]


def _taken_apart(setting: object) -> tuple[list[_Given], dict[str, Any]]:
    given = dict(given_settings(setting))
    rule = {_AGGREGATE: _aggregate(given.pop(_AGGREGATE, None)), _QUORUM: _count(_QUORUM, given.pop(_QUORUM, None))}
    if _PANEL not in given:
        return [_one(given)], rule
    panel = given.pop(_PANEL)
    if given:
        raise JudgeSettingsError(
            f"judge setting {next(iter(given))!r} beside {_PANEL!r}: it belongs to one of the judges in the panel"
        )
    if not isinstance(panel, Sequence) or isinstance(panel, str) or not panel:
        raise JudgeSettingsError(f"judge setting {_PANEL!r}: expected a list of judges, got {panel!r:.80}")
    for one in panel:
        if isinstance(one, Mapping) and (wrong := one.keys() & {_PANEL, _AGGREGATE, _QUORUM}):
            raise JudgeSettingsError(
                f"judge setting {min(wrong)!r} of a judge in {_PANEL!r}: it belongs beside {_PANEL!r}"
            )
    return [_one(dict(given_settings(one))) for one in panel], rule


def _in_their_places(given: Sequence[_Given], recorded: Sequence[Judge]) -> list[Member]:
    """The recorded judges, each asked as the setting says of it. One setting may be of several, such as teachers."""
    counts = [one.repeats for one in given]
    if (several := next((place for place, one in enumerate(given) if _may_be_several(one)), None)) is not None:
        counts[several] += len(recorded) - sum(counts)
    if min(counts) < 1 or sum(counts) != len(recorded):
        raise JudgeSettingsError(
            f"the samples hold judgments of {len(recorded)} judges, where the setting 'judge' names {sum(counts)}"
        )
    asked = [one.asking for one, count in zip(given, counts, strict=True) for _ in range(count)]
    return [Member(judge, asking) for judge, asking in zip(recorded, asked, strict=True)]


def _may_be_several(given: _Given) -> bool:
    """Whether one setting can stand for several judges: recorded teachers, or judges nobody remembers the setting of."""
    return given.judge is None or given.judge.get("model") == RECORDED


def _check_quorum(quorum: int | None, judges: int) -> None:
    if quorum is not None and quorum > judges:
        raise JudgeSettingsError(
            f"judge setting {_QUORUM!r}: {quorum} scores are wanted, and the number of judges is {judges}"
        )


def _refuse_twins(members: Sequence[Member]) -> None:
    """A judge that stands twice in a panel would give one opinion two votes: from the cache, or from one record."""
    seen: set[str] = set()
    for judge, asking in members:
        told = [asking, judge.score_settings(), judge.describe().get("base_url")]
        if (key := json.dumps(told, sort_keys=True, default=repr)) in seen:
            raise JudgeSettingsError(
                f"judge setting {_PANEL!r}: {judge.describe()['model']!r} stands twice in it, asked in the same way; "
                f"{_REPEATS!r} asks a judge several times"
            )
        seen.add(key)


def _one(given: dict[str, Any]) -> _Given:
    asking = {name: given.pop(name) for name in ASKING if name in given}
    repeats = _count(_REPEATS, given.pop(_REPEATS, None)) or 1
    return _Given(given or None, asking, repeats)


def _aggregate(value: object) -> str:
    if value is None:
        return PanelRule().aggregate
    if not isinstance(value, str) or value not in AGGREGATES:
        raise JudgeSettingsError(f"judge setting {_AGGREGATE!r}: expected {' or '.join(AGGREGATES)}, got {value!r:.80}")
    return value


def _count(name: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise JudgeSettingsError(f"judge setting {name!r}: expected a whole number of at least 1, got {value!r:.80}")
    return value
