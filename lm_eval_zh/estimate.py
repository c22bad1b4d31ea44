"""What a judge will be asked in a run: calls and tokens, before any is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lm_eval.tasks import TaskManager
from zh_metrics.judge import JudgeRequest, JudgeSettings

from lm_eval_zh._hooks import task_folders
from lm_eval_zh.task import ChineseTask

_ASCII_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Estimate:
    """What judging one task takes."""

    task: str
    replies: int
    most_calls: int
    prompt_tokens: int
    completion_tokens: int

    def cost(self, price_prompt: float, price_completion: float) -> float:
        """At prices per million tokens."""
        return (self.prompt_tokens * price_prompt + self.completion_tokens * price_completion) / 1e6


def estimates(tasks: Sequence[str], reply_tokens: int, judge_tokens: int, limit: int | None = None) -> list[Estimate]:
    """One estimate per task, a tag standing for its tasks, for replies and judgments of these lengths.

    Raises ValueError for a task that is none of ours or that nobody judges, SourceError if its questions can't be had.
    """
    manager = TaskManager(include_defaults=False, include_path=[str(folder) for folder in task_folders()])
    names = [task for name in tasks for task in _tasks_of(name, manager)]
    if not names:
        raise ValueError("no task given: see lm_eval ls tasks")
    return [_estimate(name, manager, reply_tokens, judge_tokens, limit) for name in names]


def _tasks_of(name: str, manager: TaskManager) -> list[str]:
    """The task of that name, or those with that tag."""
    if name in manager.all_tags:
        return sorted(manager.load([name])["tasks"])
    if name not in manager.all_subtasks:
        raise ValueError(f"unknown task {name!r}: see lm_eval ls tasks")
    return [name]


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has: one per Chinese character, one per four of ASCII.

    Tokenizers differ by a third either way; those of today's judges need less for Chinese.
    """
    ascii_characters = sum(character.isascii() for character in text)
    return len(text) - ascii_characters + -(-ascii_characters // _ASCII_CHARACTERS_PER_TOKEN)


def _estimate(name: str, manager: TaskManager, reply_tokens: int, judge_tokens: int, limit: int | None) -> Estimate:
    task = manager.load([name])["tasks"][name]
    asked = task.judge_requests("答" * reply_tokens, limit) if isinstance(task, ChineseTask) else []
    if not asked:
        raise ValueError(f"{name}: nothing in it is judged")
    return Estimate(
        task=name,
        replies=len(asked),
        most_calls=_most_samples() * len(asked),
        prompt_tokens=sum(map(_prompt_tokens, asked)),
        completion_tokens=len(asked) * judge_tokens,
    )


def _most_samples() -> int:
    samples: int = JudgeSettings.model_fields["samples"].default
    return samples


def _prompt_tokens(request: JudgeRequest) -> int:
    return sum(estimated_tokens(content) for _, content in request.messages)
