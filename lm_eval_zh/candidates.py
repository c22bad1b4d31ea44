"""What the model of a run is called."""

from __future__ import annotations

from typing import Any


def candidate_name(model: Any) -> str:
    """The name or path that the harness's model was made of, "" where it has none.

    Hugging Face models keep it in `pretrained`, those behind a server in `model`, vLLM's in `model_args`; recorded answers
    have the one they were given.
    """
    arguments = getattr(model, "model_args", None)
    named = (
        getattr(model, "pretrained", None),
        getattr(model, "model", None),
        arguments.get("model") if isinstance(arguments, dict) else None,
    )
    return next((name for name in named if isinstance(name, str) and name), "")
