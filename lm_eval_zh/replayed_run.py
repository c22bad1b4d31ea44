"""One run of the harness to be scored again: its replies as a model, and what its files say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.utils import simple_parse_args_string
from zh_metrics.signature import parse_signature

from lm_eval_zh.json_files import read_json
from lm_eval_zh.logged_judge import logged_judges
from lm_eval_zh.logged_samples import LoggedQuestion, read_samples
from lm_eval_zh.matching import match
from lm_eval_zh.replies import MissingReply, Provenance, ReplayedReply
from lm_eval_zh.run_files import RunFiles
from lm_eval_zh.run_signature import inherited_fields
from lm_eval_zh.sources import SourceError
from lm_eval_zh.task import ChineseTask

_MADE_ANEW = ("version", "signature", "judge_report", "references")  # what the task itself puts into `metadata`


class ReplayedReplies(LM):  # type: ignore[misc]
    """Gives each question of each task the reply that its run had: a model like any other to the harness."""

    tokenizer_name = ""

    def __init__(self, replies: Mapping[str, Mapping[str, str | None]], model: str = "") -> None:
        super().__init__()
        self._replies = replies  # by task and question; None: the run had none
        self.model = model  # whose replies they are, as `candidates.candidate_name` found it in the run

    def generate_until(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[str]:
        """The reply to each request's document."""
        recorded = [self._replies[request.task_name][request.doc["id"]] for request in requests]
        return [MissingReply() if reply is None else ReplayedReply(reply) for reply in recorded]

    def loglikelihood(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> NoReturn:
        """Not to be had: our tasks ask for replies."""
        raise NotImplementedError("a run that is scored again has replies only")

    loglikelihood_rolling = loglikelihood


@dataclass
class RecordedResults:
    """What a run's `results_*.json` says; everything empty where there is none."""

    content: dict[str, Any] = field(default_factory=dict)

    def section(self, *names: str) -> dict[str, Any]:
        """An object within it; empty if there is none."""
        value: Any = self.content
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return dict(value) if isinstance(value, Mapping) else {}

    def candidate(self) -> str:
        """The name or path that the run's model was made of, "" where it has none."""
        arguments = self.section("config").get("model_args")
        if isinstance(arguments, str):
            arguments = simple_parse_args_string(arguments)
        named = [arguments.get("pretrained"), arguments.get("model")] if isinstance(arguments, Mapping) else []
        return next((name for name in named if isinstance(name, str) and name), "")

    def metadata(self, task: str) -> dict[str, Any]:
        """The settings that came in by `--metadata`, or stand in the task's file, and not what the run itself found."""
        settings = self.section("configs", task, "metadata")
        return {name: value for name, value in settings.items() if name not in _MADE_ANEW}

    def judge_reports(self, task: str) -> list[dict[str, Any]]:
        """What the judges did in the run."""
        reports = self.section("configs", task, "metadata").get("judge_report")
        return [report for report in reports if isinstance(report, dict)] if isinstance(reports, list) else []

    def inherited_fields(self, task: str) -> tuple[dict[str, str], dict[str, str]]:
        """What of the run's signature stays true, of replies and of judgments."""
        for text in self.section("configs", task, "metadata", "signature").values():
            try:
                return inherited_fields(parse_signature(str(text)))
            except ValueError:
                continue
        return {}, {}


def read_results(run: RunFiles) -> RecordedResults:
    """What a run's results file says. Raises SourceError if it is no JSON object."""
    if run.results is None:
        return RecordedResults()
    content = read_json(run.results)
    if not isinstance(content, dict):
        raise SourceError(f"{run.results}: expected an object, as lm_eval writes it")
    return RecordedResults(content)


@dataclass
class RecordedTask:
    """What a run recorded of one task."""

    name: str
    questions: list[LoggedQuestion]
    positions: list[int]  # of the questions among the task's documents

    def replies(self) -> dict[str, str | None]:
        """The replies by question."""
        return {question.id: question.reply for question in self.questions}

    def provenance(self, results: RecordedResults, judged_anew: bool) -> Provenance:
        """For the task that scores these replies again."""
        of_replies, of_judging = results.inherited_fields(self.name)
        judges = () if judged_anew else logged_judges(self.questions, results.judge_reports(self.name))
        return Provenance(of_replies, of_judging if judges else {}, judges)


def recorded_task(run: RunFiles, task: ChineseTask, results: RecordedResults) -> RecordedTask:
    """What `run` recorded of `task`.

    Raises SourceError for samples that aren't as expected or fewer than the results file counts, or that are about
    questions the task doesn't have; AnswersError for a question whose text is not the one of its id.
    """
    name = task.config.task
    path = run.samples[name]
    questions = read_samples(path)
    documents = list(task.eval_docs)
    _, strays = match([question.as_recorded() for question in questions], documents)
    if strays:
        raise SourceError(
            f"{strays[0].where}: {strays[0].id!r} is no question of {name} as it is now; --tasks can name another"
        )
    asked = results.section("n-samples", name).get("effective", len(questions))
    if asked != len(questions):
        raise SourceError(
            f"{path}: {len(questions)} questions, where {run.results} counts {asked}; is the file complete?"
        )
    position = {doc["id"]: number for number, doc in enumerate(documents)}
    return RecordedTask(name, questions, sorted(position[question.id] for question in questions))
