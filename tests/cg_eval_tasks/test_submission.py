"""The submission file, on upstream's CSV where it is at hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cg_eval_tasks.docs import documents
from cg_eval_tasks.questions import questions, questions_file
from cg_eval_tasks.submission import IncompleteError, export
from lm_eval_zh.cli import app
from lm_eval_zh.matching import AnswersError
from lm_eval_zh.recorded import read_recorded
from lm_eval_zh.sources import SourceError

AWKWARD = {
    0: '带"引号"，逗号,和\n换行\r\n的回答',
    1: '=HYPERLINK("http://x")',
    2: "-5",
    3: " @总和",
    4: "控制\x00字符\x1b与\ttab",
    5: "<think>想</think>回答",
    6: "长" * 40_000,
    7: "",
    8: "-5 是答案",
    9: "\ufeff带标记",
}


def samples(folder: Path, count: int = 11_000) -> Path:
    """What lm_eval logs of the first questions, as far as it matters here: each reply once for each pipeline."""
    path = folder / "samples_cg_eval_2026.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, doc in enumerate(documents("cg_eval")[:count]):
            reply = AWKWARD.get(number, f"回答{number}")
            for pipeline in ("official", "robust"):
                record = {"doc": doc, "resps": [[reply]], "filter": pipeline}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return path


def test_rows_and_original_columns_are_upstreams_to_the_byte(mirror: Path, tmp_path: Path) -> None:
    """By another route: what is written, less its last column, is upstream's file."""
    target = tmp_path / "submission.csv"
    written = export(samples(tmp_path), target)
    content = target.read_bytes()
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert content.startswith(b"\xef\xbb\xbf")
    assert {len(row) for row in rows} == {8}
    original = io.StringIO(newline="")
    csv.writer(original, lineterminator="\r\n").writerows(row[:7] for row in rows)
    assert original.getvalue().encode("utf-8-sig") == questions_file("cg_eval").read_bytes()
    assert rows[0][7] == "回答"

    docs = documents("cg_eval")
    by_key = {str(question.key): row[7] for question, row in zip(questions("cg_eval"), rows[1:], strict=True)}
    cells = [by_key[doc["id"].removeprefix("cg_eval/")] for doc in docs]
    assert cells[:10] == [
        AWKWARD[0], "'" + AWKWARD[1], "-5", "' @总和", "控制字符与\ttab", AWKWARD[5], AWKWARD[6], "", "'-5 是答案", AWKWARD[9],
    ]  # fmt: skip
    assert cells[10:] == [f"回答{number}" for number in range(10, 11_000)]
    assert (written.rows, written.empty, written.guarded, written.too_long) == (11_000, 1, 3, 1)


def test_raw_and_without_thinking(mirror: Path, tmp_path: Path) -> None:
    target = tmp_path / "submission.csv"
    assert export(samples(tmp_path, 10), target, incomplete=True, raw=True, drop_thinking=True).guarded == 0
    text = target.read_text(encoding="utf-8-sig")
    assert "<think>" not in text
    assert '"=HYPERLINK(""http://x"")"' in text


def test_an_incomplete_run_is_refused_and_what_is_missing_named(mirror: Path, tmp_path: Path) -> None:
    path, target = samples(tmp_path, 10_999), tmp_path / "submission.csv"
    last = documents("cg_eval")[-1]["id"].removeprefix("cg_eval/")
    with pytest.raises(
        IncompleteError, match=f"1 of 11000 questions have no reply .* 1 of 200.*: {last}. Run them too"
    ):
        export(path, target)
    assert not target.exists()
    assert export(path, target, incomplete=True).empty == 2
    assert len(list(csv.reader(target.open(encoding="utf-8-sig", newline="")))) == 11_001


def test_replies_to_other_questions_and_two_replies_to_one(mirror: Path, tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"id": "cg_eval/初中武术/名词解释/0", "reply": "答"}', encoding="utf-8")
    with pytest.raises(SourceError, match=r"1 replies belong to no question of CG-Eval: .*line 1"):
        export(path, tmp_path / "x.csv", incomplete=True)
    id_ = documents("cg_eval")[0]["id"]
    path.write_text("\n".join(json.dumps({"id": id_, "reply": reply}) for reply in "ab"), encoding="utf-8")
    with pytest.raises(AnswersError, match="two different replies"):
        export(path, tmp_path / "x.csv", incomplete=True)


def test_the_command(mirror: Path, tmp_path: Path) -> None:
    path, target = samples(tmp_path, 10), tmp_path / "submission.csv"
    result = CliRunner().invoke(app, ["export-cgeval", str(path), "-o", str(target)])
    assert result.exit_code == 1
    assert "10990 of 11000 questions have no reply" in result.stderr
    result = CliRunner().invoke(app, ["export-cgeval", str(path), "-o", str(target), "--incomplete"])
    assert result.exit_code == 0, result.stderr
    assert "11,000 rows, 10,991 of them without a reply" in result.stdout
    assert "3 replies begin like a formula" in result.stdout
    assert "1 replies are longer than a cell" in result.stdout
    result = CliRunner().invoke(app, ["export-cgeval", str(path), "-o", str(tmp_path / "no" / "x.csv"), "--incomplete"])
    assert result.exit_code == 1
    assert "no such folder; make it first" in result.stderr


def test_a_submission_is_read_back(mirror: Path, tmp_path: Path) -> None:
    """All but control characters and the byte order mark is as it was; a cell without text is no reply."""
    export(samples(tmp_path, 60), tmp_path / "out.csv", incomplete=True)
    docs = documents("cg_eval")[:60]
    read = {reply.id: reply.reply for reply in read_recorded(tmp_path / "out.csv")}
    wanted = {doc["id"]: AWKWARD.get(number, f"回答{number}") for number, doc in enumerate(docs)}
    wanted[docs[4]["id"]] = "控制字符与\ttab"
    del wanted[docs[7]["id"]]
    assert read == wanted


def test_other_csv_files_hold_no_replies(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes("模型,分数\n甲,1\n".encode("gbk"))
    (tmp_path / "replies.jsonl").write_text('{"id": "cg_eval_sample/x", "reply": "甲"}', encoding="utf-8")
    assert [reply.reply for reply in read_recorded(tmp_path)] == ["甲"]
    with pytest.raises(SourceError, match=r"table\.csv: no recorded replies: .*回答"):
        read_recorded(tmp_path / "table.csv")


def test_a_row_of_an_unknown_subject_is_named(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("子科目名称,题目类型,题目编号,回答\n炼金术,简答题,1,甲\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"out\.csv: line 2: 子科目名称: '炼金术' is none of CG-Eval's subjects"):
        read_recorded(path)
