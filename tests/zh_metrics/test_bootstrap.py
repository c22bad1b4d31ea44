from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap
from zh_metrics.bootstrap import (
    Array,
    Statistic,
    error_parts,
    estimates,
    paired_differences,
    question_weights,
    resampled,
)

from alignbench_tasks.categories import CATEGORIES, LANGUAGE, REASONING
from alignbench_tasks.scoring import overall_score
from gaokao_tasks.totals import POINTS, SCIENCES, total_sciences

COVERAGE_RUNS = 400
# 0.95 give or take four standard errors of a share of 400.
COVERED = pytest.approx(0.95, abs=0.044)


def rate(earned: Array, possible: Array) -> Statistic:
    return Statistic(earned[:, np.newaxis], possible[:, np.newaxis], np.ones(1))


def mean(values: Array) -> Statistic:
    return rate(values, np.ones(len(values)))


def test_a_statistic_is_the_benchmarks_own_total() -> None:
    random = np.random.default_rng(1)
    cells = [(subject, kind) for subject, kind in POINTS if subject in SCIENCES]
    of = [cells[i % len(cells)] for i in range(120)]
    possible = random.integers(1, 20, 120).astype(float)
    earned = possible * random.random(120)
    inside = np.array([[cell == one for cell in cells] for one in of], dtype=float)
    statistic = Statistic(
        earned[:, None] * inside, possible[:, None] * inside, np.array([float(POINTS[c]) for c in cells])
    )
    contributions = [(*cell, e, p) for cell, e, p in zip(of, earned, possible, strict=True)]
    assert statistic.value() == pytest.approx(total_sciences(contributions))
    earned[:] = 0
    assert math.isnan(
        Statistic(statistic.earned[3:4], statistic.possible[3:4], statistic.coefficients).value()
    )  # parts are missing


def test_a_statistic_is_the_benchmarks_own_overall_score() -> None:
    random = np.random.default_rng(2)
    scored = [(CATEGORIES[i % 8], float(score)) for i, score in enumerate(random.integers(1, 11, 100))]
    inside = np.array([[category == one for category in CATEGORIES] for one, _ in scored], dtype=float)
    scores = np.array([score for _, score in scored])
    coefficients = np.array([1 / 4 if c in REASONING else 1 / 2 / len(LANGUAGE) for c in CATEGORIES])
    assert Statistic(scores[:, None] * inside, inside, coefficients).value() == pytest.approx(overall_score(scored))


def test_weights_keep_each_strata_and_the_draw_is_reproducible() -> None:
    strata = ["a"] * 30 + ["b"] * 10
    weights = question_weights(strata, resamples=50, seed=3)
    assert weights.shape == (50, 40)
    np.testing.assert_allclose(weights[:, :30].sum(axis=1), 30)
    np.testing.assert_allclose(weights[:, 30:].sum(axis=1), 10)
    np.testing.assert_array_equal(weights, question_weights(strata, resamples=50, seed=3))
    assert (weights != question_weights(strata, resamples=50, seed=4)).any()


def test_a_stratums_weights_do_not_depend_on_the_others() -> None:
    alone = question_weights(["a"] * 12, resamples=20)
    np.testing.assert_array_equal(alone, question_weights(["b"] * 5 + ["a"] * 12, resamples=20)[:, 5:])


def test_a_cluster_is_drawn_as_one_also_across_strata() -> None:
    strata = ["a", "b", "a", "b", "a", "b", "a", "a"]
    clusters = ["1", "1", "2", "2", "3", "3", "4", "5"]
    weights = question_weights(strata, clusters, resamples=100)
    for first in (0, 2, 4):
        np.testing.assert_array_equal(weights[:, first], weights[:, first + 1])
    np.testing.assert_allclose(weights[:, :6].sum(axis=1), 6)


@pytest.mark.parametrize(
    ("strata", "varies"),
    [(["a", "b"], True), (["a", "a", "a", "b"], True), (["a"], False)],
    ids=["joined_to_each_other", "joined_to_the_smallest", "nothing_to_join"],
)
def test_a_stratum_of_one(strata: list[str], varies: bool) -> None:
    weights = question_weights(strata, resamples=200)
    assert (np.nanstd(weights, axis=0) > 0).all() == varies
    assert np.isnan(weights).all() != varies


def test_one_question_has_no_interval() -> None:
    weights = question_weights(["a"], resamples=10)
    (estimate,) = estimates([mean(np.array([0.5]))], weights)
    assert estimate.value == 0.5
    assert all(math.isnan(value) for value in estimate[1:])


def test_a_number_without_questions_has_no_interval() -> None:
    weights = question_weights(["a"] * 3, resamples=10)
    (estimate,) = estimates([rate(np.zeros(3), np.zeros(3))], weights)
    assert all(math.isnan(value) for value in estimate)


def test_intervals_are_those_of_scipy() -> None:
    random = np.random.default_rng(5)
    possible = random.integers(1, 10, 500).astype(float)
    earned = possible * random.random(500)
    (ours,) = estimates([rate(earned, possible)], question_weights(["all"] * 500, resamples=20_000))
    theirs = scipy_bootstrap(
        (earned, possible),
        lambda e, p, axis: e.sum(axis=axis) / p.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        rng=np.random.default_rng(6),
    )
    assert ours.error == pytest.approx(theirs.standard_error, rel=0.03)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.05 * ours.error)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.05 * ours.error)


@pytest.mark.parametrize("size", [3, 9, 50])
def test_the_standard_error_of_a_mean_is_the_textbooks_in_small_strata_too(size: int) -> None:
    values = np.random.default_rng(7).normal(size=size)
    (estimate,) = estimates([mean(values)], question_weights(["all"] * size, resamples=20_000))
    assert estimate.error == pytest.approx(values.std(ddof=1) / math.sqrt(size), rel=0.03)


def test_intervals_cover_the_truth_at_their_level() -> None:
    """A rate of points over points in two strata, one of them small, whose questions weigh differently."""
    random = np.random.default_rng(8)
    sizes, chances = (120, 15), (0.7, 0.4)
    strata = [name for name, size in zip("ab", sizes, strict=True) for _ in range(size)]
    chance = np.repeat(chances, sizes)
    possible = np.repeat((2.0, 12.0), sizes)
    truth = (chance * possible).sum() / possible.sum()
    weights = question_weights(strata, resamples=500)
    covered = 0
    for _ in range(COVERAGE_RUNS):
        earned = possible * random.beta(2 * chance, 2 * (1 - chance))
        (estimate,) = estimates([rate(earned, possible)], weights)
        covered += estimate.low <= truth <= estimate.high
    assert covered / COVERAGE_RUNS == COVERED


def test_intervals_of_differences_cover_a_known_difference() -> None:
    """Two runs that tend to be right on the same questions; the second is 5 points better on average."""
    random = np.random.default_rng(9)
    weights = question_weights(["all"] * 200, resamples=500)
    covered = false_alarms = 0
    for _ in range(COVERAGE_RUNS):
        difficulty = random.normal(size=200)
        first = difficulty + random.normal(scale=0.5, size=200)
        same = difficulty + random.normal(scale=0.5, size=200)
        (better,) = paired_differences([mean(first)], [mean(same + 0.05)], weights)
        covered += better.low <= 0.05 <= better.high
        (alike,) = paired_differences([mean(first)], [mean(same)], weights)
        false_alarms += alike.p < 0.05
    assert covered / COVERAGE_RUNS == COVERED
    assert 1 - false_alarms / COVERAGE_RUNS == COVERED


def test_pairing_makes_the_interval_narrower_than_two_runs_apart() -> None:
    random = np.random.default_rng(10)
    first = random.normal(size=300)
    second = first + random.normal(scale=0.1, size=300)
    weights = question_weights(["all"] * 300)
    (difference,) = paired_differences([mean(first)], [mean(second)], weights)
    (alone,) = estimates([mean(first)], weights)
    assert difference.high - difference.low < (alone.high - alone.low) / 5


def test_identical_runs_differ_by_nothing_with_certainty() -> None:
    values = np.random.default_rng(11).random(50)
    weights = question_weights(["a"] * 20 + ["b"] * 30)
    assert paired_differences([mean(values)], [mean(values.copy())], weights) == [(0.0, 0.0, 0.0, 1.0)]


def test_a_clear_difference_has_the_smallest_p() -> None:
    values = np.random.default_rng(12).random(50)
    weights = question_weights(["a"] * 50, resamples=999)
    (difference,) = paired_differences([mean(values)], [mean(values + 1)], weights)
    assert difference.p == 1 / 1000
    assert difference.value == pytest.approx(1)


def test_a_missing_number_has_no_difference() -> None:
    nothing = rate(np.zeros(5), np.zeros(5))
    (difference,) = paired_differences([nothing], [mean(np.ones(5))], question_weights(["a"] * 5, resamples=20))
    assert all(math.isnan(value) for value in difference)


def test_questions_that_share_a_text_are_not_more_evidence() -> None:
    values = np.random.default_rng(13).normal(size=100)
    (once,) = estimates([mean(values)], question_weights(["a"] * 100, resamples=4000))
    twice = np.concatenate([values, values])
    names = [str(i) for i in range(100)] * 2
    (clustered,) = estimates([mean(twice)], question_weights(["a"] * 200, names, resamples=4000))
    (naive,) = estimates([mean(twice)], question_weights(["a"] * 200, resamples=4000))
    assert clustered.error == pytest.approx(once.error, rel=0.05)
    assert naive.error == pytest.approx(once.error / math.sqrt(2), rel=0.05)


def test_resampling_is_the_statistic_on_drawn_questions() -> None:
    """Whole weights are how often a question is there: the same number from the questions written out."""
    random = np.random.default_rng(14)
    possible, earned = random.random((2, 6))
    weights = random.integers(1, 4, (5, 6))
    found = resampled([rate(earned, possible)], weights.astype(float))[:, 0]
    for row, value in zip(weights, found, strict=True):
        assert value == pytest.approx(np.repeat(earned, row).sum() / np.repeat(possible, row).sum())


@pytest.mark.parametrize("leniency", [0.0, 3.0], ids=["judges_alike", "judges_apart"])
def test_the_judges_part_of_the_error_is_found(leniency: float) -> None:
    """Questions of standard deviation 2, judged four times with one of 1: judge 1/2 sqrt(n), questions 2/sqrt(n)."""
    random = np.random.default_rng(15)
    size = 2000
    judges = leniency * np.arange(4)
    scores = random.normal(scale=2, size=(size, 1)) + random.normal(size=(size, 4)) + judges
    statistic = mean(scores.mean(axis=1))
    (estimate,) = estimates([statistic], question_weights(["a"] * size))
    parts = error_parts(statistic, estimate.error, {row: tuple(of_row) for row, of_row in enumerate(scores)})
    assert parts.judge == pytest.approx(0.5 / math.sqrt(size), rel=0.05)
    assert parts.questions == pytest.approx(2 / math.sqrt(size), rel=0.1)
    assert parts.error**2 == pytest.approx(parts.judge**2 + parts.questions**2)
    assert parts.by_judge == pytest.approx(scores.mean(axis=0))


def test_a_question_judged_once_has_the_usual_scatter_and_one_not_judged_has_none() -> None:
    statistic = mean(np.array([5.0, 5.0, 5.0, 5.0]))
    scores = {0: (4.0, 6.0), 1: (6.0, 4.0), 2: (5.0, None)}
    parts = error_parts(statistic, 1.0, scores)
    # Two questions with two scores: a variance of 2 each, doubled for the judges' leniency that they also had to tell.
    assert parts.judge == pytest.approx(math.sqrt(4 / 2 + 4 / 2 + 4 / 1) / 4)
    assert parts.by_judge == pytest.approx((5.0, 5.0))
    of_three = error_parts(statistic, 1.0, {**scores, 3: (5.0, 5.0, 5.0)})
    assert len(of_three.by_judge) == 3
    assert math.isnan(error_parts(statistic, 1.0, {2: (5.0, None)}).judge)
    assert math.isnan(error_parts(statistic, 1.0, {}).judge)
    of_others = rate(np.array([1.0, 0, 0, 0]), np.array([1.0, 0, 0, 0]))
    assert math.isnan(error_parts(of_others, 1.0, {1: (4.0, 6.0)}).judge)


def test_a_judges_own_number_is_that_of_its_own_scores() -> None:
    """Of a median too, and without the questions that it gave no score for."""
    ones = np.ones((3, 1))
    median = Statistic(ones, ones, np.ones(1))
    assert error_parts(median, 0.1, dict.fromkeys(range(3), (1, 1, 10))).by_judge == (1, 1, 10)
    scores = {0: (2.0, 4.0), 1: (3.0, None), 2: (4.0, 8.0)}
    mean = Statistic(np.array([[3.0], [3.0], [6.0]]), ones, np.ones(1))
    assert error_parts(mean, 0.1, scores).by_judge == (3.0, 6.0)
