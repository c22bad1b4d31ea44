from __future__ import annotations

from typing import Any

import pytest
from zh_metrics.gscore import GscoreSettingsError, gscore_settings


def test_the_defaults() -> None:
    settings = gscore_settings({})
    assert settings.encoder == "BAAI/bge-large-zh-v1.5"
    assert settings.weights == (0.2, 0.25, 0.25, 0.3)
    assert settings.similarity == "on"


@pytest.mark.parametrize(("given", "read"), [(False, "off"), ("off", "off"), (True, "on"), ("on", "on")])
def test_off_as_yaml_reads_it(given: object, read: str) -> None:
    assert gscore_settings({"similarity": given}).similarity == read


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"encodr": "x"}, "'encodr' is unknown: expected similarity, encoder"),
        ({"similarity": "no"}, "'similarity': .*got 'no'"),
        ({"encoder": ""}, "'encoder'"),
        ({"encoder": "a|b"}, "'encoder'"),
        ({"dtype": "int8"}, "'dtype': .*got 'int8'"),
        ({"backend": "jax"}, "'backend'"),
        ({"window": 0}, "'window'"),
        ({"window": "all"}, "'window'"),
        ({"window": 10, "stride": 11}, "a stride of 11 tokens leaves some out of windows of 10"),
        ({"chrf_weight": 0.5}, "the four weights add up to 1.25, expected 1"),
        ({"chrf_weight": -1}, "'chrf_weight'"),
        ({"batch_size": True}, "'batch_size'"),
    ],
)
def test_settings_that_can_not_be_used(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GscoreSettingsError, match=message):
        gscore_settings(given)


def test_other_weights() -> None:
    given = {"bleu4_weight": 0, "rouge2_weight": 0, "chrf_weight": 0, "similarity_weight": 1}
    assert gscore_settings(given).weights == (0, 0, 0, 1)
