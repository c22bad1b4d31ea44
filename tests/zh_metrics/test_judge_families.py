from __future__ import annotations

import pytest
from zh_metrics.judge.families import families


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", {"qwen"}),
        ("QwQ-32B", {"qwen"}),
        ("/hub/models--Qwen--Qwen2-7B/snapshots/" + "0a" * 20, {"qwen"}),
        ("qwen2-7b-sft/checkpoint-500", {"qwen"}),
        ("/data/gpt/Qwen3-8B/", {"qwen"}),  # the last part of a path alone
        (r"C:\models\internlm2-chat-7b", {"internlm"}),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-8B", {"deepseek", "llama"}),
        ("gpt-4-0613", {"gpt"}),
        ("o3-mini", {"gpt"}),
        ("text-davinci-003", {"gpt"}),
        ("CritiqueLLM-6B", {"glm"}),
        ("glm-4-9b-chat", {"glm"}),
        ("microsoft/phi-4", {"phi"}),
        ("phi3_mini", {"phi"}),
        ("01-ai/Yi-1.5-34B-Chat", {"yi"}),
        ("mixtral-8x7b", {"mistral"}),
        ("ministral-8b", {"mistral"}),
        ("Mistral-Small", {"mistral"}),
        ("moonshot-v1-8k", {"kimi"}),
        ("SmolLM2-135M", {"smollm"}),
        ("overlap", set()),
        ("delphi-yinyang", set()),
        ("my-judge", set()),
        ("", set()),
    ],
)
def test_families_by_name(name: str, expected: set[str]) -> None:
    assert families(name) == expected
