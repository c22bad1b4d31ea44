from __future__ import annotations

from typing import Any

import pytest
from zh_metrics.signature import signature

from lm_eval_zh.run_signature import generation_fields, package_version, subset_field, text_digest


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
    ],
)
def test_subset(limit: int | None, samples: list[int] | None, field: str) -> None:
    assert subset_field(limit, samples, 10) == field


def test_the_order_of_chosen_samples_does_not_matter() -> None:
    assert subset_field(None, [3, 1], 10) == subset_field(None, [1, 3], 10) != subset_field(None, [1, 2], 10)


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert package_version("no-such-distribution") == "uninstalled"
    assert package_version("lm_eval")[0].isdigit()
