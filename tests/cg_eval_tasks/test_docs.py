"""The documents, on upstream's CSV where it is at hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cg_eval_tasks import questions as questions_module
from cg_eval_tasks.arithmetic import exact_result
from cg_eval_tasks.catalog import ARITHMETIC, CATEGORIES, CATEGORY_BY_NAME, SUBJECTS, subject_of
from cg_eval_tasks.docs import documents, load
from cg_eval_tasks.questions import questions, questions_file
from lm_eval_zh.csv_files import read_csv
from lm_eval_zh.sources import SourceError


def test_the_real_documents(mirror: Path) -> None:
    docs = documents("cg_eval")
    assert Counter(doc["category"] for doc in docs) == {
        "science": 3200, "humanities": 2400, "medical": 2200, "judicial": 1200, "cpa": 1200, "math": 800,
    }  # fmt: skip
    assert len({doc["id"] for doc in docs}) == 11_000
    assert len({doc["subject"] for doc in docs}) == 55
    assert {part for doc in docs for part in doc["parts"]} == {
        *CATEGORIES, *(part for group in SUBJECTS.values() for _, part in group)
    }  # fmt: skip
    assert [doc["category"] for doc in docs[:6]] == list(CATEGORIES)
    assert (
        len({(doc["subject"], doc["question_type"]) for doc in docs[:200]}) == 107
    )  # two types of 51 subjects, five of mathematics
    assert len(documents("cg_eval", "math")) == 800
    assert load("cg_eval", "cpa")["test"].num_rows == 1200


def test_prompts_are_upstreams_to_the_character(mirror: Path) -> None:
    """By another route: the CSV read anew, matched by position."""
    rows = [row for _, row in read_csv(questions_file("cg_eval"))]
    prompts = {(question.key, question.prompt) for question in questions("cg_eval")}
    assert [question.prompt for question in questions("cg_eval")] == [row["题目prompt"] for row in rows]
    docs = documents("cg_eval")
    assert {(doc["id"].removeprefix("cg_eval/"), doc["question"]) for doc in docs} == {
        (str(key), prompt) for key, prompt in prompts
    }


def test_every_arithmetic_question_has_a_result_of_the_length_upstream_gives(mirror: Path) -> None:
    docs = [doc for doc in documents("cg_eval", "math") if doc["question_type"] == ARITHMETIC]
    assert len(docs) == 100
    for doc in docs:
        assert len(doc["target"]) == doc["length"], doc["text"]
        plain = doc["text"].translate(str.maketrans("×÷（）", "*/()")).removesuffix("=")
        assert float(doc["target"]) == pytest.approx(eval(plain)), doc["text"]  # digits, signs and brackets only
        assert set(plain) <= set("0123456789+-*/()")


def test_the_catalogue_has_the_papers_55_subjects() -> None:
    assert sum(map(len, SUBJECTS.values())) == 55
    assert set(SUBJECTS) == set(CATEGORY_BY_NAME.values())
    assert len({part for group in SUBJECTS.values() for _, part in group} | set(CATEGORIES)) == 61


@pytest.mark.parametrize(
    "name", ["《理论知识》（心理咨询师考试)", "《理论知识》(心理咨询师考试)", " 《理论知识》 （心理咨询师考试） "]
)
def test_one_subject_has_one_name(name: str) -> None:
    assert subject_of(name) == ("《理论知识》（心理咨询师考试）", "counselor_theory")


def test_a_sample_of_every_category_and_type_never_mistaken_for_the_real_thing() -> None:
    docs = documents("cg_eval_sample")
    assert Counter(doc["category"] for doc in docs) == {**dict.fromkeys(CATEGORIES, 4), "math": 10}
    assert len({doc["question_type"] for doc in docs}) == 5
    assert all(doc["id"].startswith("cg_eval_sample/") for doc in docs)
    rows = {row["题目prompt"]: row for _, row in read_csv(questions_file("cg_eval_sample"))}
    for doc in docs:
        if doc["question_type"] == ARITHMETIC:
            assert rows[doc["question"]]["参考答案"] == doc["target"] == exact_result(doc["text"])


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match="unknown collection 'cgeval'"):
        documents("cgeval")
    with pytest.raises(ValueError, match="unknown category 'maths'"):
        documents("cg_eval_sample", "maths")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("初中物理,名词解释,0", "初中武术,名词解释,0", "line 2: 子科目名称: '初中武术' is none of CG-Eval's subjects"),
        ("初中物理,名词解释,0", "初中物理,选择题,0", "line 2: 题目类型: '选择题' is unknown: expected one of 名词解释"),
        ("初中物理,名词解释,0", "初中物理,名词解释,零", "line 2: 题目编号: expected a whole number, got '零'"),
        ("初中物理,名词解释,0", "初中物理,名词解释,1", "line 3: the question 初中物理/名词解释/1 stands on line 2 too"),
        ("科技与工程,初中物理,名词解释,0", "数学计算,初中物理,名词解释,0", "line 2: 大科目类别: '数学计算' is not the"),
        ("惯性,32", "惯性,", "line 2: 题目答案的汉字长度: expected a whole number, got ''"),
        ("惯性,32", " ,32", "line 2: 题目文本: expected text, got ' '"),
        ("题目编号", "编号", "line 2: 题目编号: expected a whole number, it is missing"),
        ("36+47=", "36+四七=", "question 小学数学/小学计算/0: '36\\+四七': '四' is no part of arithmetic"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str) -> None:
    text = questions_file("cg_eval_sample").read_text(encoding="utf-8")
    path = tmp_path / "questions.csv"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(questions_module, "questions_file", lambda _: path)
    with pytest.raises(SourceError, match=message):
        documents("cg_eval_sample")
