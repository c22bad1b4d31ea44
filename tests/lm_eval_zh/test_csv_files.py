from __future__ import annotations

import json
from pathlib import Path

import pytest

from lm_eval_zh.csv_files import read_csv
from lm_eval_zh.sources import SourceError


def written(folder: Path, content: bytes) -> Path:
    path = folder / "file.csv"
    path.write_bytes(content)
    return path


def test_the_given_case(shared: Path, tmp_path: Path) -> None:
    """A byte order mark before the first column, a line end inside a cell."""
    cases = map(json.loads, (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    (case,) = (case for case in cases if case["area"] == "data_loading" and "csv_text" in case["input"])
    rows = list(read_csv(written(tmp_path, case["input"]["csv_text"].encode())))
    assert [*rows[0][1]] == case["expected"]["columns"]
    assert len(rows) == case["expected"]["n_rows"]
    assert [line for line, _ in rows] == [3, 4]


def test_line_ends_within_cells_stay_as_they_are(tmp_path: Path) -> None:
    rows = list(read_csv(written(tmp_path, b'a,b\r\n"1\n2","3\r\n4"\r\n\r\n5,6\r\n')))
    assert [row for _, row in rows] == [{"a": "1\n2", "b": "3\r\n4"}, {"a": "5", "b": "6"}]


@pytest.mark.parametrize("content", [b"", b"a,b\n", b"\xef\xbb\xbfa,b\r\n"])
def test_no_rows(tmp_path: Path, content: bytes) -> None:
    assert list(read_csv(written(tmp_path, content))) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1\n", "line 2: 1 cells, expected 2 as in the header"),
        (b"a,b\n1,2,3\n", "line 2: 3 cells, expected 2"),
        (b"a,a\n1,2\n", "line 1: the column 'a' stands twice"),
        (b'a,b\n"1"x,2\n', "line 2: no CSV"),
        ("a,b\n题,目\n".encode("gbk"), "byte 4: not UTF-8 .*save the file as CSV UTF-8"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        list(read_csv(written(tmp_path, content)))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        list(read_csv(tmp_path / "none.csv"))
