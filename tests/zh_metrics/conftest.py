from __future__ import annotations

import pytest
from judge_asking import KEY
from zh_metrics.judge import calls


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge's tries follow each other at once, and there is a key."""
    monkeypatch.setattr(calls, "_FIRST_WAIT", 0.0)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
