"""Replies kept on disk, one file each: what is finished is never asked for again.

A file is written beside its place, synced, and moved there, so that a reply is either whole or absent, whatever kills
the process. Its first line is the digest of the rest: a damaged file is no entry, and costs that entry only. Several
processes may share a folder. The text is JSON; nothing is ever executed.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from zh_metrics.judge.records import JudgeReply
from zh_metrics.judge.texts import without_surrogates

log = logging.getLogger(__name__)

_WRITES = itertools.count()  # makes names that no other writer has, beside the number of the process
_NAME_BYTES = 250  # file systems take 255
_SHAPE = {name: type(value) for name, value in asdict(JudgeReply("")).items() if name != "cached"}


def request_key(fields: Mapping[str, Any]) -> str:
    """The SHA-256 of all fields of a request: another judge, prompt or setting is another key."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class CachedJudge:
    """What the cache holds of one judge: replies and bytes on disk."""

    name: str
    replies: int
    size: int


class ReplyCache:
    """Replies by judge and key, in a folder that is made when the first reply comes."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def get(self, judge: str, key: str) -> JudgeReply | None:
        """The reply under `key`; None if there is none, or none that is whole."""
        path = "/".join(self._place(judge, key))
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - as in `put`
                digest, _, content = file.read().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("judge cache: %s: %s; the reply is asked for again", path, error.strerror)
            return None
        if hashlib.sha256(content).hexdigest().encode() != digest:
            log.warning("judge cache: %s is damaged; the reply is asked for again", path)
            return None
        reply = _reply(content)
        if reply is None:
            log.warning("judge cache: %s is no reply of this version; it is asked for again", path)
        return reply

    def put(self, judge: str, key: str, reply: JudgeReply) -> None:
        """Keep `reply` under `key`: it is on the disk when this returns. Raises OSError if it can't be."""
        folder, name = self._place(judge, key)
        content = json.dumps({field: value for field, value in vars(reply).items() if field != "cached"}).encode()
        beside = f"{folder}/.{name}.{os.getpid()}.{next(_WRITES)}"
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - of the time a reply takes, paths as objects are the most
        try:
            with open(beside, "xb") as file:  # noqa: PTH123
                file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, f"{folder}/{name}")  # noqa: PTH105
        except OSError:
            Path(beside).unlink(missing_ok=True)
            raise

    def judges(self) -> list[CachedJudge]:
        """What the cache holds, by judge in order of names; empty without a folder."""
        folders = sorted(folder for folder in self.folder.glob("*") if folder.is_dir())
        held = []
        for folder in folders:
            files = [file for file in folder.glob("*/*") if not file.name.startswith(".")]
            held.append(CachedJudge(folder.name, len(files), sum(file.stat().st_size for file in files)))
        return held

    def clear(self, name: str) -> int:
        """Remove the replies of the judge `judges()` calls `name`; how many there were.

        Raises KeyError for a name the cache does not hold, OSError if its folder can't be removed, as a link to one can't.
        """
        held = {judge.name: judge for judge in self.judges()}
        folder = self.folder / held[name].name
        if folder.is_symlink():
            raise OSError(f"{folder} is a link to {folder.resolve()}: remove the replies there")
        shutil.rmtree(folder)
        return held[name].replies

    def _place(self, judge: str, key: str) -> tuple[str, str]:
        """The folder and the name of an entry's file."""
        return f"{self.folder}/{folder_name(judge)}/{key[:2]}", key[2:]


def _reply(content: bytes) -> JudgeReply | None:
    """The reply a file holds; None for anything else, such as what another version or another program wrote."""
    try:
        kept = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(kept, dict) or {name: type(value) for name, value in kept.items()} != _SHAPE:
        return None
    texts = {name: without_surrogates(value) for name, value in kept.items() if isinstance(value, str)}
    return JudgeReply(**{**kept, **texts, "cached": True})


@lru_cache
def folder_name(judge: str) -> str:
    """A judge's name as that of a folder: Qwen/Qwen3-8B is Qwen_Qwen3-8B. Never a path of its own."""
    name = re.sub(r"[^\w\-.+@]", "_", judge).lstrip(".")[:100]
    return name.encode()[:_NAME_BYTES].decode(errors="ignore") or "_"
