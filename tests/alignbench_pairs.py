"""Real pairs of texts: DeepSeek's replies to AlignBench's questions, and AlignBench's references."""

from __future__ import annotations

import json
from pathlib import Path

_REPLIES = "deepseek-ai/DeepSeek-LLM/6712a86bfb7dd25c73383c5ad2eb7a8db540258b/evaluation/deepseek-67b-1206-no-sp.jsonl"
_QUESTIONS = "THUDM/AlignBench/5b79d4a84e566db26e755c719935c62a0e1b0527/data/data_v1.1_release.jsonl"


def deepseek_pairs(shared: Path) -> list[tuple[str, str]]:
    """(reply, reference) for each of the 683 questions, in their order."""
    replies = {int(record["question_id"]): record["answer"] for record in _records(shared / "upstream" / _REPLIES)}
    return [
        (replies[int(record["question_id"])], record["reference"])
        for record in _records(shared / "upstream" / _QUESTIONS)
    ]


def _records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
