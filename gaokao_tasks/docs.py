"""The documents of the GAOKAO-Bench tasks: one per question, in an order that touches every question file early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from datasets import Dataset, Features, Value
from datasets import Sequence as Repeated

from gaokao_tasks.catalog import Collection, QuestionFile, load_collection
from gaokao_tasks.question_types import FIVE_OUT_OF_SEVEN, MULTI_CHOICE, SUBJECTIVE
from gaokao_tasks.totals import HUMANITIES, SCIENCES
from lm_eval_zh.sources import SourceError

_MOST_POINTS = 750  # of all papers of one exam together: no blank has more
_MOST_INDEX = 2**63 - 1  # what a column of whole numbers holds

_FEATURES = Features(
    {
        "id": Value("string"),  # collection/keyword/index, unique also where upstream repeats a question word for word
        "subject": Value("string"),
        "question_type": Value("string"),
        "parts": Repeated(Value("string")),  # what the document counts for besides the whole task
        "index": Value("int64"),
        "year": Value("string"),
        "category": Value("string"),
        "prompt": Value("string"),  # upstream's instruction, the system message
        "question": Value("string"),  # the user message
        "answer": Repeated(Value("string")),  # one string per blank; of a subjective question the model answer
        "score": Value("float64"),  # points per blank
        "analysis": Value("string"),  # what else a teacher is told; empty for objective questions
        "marking_prompt": Value("string"),  # the teacher's system message; empty for objective questions
        "task_points": Value("float64"),  # points of all documents of the task, for coverage
        "sciences_points": Value("float64"),  # those in the subjects of the sciences' exam, for its coverage
        "humanities_points": Value("float64"),
    }
)


def load(collection: str, subject: str | None = None) -> dict[str, Dataset]:
    """The documents of a task, as the harness asks for them (`custom_dataset`).

    Raises SourceError or ValueError as `documents` does.
    """
    return {"test": Dataset.from_list(documents(collection, subject), features=_FEATURES)}


def documents(collection: str, subject: str | None = None) -> list[dict[str, Any]]:
    """One document per question: the first of each file, then the second of each, and so on.

    Raises SourceError naming file, record and field for data that aren't as expected, ValueError for an unknown
    collection or subject.
    """
    files = load_collection(collection, subject).files
    both_kinds = len({file.kind for file in files}) > 1
    per_file = [list(_file_documents(file, both_kinds)) for file in files]
    interleaved = [doc for round_ in zip_longest(*per_file) for doc in round_ if doc is not None]
    everywhere = set.intersection(*(set(doc["parts"]) for doc in interleaved))
    points = {
        "task_points": _points(interleaved),
        "sciences_points": _points(doc for doc in interleaved if doc["subject"] in SCIENCES),
        "humanities_points": _points(doc for doc in interleaved if doc["subject"] in HUMANITIES),
    }
    for doc in interleaved:
        doc.update(points)
        doc["parts"] = [part for part in doc["parts"] if part not in everywhere]  # those would repeat the whole
    return interleaved


def _points(docs: Iterable[Mapping[str, Any]]) -> float:
    return float(sum(len(doc["answer"]) * doc["score"] for doc in docs))


def signature_fields(collection: str, subject: str | None = None) -> dict[str, str]:
    """What of the data and prompts a number depends on: first 8 hexadecimal digits of their SHA-256 digests."""
    loaded: Collection = load_collection(collection, subject)
    return {"data": loaded.data_digest[:8], "prompt": loaded.prompt_digest[:8]}


def canonical_answer(answer: object, question_type: str) -> list[str]:
    """An answer key as one string per blank, however it is written: "AD", "A,D", ["A", "D"] and ["AD"] are one key.

    `multi_choice` has one blank whose string holds all letters, sorted; the other types have one letter per blank.

    Raises ValueError if the key is empty or holds anything but option letters.
    """
    pieces = [answer] if isinstance(answer, str) else answer
    if not isinstance(pieces, Sequence) or not all(isinstance(piece, str) for piece in pieces):
        raise ValueError(f"expected letters, got {answer!r:.80}")
    letters = [letter for piece in pieces for letter in piece if not (letter.isspace() or letter in ",，、")]
    allowed = "ABCDEFG" if question_type == FIVE_OUT_OF_SEVEN else "ABCD"
    if not letters or any(letter not in allowed for letter in letters):
        raise ValueError(f"expected letters {allowed[0]}-{allowed[-1]}, got {answer!r:.80}")
    return ["".join(sorted(set(letters)))] if question_type == MULTI_CHOICE else letters


def _file_documents(file: QuestionFile, both_kinds: bool) -> Iterator[dict[str, Any]]:
    seen: set[int] = set()
    for position, record in enumerate(file.records):
        read = _Record(file, position, record)
        index = read.index()
        if index in seen:
            raise read.error("index", f"{index} was given to an earlier record too")
        seen.add(index)
        yield {
            "id": f"{file.collection}/{file.keyword}/{index}",
            "subject": file.subject,
            "question_type": file.question_type,
            "parts": list(file.parts(both_kinds)),
            "index": index,
            "year": str(read.get("year", (str, int))),  # some files of the updates mix the two
            "category": read.get("category", str),
            "prompt": file.prompt,
            "question": read.question() + "\n",  # as upstream sends it
            "answer": read.answer(),
            "score": read.score(),
            "analysis": read.get("analysis", str) if file.kind == SUBJECTIVE else "",
            "marking_prompt": file.marking_prompt,
        }


class _Record:
    """One record of a question file, whose fields are checked as they are read."""

    def __init__(self, file: QuestionFile, position: int, record: Mapping[str, Any]) -> None:
        self._file, self._position, self._record = file, position, record

    def get(self, field: str, kind: type | tuple[type, ...]) -> Any:
        if field not in self._record:
            raise self.error(field, "is missing")
        value = self._record[field]
        if not isinstance(value, kind) or isinstance(value, bool):
            kinds: Iterable[type] = kind if isinstance(kind, tuple) else (kind,)
            raise self.error(field, f"expected {' or '.join(k.__name__ for k in kinds)}, got {value!r:.80}")
        return value

    def index(self) -> int:
        index: int = self.get("index", int)
        if not 0 <= index <= _MOST_INDEX:
            raise self.error("index", f"expected a number from 0 to {_MOST_INDEX}, got {index!r:.80}")
        return index

    def question(self) -> str:
        text: str = self.get("question", str).strip()
        if not text:
            raise self.error("question", "is empty")
        return text

    def score(self) -> float:
        score = self.get("score", (int, float))
        if not 0 < score <= _MOST_POINTS:  # false for NaN too
            raise self.error("score", f"expected points above 0, {_MOST_POINTS} at most, got {score!r:.80}")
        return float(score)

    def answer(self) -> list[str]:
        if self._file.kind == SUBJECTIVE:
            return [self.get("answer", str)]
        try:
            return canonical_answer(self._record.get("answer"), self._file.question_type)
        except ValueError as error:
            raise self.error("answer", str(error)) from error

    def error(self, field: str, problem: str) -> SourceError:
        return SourceError(
            f"{self._file.path}: example[{self._position}] (index={self._record.get('index')!s:.80}): "
            f"field {field!r}: {problem}"
        )
