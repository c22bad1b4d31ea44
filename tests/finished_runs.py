"""Finished runs as the harness leaves them: results and samples files of a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from recorder import Recorder

from lm_eval_zh.registry import BENCHMARKS

ROOT = Path(__file__).parents[1]
Document = Mapping[str, Any]
MARKUP = '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2"></script><!--'


class Scripted(Recorder):
    """A model whose reply is a function of the document."""

    def __init__(self, reply_to: Callable[[Document], str]) -> None:
        super().__init__()
        self._reply_to = reply_to

    def generate_until(self, requests: Sequence[Instance]) -> list[str]:
        return [self._reply_to(request.doc) for request in requests]


def finished_run(
    folder: Path, task: str, model: Callable[[Document], str] | Path, judge: object = None, **settings: Any
) -> Path:
    """Runs a task with a scripted model, or with the recorded replies in a file or folder; gives `folder`, now filled."""
    benchmark = next(benchmark for benchmark in BENCHMARKS if task.startswith(benchmark.name))
    manager = TaskManager(
        include_defaults=False,
        include_path=str(ROOT / benchmark.package),
        metadata={"judge": judge} if judge else {},
    )
    tracker = EvaluationTracker(output_path=str(folder))
    replayed = isinstance(model, Path)
    results = simple_evaluate(
        model="answers" if replayed else Scripted(model),
        model_args={"path": str(model)} if replayed else None,
        tasks=[task],
        task_manager=manager,
        bootstrap_iters=0,
        evaluation_tracker=tracker,
        **settings,
    )
    assert results is not None
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name, of_task in samples.items():
        tracker.save_results_samples(task_name=name, samples=of_task)
    return folder


def answered(doc: Document, right: Callable[[Document], bool]) -> str:
    """A reply to a sample question of GAOKAO: the key where `right` says so, else a wrong letter; a subjective question's
    model answer, or nothing to the point."""
    if doc["marking_prompt"]:
        return doc["answer"][0] if right(doc) else "我不确定。"
    wrong = (next(letter for letter in "ABCD" if letter not in key) for key in doc["answer"])
    letters = doc["answer"] if right(doc) else list(wrong)
    return "【解析】略。<eoe>\n" + "\n".join(f"【答案】{letter} <eoa>" for letter in letters)
