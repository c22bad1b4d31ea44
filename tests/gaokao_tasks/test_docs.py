from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gaokao_tasks import catalog
from gaokao_tasks.catalog import COLLECTIONS, SUBJECTS, QuestionFile, load_collection
from gaokao_tasks.docs import canonical_answer, documents, load
from gaokao_tasks.question_types import (
    FIVE_OUT_OF_SEVEN,
    KINDS,
    MULTI_CHOICE,
    MULTI_QUESTION_CHOICE,
    OBJECTIVE_TYPES,
    OPEN_ENDED,
    SINGLE_CHOICE,
    SUBJECTIVE_TYPES,
    kind_of,
)
from gaokao_tasks.totals import HUMANITIES, SCIENCES
from lm_eval_zh.registry import BENCHMARKS
from lm_eval_zh.sources import SourceError

RECORD = {"index": 0, "year": "2026", "category": "甲卷", "question": " 几？ ", "answer": ["A"], "score": 5}


@pytest.mark.parametrize(
    ("answer", "question_type", "expected"),
    [
        ("AD", MULTI_CHOICE, ["AD"]),
        (["A", "D"], MULTI_CHOICE, ["AD"]),
        (["AD"], MULTI_CHOICE, ["AD"]),
        ("A,D", MULTI_CHOICE, ["AD"]),
        ("D、A", MULTI_CHOICE, ["AD"]),
        ("A， D", MULTI_CHOICE, ["AD"]),
        (["A"], SINGLE_CHOICE, ["A"]),
        ("A", SINGLE_CHOICE, ["A"]),
        (["C", "A", "D"], MULTI_QUESTION_CHOICE, ["C", "A", "D"]),
        ("CAD", MULTI_QUESTION_CHOICE, ["C", "A", "D"]),
        (["C F A E D"], FIVE_OUT_OF_SEVEN, ["C", "F", "A", "E", "D"]),
    ],
)
def test_one_key_in_many_notations(answer: object, question_type: str, expected: list[str]) -> None:
    assert canonical_answer(answer, question_type) == expected


@pytest.mark.parametrize("answer", ["", [], ["E"], "ab", None, 3, [1], ["略"], ["A", None], {"A": 1}])
def test_a_key_that_is_not_letters(answer: object) -> None:
    with pytest.raises(ValueError, match="expected letters"):
        canonical_answer(answer, SINGLE_CHOICE)


NO_SCORES = [0, -2, 0.0, float("nan"), float("inf"), 10**400]


def documents_of(
    monkeypatch: pytest.MonkeyPatch, *records: Any, question_type: str = SINGLE_CHOICE
) -> list[dict[str, Any]]:
    path = Path("data/2026_Test_MCQs.json")
    file = QuestionFile("gaokao_obj", "2026_Test_MCQs", "history", question_type, "请作答", "阅卷", path, records)
    monkeypatch.setattr(
        "gaokao_tasks.docs.load_collection", lambda *_: catalog.Collection("gaokao_obj", (file,), "d" * 64, "p" * 64)
    )
    return documents("gaokao_obj")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": ["略"]}, "field 'answer': expected letters A-D, got"),
        ({"answer": None}, "field 'answer': expected letters"),
        ({"question": ["几？"]}, "field 'question': expected str, got"),
        ({"score": "5"}, "field 'score': expected int or float, got '5'"),
        ({"score": True}, "field 'score': expected int or float, got True"),
        ({"year": None}, "field 'year': expected str or int, got None"),
        ({"index": "0"}, "field 'index': expected int, got '0'"),
        ({"index": -1}, "field 'index': expected a number from 0 to 9223372036854775807, got -1"),
        ({"index": 2**63}, "field 'index': expected a number from 0 to 9223372036854775807, got 9223372036854775808"),
        ({"question": " \n\u3000"}, "field 'question': is empty"),
        *(({"score": score}, "field 'score': expected points above 0, 750 at most, got") for score in NO_SCORES),
    ],
)
def test_bad_records_are_named(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], message: str) -> None:
    good, bad = RECORD, {**RECORD, "index": 7, **change}
    with pytest.raises(SourceError, match=message) as caught:
        documents_of(monkeypatch, good, bad)
    assert f"2026_Test_MCQs.json: example[1] (index={bad['index']})" in str(caught.value)


@pytest.mark.parametrize("field", list(RECORD))
def test_missing_fields_are_named(monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    with pytest.raises(SourceError, match=f"field '{field}'"):
        documents_of(monkeypatch, {name: value for name, value in RECORD.items() if name != field})


def test_an_index_given_twice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="0 was given to an earlier record too"):
        documents_of(monkeypatch, RECORD, RECORD)


def test_years_are_text_whatever_they_were_and_equal_questions_stay_two(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = documents_of(monkeypatch, RECORD, {**RECORD, "index": 1, "year": 2026})
    assert [doc["year"] for doc in docs] == ["2026", "2026"]
    assert len({doc["id"] for doc in docs}) == 2
    assert docs[0]["question"] == docs[1]["question"] == "几？\n"


@pytest.mark.parametrize(
    ("prompts", "message"),
    [
        ({}, "the file: field 'examples' is missing"),
        (
            {"examples": [{"type": "essay", "keyword": "K", "prefix_prompt": "p"}]},
            r"examples\[0\]: unknown question type 'essay'",
        ),
        ({"examples": [{"type": SINGLE_CHOICE, "keyword": "K"}]}, r"examples\[0\]: field 'prefix_prompt' is missing"),
        ({"examples": ["K"]}, r"examples\[0\]: field 'type' is missing"),
        (
            {"examples": [{"type": SINGLE_CHOICE, "keyword": "K", "prefix_prompt": []}]},
            r"examples\[0\]: field 'prefix_prompt': expected text or texts, got \[\]",
        ),
        (
            {"examples": [{"type": SINGLE_CHOICE, "keyword": "K", "prefix_prompt": " \n"}]},
            r"examples\[0\]: field 'prefix_prompt': is empty",
        ),
        (
            {"examples": [{"type": SINGLE_CHOICE, "keyword": "K", "prefix_prompt": text} for text in ("甲", "乙")]},
            r"examples\[1\]: field 'keyword': 'K' was given to an earlier entry too",
        ),
    ],
)
def test_bad_prompt_files_are_named(tmp_path: Path, prompts: Any, message: str) -> None:
    path = tmp_path / "Obj_Prompt.json"
    path.write_text(json.dumps(prompts), encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        catalog._prompts(path, OBJECTIVE_TYPES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "the file: field 'example' is missing"),
        ({"example": []}, "the file: field 'example': is empty"),
        ({"example": {}}, "the file: field 'example': expected list"),
        ({"example": [None]}, r"example\[0\]: expected an object, got NoneType"),
    ],
)
def test_bad_question_files_are_named(content: Any, message: str) -> None:
    with pytest.raises(SourceError, match=rf"data/x\.json: {message}"):
        catalog._records(Path("data/x.json"), content)


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match="unknown collection 'gaokao_object'"):
        load_collection("gaokao_object")
    with pytest.raises(ValueError, match="no questions of subject 'music'"):
        load_collection("gaokao_sample", "music")


def test_the_registry_lists_these_collections() -> None:
    (gaokao,) = (benchmark for benchmark in BENCHMARKS if benchmark.name == "gaokao")
    assert gaokao.collections == COLLECTIONS


def test_the_sample_has_every_subject_and_type_and_is_never_the_real_thing() -> None:
    docs = documents("gaokao_sample")
    assert {doc["subject"] for doc in docs} == set(SUBJECTS)
    assert {doc["question_type"] for doc in docs} == {*OBJECTIVE_TYPES, *SUBJECTIVE_TYPES}
    assert all(doc["id"].startswith("gaokao_sample/sample_") for doc in docs)
    assert len({doc["id"] for doc in docs}) == len(docs) == 41
    assert len({doc["id"].split("/")[1] for doc in docs[:27]}) == 27
    assert {(doc["subject"], kind_of(doc["question_type"])) for doc in docs} == {
        (subject, kind) for subject in (*SCIENCES, *HUMANITIES) for kind in KINDS
    }


def test_what_a_teacher_is_told_belongs_to_subjective_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    subjective = {**RECORD, "answer": "略\n", "analysis": "因为"}
    (doc,) = documents_of(monkeypatch, subjective, question_type=OPEN_ENDED)
    assert (doc["answer"], doc["analysis"], doc["marking_prompt"]) == (["略\n"], "因为", "阅卷")
    (doc,) = documents_of(monkeypatch, {**RECORD, "analysis": "因为"})
    assert doc["analysis"] == ""
    with pytest.raises(SourceError, match="field 'answer': expected str"):
        documents_of(monkeypatch, {**subjective, "answer": ["略"]}, question_type=OPEN_ENDED)


@pytest.mark.parametrize(
    ("collection", "questions", "blanks", "points"),
    [
        ("gaokao_obj", 1781, 2944, 9702),
        ("gaokao_subj", 1030, 1030, 11839),
        ("gaokao", 2811, 3974, 21541),
        ("gaokao_obj_2023", 183, 329, 1104),
        ("gaokao_obj_2024", 132, 230, 745),
    ],
)
def test_the_real_documents(mirror: Path, collection: str, questions: int, blanks: int, points: float) -> None:
    docs = load(collection)["test"]
    assert len(docs) == questions
    assert sum(len(answer) for answer in docs["answer"]) == blanks
    assert set(docs["task_points"]) == {points}
    assert sum(score * len(answer) for score, answer in zip(docs["score"], docs["answer"], strict=True)) == points
    assert len(set(docs["id"])) == questions
    types = {"gaokao_subj": SUBJECTIVE_TYPES, "gaokao": (*OBJECTIVE_TYPES, *SUBJECTIVE_TYPES)}
    assert set(docs["question_type"]) == set(types.get(collection, OBJECTIVE_TYPES))


def test_the_whole_exam_has_a_part_for_each_kind_of_each_subject(mirror: Path) -> None:
    docs = documents("gaokao")
    parts = {part for doc in docs for part in doc["parts"]}
    assert {f"{subject}_{kind}" for subject in SUBJECTS for kind in KINDS} <= parts
    assert {*KINDS, "math_subjective", "math_i_fill_in_the_blank"} <= parts
    assert not parts & set(SUBJECTS)
    assert len({doc["id"].split("/")[1] for doc in docs[:32]}) == 32


def test_the_subjects_make_up_the_whole(mirror: Path) -> None:
    per_subject = {subject: documents("gaokao_obj", subject) for subject in SUBJECTS}
    whole = documents("gaokao_obj")
    assert Counter(doc["id"] for docs in per_subject.values() for doc in docs) == Counter(doc["id"] for doc in whole)
    assert {doc["task_points"] for doc in per_subject["english"]} == {2205.0}
    assert {part for doc in per_subject["physics"] for part in doc["parts"]} == set()
    assert {part for doc in per_subject["english"] for part in doc["parts"]} == {
        "english_mcqs",
        "english_fill_in_blanks",
        "english_cloze_test",
        "english_reading_comp",
    }


def test_two_rounds_touch_every_file_twice(mirror: Path) -> None:
    first = documents("gaokao_obj")[:28]
    assert set(Counter(doc["id"].split("/")[1] for doc in first).values()) == {2}
    assert len({doc["id"].split("/")[1] for doc in first}) == 14


def test_a_year_upstream_wrote_as_a_number(mirror: Path) -> None:
    (path,) = mirror.glob("OpenLMLab/GAOKAO-Bench-Updates/*/Data/GAOKAO-Bench-2023/2023_Physics_MCQs.json")
    raw = json.loads(path.read_text(encoding="utf-8"))["example"]
    assert {type(record["year"]) for record in raw} == {str, int}
    assert {doc["year"] for doc in documents("gaokao_obj_2023", "physics")} == {"2023"}
