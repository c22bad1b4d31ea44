"""Which family of models a name belongs to: a judge may favour answers of its own kind."""

from __future__ import annotations

import re

# Families share weights or training data. A name may belong to several, as that of a distilled model does.
_FAMILIES = {
    "aquila": r"aquila",
    "baichuan": r"baichuan",
    "claude": r"claude",
    "command": r"command-?[ar]\b|\baya\b",
    "deepseek": r"deepseek",
    "doubao": r"doubao|seed-oss|skylark",
    "ernie": r"ernie|wenxin",
    "gemini": r"gemini|gemma|\bpalm\b",
    "glm": r"glm|critiquellm",  # CritiqueLLM-6B is a ChatGLM3
    "gpt": r"gpt|davinci|\bo[134]\b",
    "grok": r"grok",
    "hunyuan": r"hunyuan",
    "internlm": r"internlm|internvl",
    "kimi": r"kimi|moonshot",
    "llama": r"llama|vicuna|alpaca",
    "minimax": r"minimax|abab",
    "mistral": r"[mx]istral|mixtral|ministral",
    "moss": r"\bmoss\b",
    "phi": r"\bphi\b",
    "qwen": r"qwen|\bqwq|\bqvq|tongyi",
    "smollm": r"smollm",
    "spark": r"\bspark\b|xinghuo",
    "yi": r"\byi\b",
}
_CHECKPOINT = re.compile(
    r"(?:/(?:snapshots|[0-9a-f]{40}|(?:checkpoint|epoch|step|global_step)[-_]?\d+|final|best))+$", re.I
)
_PATTERNS = {family: re.compile(pattern) for family, pattern in _FAMILIES.items()}


def families(model: str) -> frozenset[str]:
    """The families a model's name or path belongs to; empty for one we do not know.

    Of a path its last part counts, or the one before a checkpoint's number or a snapshot's digest.

    >>> sorted(families("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B"))
    ['deepseek', 'qwen']
    """
    path = _CHECKPOINT.sub("", model.replace("\\", "/").rstrip("/"))
    name = re.sub(r"[_\s]+", "-", path.rpartition("/")[2].lower())
    parted = re.sub(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", "-", name)  # phi3 is a phi
    return frozenset(family for family, found in _PATTERNS.items() if found.search(name) or found.search(parted))
