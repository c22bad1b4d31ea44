"""The documents of the AlignBench tasks: one per question, in an order that touches every category early."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files as package_files
from itertools import zip_longest
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Value
from datasets import Sequence as Repeated

from alignbench_tasks.categories import CATEGORIES, CATEGORY_BY_NAME
from lm_eval_zh.json_files import read_json, read_jsonl
from lm_eval_zh.run_signature import text_digest
from lm_eval_zh.sources import SourceError, fetch_all, upstream_files

ALIGNBENCH, SAMPLE = "alignbench", "alignbench_sample"
COLLECTIONS = (ALIGNBENCH, SAMPLE)

_CONFIG = ("dimension_set", "dimension_definition", "subcategory_question_mapping", "temperature")
_FEATURES = Features(
    {
        "id": Value("string"),  # collection/question id
        "index": Value("int64"),
        "category": Value("string"),
        "category_name": Value("string"),  # upstream's, which the judge is told
        "subcategory": Value("string"),
        "temperature": Value("float64"),  # upstream's for the category
        "question": Value("string"),  # the user message
        "reference": Value("string"),
        "dimensions": Repeated(Value("string")),  # what the judge scores, in this order
        "dimension_definitions": Repeated(Value("string")),
        "task_questions": Value("float64"),  # of the task, for coverage
    }
)


@dataclass(frozen=True)
class _Files:
    """The questions and upstream's configuration."""

    questions: Path
    config: Mapping[str, Any]
    digest: str


def load(collection: str, category: str | None = None) -> dict[str, Dataset]:
    """The documents of a task, as the harness asks for them. Raises SourceError or ValueError as `documents` does."""
    return {"test": Dataset.from_list(documents(collection, category), features=_FEATURES)}


def documents(collection: str, category: str | None = None) -> list[dict[str, Any]]:
    """One document per question: the first of each category, then the second of each, and so on.

    Raises SourceError naming file, record and field for data that aren't as expected, ValueError for an unknown
    collection or category.
    """
    if category not in (None, *CATEGORIES):
        raise ValueError(f"unknown category {category!r}: expected one of {', '.join(CATEGORIES)}")
    read = [doc for doc in _documents(collection, _files(collection)) if category in (None, doc["category"])]
    by_category = [[doc for doc in read if doc["category"] == name] for name in CATEGORIES]
    interleaved = [doc for round_ in zip_longest(*by_category) for doc in round_ if doc is not None]
    return [{**doc, "task_questions": float(len(interleaved))} for doc in interleaved]


def signature_fields(collection: str, category: str | None = None) -> dict[str, str]:
    """What of the data a number depends on: the digest of questions and configuration."""
    return {"data": _files(collection).digest}


def _files(collection: str) -> _Files:
    if collection == SAMPLE:
        folder = Path(str(package_files("alignbench_tasks").joinpath("sample")))
        questions, configs = folder / "questions.jsonl", [folder / f"{name}.json" for name in _CONFIG]
        digest = text_digest(path.read_text(encoding="utf-8") for path in (questions, *configs))
    elif collection == ALIGNBENCH:
        wanted = [*upstream_files("alignbench", "data/data_v1.1"), *map(_config_file, _CONFIG)]
        questions, *configs = fetch_all(wanted)
        digest = text_digest(file.sha256 for file in wanted)
    else:
        raise ValueError(f"unknown collection {collection!r}: expected one of {', '.join(COLLECTIONS)}")
    return _Files(questions, {name: read_json(path) for name, path in zip(_CONFIG, configs, strict=True)}, digest)


def _config_file(name: str) -> Any:
    (file,) = upstream_files("alignbench", f"config/{name}.json")
    return file


def _documents(collection: str, files: _Files) -> Iterator[dict[str, Any]]:
    seen: set[int] = set()
    for number, record in read_jsonl(files.questions):
        where = f"{files.questions}: line {number}"
        fields = {name: _text(where, record, name) for name in ("category", "subcategory", "question", "reference")}
        index = _question_id(where, record)
        if index in seen:
            raise SourceError(f"{where}: field 'question_id': {index} was given to an earlier question too")
        seen.add(index)
        kind = _known(where, "subcategory", fields["subcategory"], files.config["subcategory_question_mapping"])
        dimensions = _known(where, "subcategory", kind, files.config["dimension_set"])
        definitions = files.config["dimension_definition"]
        yield {
            "id": f"{collection}/{index}",
            "index": index,
            "category": _known(where, "category", fields["category"], CATEGORY_BY_NAME),
            "category_name": fields["category"],
            "subcategory": fields["subcategory"],
            "temperature": float(_known(where, "category", fields["category"], files.config["temperature"])),
            "question": fields["question"],
            "reference": fields["reference"],
            "dimensions": list(dimensions),
            "dimension_definitions": [_known(where, "subcategory", name, definitions) for name in dimensions],
        }


def _text(where: str, record: object, name: str) -> str:
    if not isinstance(record, Mapping) or name not in record:
        raise SourceError(f"{where}: field {name!r} is missing")
    value = record[name]
    if not isinstance(value, str) or not value.strip():
        raise SourceError(f"{where}: field {name!r}: expected text, got {value!r:.80}")
    return value


def _question_id(where: str, record: Mapping[str, Any]) -> int:
    value = record.get("question_id")
    if isinstance(value, bool) or not isinstance(value, (int, str)) or not str(value).isdecimal():
        raise SourceError(f"{where}: field 'question_id': expected a number, got {value!r:.80}")
    return int(value)


def _known(where: str, field: str, name: str, among: Mapping[str, Any]) -> Any:
    if name not in among:
        raise SourceError(f"{where}: field {field!r}: {name!r:.80} is unknown: expected one of {', '.join(among)}")
    return among[name]
