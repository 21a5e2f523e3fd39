"""Statistics against scipy and known answers."""

import numpy as np
import pytest
from scipy import stats

from seewhy.bench.statistics import agreement, best_three, holm, paired_difference, ranks, summarize

NAN = float("nan")


def test_mean_and_standard_error_are_those_of_scipy():
    scores = np.random.default_rng(0).normal(size=(30, 3))
    scores[:4, 1] = NAN
    summary = summarize(scores)
    np.testing.assert_allclose(summary.mean, np.nanmean(scores, axis=0))
    np.testing.assert_allclose(summary.error, stats.sem(scores, axis=0, ddof=0, nan_policy="omit"))
    assert summary.count.tolist() == [30, 26, 30]


def test_intervals_cover_the_truth_as_often_as_they_say():
    random = np.random.default_rng(1)
    summaries = [summarize(random.normal(size=(40, 1)), seed=trial) for trial in range(150)]
    covered = np.mean([summary.low[0] <= 0 <= summary.high[0] for summary in summaries])
    assert 0.88 <= covered <= 0.99


def test_resamples_are_shared():
    """A method and its twin that is better by a constant get intervals that are shifted by that constant."""
    scores = np.random.default_rng(2).normal(size=(20, 1))
    summary = summarize(np.hstack([scores, scores + 3]))
    np.testing.assert_allclose(summary.low[1] - summary.low[0], 3)
    np.testing.assert_allclose(summary.high[1] - summary.high[0], 3)


def test_a_small_but_steady_difference_is_found():
    """Differences within a case are what counts: the spread over cases is a hundred times larger."""
    random = np.random.default_rng(3)
    base = random.normal(size=30) * 10
    better = base + 0.1 + random.normal(size=30) * 0.01
    found = paired_difference(better, base)
    assert found.mean == pytest.approx(0.1, abs=0.01)
    assert found.low > 0.09
    assert found.p < 1e-4
    assert stats.ttest_ind(better, base).pvalue > 0.5


def test_no_difference():
    scores = np.random.default_rng(4).normal(size=12)
    assert paired_difference(scores, scores + 1e-12).p == 1.0
    assert paired_difference(scores, np.full(12, NAN)).count == 0
    gaps = [paired_difference(*np.random.default_rng(seed).normal(size=(2, 12))).p for seed in range(200)]
    assert np.mean(np.array(gaps) < 0.05) == pytest.approx(0.05, abs=0.045)


def test_holm():
    np.testing.assert_allclose(holm(np.array([0.001, 0.2, 0.02])), [0.003, 0.2, 0.04])
    assert holm(np.array([0.9, 0.8])).max() <= 1


def test_ranks_and_places():
    np.testing.assert_array_equal(ranks(np.array([0.2, NAN, 0.1, 0.2]), higher_is_better=False), [2.5, NAN, 1, 2.5])
    assert best_three(np.array([NAN, 0.3, 0.1, 0.2, 0.9]), higher_is_better=False) == [0, 3, 1, 2, 0]


def test_agreement():
    order = np.array([1.0, 2.0, 3.0, 4.0])
    assert agreement(order, order) == 1
    assert agreement(order, order[::-1]) == -1
    assert agreement(order, np.array([1.0, 2.0, 4.0, 3.0])) == pytest.approx(2 / 3)
    assert np.isnan(agreement(order, np.full(4, NAN)))
