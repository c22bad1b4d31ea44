"""Upstream's files: pinned to a commit, fetched on demand, trusted only through their SHA-256.

Nothing of the benchmarks is shipped. `upstream_files.tsv` says what belongs to them; `fetch` gives the path of a local
copy whose digest was checked in this very call.

Environment: `LM_EVAL_ZH_MIRROR`, a folder or URL prefix laid out as `<owner>/<repo>/<commit>/<path>`, replaces the
public addresses; `LM_EVAL_ZH_CACHE` moves the cache.
"""

from __future__ import annotations

import csv
import json
import logging
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pooch
import requests
from tqdm import tqdm

MIRROR_VARIABLE = "LM_EVAL_ZH_MIRROR"
CACHE_VARIABLE = "LM_EVAL_ZH_CACHE"
BENCHMARKS = ("gaokao", "alignbench", "cg_eval")

_GITHUB = "https://raw.githubusercontent.com/{repo}/{commit}/{path}"
_CDN = "https://cdn.jsdelivr.net/gh/{repo}@{commit}/{path}"  # serves the same commit; used when GitHub is not reachable
_TIMEOUT_SECONDS = 60


class SourceError(RuntimeError):
    """A file of a benchmark could not be had, or is not what it should be. The message says what to do."""


@dataclass(frozen=True)
class UpstreamFile:
    """One file of a benchmark's repository at a fixed commit."""

    benchmark: str
    repo: str
    commit: str
    path: str
    size: int  # bytes
    sha256: str

    @property
    def key(self) -> str:
        """Where the file lies in the cache and in a mirror."""
        return f"{self.repo}/{self.commit}/{self.path}"

    @property
    def stem(self) -> str:
        """The file's name without folder and ending, which is what GAOKAO-Bench calls its keyword."""
        return Path(self.path).stem


@cache
def upstream_files(benchmark: str, folder: str = "") -> tuple[UpstreamFile, ...]:
    """The files of `benchmark`, all or those whose path begins with `folder`, in the order of the list.

    Raises ValueError for a benchmark we do not know.
    """
    if benchmark not in BENCHMARKS:
        raise ValueError(f"unknown benchmark {benchmark!r}: expected one of {', '.join(BENCHMARKS)}")
    text = package_files("lm_eval_zh").joinpath("upstream_files.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    listed = (
        UpstreamFile(row["benchmark"], row["repo"], row["commit"], row["path"], int(row["bytes"]), row["sha256"])
        for row in rows
    )
    return tuple(file for file in listed if file.benchmark == benchmark and file.path.startswith(folder))


def cache_folder() -> Path:
    """`$LM_EVAL_ZH_CACHE`, or the user's cache folder of this operating system. It need not exist yet."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen).expanduser() if chosen else Path(pooch.os_cache("lm-eval-zh"))


def cached_path(file: UpstreamFile) -> Path:
    """Where `file` lies once it has been fetched."""
    return cache_folder() / file.key


def source_urls(file: UpstreamFile) -> list[str]:
    """Where `file` is looked for, in order: the mirror alone if one is set, else GitHub, then the CDN."""
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        parts = {"repo": file.repo, "commit": file.commit, "path": quote(file.path)}
        return [_GITHUB.format(**parts), _CDN.format(**parts)]
    if "://" in mirror:
        return [f"{mirror.rstrip('/')}/{quote(file.key)}"]
    return [str(Path(mirror).expanduser() / file.key)]


def fetch(file: UpstreamFile) -> Path:
    """The path of a local copy of `file` with the digest it must have.

    A cached copy is checked at each call. One that has changed is removed and fetched again. Downloads go to a temporary
    file and are moved into place after the check, so that nothing half-written is ever found under the file's name.

    Raises SourceError if no source gives the file with the right digest; the message lists what was tried.
    """
    path = cached_path(file)
    tried: list[str] = []
    try:
        if path.exists():
            found = pooch.file_hash(str(path), alg="sha256")
            if found == file.sha256:
                return path
            path.unlink()
            tried.append(f"{path}: the cached copy had SHA-256 {found} and was removed")
        for url in source_urls(file):
            try:
                with _quiet_pooch():
                    pooch.retrieve(url, f"sha256:{file.sha256}", path.name, path.parent, downloader=_downloader(url))
                return path
            except (OSError, ValueError, requests.RequestException) as error:
                tried.append(f"{url}: {_reason(error)}")
    except OSError as error:  # the cache itself: no right to write, a file where a folder should be, a full disk
        tried.append(f"{path}: {_reason(error)}")
    raise SourceError(
        f"could not get {file.path} of {file.repo} at commit {file.commit} (SHA-256 {file.sha256}).\n"
        + "".join(f"  tried {attempt}\n" for attempt in tried)
        + f"Check the network, or set {MIRROR_VARIABLE} to a folder or URL that holds {file.key}. "
        "A digest that differs means that the source changed the file: it is not used."
    )


def fetch_all(wanted: Iterable[UpstreamFile]) -> list[Path]:
    """`fetch` for each file, in order, with a progress bar if any of them is not in the cache yet."""
    wanted = list(wanted)
    missing = any(not cached_path(file).exists() for file in wanted)
    return [fetch(file) for file in tqdm(wanted, desc="lm-eval-zh: fetching", unit="file", disable=not missing)]


def read_json(path: Path) -> Any:
    """The content of a JSON file. Raises SourceError naming file, line and column if it isn't JSON in UTF-8."""
    return _parse_json(_read_text(path), path, first_line=1)


def read_jsonl(path: Path) -> Iterator[tuple[int, Any]]:
    """Line number (from 1) and content of each line of a JSON Lines file that isn't blank.

    Raises SourceError naming file and line for a line that isn't JSON.
    """
    # Not splitlines(): a JSON string may hold U+2028 and its like, which are no line ends in JSON Lines.
    for number, line in enumerate(_read_text(path).split("\n"), start=1):
        if line.strip():
            yield number, _parse_json(line, path, first_line=number)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: byte {error.start}: not UTF-8 ({error.reason})") from error
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error


def _parse_json(text: str, path: Path, first_line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise SourceError(f"{path}: line {line} column {error.colno}: not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of nested brackets
        raise SourceError(f"{path}: line {first_line}: JSON that can't be read ({error})") from error


@contextmanager
def _quiet_pooch() -> Iterator[None]:
    """No line per file from pooch: there is one progress bar for all files."""
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


def _downloader(url: str) -> Callable[[str, str, Any], None]:
    if "://" in url:
        download: Callable[[str, str, Any], None] = pooch.HTTPDownloader(timeout=_TIMEOUT_SECONDS)
        return download

    def copy(source: str, target: str, _: Any) -> None:
        shutil.copyfile(source, target)

    return copy


def _reason(error: Exception) -> str:
    """One line; requests nests the cause three deep, and pooch's advice is about its own interface."""
    if isinstance(error, requests.ConnectionError):
        return "no connection"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())
