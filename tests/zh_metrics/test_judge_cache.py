from __future__ import annotations

import hashlib
import multiprocessing
from pathlib import Path

import pytest
from zh_metrics.judge import JudgeReply, ReplyCache
from zh_metrics.judge.cache import folder_name, request_key

REPLY = JudgeReply("【总分】7分\ud800", "judge-1", "stop", 100, 10, 0.5)
KEY = request_key({"model": "judge", "messages": [{"role": "user", "content": "一"}]})


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_reply_comes_back_as_it_was_marked_as_cached(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path)
    assert cache.get("judge", KEY) is None
    cache.put("judge", KEY, REPLY)
    assert cache.get("judge", KEY) == JudgeReply("【总分】7分?", "judge-1", "stop", 100, 10, 0.5, cached=True)
    assert cache.get("other", KEY) is None
    assert len(files(tmp_path)) == 1


def test_any_changed_byte_costs_that_entry_only(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path)
    cache.put("judge", KEY, REPLY)
    other = request_key({"model": "judge"})
    cache.put("judge", other, REPLY)
    path = next(file for file in files(tmp_path) if file.name in KEY)
    whole = path.read_bytes()
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert cache.get("judge", KEY) is None
    for damaged in (b"", b"\n", whole[:-1], whole + b"x", b"null", b"\xff\xfe"):
        path.write_bytes(damaged)
        assert cache.get("judge", KEY) is None
    assert cache.get("judge", other) is not None
    cache.put("judge", KEY, REPLY)
    assert cache.get("judge", KEY) is not None


@pytest.mark.parametrize(
    "content",
    [
        "null",
        "[]",
        "7",
        "no JSON",
        "[" * 100_000,
        '{"text": "8"}',
        '{"text": "8", "model": "", "finish_reason": "", "prompt_tokens": 0, "completion_tokens": 0, "latency": 0.5, "n": 1}',
        '{"text": null, "model": "", "finish_reason": "", "prompt_tokens": 0, "completion_tokens": 0, "latency": 0.5}',
    ],
)  # fmt: skip
def test_a_whole_file_of_another_shape_is_no_entry(tmp_path: Path, content: str) -> None:
    cache = ReplyCache(tmp_path)
    cache.put("judge", KEY, REPLY)
    (path,) = files(tmp_path)
    path.write_bytes(hashlib.sha256(content.encode()).hexdigest().encode() + b"\n" + content.encode())
    assert cache.get("judge", KEY) is None


def test_a_link_is_not_cleared(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "cache")
    ReplyCache(tmp_path / "elsewhere").put("judge", KEY, REPLY)
    cache.folder.mkdir()
    (cache.folder / "judge").symlink_to(tmp_path / "elsewhere" / "judge")
    assert cache.get("judge", KEY) is not None
    with pytest.raises(OSError, match="elsewhere"):
        cache.clear("judge")
    assert cache.get("judge", KEY) is not None


def test_a_file_left_by_a_killed_process_is_no_entry(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path)
    cache.put("judge", KEY, REPLY)
    path = files(tmp_path)[0]
    path.with_name(f".{path.name}.left").write_bytes(b"half")
    assert [(held.name, held.replies) for held in cache.judges()] == [("judge", 1)]


def _write_many(folder: str, offset: int) -> None:
    cache = ReplyCache(folder)
    for number in range(200):
        cache.put("judge", request_key({"n": number}), JudgeReply(str(number)))


def test_processes_may_share_a_cache(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write_many, args=(str(tmp_path), n)) for n in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    cache = ReplyCache(tmp_path)
    assert [cache.get("judge", request_key({"n": n})).text for n in range(200)] == [str(n) for n in range(200)]  # type: ignore[union-attr]
    assert len(files(tmp_path)) == 200


def test_the_cache_is_shown_and_cleared_by_judge(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "none yet")
    assert cache.judges() == []
    for judge in ("a/b", "c"):
        cache.put(judge, KEY, REPLY)
    cache.put("c", request_key({}), REPLY)
    assert [(held.name, held.replies) for held in cache.judges()] == [("a_b", 1), ("c", 2)]
    assert all(held.size > 100 for held in cache.judges())
    with pytest.raises(KeyError):
        cache.clear("..")
    assert cache.clear("c") == 2
    assert [held.name for held in cache.judges()] == ["a_b"]


@pytest.mark.parametrize(
    ("judge", "name"),
    [
        ("gpt-4-1106-preview", "gpt-4-1106-preview"),
        ("Qwen/Qwen3-8B", "Qwen_Qwen3-8B"),
        ("../../etc", "_.._etc"),
        ("..", "_"),
        ("通义", "通义"),
        ("a\nb", "a_b"),
        ("判" * 100, "判" * 83),  # 249 bytes
    ],
)
def test_a_judges_name_is_one_folder(judge: str, name: str) -> None:
    assert folder_name(judge) == name


def test_the_key_is_of_all_fields_in_any_order() -> None:
    assert request_key({"a": 1, "b": [2]}) == request_key({"b": [2], "a": 1}) != request_key({"a": 1, "b": [3]})
    assert len(KEY) == 64
