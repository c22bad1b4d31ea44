from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lm_eval_zh.recorded import RecordedReply, read_recorded
from lm_eval_zh.sources import SourceError


def write(path: Path, content: Any) -> Path:
    lines = content if path.suffix == ".jsonl" else [content]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def sample(id_: str, reply: str, **more: Any) -> dict[str, Any]:
    return {"doc": {"id": id_}, "resps": [[reply]], "filter": "official", **more}


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", [{"id": "x/y/1", "reply": "答：C"}], {"id": "x/y/1", "reply": "答：C"}),
        ("a.jsonl", [{"question": "几？", "reply": ""}], {"question": "几？", "reply": ""}),
        ("a.jsonl", [sample("x/y/1", "C")], {"id": "x/y/1", "reply": "C"}),
        (
            "a.json",
            {"keyword": "K", "example": [{"index": 3, "question": "几？", "model_output": "C"}]},
            {"keyword": "K", "index": 3, "question": "几？", "reply": "C"},
        ),
        (
            "a.json",
            {"keywords": "K", "example": [{"index": 3, "question": "几？", "model_output": "C"}]},
            {"keyword": "K", "index": 3, "question": "几？", "reply": "C"},
        ),
        (
            "a.json",
            [{"index": 3, "question": "几？", "model_output": "C"}],
            {"index": 3, "question": "几？", "reply": "C"},
        ),
    ],
    ids=["plain_id", "plain_question_empty_reply", "harness", "upstream", "upstream_keywords", "upstream_list"],
)
def test_the_known_shapes(tmp_path: Path, name: str, content: Any, expected: dict[str, Any]) -> None:
    (found,) = read_recorded(write(tmp_path / name, content))
    assert found == RecordedReply(**{**expected, "where": found.where})
    assert str(tmp_path / name) in found.where


def test_a_folder_is_read_without_its_score_tables_results_and_subfolders(tmp_path: Path) -> None:
    write(tmp_path / "a.json", {"keyword": "K", "example": [{"index": 0, "question": "甲", "model_output": "A"}]})
    write(tmp_path / "b.jsonl", [{"id": "x", "reply": "B"}])
    write(tmp_path / "correction_score.json", {"model_name": "m", "total_score": 1.0})
    write(tmp_path / "result.json", [{"keyword": "K", "question_num": 3}])
    (tmp_path / "notes.txt").write_text("no replies", encoding="utf-8")
    (tmp_path / "result").mkdir()
    write(tmp_path / "result" / "c.json", {"example": [{"index": 0, "question": "乙", "model_output": "C"}]})
    assert [reply.reply for reply in read_recorded(tmp_path)] == ["A", "B"]


def test_a_question_the_sampled_run_had_no_reply_to_is_no_reply(tmp_path: Path) -> None:
    samples = [sample("x", "", reply_missing="missing_reply"), sample("y", "", reply_missing="")]
    assert [reply.id for reply in read_recorded(write(tmp_path / "s.jsonl", samples))] == ["y"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "no recorded replies: expected the fields id and reply"),
        ([{"id": "x"}], "no recorded replies: expected the fields id and reply"),
        ([{"id": "x", "reply": "A"}, {"id": "y"}], "line 2: expected the fields id and reply"),
        ([{"id": "x", "reply": "A"}, "y"], "line 2: expected the fields id and reply"),
        ([{"id": "x", "reply": None}], "line 1: field 'reply': expected text, got None"),
        ([{"id": 7, "reply": "A"}], "line 1: field 'id': expected text, got 7"),
        ([{"reply": "A"}], "line 1: a reply with neither 'id' nor 'question'"),
        (
            [{"doc": {"question": "?"}, "resps": [["A"]]}],
            "line 1: field 'doc': expected a document of one of our tasks",
        ),
        ([sample("x", "A") | {"resps": []}], r"line 1: field 'resps': expected \[\[reply\]\]"),
        ([sample("x", "A") | {"resps": [[None]]}], "line 1: field 'resps': expected text, got None"),
    ],
    ids=[
        "empty_file",
        "no_reply_at_all",
        "one_record_without_reply",
        "one_record_no_object",
        "null_reply",
        "number_as_id",
        "no_question",
        "foreign_sample",
        "no_resps",
        "null_resps",
    ],
)
def test_bad_records_are_named(tmp_path: Path, content: list[Any], message: str) -> None:
    path = write(tmp_path / "bad.jsonl", content)
    with pytest.raises(SourceError, match=message) as caught:
        read_recorded(path)
    assert str(path) in str(caught.value)


def test_a_folder_whose_replies_are_further_down_names_its_subfolders(tmp_path: Path) -> None:
    (tmp_path / "my_model").mkdir()
    write(tmp_path / "my_model" / "samples.jsonl", [{"id": "x", "reply": "A"}])
    with pytest.raises(SourceError, match=r"subfolders are not read, name one of them: .*my_model"):
        read_recorded(tmp_path)


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        read_recorded(tmp_path / "absent.jsonl")
