"""A model for the harness that answers at once and remembers what it was asked."""

from __future__ import annotations

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM


class Recorder(LM):  # type: ignore[misc]
    """A model that keeps what it is asked and always gives the same reply."""

    def __init__(self, reply: str | None = "【答案】A") -> None:
        super().__init__()
        self.reply = reply
        self.asked: list[Instance] = []

    def generate_until(self, requests: list[Instance]) -> list[str]:
        self.asked = requests
        return [self.reply] * len(requests)

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError

    tokenizer_name = "none"

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        return "".join(f"<{message['role']}>{message['content']}" for message in chat_history)
