from __future__ import annotations

from typing import Any

import pytest
from zh_metrics.signature import parse_signature, signature

from lm_eval_zh.run_signature import (
    generation_fields,
    inherited_fields,
    package_version,
    subset_field,
    text_digest,
)


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ({"temperature": 0}, {"temperature": "0.0"}),
        ({"until": "END"}, {"until": ["END"]}),
        ({"until": None}, {"until": []}),
        ({"do_sample": "false"}, {"do_sample": False}),
        ({"do_sample": "True"}, {"do_sample": True}),
        ({"max_gen_toks": 64}, {"max_gen_toks": "64"}),
        ({"max_gen_toks": ""}, {"max_gen_toks": None}),
        ({"top_p": 1, "top_k": 2}, {"top_k": 2, "top_p": 1}),
    ],
)
def test_one_setting_has_one_form(one: dict[str, Any], same: dict[str, Any]) -> None:
    assert generation_fields(one) == generation_fields(same)


@pytest.mark.parametrize(
    "settings",
    [
        {"temperature": None},
        {"temperature": "hot|cold\n"},
        {"max_gen_toks": ""},
        {"max_gen_toks": "many"},
        {"until": [1, None, "\ud800"]},
        {"seed": {"a": "|"}},
    ],
)
def test_any_setting_makes_a_signature(settings: dict[str, Any]) -> None:
    fields = generation_fields(settings)
    assert signature(fields)
    assert fields != generation_fields({}) or settings == {"max_gen_toks": ""}


@pytest.mark.parametrize(
    ("limit", "samples", "field"),
    [
        (None, None, "none"),
        (3, None, "first 3"),
        (10, None, "none"),
        (11, None, "none"),
        (None, [], text_digest(["[]"])),
        (None, [0, 2, 1], "first 3"),
        (None, list(range(10)), "none"),
        (None, [1, 2], text_digest(["[1, 2]"])),
        (None, [2, 2], text_digest(["[2]"])),
    ],
)
def test_subset(limit: int | None, samples: list[int] | None, field: str) -> None:
    assert subset_field(limit, samples, 10) == field


def test_the_order_of_chosen_samples_does_not_matter() -> None:
    assert subset_field(None, [3, 1], 10) == subset_field(None, [1, 3], 10) != subset_field(None, [1, 2], 10)


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert package_version("no-such-distribution") == "uninstalled"
    assert package_version("lm_eval")[0].isdigit()


def test_what_stays_true_when_samples_are_scored_again() -> None:
    text = (
        "task:t|version:1.0|pipeline:robust|data:d|prompt:p|subset:none|replies:generated|temperature:0.3|chat:yes"
        "|judge:j|judge_settings:s|mode:m|lm_eval:0.4.13|lm_eval_zh:0.1.0"
    )
    assert inherited_fields(parse_signature(text)) == (
        {"prompt": "p", "replies": "generated", "temperature": "0.3", "chat": "yes"},
        {"judge": "j", "judge_settings": "s", "mode": "m"},
    )
    assert inherited_fields({"task": "t", "prompt": "p"}) == ({}, {})
    assert inherited_fields({}) == ({}, {})
