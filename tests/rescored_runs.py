"""Runs of the harness as it writes them, and the command that scores them again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from recorder import Recorder
from typer.testing import CliRunner

from lm_eval_zh._hooks import task_folders
from lm_eval_zh.answers import RecordedAnswers
from lm_eval_zh.cli import app

LETTERS = "ABCD"


class Varied(Recorder):
    """A model whose replies differ from question to question; some are empty, or hold nothing to read."""

    def generate_until(self, requests: list[Instance]) -> list[str]:
        self.asked = requests
        return [self.reply_to(number) for number in range(len(requests))]

    @staticmethod
    def reply_to(number: int) -> str:
        if number % 7 == 5:
            return ""
        if number % 7 == 6:
            return "我不知道。"
        return f"【解析】略\u2028。<eoe>\n【答案】{LETTERS[number % 4]}<eoa>\n第{number}题"


def run(folder: Path, task: str, model: Any = None, metadata: dict[str, Any] | None = None, **settings: Any) -> Path:
    """A run as `lm_eval --log_samples` writes it, in a folder of its own."""
    manager = TaskManager(
        include_defaults=False, include_path=[str(path) for path in task_folders()], metadata=metadata or {}
    )
    tracker = EvaluationTracker(output_path=str(folder))
    model = model or Varied()
    results = simple_evaluate(
        model=model,
        tasks=task.split(","),
        task_manager=manager,
        evaluation_tracker=tracker,
        bootstrap_iters=100,
        log_samples=True,
        apply_chat_template=not isinstance(model, RecordedAnswers),
        system_instruction="请认真作答。",
        **settings,
    )
    assert results is not None
    samples = results.pop("samples")
    tracker.save_results_aggregated(results, samples)
    for name, of_task in samples.items():
        tracker.save_results_samples(name, of_task)
    return folder


def rescore(*arguments: object, status: int = 0) -> str:
    """What the command prints; on standard error if it fails."""
    done = CliRunner().invoke(app, ["rescore", *map(str, arguments)])
    assert done.exit_code == status, (done.stdout, done.stderr, done.exception)
    return done.stderr if status else done.stdout


def results_in(folder: Path) -> dict[str, Any]:
    (path,) = folder.rglob("results_*.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def lines_of(folder: Path, pattern: str) -> list[str]:
    return [line for path in sorted(folder.rglob(pattern)) for line in path.read_text(encoding="utf-8").split("\n")]
