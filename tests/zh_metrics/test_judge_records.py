"""Judgments as they are written beside samples, and read again."""

from __future__ import annotations

import pytest
from zh_metrics.judge import JudgeReply, Judgment, Status


@pytest.mark.parametrize(
    "judgment",
    [
        Judgment(Status.OK, replies=(JudgeReply("【总分】8分", "judge-1"),)),
        Judgment(Status.UNPARSED, "no reply could be read", (JudgeReply("好"), JudgeReply("不好"))),
        Judgment(Status.EXHAUSTED, "HTTP 500"),
    ],
    ids=["ok", "unparsed", "no_reply"],
)
def test_what_is_written_is_read_again(judgment: Judgment) -> None:
    assert Judgment.from_record(judgment.as_record()) == judgment


def test_what_a_call_cost_is_not_written() -> None:
    paid = Judgment(Status.OK, replies=(JudgeReply("8", "m", "stop", 100, 10, 1.5, cached=True),))
    assert Judgment.from_record(paid.as_record()) == Judgment(Status.OK, replies=(JudgeReply("8", "m"),))


@pytest.mark.parametrize(
    "record",
    [
        None, "ok", [], ["ok"], ["ok", ""], ["fine", "", []], ["ok", None, []], ["ok", "", "text"], ["ok", "", [["m"]]],
        ["ok", "", [["m", 8]]], ["ok", "", ["text"]], ["ok", "", [], []], {"status": "ok"},
    ],
)  # fmt: skip
def test_anything_else_is_none(record: object) -> None:
    with pytest.raises(ValueError, match=r"expected \[(status|model)"):
        Judgment.from_record(record)
