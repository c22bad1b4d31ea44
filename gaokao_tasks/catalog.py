"""What question files there are, and what each is: subject, question type, prompt.

A collection is a set of question files that make up one task: the benchmark of 2010-2022, its updates of 2023 and 2024,
and the questions written for this project.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from gaokao_tasks.question_types import OBJECTIVE, OBJECTIVE_TYPES, SUBJECTIVE, SUBJECTIVE_TYPES, kind_of
from lm_eval_zh.json_files import read_json
from lm_eval_zh.sources import SourceError, UpstreamFile, fetch_all, upstream_files

SUBJECTS = (
    "chinese",
    "english",
    "math_sci",
    "math_hum",
    "physics",
    "chemistry",
    "biology",
    "politics",
    "history",
    "geography",
)
MATHEMATICS = "math"  # both papers together: upstream's own results and the updates do not part them

# What upstream's keywords call a subject. Math_I is the sciences' paper, Math_II the humanities' (paper, Table 8).
_SUBJECT_BY_KEYWORD = (
    ("Math_II", "math_hum"),
    ("Math_I", "math_sci"),
    ("Math", MATHEMATICS),
    ("Chinese", "chinese"),
    ("English", "english"),
    ("Physics", "physics"),
    ("Chemistry", "chemistry"),
    ("Biology", "biology"),
    ("Political_Science", "politics"),
    ("History", "history"),
    ("Geography", "geography"),
)
_YEARS = re.compile(r"^(?:\d{4}(?:-\d{4})?|sample)_")

SAMPLE = "gaokao_sample"


@dataclass(frozen=True)
class Source:
    """Where upstream keeps some questions: their folder, their prompts, and the teacher's prompts if one marks them."""

    collection: str  # the first part of the questions' ids
    folder: str
    prompts: str
    marking_prompts: str | None = None

    @property
    def question_types(self) -> tuple[str, ...]:
        """The types its questions may have."""
        return SUBJECTIVE_TYPES if self.marking_prompts else OBJECTIVE_TYPES


_OBJECTIVE = Source("gaokao_obj", "Data/Objective_Questions/", "Bench/Obj_Prompt.json")
_SUBJECTIVE = Source(
    "gaokao_subj",
    "Data/Subjective_Questions/",
    "Bench/Sub_Prompt.json",
    "Bench/Sub_Grade_Prompt_wo_marking_criterion.json",
)
SOURCES: dict[str, tuple[Source, ...]] = {
    "gaokao_obj": (_OBJECTIVE,),
    "gaokao_subj": (_SUBJECTIVE,),
    "gaokao": (_OBJECTIVE, _SUBJECTIVE),
    "gaokao_obj_2023": (Source("gaokao_obj_2023", "Data/GAOKAO-Bench-2023/", "Bench/2023_Obj_Prompt.json"),),
    "gaokao_obj_2024": (Source("gaokao_obj_2024", "Data/GAOKAO-Bench-2024/", "Bench/2024_Obj_Prompt.json"),),
}
COLLECTIONS = (*SOURCES, SAMPLE)


@dataclass(frozen=True)
class QuestionFile:
    """One file of questions of the same subject and type."""

    collection: str  # the first part of the questions' ids
    keyword: str  # upstream's name, e.g. 2010-2022_Biology_MCQs
    subject: str
    question_type: str
    prompt: str  # the system message
    marking_prompt: str  # that of the teacher; empty for objective questions
    path: Path
    records: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """The keyword without its years, as metrics are named: biology_mcqs."""
        return _YEARS.sub("", self.keyword).lower().replace("-", "_")

    @property
    def kind(self) -> str:
        """Objective or subjective."""
        return kind_of(self.question_type)

    def parts(self, among_both_kinds: bool) -> tuple[str, ...]:
        """What the file's questions count for besides the whole: the subject, mathematics as one, the file.

        In a collection of both kinds also the kind; a subject's two kinds are parts of their own there.
        """
        subjects = (self.subject, MATHEMATICS) if self.subject in ("math_sci", "math_hum") else (self.subject,)
        if among_both_kinds:
            return (self.kind, *(f"{subject}_{self.kind}" for subject in subjects), self.name)
        return (*subjects, self.name)


@dataclass(frozen=True)
class Collection:
    """The question files of one task, with a digest of the data and one of the prompts (SHA-256, hexadecimal)."""

    name: str
    files: tuple[QuestionFile, ...]
    data_digest: str
    prompt_digest: str


def load_collection(name: str, subject: str | None = None) -> Collection:
    """The question files of collection `name`, all or those of one subject; upstream's are fetched if need be.

    Raises SourceError if a file can't be had or isn't as expected, naming file and field, and ValueError for an unknown
    collection or a subject without files in it.
    """
    if name not in COLLECTIONS:
        raise ValueError(f"unknown collection {name!r}: expected one of {', '.join(COLLECTIONS)}")
    collection = _sample() if name == SAMPLE else _upstream(name, subject)
    files = tuple(file for file in collection.files if subject in (None, file.subject))
    if not files:
        raise ValueError(f"{name} has no questions of subject {subject!r}: expected one of {', '.join(SUBJECTS)}")
    return Collection(name, files, collection.data_digest, collection.prompt_digest)


def _upstream(collection: str, subject: str | None) -> Collection:
    parts = [_of_source(source, subject) for source in SOURCES[collection]]
    return Collection(
        collection,
        tuple(file for part in parts for file in part.files),
        _joint([part.data_digest for part in parts]),
        _joint([part.prompt_digest for part in parts]),
    )


def _of_source(source: Source, subject: str | None) -> Collection:
    listed = [file for file in upstream_files("gaokao", source.folder) if subject in (None, _subject_of(file))]
    prompt_paths = [source.prompts, *([source.marking_prompts] if source.marking_prompts else [])]
    prompt_files = [file for path in prompt_paths for file in upstream_files("gaokao", path)]
    locals_ = fetch_all([*prompt_files, *listed])
    prompts = [_prompts(path, source.question_types) for path in locals_[: len(prompt_files)]]
    question_files = []
    for file, path in zip(listed, locals_[len(prompt_files) :], strict=True):
        for found, where in zip(prompts, locals_, strict=False):
            if file.stem not in found:
                raise SourceError(f"{where}: no prompt with keyword {file.stem!r}")
        question_type, prompt = prompts[0][file.stem]
        marking_prompt = prompts[1][file.stem][1] if source.marking_prompts else ""
        records = _records(path, read_json(path))
        subject_ = _subject_of(file)
        question_files.append(
            QuestionFile(source.collection, file.stem, subject_, question_type, prompt, marking_prompt, path, records)
        )
    return Collection(
        source.collection,
        tuple(question_files),
        _digest(*(file.sha256 for file in listed)),
        _digest(*(file.sha256 for file in prompt_files)),
    )


def _sample() -> Collection:
    folder = Path(str(package_files("gaokao_tasks").joinpath("sample")))
    question_files = []
    for kind in (OBJECTIVE, SUBJECTIVE):
        path = folder / f"{kind}.json"
        question_files += [
            QuestionFile(
                SAMPLE,
                entry["keywords"],
                entry["subject"],
                entry["question_type"],
                entry["prompt"],
                entry.get("marking_prompt", ""),
                path,
                _records(path, entry),
            )
            for entry in read_json(path)["files"]
        ]
    data = _digest(*((folder / f"{kind}.json").read_text(encoding="utf-8") for kind in (OBJECTIVE, SUBJECTIVE)))
    prompts = _digest(*(f"{file.prompt}\n{file.marking_prompt}" for file in question_files))
    return Collection(SAMPLE, tuple(question_files), data, prompts)


def _prompts(path: Path, question_types: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Question type and prompt by keyword; of several prompts, which a correction has, the first."""
    prompts: dict[str, tuple[str, str]] = {}
    for position, entry in enumerate(_field(path, "the file", read_json(path), "examples", list)):
        where = f"examples[{position}]"
        question_type = _field(path, where, entry, "type", str)
        if question_type not in question_types:
            raise SourceError(
                f"{path}: {where}: unknown question type {question_type!r}: expected one of {', '.join(question_types)}"
            )
        keyword = _field(path, where, entry, "keyword", str)
        prompt = _field(path, where, entry, "prefix_prompt", (str, list))
        prompt = prompt[0] if isinstance(prompt, list) and prompt else prompt
        if not isinstance(prompt, str):
            raise SourceError(f"{path}: {where}: field 'prefix_prompt': expected text or texts, got {prompt!r:.80}")
        if not prompt.strip():
            raise SourceError(f"{path}: {where}: field 'prefix_prompt': is empty")
        if keyword in prompts:
            raise SourceError(f"{path}: {where}: field 'keyword': {keyword!r} was given to an earlier entry too")
        prompts[keyword] = (question_type, prompt)
    return prompts


def _records(path: Path, content: object) -> tuple[Mapping[str, Any], ...]:
    records = _field(path, "the file", content, "example", list)
    if not records:
        raise SourceError(f"{path}: the file: field 'example': is empty, expected one record per question")
    for position, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise SourceError(f"{path}: example[{position}]: expected an object, got {type(record).__name__}")
    return tuple(records)


def _field(path: Path, where: str, record: object, name: str, kind: type | tuple[type, ...]) -> Any:
    """`record[name]`, or a SourceError that says what is missing or of the wrong kind, and where."""
    if not isinstance(record, Mapping) or name not in record:
        raise SourceError(f"{path}: {where}: field {name!r} is missing")
    value = record[name]
    if not isinstance(value, kind):
        kinds = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
        raise SourceError(f"{path}: {where}: field {name!r}: expected {kinds}, got {value!r:.80}")
    return value


def _subject_of(file: UpstreamFile) -> str:
    for word, subject in _SUBJECT_BY_KEYWORD:
        if word in file.stem:
            return subject
    raise SourceError(f"{file.path}: no subject is known by that name; add it to the catalog")


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _joint(digests: Sequence[str]) -> str:
    return digests[0] if len(digests) == 1 else _digest(*digests)
