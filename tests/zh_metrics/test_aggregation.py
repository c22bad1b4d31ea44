from __future__ import annotations

import math

import pytest
from zh_metrics.aggregation import count, rate, share, total


def test_rate_is_points_over_points_not_a_mean_of_rates() -> None:
    assert rate([(6, 6), (0, 6), (1.5, 3)]) == 0.5


@pytest.mark.parametrize("pairs", [[], [(0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]], ids=["no_documents", "one", "two"])
def test_rate_without_possible_points_is_nan(pairs: list[tuple[float, float]]) -> None:
    assert math.isnan(rate(pairs))


def test_documents_outside_a_part_change_nothing() -> None:
    assert rate([(3, 4), (0, 0), (0, 0)]) == rate([(3, 4)]) == 0.75


def test_share_reaches_exactly_one() -> None:
    tenths = [(0.1, 1.0)] * 10
    assert share([(9, 27)] * 3) == 1.0
    assert share(tenths[:5]) == pytest.approx(0.5)
    assert math.isnan(share([]))


def test_total_and_count() -> None:
    assert total([]) == 0.0
    assert total([1.5, 2]) == 3.5
    assert count(["", "no_answer", "", "wrong_count"]) == 2
    assert count([]) == 0
