from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lm_eval_zh.recorded import RecordedReply, read_recorded
from lm_eval_zh.sources import SourceError


def write(path: Path, content: Any) -> Path:
    lines = content if path.suffix.lower() == ".jsonl" else [content]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
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
        (
            "a.jsonl",
            [{"doc": {"id": "x/y/1", "question": "几？\n"}, "resps": [["C", "D"]]}],
            {"id": "x/y/1", "question": "几？\n", "reply": "C"},
        ),
        ("a.JSONL", [{"id": "x/y/1", "reply": "C", "index": 3}], {"id": "x/y/1", "reply": "C", "index": 3}),
    ],
    ids=[
        "plain_id",
        "plain_question_empty_reply",
        "harness",
        "upstream",
        "upstream_keywords",
        "upstream_list",
        "harness_repeats",
        "upper_case_ending",
    ],
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
    samples = [
        sample("x", "", reply_missing="missing_reply"),
        sample("y", "", reply_missing=""),
        sample("v", "", filtered_resps=[[[], "None", "missing_reply"]]),  # of a run with --predict_only
        sample("w", "", filtered_resps=[[[], "None", "empty_reply"]]),
    ]
    assert [reply.id for reply in read_recorded(write(tmp_path / "s.jsonl", samples))] == ["y", "w"]


def test_a_run_of_several_benchmarks_is_a_folder_with_samples_of_others(tmp_path: Path) -> None:
    choice = [["-1.5", "False"]]
    write(tmp_path / "samples_mmlu.jsonl", [{"doc": {"question": "?"}, "resps": [choice], "filter": "none"}])
    write(tmp_path / "samples_arc.jsonl", [{"doc": {"id": "Mercury_7"}, "resps": [choice], "filter": "none"}])
    write(tmp_path / "samples_gaokao_sample.jsonl", [sample("gaokao_sample/F/0", "A")])
    assert [reply.id for reply in read_recorded(tmp_path)] == ["gaokao_sample/F/0"]
    with pytest.raises(
        SourceError, match=r"samples_mmlu\.jsonl: line 1: field 'doc': expected a document of one of our"
    ):
        read_recorded(tmp_path / "samples_mmlu.jsonl")


def test_folders_and_hidden_files_are_no_files_of_replies(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [{"id": "x", "reply": "A"}])
    (tmp_path / "b.json").mkdir()
    (tmp_path / "._a.jsonl").write_bytes(b"\x00\x05\x16\x07\xff")  # as macOS leaves them in archives
    (tmp_path / "c.jsonl").symlink_to(tmp_path / "b.json", target_is_directory=True)
    assert [reply.reply for reply in read_recorded(tmp_path)] == ["A"]


def test_a_link_to_nowhere_is_named_not_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [{"id": "x", "reply": "A"}])
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "absent.jsonl")
    with pytest.raises(SourceError, match=r"b\.jsonl: No such file"):
        read_recorded(tmp_path)


def test_a_record_as_windows_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('\ufeff{"id": "x", "reply": "甲\\r\\n乙"}\r\n\r\n'.encode())
    assert [reply.reply for reply in read_recorded(path)] == ["甲\r\n乙"]


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
        ([sample("x", "A") | {"resps": []}], r"line 1: field 'resps': expected \[\[reply, \.\.\.\]\]"),
        ([sample("x", "A") | {"resps": [[None]]}], r"line 1: field 'resps': .* with texts, got \[\[None\]\]"),
        ([sample("x", "A") | {"resps": ["ABC"]}], r"line 1: field 'resps': .* with texts, got \['ABC'\]"),
        ([sample("x", "A") | {"resps": "ABC"}], r"line 1: field 'resps': .* with texts, got 'ABC'"),
        ([sample("x", "A") | {"resps": None}], r"line 1: field 'resps': .* with texts, got None"),
        (
            [sample("x", "A") | {"doc": {"id": "x", "question": 1}}],
            "line 1: field 'doc.question': expected text, got 1",
        ),
        ([{"id": "x", "reply": "A", "index": "3"}], "line 1: field 'index': expected a whole number, got '3'"),
        ([{"id": "x", "reply": "A", "index": True}], "line 1: field 'index': expected a whole number, got True"),
        ([{"id": "x", "reply": "A", "index": None}], "line 1: field 'index': expected a whole number, got None"),
        (
            [{"id": "x", "reply": "A", "model_output": "A"}],
            "line 1: fields 'reply' and 'model_output': expected only one",
        ),
        ([{}, {"id": "x", "reply": "A"}], "line 1: expected the fields id and reply"),
        ([None, {"id": "x", "reply": "A"}], "line 1: expected the fields id and reply"),
        ([{"id": "x", "reply": "\ud83d"}], "line 1: half of a surrogate pair"),
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
        "text_for_a_list_of_replies",
        "text_as_resps",
        "null_as_resps",
        "number_as_question",
        "text_as_index",
        "truth_as_index",
        "null_as_index",
        "two_replies",
        "empty_record",
        "null_record",
        "half_of_a_surrogate_pair",
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


@pytest.mark.parametrize("name", ["absent.jsonl", "absent"])
def test_a_path_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match=f"{name}: No such file"):
        read_recorded(tmp_path / name)


def test_a_file_with_another_ending_is_named(tmp_path: Path) -> None:
    (tmp_path / "replies.txt").write_text("id,reply\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"replies\.txt: expected a file with the ending \.json, \.jsonl or \.csv"):
        read_recorded(tmp_path / "replies.txt")
    with pytest.raises(
        SourceError, match=r"only files with the ending \.json, \.jsonl or \.csv are read, not replies\.txt"
    ):
        read_recorded(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            {"keyword": 3, "example": [{"question": "几？", "model_output": "C"}]},
            "record 0: field 'keyword': expected text",
        ),
        ({"keyword": "K", "example": {"question": "几？", "model_output": "C"}}, "field 'example': expected a list"),
        (
            {"example": [{"question": "几？", "model_output": "C"}, {"question": "几？"}]},
            "record 1: expected the fields",
        ),
    ],
    ids=["number_as_keyword", "object_as_example", "one_record_without_reply"],
)
def test_bad_result_files_are_named(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(SourceError, match=rf"a\.json: {message}"):
        read_recorded(write(tmp_path / "a.json", content))
