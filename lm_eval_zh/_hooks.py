"""Makes `lm_eval --tasks gaokao_obj` find our tasks, and `--model answers` our model, without `--include_path`.

It also shows our tasks the model that answers them.

`_autoload` calls `find_spec` when the harness imports one of the modules in `_HOOKS`. lm_eval 0.4.13 has no entry point
for tasks; where a later one lists our folders or models itself, the hooks add nothing.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib.machinery import ModuleSpec
from importlib.util import find_spec as find_any_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from lm_eval_zh import _autoload
from lm_eval_zh.registry import BENCHMARKS

log = logging.getLogger(__name__)
MODELS = {"answers": "lm_eval_zh.answers:RecordedAnswers"}


def task_folders() -> list[Path]:
    """The folders that hold our task YAMLs, one per benchmark; a package that is not installed is left out."""
    specs = (find_any_spec(benchmark.package) for benchmark in BENCHMARKS)
    return [Path(spec.origin).parent for spec in specs if spec and spec.origin]


def _add_task_folders(manager: ModuleType) -> None:
    """Have the harness index our folders after its own and before the user's `include_path`, which thus wins."""
    build = manager.TaskIndex.build
    defaults = Path(str(manager.__file__)).parent

    def with_ours(paths: Sequence[Path]) -> Sequence[Path]:
        folders = [Path(path) for path in paths]
        listed = {folder.resolve() for folder in folders}
        if not folders or folders[0] != defaults:  # the caller asked for the index of other folders alone
            return folders
        return [defaults, *(ours for ours in task_folders() if ours.resolve() not in listed), *folders[1:]]

    @wraps(build)
    def build_with_ours(paths: Iterable[Path], *more: Any, **options: Any) -> Any:
        given = list(paths)
        try:
            folders = with_ours(given)
        except Exception as error:  # noqa: BLE001 - as in `hook`
            _report(manager.__name__, error)
            folders = given
        return build(folders, *more, **options)

    manager.TaskIndex.build = staticmethod(build_with_ours)


def _add_models(models: ModuleType) -> None:
    """Register our models by name, as placeholders that the harness imports when they are asked for."""
    from lm_eval.api.registry import model_registry

    for name, target in MODELS.items():
        if name not in model_registry:
            model_registry.register(name, target=target)


def _show_models_to_tasks(evaluator: Any) -> None:
    """Have each task of ours see the model that answers it: one may ask it again where a reply is empty."""
    evaluate = evaluator.evaluate

    @wraps(evaluate)
    def evaluate_with_models(lm: Any, task_dict: Any, *more: Any, **options: Any) -> Any:
        tasks = task_dict.get("tasks", {}) if isinstance(task_dict, dict) else {}
        for task in tasks.values() if isinstance(tasks, dict) else ():
            if hasattr(task, "answered_by"):
                task.answered_by = lm
        return evaluate(lm, task_dict, *more, **options)

    evaluator.evaluate = evaluate_with_models


_HOOKS: dict[str, Callable[[ModuleType], None]] = {
    "lm_eval.tasks.manager": _add_task_folders,
    "lm_eval.models": _add_models,
    "lm_eval.evaluator": _show_models_to_tasks,
}


def hook(module: ModuleType) -> None:
    """Do to `module` what `_HOOKS` says. A harness that has changed too much is reported, never an exception."""
    try:
        _HOOKS[module.__name__](module)
    except Exception as error:  # noqa: BLE001 - the harness must go on without us, whatever it has changed
        _report(module.__name__, error)


def _report(module_name: str, error: Exception) -> None:
    """Log what went wrong. Not a warning: `python -W error` would make an exception of it in the harness's import."""
    log.warning(
        'lm-eval-zh could not add its tasks to %s (%s: %s); use lm_eval --include_path "$(lm-eval-zh path)"',
        module_name,
        type(error).__name__,
        error,
    )


class _HookingLoader:
    """A module's own loader, followed by our hook."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        hook(module)


def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    """The spec that the other finders give for `name`, with the hook behind its loader; None if there is none.

    A spec whose loader executes nothing, such as a namespace package's, is given as it is.
    """
    for finder in sys.meta_path:
        if getattr(finder, "__module__", None) == _autoload.__name__:  # ours, also one left by a reload
            continue
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find(name, path, target) if find else None
        if spec is not None:
            if hasattr(spec.loader, "exec_module"):
                spec.loader = _HookingLoader(spec.loader)  # type: ignore[assignment]
            return spec
    return None
