from __future__ import annotations

import pytest
from zh_metrics.signature import parse_signature, signature


def test_a_signature_reads_back() -> None:
    fields = {"task": "gaokao_obj", "version": 1.0, "url": "http://127.0.0.1:8000/v1"}
    text = signature(fields)
    assert text == "task:gaokao_obj|version:1.0|url:http://127.0.0.1:8000/v1"
    assert parse_signature(text) == {name: str(value) for name, value in fields.items()}


@pytest.mark.parametrize("fields", [{"a": ""}, {"": "b"}, {"a": "b|c"}, {"a:b": "c"}, {"a": "b\nc"}])
def test_what_could_not_be_read_back_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="can't stand in a signature"):
        signature(fields)


def test_a_part_without_colon_is_refused() -> None:
    with pytest.raises(ValueError, match="expected name:value"):
        parse_signature("task:a|oops")
