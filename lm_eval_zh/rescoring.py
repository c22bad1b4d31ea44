"""Scoring replies again, without generating: the tasks, filters, judges and metrics of today on what was recorded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from lm_eval.utils import hash_string, sanitize_model_name
from zh_metrics.judge import JudgeSettingsError
from zh_metrics.signature import parse_signature

from lm_eval_zh._hooks import task_folders
from lm_eval_zh.answers import RecordedAnswers
from lm_eval_zh.logged_samples import collection_of_samples
from lm_eval_zh.matching import AnswersError, collections_of
from lm_eval_zh.outcome_changes import Change, MovedMetric, changed_outcomes, moved_metrics
from lm_eval_zh.recorded import read_recorded, recorded_in
from lm_eval_zh.recorded_judge import holds_judgments
from lm_eval_zh.registry import benchmark_of
from lm_eval_zh.replayed_run import RecordedResults, RecordedTask, ReplayedReplies, read_results, recorded_task
from lm_eval_zh.run_files import RunFiles, find_runs
from lm_eval_zh.sources import SourceError
from lm_eval_zh.task import ChineseTask

# What the results file of a run says of its model and its machine, which scoring it again does not change.
OF_THE_MODEL = (
    *("model_source", "model_name", "model_name_sanitized", "system_instruction", "system_instruction_sha"),
    *("chat_template", "chat_template_sha", "fewshot_as_multiturn"),
)
_OF_THE_TOKENIZER = (
    *("tokenizer_pad_token", "tokenizer_eos_token", "tokenizer_bos_token", "eot_token_id", "max_length"),
)


@dataclass(frozen=True)
class Options:
    """How recorded replies are scored again.

    `judge`: the setting `judge` of `--metadata`; None keeps the judgments that were recorded. `tasks`: those to score; none
    for all that were recorded. `missing`: of replies that are not the harness's, as for the model `answers`. `name`: whose
    the replies are, where their files do not say.
    """

    judge: object = None
    tasks: Sequence[str] = ()
    missing: str = "error"
    name: str = ""


@dataclass
class RescoredTask:
    """One task, scored again."""

    name: str
    questions: int
    compared: int = 0  # outcomes that the run had recorded
    changes: list[Change] = field(default_factory=list)
    moved: list[MovedMetric] = field(default_factory=list)  # those to read first at the head
    signature_changes: dict[str, tuple[str, str]] = field(default_factory=dict)  # by field: before, after


@dataclass
class Rescored:
    """One run, or one set of replies, scored again; not yet written."""

    source: str
    results: dict[str, Any]  # as the harness gives them, `samples` among them
    tasks: list[RescoredTask]
    notes: list[str] = field(default_factory=list)  # what the reader of the results ought to know


def rescored(path: Path, options: Options) -> Iterator[Rescored]:
    """The runs found in `path`, each scored again; or the replies in it, if it holds no samples of the harness.

    Raises SourceError or AnswersError naming file, record and field for what isn't as expected, and for a path without
    replies to one of our tasks; JudgeSettingsError for a judge that can't be had, or is missing.
    """
    known = _manager({}).all_subtasks
    if unknown := [name for name in options.tasks if name not in known]:
        raise SourceError(f"{unknown[0]!r} is no task of lm-eval-zh: see lm_eval ls tasks")
    runs = _runs_in(path, options)
    if not runs:
        yield _rescored_replies(path, options)
        return
    found = False
    for run in runs:
        names = [name for name in run.samples if name in (options.tasks or known)]
        if names:
            found = True
            yield _rescored_run(run, names, options)
    if not found:
        there = ", ".join(sorted({name for run in runs for name in run.samples}))
        raise SourceError(f"{path}: samples of {there} only, and none of {', '.join(options.tasks) or 'lm-eval-zh'}")


def _runs_in(path: Path, options: Options) -> list[RunFiles]:
    """The runs with samples; none where there are replies in another shape. Raises SourceError where there is neither."""
    runs = find_runs(path)
    if sampled := [run for run in runs if run.samples]:
        return sampled
    if runs and not (path.is_dir() and recorded_in(path)):
        raise SourceError(f"{runs[0].results}: no samples beside it: only a run with --log_samples can be scored again")
    collection = collection_of_samples(path)
    if collection is None:
        return []
    task = options.tasks[0] if len(options.tasks) == 1 else collection
    return [RunFiles(path.parent, "", None, {task: path})]


def _rescored_run(run: RunFiles, names: Sequence[str], options: Options) -> Rescored:
    recorded_results = read_results(run)
    notes = [f"{name}: passed over" for name in run.samples if name not in names]
    if run.results is None:
        notes.append(
            "no results file of this run beside the samples: model, settings, judge and references are not known, and the signature says so"
        )
    judge = {} if options.judge is None else {"judge": options.judge}
    tasks = {name: _task(name, {**recorded_results.metadata(name), **judge}) for name in names}
    recorded = {name: recorded_task(run, task, recorded_results) for name, task in tasks.items()}
    for name, task in tasks.items():
        settings = recorded_results.section("configs", name, "generation_kwargs")
        if settings:
            task.set_config("generation_kwargs", settings)
        task.provenance = recorded[name].provenance(recorded_results, judged_anew=options.judge is not None)
        _refuse_without_judge(task)
    replies = {name: task.replies() for name, task in recorded.items()}
    model = ReplayedReplies(replies, options.name or recorded_results.candidate())
    results = _evaluated(model, tasks, {name: task.positions for name, task in recorded.items()})
    for name, of_task in recorded.items():
        _keep_arguments(results["samples"][name], of_task)
    results["config"] = {
        **results["config"],
        **recorded_results.section("config"),
        "rescored": {
            "results": str(run.results) if run.results else None,
            "samples": {name: str(run.samples[name]) for name in names},
            "judgments": {name: _judgments_from(tasks[name]) for name in names},
        },
    }
    results.update(_of_the_model(run, recorded_results, options.name))
    done = [_compared(task, recorded_results, results) for task in recorded.values()]
    return Rescored(run.name, results, done, notes)


def _rescored_replies(path: Path, options: Options) -> Rescored:
    """Replies in other shapes than the harness's, through the model `answers`."""
    names = list(options.tasks) or collections_of(read_recorded(path))
    if not names:
        raise AnswersError(f"{path}: none of the replies belongs to a question of ours; name the task with --tasks")
    judge, notes = options.judge, list[str]()
    if judge is None and holds_judgments(path):
        judge = {"model": "recorded", "path": str(path.resolve())}
        notes.append("judged by the judgments in the same files")
    tasks = {name: _task(name, {} if judge is None else {"judge": judge}) for name in names}
    for task in tasks.values():
        _refuse_without_judge(task)
    results = _evaluated(RecordedAnswers(path, options.missing, options.name), tasks, {})
    name = options.name or path.stem
    results["config"] |= {"model": "answers", "model_args": {"path": str(path), "missing": options.missing}}
    results.update(dict.fromkeys(OF_THE_MODEL), model_source="answers", **_named(name))
    done = [RescoredTask(name, len({sample["doc"]["id"] for sample in results["samples"][name]})) for name in tasks]
    return Rescored(str(path), results, done, notes)


def _refuse_without_judge(task: ChineseTask) -> None:
    named = task.provenance.judges or (task.config.metadata or {}).get("judge") or os.environ.get("ZH_JUDGE_MODEL")
    if task.is_judged and not named:
        raise JudgeSettingsError(
            f"{task.config.task}: the replies have not been judged yet: name a judge with --judge, such as "
            "--judge vllm --judge_args pretrained=MODEL or --judge MODEL --judge_args base_url=http://HOST/v1"
        )


def _manager(metadata: Mapping[str, Any]) -> TaskManager:
    folders = [str(folder) for folder in task_folders()]
    return TaskManager(include_defaults=False, include_path=folders, metadata=dict(metadata))


def _task(name: str, metadata: Mapping[str, Any]) -> ChineseTask:
    task = _manager(metadata).load([name])["tasks"][name]
    assert isinstance(task, ChineseTask)
    return task


def _evaluated(model: LM, tasks: Mapping[str, ChineseTask], positions: Mapping[str, list[int]]) -> dict[str, Any]:
    """The harness's results, on the documents at these positions where they are not all there are."""
    chosen = {name: of_task for name, of_task in positions.items() if len(of_task) < len(tasks[name].eval_docs)}
    results = simple_evaluate(
        model=model, tasks=list(tasks.values()), task_manager=_manager({}), samples=chosen or None, bootstrap_iters=0
    )
    if results is None:
        raise SourceError("replies are scored again in one process: run this without torchrun")
    return dict(results)


def _keep_arguments(samples: Sequence[dict[str, Any]], task: RecordedTask) -> None:
    """What the model was asked stays what it was: the chat template is not applied again."""
    arguments = {question.id: question.arguments for question in task.questions}
    for sample in samples:
        asked = arguments[sample["doc"]["id"]]
        if asked and asked[0]:
            sample["arguments"] = asked
            sample["prompt_hash"] = hash_string(str(asked[0][0]))


def _judgments_from(task: ChineseTask) -> str:
    if not task.is_judged:
        return "none"
    return "samples" if task.provenance.judges else "judge"


def _of_the_model(run: RunFiles, recorded: RecordedResults, name: str) -> dict[str, Any]:
    known = {key: recorded.content.get(key) for key in OF_THE_MODEL}
    known |= {key: recorded.content[key] for key in _OF_THE_TOKENIZER if key in recorded.content}
    return known | _named(name or str(known["model_name"] or run.folder.resolve().name))


def _named(name: str) -> dict[str, str]:
    """The name, and that of a folder for it: made anew, for a recorded one could lead anywhere."""
    folder = sanitize_model_name(name)
    return {"model_name": name, "model_name_sanitized": folder if folder.strip(".") else "_"}


def _compared(task: RecordedTask, recorded: RecordedResults, results: Mapping[str, Any]) -> RescoredTask:
    changes, compared = changed_outcomes(task.questions, results["samples"][task.name])
    before = recorded.section("results", task.name) if compared else {}
    moved = moved_metrics(before, results["results"][task.name]) if before else []
    if moved:
        first = _headline(results["samples"][task.name])
        moved.sort(key=lambda metric: metric.name.split(",")[0] not in first)
    signatures = recorded.section("configs", task.name, "metadata", "signature")
    now = results["configs"][task.name]["metadata"]["signature"]
    return RescoredTask(task.name, len(task.questions), compared, changes, moved, _differing(signatures, now))


def _headline(samples: Iterable[Mapping[str, Any]]) -> set[str]:
    """The metrics to read first of a run that holds these samples."""
    docs = {sample["doc"]["id"]: sample["doc"] for sample in samples}
    benchmark = benchmark_of(next(iter(docs)).split("/")[0])
    if benchmark is None:
        return set()
    analysis = benchmark.analysis()
    labels = [analysis.question(id_, doc, "", {}).labels for id_, doc in docs.items()]
    return {number.name for number in analysis.headline(labels)}


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The fields in which the signatures of the pipelines differ; "" for one that is not there."""
    found = {}
    for pipeline in (name for name in after if name in before):
        try:
            old, new = parse_signature(before[pipeline]), parse_signature(after[pipeline])
        except ValueError:
            continue
        for name in (*old, *(name for name in new if name not in old)):
            if old.get(name) != new.get(name):
                found[name] = (old.get(name, ""), new.get(name, ""))
    return found
