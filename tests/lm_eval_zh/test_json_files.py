from __future__ import annotations

from pathlib import Path

import pytest

from lm_eval_zh.json_files import read_json, read_jsonl
from lm_eval_zh.sources import SourceError


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,\n "b" 2}', "line 2 column 6: not JSON"),
        (b'{"a": "\xff"}', "byte 7: not UTF-8"),
        (b"[" * 100_000, "line 1"),
        (b"[" + b"9" * 10_000 + b"]", "line 1: JSON that can't be read"),
        (b'[{"a": 1, "b": {"c": "x", "c": "y"}}]', "line 1: .*the field 'c' stands twice in one object.*'x'"),
        (b'{"a": "good \\ud83d\\ude00 bad \\ud83d"}', r"half of a surrogate pair.* bad \\ud83d'"),
        (b'{"\\uDE00": 1}', "half of a surrogate pair"),
        ('{"a": "题"}'.encode("gbk"), "not UTF-8 .*save the file in that encoding"),
        ('{"a": "题"}'.encode("utf-16"), "byte 0: not UTF-8"),
        (b"", "line 1 column 1: not JSON"),
        (b'{"a": 1}\n{"a": 2}\n', r"line 2 column 1: .*a file of JSON Lines must have the ending \.jsonl"),
    ],
    ids=[
        "malformed",
        "not_utf8",
        "nested_too_deep",
        "number_too_long",
        "key_twice",
        "half_of_a_pair",
        "half_of_a_pair_as_key",
        "gbk",
        "utf16",
        "empty",
        "json_lines",
    ],
)
def test_bad_json_names_file_and_place(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=message) as caught:
        read_json(path)
    assert str(path) in str(caught.value)


def test_jsonl_with_byte_order_mark_blank_lines_and_unicode_line_separators(tmp_path: Path) -> None:
    path = tmp_path / "good.jsonl"
    path.write_bytes('﻿{"a": "一\u2028二"}\n\n{"a": 2}\n'.encode())
    assert list(read_jsonl(path)) == [(1, {"a": "一\u2028二"}), (3, {"a": 2})]


def test_whole_pairs_and_backslashes_are_no_half_pairs(tmp_path: Path) -> None:
    path = tmp_path / "good.json"
    path.write_text(r'["\ud83d\ude00", "\\ud83d"]', encoding="utf-8")
    assert read_json(path) == ["😀", "\\ud83d"]


def test_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "good.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\r\n{"a": "\\r\\n"}\r\n')
    assert list(read_jsonl(path)) == [(1, {"a": 1}), (3, {"a": "\r\n"})]


def test_one_value_over_several_lines_is_no_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{\n  "a": 1\n}\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"bad\.jsonl: line 1 .*each line must hold one JSON value"):
        list(read_jsonl(path))


def test_bad_jsonl_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"a": 1}\n{"a": \n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"bad\.jsonl: line 2 column"):
        list(read_jsonl(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"absent\.json: No such file"):
        read_json(tmp_path / "absent.json")
