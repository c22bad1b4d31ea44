"""Predictions in the shape OpenCompass writes them, about the sample questions; the texts are this project's own."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaokao_tasks.docs import documents

SAMPLE = "gaokao_sample"


def as_text(question: str) -> Any:
    """What a base model is given."""
    return f"请你做一道题。\n题目如下：{question}"


def as_messages(question: str) -> Any:
    """What a chat model is given."""
    return [{"role": "HUMAN", "prompt": as_text(question)}]


def write(folder: Path, prompt: Callable[[str], Any], reply: Callable[[dict[str, Any]], Any]) -> Path:
    """A folder `predictions/<model>`: one file for each question file, its predictions numbered from 0."""
    files: dict[str, dict[str, Any]] = defaultdict(dict)
    for doc in sorted(documents(SAMPLE), key=lambda doc: doc["index"]):
        keyword = doc["id"].split("/")[1]
        of_file = files[f"GaokaoBench_{keyword}"]
        of_file[str(len(of_file))] = {
            "origin_prompt": prompt(doc["question"].strip()), "prediction": reply(doc), "gold": doc["answer"],
        }  # fmt: skip
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False, indent=4), encoding="utf-8")
    return folder
