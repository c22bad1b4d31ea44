"""What question files there are, and what each is: subject, question type, prompt.

A collection is a set of question files that make up one task: the benchmark of 2010-2022, its updates of 2023 and 2024,
and the questions written for this project.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from gaokao_tasks.extraction import QUESTION_TYPES
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

_OBJECTIVE_SOURCES = {  # collection: folder of the questions, file of the prompts
    "gaokao_obj": ("Data/Objective_Questions/", "Bench/Obj_Prompt.json"),
    "gaokao_obj_2023": ("Data/GAOKAO-Bench-2023/", "Bench/2023_Obj_Prompt.json"),
    "gaokao_obj_2024": ("Data/GAOKAO-Bench-2024/", "Bench/2024_Obj_Prompt.json"),
}
SAMPLE = "gaokao_sample"
COLLECTIONS = (*_OBJECTIVE_SOURCES, SAMPLE)


@dataclass(frozen=True)
class QuestionFile:
    """One file of questions of the same subject and type."""

    keyword: str  # upstream's name, e.g. 2010-2022_Biology_MCQs
    subject: str
    question_type: str
    prompt: str  # the system message
    path: Path
    records: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """The keyword without its years, as metrics are named: biology_mcqs."""
        return _YEARS.sub("", self.keyword).lower()

    @property
    def parts(self) -> tuple[str, ...]:
        """What the file's questions count for besides the whole: the subject, mathematics as one, the file."""
        mathematics = (MATHEMATICS,) if self.subject in ("math_sci", "math_hum") else ()
        return (self.subject, *mathematics, self.name)


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
    folder, prompt_path = _OBJECTIVE_SOURCES[collection]
    (prompt_file,) = upstream_files("gaokao", prompt_path)
    listed = [file for file in upstream_files("gaokao", folder) if subject in (None, _subject_of(file))]
    prompt_local, *locals_ = fetch_all([prompt_file, *listed])
    prompts = _prompts(prompt_local)
    question_files = []
    for file, path in zip(listed, locals_, strict=True):
        if file.stem not in prompts:
            raise SourceError(f"{prompt_local}: no prompt with keyword {file.stem!r}")
        question_type, prompt = prompts[file.stem]
        records = _records(path, read_json(path))
        question_files.append(QuestionFile(file.stem, _subject_of(file), question_type, prompt, path, records))
    return Collection(
        collection, tuple(question_files), _digest(*(file.sha256 for file in listed)), _digest(prompt_file.sha256)
    )


def _sample() -> Collection:
    path = Path(str(package_files("gaokao_tasks").joinpath("sample/objective.json")))
    content = read_json(path)
    question_files = tuple(
        QuestionFile(
            entry["keywords"], entry["subject"], entry["question_type"], entry["prompt"], path, _records(path, entry)
        )
        for entry in content["files"]
    )
    prompts = _digest(*(file.prompt for file in question_files))
    return Collection(SAMPLE, question_files, hashlib.sha256(path.read_bytes()).hexdigest(), prompts)


def _prompts(path: Path) -> dict[str, tuple[str, str]]:
    """Question type and prompt by keyword."""
    prompts: dict[str, tuple[str, str]] = {}
    for position, entry in enumerate(_field(path, "the file", read_json(path), "examples", list)):
        where = f"examples[{position}]"
        question_type = _field(path, where, entry, "type", str)
        if question_type not in QUESTION_TYPES:
            raise SourceError(
                f"{path}: {where}: unknown question type {question_type!r}: expected one of {', '.join(QUESTION_TYPES)}"
            )
        keyword, prompt = (_field(path, where, entry, name, str) for name in ("keyword", "prefix_prompt"))
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


def _field(path: Path, where: str, record: object, name: str, kind: type) -> Any:
    """`record[name]`, or a SourceError that says what is missing or of the wrong kind, and where."""
    if not isinstance(record, Mapping) or name not in record:
        raise SourceError(f"{path}: {where}: field {name!r} is missing")
    value = record[name]
    if not isinstance(value, kind):
        raise SourceError(f"{path}: {where}: field {name!r}: expected {kind.__name__}, got {value!r:.80}")
    return value


def _subject_of(file: UpstreamFile) -> str:
    for word, subject in _SUBJECT_BY_KEYWORD:
        if word in file.stem:
            return subject
    raise SourceError(f"{file.path}: no subject is known by that name; add it to the catalog")


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
