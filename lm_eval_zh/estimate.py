"""What a judge will be asked in a run: calls and tokens, before any is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lm_eval.tasks import TaskManager
from zh_metrics.judge import JudgeRequest

from lm_eval_zh._hooks import task_folders
from lm_eval_zh.panels import Asked, asked_judges
from lm_eval_zh.task import ChineseTask

_ASCII_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Estimate:
    """What it takes to have one task judged by one judge."""

    task: str
    judge: str  # empty where no setting names one
    replies: int
    calls: int
    most_calls: int  # if no reply of the judge could be read
    prompt_tokens: int
    completion_tokens: int
    prices: tuple[float, float] | None = None  # in the judge's setting, per million tokens of prompts and of replies

    def cost(self, prices: tuple[float, float] | None = None) -> float | None:
        """At these prices per million tokens, or at those of the judge's setting; None where there are none."""
        known = prices or self.prices
        return None if known is None else (self.prompt_tokens * known[0] + self.completion_tokens * known[1]) / 1e6


def estimates(
    tasks: Sequence[str], reply_tokens: int, judge_tokens: int, limit: int | None = None, judge: object = None
) -> list[Estimate]:
    """One estimate per task and judge, a tag standing for its tasks, for replies and judgments of these lengths.

    `judge` is the setting `judge` of `--metadata`, which may be a panel; without it, one judge asked in the default way.

    Raises ValueError for a task that is none of ours or that nobody judges, SourceError if its questions can't be had,
    JudgeSettingsError for a setting that can't be used.
    """
    manager = TaskManager(include_defaults=False, include_path=[str(folder) for folder in task_folders()])
    judges = asked_judges(judge)
    names = [task for name in tasks for task in _tasks_of(name, manager)]
    if not names:
        raise ValueError("no task given: see lm_eval ls tasks")
    loaded = {name: manager.load([name])["tasks"][name] for name in names}
    return [
        _estimate(name, task, asked, reply_tokens, judge_tokens, limit)
        for name, task in loaded.items()
        for asked in judges
    ]


def _tasks_of(name: str, manager: TaskManager) -> list[str]:
    """The task of that name, or those with that tag."""
    if name in manager.all_tags:
        return sorted(manager.load([name])["tasks"])
    if name not in manager.all_subtasks:
        raise ValueError(f"{name!r} is no task of lm-eval-zh: see lm_eval ls tasks")
    return [name]


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has: one per Chinese character, one per four of ASCII.

    Tokenizers differ by a third either way; those of today's judges need less for Chinese.
    """
    ascii_characters = sum(character.isascii() for character in text)
    return len(text) - ascii_characters + -(-ascii_characters // _ASCII_CHARACTERS_PER_TOKEN)


def _estimate(
    name: str, task: object, judge: Asked, reply_tokens: int, judge_tokens: int, limit: int | None
) -> Estimate:
    reply = "答" * reply_tokens
    requests = task.judge_requests(reply, judge.asking, limit) if isinstance(task, ChineseTask) else []
    if not requests:
        raise ValueError(f"{name}: nothing in it is judged")
    return Estimate(
        task=name,
        judge=judge.name,
        replies=len(requests),
        calls=judge.repeats * len(requests),
        most_calls=judge.samples * judge.repeats * len(requests),
        prompt_tokens=judge.repeats * sum(map(_prompt_tokens, requests)),
        completion_tokens=judge.repeats * len(requests) * judge_tokens,
        prices=judge.prices,
    )


def _prompt_tokens(request: JudgeRequest) -> int:
    return sum(estimated_tokens(content) for _, content in request.messages)
