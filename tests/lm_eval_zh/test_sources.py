from __future__ import annotations

import hashlib
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lm_eval_zh import sources
from lm_eval_zh.sources import SourceError, UpstreamFile, cached_path, fetch, fetch_all, read_json, read_jsonl

CONTENT = '{"题目": "一加一"}\n'.encode()
FILE = UpstreamFile(
    "gaokao", "owner/repo", "c0ffee", "数据/文件.json", len(CONTENT), hashlib.sha256(CONTENT).hexdigest()
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def folder_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "mirror" / FILE.key
    copy.parent.mkdir(parents=True)
    copy.write_bytes(CONTENT)
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(tmp_path / "mirror"))
    return copy


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def http_mirror(folder_mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=str(tmp_path / "mirror")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", f"http://127.0.0.1:{server.server_port}/")
    yield folder_mirror
    server.shutdown()
    server.server_close()


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("kind", ["folder_mirror", "http_mirror"])
def test_a_mirror_fills_the_cache_and_is_not_asked_again(
    kind: str, request: pytest.FixtureRequest, cache: Path
) -> None:
    mirrored: Path = request.getfixturevalue(kind)
    assert fetch(FILE).read_bytes() == CONTENT
    mirrored.unlink()
    assert fetch(FILE) == cached_path(FILE)
    assert files_in(cache) == [cached_path(FILE)]


@pytest.mark.parametrize("kind", ["folder_mirror", "http_mirror"])
def test_a_file_that_drifted_is_refused_and_not_kept(kind: str, request: pytest.FixtureRequest, cache: Path) -> None:
    request.getfixturevalue(kind).write_bytes(CONTENT + b" ")
    with pytest.raises(SourceError) as caught:
        fetch(FILE)
    for part in (FILE.path, FILE.repo, FILE.commit, FILE.sha256, "tried", "LM_EVAL_ZH_MIRROR"):
        assert part in str(caught.value)
    assert files_in(cache) == []


def test_a_cached_copy_that_changed_is_replaced(folder_mirror: Path) -> None:
    fetch(FILE).write_bytes(b"cut off")
    assert fetch(FILE).read_bytes() == CONTENT


def test_a_cached_copy_that_changed_is_removed_even_if_it_cannot_be_replaced(folder_mirror: Path, cache: Path) -> None:
    fetch(FILE).write_bytes(b"cut off")
    folder_mirror.unlink()
    with pytest.raises(SourceError, match=r"the cached copy had SHA-256 .* and was removed"):
        fetch(FILE)
    assert files_in(cache) == []


def test_without_network_and_mirror_both_public_sources_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    for proxy in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    with pytest.raises(SourceError) as caught:
        fetch(FILE)
    assert "raw.githubusercontent.com/owner/repo/c0ffee/" in str(caught.value)
    assert "cdn.jsdelivr.net/gh/owner/repo@c0ffee/" in str(caught.value)


def test_a_mirror_without_the_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(tmp_path / "empty"))
    with pytest.raises(SourceError, match=r"tried .*empty.*No such file"):
        fetch(FILE)


def test_a_cache_that_is_a_file_is_named(folder_mirror: Path, cache: Path) -> None:
    cache.write_text("not a folder")
    with pytest.raises(SourceError, match="tried"):
        fetch(FILE)


def test_fetch_all_keeps_the_order(folder_mirror: Path) -> None:
    assert fetch_all([FILE, FILE]) == [cached_path(FILE)] * 2


def test_importing_touches_neither_network_nor_disk(cache: Path) -> None:
    code = "import socket; socket.socket.connect = None; import lm_eval_zh.sources, gaokao_tasks.catalog"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not cache.exists()


def test_every_listed_file_is_pinned() -> None:
    listed = [file for benchmark in sources.BENCHMARKS for file in sources.upstream_files(benchmark)]
    assert len({file.key for file in listed}) == len(listed) == 69
    for file in listed:
        assert len(file.commit) == 40
        assert len(file.sha256) == 64
        assert file.size > 0


def test_the_list_agrees_with_the_mirror(mirror: Path) -> None:
    for benchmark in sources.BENCHMARKS:
        for file in sources.upstream_files(benchmark):
            assert (mirror / file.key).stat().st_size == file.size
            assert fetch(file).is_file()


def test_unknown_benchmark() -> None:
    with pytest.raises(ValueError, match="unknown benchmark 'gaokoa': expected one of gaokao, alignbench, cg_eval"):
        sources.upstream_files("gaokoa")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,\n "b" 2}', "line 2 column 6: not JSON"),
        (b'{"a": "\xff"}', "byte 7: not UTF-8"),
        (b"[" * 100_000, "line 1"),
        (b"[" + b"9" * 10_000 + b"]", "line 1: JSON that can't be read"),
    ],
    ids=["malformed", "not_utf8", "nested_too_deep", "number_too_long"],
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


def test_bad_jsonl_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"a": 1}\n{"a": \n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"bad\.jsonl: line 2 column"):
        list(read_jsonl(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"absent\.json: No such file"):
        read_json(tmp_path / "absent.json")
