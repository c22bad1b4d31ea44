"""Into an empty environment, as a wheel and editable: the tasks must be there, from any folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    return done


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_an_install_is_enough(kind: str, tmp_path: Path) -> None:
    python = tmp_path / "environment" / "bin" / "python"
    run(sys.executable, "-m", "venv", tmp_path / "environment")
    if kind == "wheel":
        run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", ROOT)
        what: list[str | Path] = [next((tmp_path / "dist").glob("*.whl"))]
    else:
        what = ["--editable", ROOT]
    run(python, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", *what)

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    listed = run(python.with_name("lm_eval"), "ls", "tasks", cwd=elsewhere).stdout
    for task in (
        "gaokao_obj",
        "gaokao_obj_physics",
        "gaokao_obj_subjects",
        "gaokao_obj_2024",
        "gaokao_subj",
        "gaokao",
        "gaokao_sample",
    ):
        assert re.search(rf"^\|{task} *\|", listed, re.MULTILINE), task
    (folder,) = run(python.with_name("lm-eval-zh"), "path", cwd=elsewhere).stdout.split()
    assert (Path(folder) / "gaokao_tasks" / "gaokao_obj.yaml").is_file()
    for package in ("zh_metrics", "gaokao_tasks", "alignbench_tasks", "lm_eval_zh"):
        where = run(python, "-c", f"import {package}; print({package}.__path__[0])", cwd=elsewhere).stdout.strip()
        assert (Path(where) / "py.typed").is_file()
        assert (ROOT in Path(where).parents) == (kind == "editable")
    sample = "from gaokao_tasks.docs import documents; print(len(documents('gaokao_sample')))"
    assert run(python, "-c", sample, cwd=elsewhere).stdout.strip() == "41"
