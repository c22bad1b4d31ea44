"""What happens when an interpreter starts and when the harness is imported, each tried in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lm_eval_zh.registry import BENCHMARKS

ROOT = Path(__file__).parents[2]

LIST_TASKS = """
from lm_eval.tasks import TaskManager
manager = TaskManager({arguments})
print(*(f"{{name}}={{manager.task_index[name].yaml_path}}" for name in manager.all_subtasks if name.startswith("gaokao")))
"""


def run(code: str, cwd: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )


def test_the_harness_lists_our_tasks_from_any_folder(tmp_path: Path) -> None:
    listed = run(LIST_TASKS.format(arguments=""), tmp_path).stdout
    assert "gaokao_obj=" in listed
    assert "gaokao_obj_physics=" in listed
    assert "gaokao_sample=" in listed


def test_it_can_be_turned_off(tmp_path: Path) -> None:
    listed = run(LIST_TASKS.format(arguments=""), tmp_path, LM_EVAL_ZH_AUTOLOAD="0").stdout
    assert "gaokao_obj=" not in listed


def test_a_users_task_of_the_same_name_wins(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "gaokao_obj.yaml").write_text("task: gaokao_obj\n", encoding="utf-8")
    listed = run(LIST_TASKS.format(arguments=f"include_path={str(mine)!r}"), tmp_path).stdout
    assert f"gaokao_obj={mine}" in listed
    assert "gaokao_sample=" in listed


def test_our_folder_as_include_path_is_not_indexed_twice(tmp_path: Path) -> None:
    code = "from lm_eval_zh._hooks import task_folders\n" + LIST_TASKS.format(
        arguments="include_path=[str(f) for f in task_folders()]"
    )
    result = run(code, tmp_path)
    assert "gaokao_obj=" in result.stdout
    assert "overrides existing task" not in result.stderr


def test_who_asks_for_other_folders_alone_gets_them_alone(tmp_path: Path) -> None:
    code = LIST_TASKS.format(arguments=f"include_defaults=False, include_path={str(tmp_path)!r}")
    assert run(code, tmp_path).stdout.strip() == ""


def test_the_model_is_registered_and_imported_only_when_asked_for(tmp_path: Path) -> None:
    code = (
        "import sys, lm_eval.models; from lm_eval.api.registry import get_model\n"
        "assert 'lm_eval_zh.answers' not in sys.modules\n"
        "print(get_model('answers').__name__)"
    )
    assert run(code, tmp_path).stdout.strip() == "RecordedAnswers"


def test_a_harness_imported_first_is_hooked_too(tmp_path: Path) -> None:
    """A notebook that installs us after it has imported the harness needs one import of ours."""
    code = "import lm_eval.tasks.manager\nimport os; del os.environ['LM_EVAL_ZH_AUTOLOAD']\n"
    code += "import sys; del sys.modules['lm_eval_zh._autoload']; import lm_eval_zh._autoload\n"
    assert "gaokao_obj=" in run(code + LIST_TASKS.format(arguments=""), tmp_path, LM_EVAL_ZH_AUTOLOAD="0").stdout


def test_at_start_only_our_two_small_modules_are_imported(tmp_path: Path) -> None:
    code = "import sys; print(*sorted(n for n in sys.modules if 'zh' in n or n.startswith('lm_eval')))"
    assert run(code, tmp_path).stdout.split() == ["lm_eval_zh", "lm_eval_zh._autoload"]
    with_us = set(run("import sys; print(*sys.modules)", tmp_path).stdout.split())
    without = set(run("import sys; print(*sys.modules)", tmp_path, LM_EVAL_ZH_AUTOLOAD="0").stdout.split())
    assert with_us == without  # even turned off, the module that reads the switch is imported, and nothing else is


def stand_in(folder: Path, manager: str) -> str:
    """Lay a harness whose task manager is `manager` into `folder`; the code that imports it there."""
    package = folder / "lm_eval" / "tasks"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "manager.py").write_text(manager)
    return "import sys; sys.path.insert(0, '.'); import lm_eval.tasks.manager\n"


@pytest.mark.parametrize("options", [[], ["-W", "error"]], ids=["plain", "warnings_are_errors"])
def test_a_harness_that_has_changed_too_much_is_reported_and_goes_on(tmp_path: Path, options: list[str]) -> None:
    code = stand_in(tmp_path, "class TaskManager:\n    pass\n")
    result = run(code + "print('went on')", tmp_path, *options)
    assert result.stdout.strip() == "went on"
    assert "lm-eval-zh could not add its tasks to lm_eval.tasks.manager" in result.stderr
    assert "--include_path" in result.stderr


def test_a_harness_whose_index_takes_other_paths_gets_what_it_asked_for(tmp_path: Path) -> None:
    manager = "class TaskIndex:\n    @staticmethod\n    def build(paths, depth, *, name):\n        print(*paths, depth, name)\n"
    code = stand_in(tmp_path, manager) + "lm_eval.tasks.manager.TaskIndex.build([7], 2, name='x')"
    result = run(code, tmp_path)
    assert result.stdout.strip() == "7 2 x"
    assert "lm-eval-zh could not add its tasks to lm_eval.tasks.manager (TypeError" in result.stderr


def test_a_package_without_code_is_imported_as_ever(tmp_path: Path) -> None:
    (tmp_path / "lm_eval" / "models").mkdir(parents=True)
    code = "import sys; sys.path.insert(0, '.'); import lm_eval.models; print(*lm_eval.models.__path__)"
    assert run(code, tmp_path).stdout.strip().endswith("models")


def test_our_finder_left_by_a_reload_is_passed_by(tmp_path: Path) -> None:
    manager = (
        "class TaskIndex:\n    @staticmethod\n    def build(paths):\n        print(*(path.name for path in paths))\n"
    )
    code = "import importlib, lm_eval_zh._hooks, lm_eval_zh._autoload\nimportlib.reload(lm_eval_zh._autoload)\n"
    code += stand_in(tmp_path, manager)
    code += "from pathlib import Path; m = lm_eval.tasks.manager; m.TaskIndex.build([Path(m.__file__).parent])"
    assert run(code, tmp_path).stdout.split() == ["tasks", *(benchmark.package for benchmark in BENCHMARKS)]


def test_a_damaged_hook_does_not_keep_the_harness_from_being_imported(tmp_path: Path) -> None:
    code = "import sys; sys.modules['lm_eval_zh._hooks'] = None; import lm_eval.tasks.manager; print('went on')"
    assert run(code, tmp_path).stdout.strip() == "went on"


@pytest.mark.parametrize(
    "damage",
    ["raise ValueError", "import nowhere_to_be_found", "1 +", "\x00"],
    ids=["error", "import", "syntax", "null"],
)
def test_a_damaged_installation_does_not_disturb_the_interpreters_start(tmp_path: Path, damage: str) -> None:
    """With the real `.pth` file, in a folder of packages of its own, as the interpreter treats one."""
    (tmp_path / "lm_eval_zh").mkdir()
    (tmp_path / "lm_eval_zh" / "__init__.py").write_text("")
    (tmp_path / "lm_eval_zh" / "_autoload.py").write_text(damage)
    shutil.copy(ROOT / "lm_eval_zh_autoload.pth", tmp_path)
    code = f"import site, sys; site.addsitedir({str(tmp_path)!r}); print('lm_eval_zh' in sys.modules)"
    result = run(code, tmp_path, "-I", "-S")
    assert (result.stdout.strip(), result.stderr) == ("True", "")


def test_modules_that_are_not_there_raise_as_ever(tmp_path: Path) -> None:
    code = "import sys; sys.modules['lm_eval'] = type(sys)('lm_eval'); sys.modules['lm_eval'].__path__ = []\n"
    code += "try:\n import lm_eval.models\nexcept ModuleNotFoundError as error:\n print(error.name)"
    assert run(code, tmp_path).stdout.strip() == "lm_eval.models"


def test_source_and_loader_of_a_hooked_module_are_its_own(tmp_path: Path) -> None:
    code = (
        "import inspect, lm_eval.tasks.manager as m\n"
        "print(type(m.__loader__).__name__, type(m.__spec__.loader).__name__, 'class TaskManager' in inspect.getsource(m))"
    )
    assert run(code, tmp_path).stdout.split() == ["SourceFileLoader", "SourceFileLoader", "True"]
