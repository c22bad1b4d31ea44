from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cg_eval_tasks.questions import Key, questions
from cg_eval_tasks.references import Reference, listed, read_references
from lm_eval_zh.sources import SourceError

KEYS = [question.key for question in questions("cg_eval_sample")]
COLUMNS = ("子科目名称", "题目类型", "题目编号", "参考答案", "解题过程")


def csv_file(folder: Path, rows: list[tuple[Any, ...]], columns: tuple[str, ...] = COLUMNS) -> Path:
    path = folder / "references.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def jsonl_file(folder: Path, rows: list[tuple[Any, ...]]) -> Path:
    path = folder / "references.jsonl"
    records = (dict(zip(COLUMNS, row, strict=False)) for row in rows)
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("write", [csv_file, jsonl_file])
def test_references_by_key(tmp_path: Path, write: Any) -> None:
    found = read_references(
        write(
            tmp_path,
            [("初中物理", "名词解释", 0, " 一种性质。 ", ""), ("小学数学", "应用题", "1", "350千米,2小时", "解：略")],
        ),
        KEYS,
    )
    assert found.by_key == {
        Key("初中物理", "名词解释", 0): Reference("一种性质。", ""),
        Key("小学数学", "应用题", 1): Reference("350千米,2小时", "解：略"),
    }
    assert len(found.missing(KEYS)) == len(KEYS) - 2


def test_both_formats_and_any_order_have_one_digest(tmp_path: Path) -> None:
    rows = [("初中物理", "名词解释", 0, "甲", ""), ("初中物理", "名词解释", 1, "乙", "")]
    digests = {
        read_references(path, KEYS).digest for path in (csv_file(tmp_path, rows), jsonl_file(tmp_path, rows[::-1]))
    }
    assert len(digests) == 1
    assert read_references(csv_file(tmp_path, rows[:1]), KEYS).digest not in digests


def test_other_spellings_of_a_subject(tmp_path: Path) -> None:
    path = csv_file(tmp_path, [(" 民法(司法考试) ", "名词解释", "0", "答", "")])
    assert list(read_references(path, KEYS).by_key) == [Key("民法（司法考试）", "名词解释", 0)]


def test_upstreams_csv_with_a_column_added_will_do(tmp_path: Path) -> None:
    columns = ("大科目类别", *COLUMNS[:3], "题目文本", "参考答案")
    path = csv_file(tmp_path, [("科技与工程", "初中物理", "名词解释", 0, "惯性", "答")], columns)
    assert list(read_references(path, KEYS).by_key.values()) == [Reference("答", "")]


def test_a_blank_answer_is_none(tmp_path: Path) -> None:
    rows = [("初中物理", "名词解释", 0, " ", ""), ("初中物理", "名词解释", 1, "答", "")]
    assert len(read_references(csv_file(tmp_path, rows), KEYS).by_key) == 1
    rows[0] = ("初中物理", "名词解释", 0, None, None)
    assert len(read_references(jsonl_file(tmp_path, rows), KEYS).by_key) == 1


def test_a_number_in_json_is_an_answer(tmp_path: Path) -> None:
    path = jsonl_file(tmp_path, [("小学数学", "小学计算", 0, 83)])
    assert list(read_references(path, KEYS).by_key.values()) == [Reference("83", "")]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("初中物理", "名词解释", 7, "答", "")], r"1 rows of no question: line 2 \(初中物理/名词解释/7\)"),
        (
            [("初中物理", "名词解释", 0, "甲", "")] * 2,
            r"1 questions have two rows: lines 2 and 3 \(初中物理/名词解释/0\)",
        ),
        ([("武术", "名词解释", 0, "答", "")], "line 2: 子科目名称: '武术' is none of"),
        ([("初中物理", "选择", 0, "答", "")], "line 2: 题目类型: '选择' is unknown"),
        ([("初中物理", "名词解释", "a", "答", "")], "line 2: 题目编号: expected a whole number, got 'a'"),
        ([("初中物理", "名词解释", 0, "", "")], "no reference: expected rows with a text in 参考答案"),
        ([], "no reference"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, rows: list[tuple[Any, ...]], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_references(csv_file(tmp_path, rows), KEYS)


def test_missing_columns_and_wrong_types(tmp_path: Path) -> None:
    with pytest.raises(
        SourceError,
        match="line 2: no 参考答案: expected the columns or fields 子科目名称, 题目类型, 题目编号, 参考答案",
    ):
        read_references(csv_file(tmp_path, [("初中物理", "名词解释", 0)], COLUMNS[:3]), KEYS)
    with pytest.raises(SourceError, match="line 1: 参考答案: expected text, got \\['答'\\]"):
        read_references(jsonl_file(tmp_path, [("初中物理", "名词解释", 0, ["答"])]), KEYS)
    for number in (float("nan"), float("inf")):
        with pytest.raises(SourceError, match=r"line 1: 参考答案: expected text, got (?:nan|inf)"):
            read_references(jsonl_file(tmp_path, [("初中物理", "名词解释", 0, number)]), KEYS)
    with pytest.raises(SourceError, match=r"ending \.csv or \.jsonl"):
        read_references(tmp_path / "references.xlsx", KEYS)


def test_rows_of_commas_below_a_table_are_passed_over(tmp_path: Path) -> None:
    rows = [("初中物理", "名词解释", 0, "答", ""), ("", " ", "", "", "")]
    assert len(read_references(csv_file(tmp_path, rows), KEYS).by_key) == 1


def test_long_lists_are_cut() -> None:
    assert listed(range(3)) == "0, 1, 2"
    assert listed(range(12)).endswith("9 and 2 more")
