"""Upstream's files: pinned to a commit, fetched on demand, trusted only through their SHA-256.

Nothing of the benchmarks is shipped. `upstream_files.tsv` says what belongs to them; `fetch` gives the path of a local
copy whose digest was checked in this very call.

Environment: `LM_EVAL_ZH_MIRROR`, a folder or URL prefix laid out as `<owner>/<repo>/<commit>/<path>`, replaces the
public addresses; `LM_EVAL_ZH_CACHE` moves the cache.
"""

from __future__ import annotations

import csv
import logging
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

import pooch
import requests
from tqdm import tqdm

from lm_eval_zh.python_literals import keep_assigned_text

MIRROR_VARIABLE = "LM_EVAL_ZH_MIRROR"
CACHE_VARIABLE = "LM_EVAL_ZH_CACHE"
BENCHMARKS = ("gaokao", "alignbench", "cg_eval")

_GITHUB = "https://raw.githubusercontent.com/{repo}/{commit}/{path}"
_CDN = "https://cdn.jsdelivr.net/gh/{repo}@{commit}/{path}"  # serves the same commit; used when GitHub is not reachable
_TIMEOUT_SECONDS = 60
_PASSWORD = re.compile(r"//[^/\s]*@")  # user and password in an address, which no message repeats
_TEMPORARY = re.compile(r"tmp[a-z0-9_]{8}")  # what pooch calls a download before it is checked
_LEFT_OVER_SECONDS = 24 * 60 * 60  # no download takes a day: its process was killed


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
    literal: str = ""  # `function.variable`: only that text of a Python file is kept, and the digest is the text's

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
        UpstreamFile(
            row["benchmark"], row["repo"], row["commit"], row["path"], int(row["bytes"]), row["sha256"], row["literal"]
        )
        for row in rows
    )
    return tuple(file for file in listed if file.benchmark == benchmark and file.path.startswith(folder))


def cache_folder() -> Path:
    """`$LM_EVAL_ZH_CACHE`, or the user's cache folder of this operating system. It need not exist yet."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return user_path(chosen, CACHE_VARIABLE) if chosen else Path(pooch.os_cache("lm-eval-zh"))


def user_path(text: str, name: str) -> Path:
    """The path a user gave as `name`, with `~` resolved. Raises SourceError for the home of a user there is none of."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise SourceError(f"{name}={text}: no home folder is known for that user; give the whole path") from error


def cached_path(file: UpstreamFile) -> Path:
    """Where `file` lies once it has been fetched."""
    return cache_folder() / file.key


def source_urls(file: UpstreamFile) -> list[str]:
    """Where `file` is looked for, in order: the mirror alone if one is set, else GitHub, then the CDN."""
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        parts = {"repo": file.repo, "commit": file.commit, "path": quote(file.path)}
        return [_GITHUB.format(**parts), _CDN.format(**parts)]
    if _is_web(mirror):
        return [f"{mirror.rstrip('/')}/{quote(file.key)}"]
    return [str(_mirror_folder(mirror) / file.key)]


def _is_web(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _mirror_folder(mirror: str) -> Path:
    if "://" not in mirror:
        return user_path(mirror, MIRROR_VARIABLE)
    parts = urlsplit(mirror)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise SourceError(
            f"{MIRROR_VARIABLE}={_PASSWORD.sub('//', mirror)}: expected a folder, or an address that begins with "
            "http://, https:// or file:///"
        )
    return Path(url2pathname(parts.path))


def fetch(file: UpstreamFile) -> Path:
    """The path of a local copy of `file` with the digest it must have.

    A cached copy is checked at each call. One that has changed is replaced, or removed if it can't be. Downloads go to a
    temporary file and are moved into place after the check, so that nothing half-written is ever found under the file's
    name, also by other processes that fill the same cache.

    Raises SourceError if no source gives the file with the right digest, the message lists what was tried, and if the
    cache can't be read or written.
    """
    path = cached_path(file)
    tried: list[str] = []
    with _cache_faults():
        found = _digest_of(path)
        if found == file.sha256:
            return path
        _make_writable(path.parent)
    for url in source_urls(file):
        try:
            with _quiet_pooch():
                pooch.retrieve(url, f"sha256:{file.sha256}", path.name, path.parent, downloader=_downloader(file))
            return path
        except (OSError, ValueError, requests.RequestException) as error:
            tried.append(_PASSWORD.sub("//", f"{url}: {_reason(error)}"))
    with _cache_faults():
        if found and _digest_of(path) == found:  # another process may have had more luck
            path.unlink(missing_ok=True)
            tried.insert(0, f"{path}: the cached copy had SHA-256 {found} and was removed")
    raise SourceError(
        f"could not get {file.path} of {file.repo} at commit {file.commit} (SHA-256 {file.sha256}).\n"
        + "".join(f"  tried {attempt}\n" for attempt in tried)
        + f"Check the network, or set {MIRROR_VARIABLE} to a folder or URL that holds {file.key}. "
        "A digest that differs means that the source changed the file: it is not used."
    )


def fetch_all(wanted: Iterable[UpstreamFile]) -> list[Path]:
    """`fetch` for each file, in order, with a progress bar if any of them is not in the cache yet."""
    wanted = list(wanted)
    with _cache_faults():
        paths = [cached_path(file) for file in wanted]
        missing = any(not path.exists() for path in paths)
    for folder in {path.parent for path in paths}:
        _remove_leftovers(folder)
    return [fetch(file) for file in tqdm(wanted, desc="lm-eval-zh: fetching", unit="file", disable=not missing)]


@contextmanager
def _cache_faults() -> Iterator[None]:
    """Says of an error that the cache is at fault: no right to read or write, a file where a folder should be."""
    try:
        yield
    except OSError as error:
        raise SourceError(
            f"{error.filename or cache_folder()}: {_reason(error)}. The cache {cache_folder()} can't be used: "
            f"set {CACHE_VARIABLE} to a folder you may write to"
        ) from error


def _digest_of(path: Path) -> str | None:
    try:
        digest: str = pooch.file_hash(str(path), alg="sha256")
    except FileNotFoundError:
        return None
    return digest


def _make_writable(folder: Path) -> None:
    """Create `folder` and try to write to it, so that no source is blamed for the cache."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of downloads that were killed; as a courtesy, so never an error."""
    with suppress(OSError):
        for path in list(folder.iterdir()):
            if _TEMPORARY.fullmatch(path.name) and time.time() - path.stat().st_mtime > _LEFT_OVER_SECONDS:
                path.unlink(missing_ok=True)


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


def _downloader(file: UpstreamFile) -> Callable[[str, str, Any], None]:
    """What writes the file at an address to the target that pooch names.

    pooch has made the target for its owner alone. A new file in its place gets the permissions of any file of this user.
    """

    def download(source: str, target: str, _: Any) -> None:
        Path(target).unlink()
        with Path(target).open("xb") as output:
            if _is_web(source):
                pooch.HTTPDownloader(timeout=_TIMEOUT_SECONDS)(source, output, None)
            else:
                with Path(source).open("rb") as copy:
                    shutil.copyfileobj(copy, output)
        if file.literal:
            keep_assigned_text(Path(target), file.literal)

    return download


def _reason(error: Exception) -> str:
    """One line; requests nests the cause three deep, and pooch's advice is about its own interface."""
    if isinstance(error, requests.ConnectionError):
        return f"no connection ({type(error).__name__})"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())
