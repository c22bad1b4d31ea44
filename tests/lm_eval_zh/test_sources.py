from __future__ import annotations

import hashlib
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lm_eval_zh import sources
from lm_eval_zh.sources import SourceError, UpstreamFile, cached_path, fetch, fetch_all

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


@pytest.fixture
def file_address_mirror(folder_mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", (tmp_path / "mirror").as_uri())
    return folder_mirror


EVERY_MIRROR = ["folder_mirror", "http_mirror", "file_address_mirror"]


@pytest.mark.parametrize("kind", EVERY_MIRROR)
def test_a_mirror_fills_the_cache_and_is_not_asked_again(
    kind: str, request: pytest.FixtureRequest, cache: Path
) -> None:
    mirrored: Path = request.getfixturevalue(kind)
    assert fetch(FILE).read_bytes() == CONTENT
    mirrored.unlink()
    assert fetch(FILE) == cached_path(FILE)
    assert files_in(cache) == [cached_path(FILE)]


@pytest.mark.parametrize("kind", EVERY_MIRROR)
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o007, 0o660)])
def test_cached_files_may_be_read_by_whom_the_user_lets_read(
    kind: str, umask: int, mode: int, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(kind)
    before = os.umask(umask)
    try:
        path = fetch(FILE)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("kind", EVERY_MIRROR)
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


def test_a_mirrors_password_is_not_repeated(http_mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    http_mirror.unlink()
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", os.environ["LM_EVAL_ZH_MIRROR"].replace("//", "//user:secret@"))
    with pytest.raises(SourceError, match=r"tried http://127\.0\.0\.1.*404") as caught:
        fetch(FILE)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("mirror", "message"),
    [
        (
            "ftp://user:secret@example.org/files",
            "LM_EVAL_ZH_MIRROR=ftp://example.org/files: expected a folder, or an address",
        ),
        ("file://relative/folder", "LM_EVAL_ZH_MIRROR=file://relative/folder: expected a folder, or an address"),
        ("~nosuchuser/files", "LM_EVAL_ZH_MIRROR=~nosuchuser/files: no home folder is known"),
    ],
)
def test_a_mirror_that_cannot_be_one(monkeypatch: pytest.MonkeyPatch, mirror: str, message: str) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", mirror)
    with pytest.raises(SourceError, match=message):
        fetch_all([FILE])


def test_a_cache_in_the_home_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", "~nosuchuser/cache")
    with pytest.raises(SourceError, match="LM_EVAL_ZH_CACHE=~nosuchuser/cache: no home folder is known"):
        fetch_all([FILE])


@pytest.mark.parametrize("name", ["file", "x" * 300], ids=["a_file", "name_too_long"])
def test_a_cache_that_cannot_be_used_is_blamed_and_no_source(
    folder_mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / name))
    with pytest.raises(
        SourceError, match=r"(?:Not a directory|too long)\. The cache .* set LM_EVAL_ZH_CACHE"
    ) as caught:
        fetch_all([FILE])
    assert "tried" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write and read anything")
@pytest.mark.parametrize("mode", [0o555, 0o000], ids=["read_only", "closed"])
def test_a_cache_without_the_right_to_it(folder_mirror: Path, cache: Path, mode: int) -> None:
    cache.mkdir(mode=mode)
    try:
        with pytest.raises(SourceError, match=r"Permission denied\. The cache .* set LM_EVAL_ZH_CACHE"):
            fetch_all([FILE])
    finally:
        cache.chmod(0o755)


def test_a_folder_in_the_place_of_a_cached_file_is_named(folder_mirror: Path) -> None:
    cached_path(FILE).mkdir(parents=True)
    with pytest.raises(SourceError, match=r"文件\.json: Is a directory\. The cache"):
        fetch(FILE)


def test_only_what_killed_downloads_left_long_ago_is_removed(folder_mirror: Path) -> None:
    folder = fetch(FILE).parent
    left, in_use, other = (folder / name for name in ("tmpa1b2_3c4", "tmpd4c3_2b1", "tmp_of_mine.json"))
    two_days_ago = time.time() - 2 * 24 * 60 * 60
    for path in (left, in_use, other):
        path.write_bytes(b"half of it")
    for path in (left, other):
        os.utime(path, (two_days_ago, two_days_ago))
    fetch_all([FILE])
    assert set(files_in(folder)) == {cached_path(FILE), in_use, other}


def test_several_processes_may_fill_one_cache(folder_mirror: Path, cache: Path) -> None:
    """Each finds the cached copy cut off, so that all remove and replace it at once."""
    fetch(FILE).write_bytes(b"cut off")
    code = (
        "from lm_eval_zh.sources import *; "
        f"assert fetch(UpstreamFile(*{tuple(vars(FILE).values())!r})).name == {cached_path(FILE).name!r}"
    )
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0] * 4
    assert cached_path(FILE).read_bytes() == CONTENT
    assert files_in(cache) == [cached_path(FILE)]


def test_fetch_all_keeps_the_order(folder_mirror: Path) -> None:
    assert fetch_all([FILE, FILE]) == [cached_path(FILE)] * 2


def test_importing_touches_neither_network_nor_disk(cache: Path) -> None:
    code = "import socket; socket.socket.connect = None; import lm_eval_zh.sources, gaokao_tasks.catalog"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not cache.exists()


def test_every_listed_file_is_pinned() -> None:
    listed = [file for benchmark in sources.BENCHMARKS for file in sources.upstream_files(benchmark)]
    assert len({file.key for file in listed}) == len(listed) == 70
    for file in listed:
        assert len(file.commit) == 40
        assert len(file.sha256) == 64
        assert file.size > 0


def test_the_list_agrees_with_the_mirror(mirror: Path) -> None:
    for benchmark in sources.BENCHMARKS:
        for file in sources.upstream_files(benchmark):
            assert file.literal or (mirror / file.key).stat().st_size == file.size
            assert fetch(file).stat().st_size == file.size


def text_file(text: str) -> UpstreamFile:
    """A file of which one text is kept."""
    content = text.encode()
    return UpstreamFile(
        "alignbench", "o/r", "c" * 40, "a/b.py", len(content), hashlib.sha256(content).hexdigest(), "f.prompt"
    )


@pytest.mark.parametrize(
    "source",
    [
        "def f(a):\n    prompt = '问：{}\\n'\n    return prompt.format(a)\n",
        "x = 1\ndef g(): prompt = '别的'\ndef f():\n    'doc'\n    if x:\n        prompt = '问' \\\n            '：{}\\n'\n",
        "问：{}\n",
    ],
    ids=["assigned", "among_others_in_parts", "kept_earlier"],
)
def test_of_a_python_file_one_text_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    file = text_file("问：{}\n")
    (tmp_path / file.key).parent.mkdir(parents=True)
    (tmp_path / file.key).write_text(source, encoding="utf-8")
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(tmp_path))
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    assert fetch(file).read_text(encoding="utf-8") == "问：{}\n"
    assert fetch(file) == cached_path(file)


@pytest.mark.parametrize(
    "source",
    [
        "def f(): prompt = '另一个'",
        "def f(): prompt = open('/etc/passwd').read()",
        "def f(): prompt = 'a' + 'b'",
        "raise SystemExit",
        "def f(:",
        "(" * 5000,
        "\0",
    ],
)
def test_a_python_file_with_another_text_is_refused_and_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    file = text_file("问：{}\n")
    (tmp_path / file.key).parent.mkdir(parents=True)
    (tmp_path / file.key).write_text(source, encoding="utf-8")
    monkeypatch.setenv("LM_EVAL_ZH_MIRROR", str(tmp_path))
    monkeypatch.setenv("LM_EVAL_ZH_CACHE", str(tmp_path / "cache"))
    with pytest.raises(SourceError, match=r"could not get a/b\.py"):
        fetch(file)
    assert not cached_path(file).exists()


def test_unknown_benchmark() -> None:
    with pytest.raises(ValueError, match="unknown benchmark 'gaokoa': expected one of gaokao, alignbench, cg_eval"):
        sources.upstream_files("gaokoa")
