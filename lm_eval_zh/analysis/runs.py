"""Finished runs, read from what the harness wrote: results files with the samples beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from zh_metrics.signature import parse_signature

from lm_eval_zh.analysis.questions import Analysis, Number, Question
from lm_eval_zh.json_files import read_json
from lm_eval_zh.logged_samples import PIPELINES, check_complete, collection_of_samples, read_documents
from lm_eval_zh.registry import Benchmark, benchmark_of
from lm_eval_zh.run_files import RunFiles, find_runs
from lm_eval_zh.sources import SourceError

_EXPECTED = "expected what lm_eval --log_samples --output_path wrote: results_*.json with samples_*.jsonl beside it"


@dataclass(frozen=True)
class Run:
    """One task of one finished run."""

    name: str  # what the user calls it, else the model's name
    task: str
    benchmark: Benchmark
    samples: Path
    date: str
    model: str
    signatures: Mapping[str, str]  # by pipeline; empty where the results file is missing
    judge_reports: Sequence[Mapping[str, Any]]  # one per judge, as the results file has them
    metrics: Mapping[str, Any]  # as the harness computed them, by "name,pipeline"
    questions: Mapping[str, Question]  # by id, in the run's order

    @property
    def analysis(self) -> Analysis:
        """What the benchmark says of its results."""
        return self.benchmark.analysis()

    @property
    def pipelines(self) -> tuple[str, ...]:
        """The pipelines that read the replies, official first."""
        read = {pipeline for question in self.questions.values() for pipeline in question.readings}
        return tuple(pipeline for pipeline in PIPELINES if pipeline in read)

    @property
    def metric_names(self) -> frozenset[str]:
        """The metrics in its results file; none where that is missing."""
        return frozenset(name.split(",")[0] for name in self.metrics)

    @property
    def collections(self) -> frozenset[str]:
        """The collections its questions are from."""
        return frozenset(question.collection for question in self.questions.values())

    @property
    def whole(self) -> str:
        """What its questions are a part of: runs of one whole can complete each other."""
        return self.analysis.whole(min(self.collections))

    def signature_fields(self, pipeline: str) -> dict[str, str]:
        """The fields of a pipeline's signature; none where there is no signature."""
        signature = self.signatures.get(pipeline, "")
        return parse_signature(signature) if signature else {}


def read_runs(argument: str) -> list[Run]:
    """The runs of our tasks in a folder, a results file or a samples file; `NAME=PATH` gives them a name.

    A folder is searched with its subfolders. Tasks of others are passed over.

    Raises SourceError naming file, line and field for what can't be read, for results without samples, for a folder
    without a run of ours, and for one with two runs of a task by the same model.
    """
    name, path = _name_and_path(argument)
    runs = [run for task, samples, files in _files(path) for run in _run(task, samples, files, name)]
    if not runs:
        raise SourceError(f"{path}: no samples of our tasks: {_EXPECTED}")
    seen: dict[tuple[str, str], Run] = {}
    for run in runs:
        earlier = seen.setdefault((run.name, run.task), run)
        if earlier is not run:
            raise SourceError(
                f"{path}: {run.task} of {run.name} is there twice, in {earlier.samples} and {run.samples}: name one of them"
            )
    return runs


def has_samples(results: Path) -> bool:
    """Whether every run of a path, a folder or a results file, has samples beside its results."""
    runs = find_runs(results)
    return bool(runs) and all(run.samples for run in runs)


def has_number(runs: Sequence[Run], number: Number) -> bool:
    """Whether the runs, which complete each other, have a number."""
    return all(run.analysis.has(number, run.metric_names) for run in runs)


def merged_questions(runs: Sequence[Run]) -> dict[str, Question]:
    """The questions of runs that complete each other, such as the two halves of an exam.

    Raises SourceError if a question is in two of them.
    """
    questions: dict[str, Question] = {}
    for run in runs:
        twice = questions.keys() & run.questions.keys()
        if twice:
            raise SourceError(
                f"{min(twice)} is in two runs of {run.name}, one of them {run.samples}: leave one out, or give each a name "
                "of its own as NAME=PATH"
            )
        questions.update(run.questions)
    return questions


def _name_and_path(argument: str) -> tuple[str, Path]:
    name, equals, rest = argument.partition("=")
    if equals and name and rest and not Path(argument).exists():
        return name.strip(), Path(rest).expanduser()
    return "", Path(argument).expanduser()


def _files(path: Path) -> Iterator[tuple[str, Path, RunFiles]]:
    """Each task's samples file with the files of its run."""
    runs = find_runs(path)
    if not runs and path.suffix == ".jsonl":  # samples under another name
        runs = [RunFiles(path.parent, "", None, {path.stem: path})]
    for run in runs:
        if path.is_file() and not run.samples:
            raise SourceError(f"{path}: no samples_*.jsonl of the same date beside it: {_EXPECTED}")
        for task, samples in run.samples.items():
            yield task, samples, run


def _run(task: str, path: Path, files: RunFiles, name: str) -> Iterator[Run]:
    """The run that a samples file holds; none if it is of a task that isn't ours."""
    content = read_json(files.results) if files.results else {}
    collection = collection_of_samples(path)
    benchmark = benchmark_of(collection) if collection else None
    questions = _questions(benchmark, path) if benchmark else {}
    if benchmark is None or not questions:
        return
    config = _mapping(content, "configs", task, "metadata")
    reports = config.get("judge_report")
    model = _model_name(str(content.get("model_name") or ""))
    yield Run(
        name=name or model or path.stem,
        task=task,
        benchmark=benchmark,
        samples=path,
        date=files.date,
        model=model,
        signatures={str(k): str(v) for k, v in _mapping(config, "signature").items()},
        judge_reports=[report for report in reports if isinstance(report, dict)] if isinstance(reports, list) else [],
        metrics=_mapping(content, "results", task),
        questions=questions,
    )


def _model_name(text: str) -> str:
    """The model's name; of a path its last part, without the ending of a file of replies."""
    for flavour in (PurePosixPath, PureWindowsPath):
        if flavour(text).is_absolute():
            return flavour(text).name.removesuffix(".jsonl").removesuffix(".json") or text
    return text


def _questions(benchmark: Benchmark, path: Path) -> dict[str, Question]:
    documents = read_documents(path)
    if all(document.only_predicted for document in documents):
        raise SourceError(
            f"{path}: a run with --predict_only, which has no scores yet: lm-eval-zh rescore gives it some"
        )
    for document in documents:
        if benchmark_of(document.id.split("/")[0]) is not benchmark:
            raise SourceError(
                f"{document.where}: field 'doc': expected a document of the same benchmark as the lines before"
            )
    read = [document for document in documents if not document.filtered.keys().isdisjoint(PIPELINES)]
    pipelines = [name for name in PIPELINES if any(name in document.filtered for document in read)]
    check_complete(read, pipelines)
    analysis = benchmark.analysis()
    return {
        document.id: analysis.question(
            document.where, document.doc, document.reply, {name: document.filtered[name] for name in pipelines}
        )
        for document in read
    }


def _mapping(content: Any, *names: str) -> Mapping[str, Any]:
    """What lies under these names, each in the one before; empty where one is missing."""
    for name in names:
        content = content.get(name) if isinstance(content, Mapping) else None
    return content if isinstance(content, Mapping) else {}
