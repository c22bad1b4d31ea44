"""The judges that a run's settings name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import zh_metrics.judge as judge
from zh_metrics.judge import Judge, JudgeSettingsError, ReplyCache
from zh_metrics.judge.settings import check_given, judge_settings, refuse_secrets

from lm_eval_zh.recorded_judge import recorded_judges
from lm_eval_zh.sources import cache_folder, user_path

if TYPE_CHECKING:
    from lm_eval_zh.harness_judge import HarnessJudge
    from lm_eval_zh.harness_model import HarnessModel

OVERLAP, RECORDED = "overlap", "recorded"
HARNESS = "harness_model"  # the setting that makes the judge a model of the harness
_OTHERS = {
    OVERLAP: ("model",),
    RECORDED: ("model", "path", "name"),
}  # the judges without an endpoint, and their settings
HELP = (
    'Name a judge with --metadata \'{"judge": {"model": "NAME", "base_url": "http://HOST/v1"}}\' or in '
    'ZH_JUDGE_MODEL and ZH_JUDGE_BASE_URL, with its key in ZH_JUDGE_API_KEY; use the judge "overlap" for a smoke run '
    "without a model; or generate now with --predict_only and mark the samples with lm-eval-zh rescore. Panels, and how a judge is asked: "
    "panel, repeats, aggregate, quorum, mode, profile and reference, in docs/judge.md."
)


def judge_cache() -> ReplyCache:
    """The judges' replies, kept beside upstream's files."""
    return ReplyCache(cache_folder() / "judge")


def judges_of(setting: object, repeats: int = 1) -> tuple[Judge, ...]:
    """The judges of the setting `judge` in `--metadata`, or of the environment where it is None.

    `repeats` times the same one where it is asked several times, with one budget. A name, or an object with the fields of
    `JudgeSettings`; `overlap` is the judge without a model;
    `{"model": "recorded", "path": FILE_OR_FOLDER, "name": WHOSE}` replays recorded judgments, one judge for each teacher
    in them; with `harness_model` it is a model of the harness with the fields of `HarnessJudgeSettings`, which is loaded
    when it is first asked, and once for all tasks.

    Raises JudgeSettingsError for settings that can't be used, with what to do; SourceError for recorded judgments that
    can't be read, AnswersError for those that contradict each other.
    """
    given = _checked(setting)
    if given.get("model") == OVERLAP:
        return (_overlap(repeats),)
    if given.get("model") == RECORDED:
        _refuse_repeats(RECORDED, repeats)
        return recorded_judges(_recorded_path(given), _recorded_name(given))
    if HARNESS in given:
        harness_judge = _harness_judge(given)
        return (harness_judge, *(harness_judge.repeated(repeat) for repeat in range(1, repeats)))
    try:
        settings = judge_settings(given)
        if settings.model == RECORDED:
            raise JudgeSettingsError(
                f"ZH_JUDGE_MODEL: the judge {RECORDED!r} needs its 'path', which no variable holds"
            )
        if settings.model == OVERLAP:
            return (_overlap(repeats),)
        first = judge.EndpointJudge(settings, judge_cache())
        return (first, *(first.repeated(repeat) for repeat in range(1, repeats)))
    except JudgeSettingsError as error:
        raise JudgeSettingsError(f"{error}. {HELP}") from error


def _overlap(repeats: int) -> Judge:
    _refuse_repeats(OVERLAP, repeats)
    return judge.OverlapJudge()


def _refuse_repeats(name: str, repeats: int) -> None:
    if repeats > 1:
        raise JudgeSettingsError(f"judge setting 'repeats': the judge {name!r} says the same each time")


def check_judge(setting: object) -> None:
    """Refuse a setting `judge` that can't be used, of a run that asks no judge: the results file holds it all the same.

    Raises JudgeSettingsError.
    """
    given = _checked(setting)
    if HARNESS in given:
        _harness_judge(given)
    elif str(given.get("model")) not in _OTHERS:
        check_given(given)


def given_settings(setting: object) -> Mapping[str, Any]:
    """The setting as an object: a name is that of the model, None is no setting at all.

    Raises JudgeSettingsError for anything else, and for a name that looks like a key.
    """
    given = {"model": setting} if isinstance(setting, str) else {} if setting is None else setting
    if not isinstance(given, Mapping):
        raise JudgeSettingsError(f"the setting 'judge': expected a name or an object, got {type(setting).__name__}")
    refuse_secrets(given)
    return given


def _checked(setting: object) -> Mapping[str, Any]:
    """The setting as an object, without names that are unknown to the judges that have no endpoint."""
    given = given_settings(setting)
    model = given.get("model")
    if isinstance(model, str) and model in _OTHERS:
        for name in given:
            if name not in _OTHERS[model]:
                raise JudgeSettingsError(
                    f"judge setting {name!r}: the judge {model!r} takes only {', '.join(_OTHERS[model])}"
                )
    return given


def _harness_judge(given: Mapping[str, Any]) -> HarnessJudge:
    from lm_eval_zh.harness_judge import HarnessJudge
    from lm_eval_zh.harness_model import harness_judge_settings

    settings = harness_judge_settings(given)
    return HarnessJudge(settings, _harness_model(settings.model_dump_json()), judge_cache())


@lru_cache
def _harness_model(settings: str) -> HarnessModel:
    """The model of these settings: the tasks of a run share it, for it may fill a GPU."""
    from lm_eval_zh.harness_model import HarnessJudgeSettings, HarnessModel

    return HarnessModel(HarnessJudgeSettings.model_validate_json(settings))


def _recorded_path(given: Mapping[str, Any]) -> Path:
    path = given.get("path")
    if not isinstance(path, str) or not path:
        raise JudgeSettingsError(f"the judge {RECORDED!r} needs 'path', the file or folder with the judgments")
    return user_path(path, "judge path")


def _recorded_name(given: Mapping[str, Any]) -> str:
    name = given.get("name", "")
    if not isinstance(name, str):
        raise JudgeSettingsError(f"judge setting 'name': expected whose judgments are recorded, got {name!r:.80}")
    return name.strip()
