"""What tests share: upstream's files where they are at hand, a cache of its own, the harness without its own tasks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from lm_eval.tasks import TaskManager

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(autouse=True)
def _no_settings_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or fills the user's cache, asks a hub, or depends on variables that happen to be set."""
    monkeypatch.delenv("LM_EVAL_ZH_MIRROR", raising=False)
    monkeypatch.delenv("LM_EVAL_ZH_AUTOLOAD", raising=False)
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for name in [name for name in os.environ if name.startswith("ZH_JUDGE_") or name == "OPENAI_API_KEY"]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with upstream's files and results, which no user's clone has."""
    if not SHARED.is_dir():
        pytest.skip(f"needs {SHARED}, a copy of upstream's files that is not part of this repository")
    return SHARED


@pytest.fixture(scope="session")
def upstream(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Upstream's files laid out as a mirror, with a stand-in for AlignBench's judge.py, of which we have the prompt only."""
    folder = tmp_path_factory.mktemp("mirror")
    prompt = json.loads((shared / "alignbench_judge_prompt.json").read_text(encoding="utf-8"))
    alignbench = folder / prompt["repo"] / prompt["commit"]
    alignbench.mkdir(parents=True)
    for path in (shared / "upstream" / prompt["repo"] / prompt["commit"]).iterdir():
        (alignbench / path.name).symlink_to(path)
    stand_in = f"def prompt_construct(sample, config):\n    base_prompt = {prompt['base_prompt']!r}\n"
    (alignbench / "judge.py").write_text(stand_in, encoding="utf-8")
    for owner in (shared / "upstream").iterdir():
        if not (folder / owner.name).exists():
            (folder / owner.name).symlink_to(owner)
    return folder


@pytest.fixture
def mirror(upstream: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Upstream's files as the only source."""
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(upstream))
    return upstream


@pytest.fixture(scope="session")
def task_manager() -> TaskManager:
    """The harness with the GAOKAO tasks alone: indexing its own thousands takes many seconds."""
    return TaskManager(include_defaults=False, include_path=str(ROOT / "gaokao_tasks"))


@pytest.fixture
def no_look_at_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness asks several programs for their versions after each run, which can take longer than all else."""
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
