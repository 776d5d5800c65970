"""Widths by leave-one-out likelihood."""

import numpy as np
import pytest

from gramian import KernelDensity
from gramian.neighbors import choose_bandwidth, choose_bins, choose_neighbors
from gramian.neighbors.density.kernels import KERNELS


@pytest.mark.parametrize("kernel", KERNELS)
def test_bandwidth_scores_equal_leave_one_out(rng, kernel):
    X, h = rng.normal(size=(60, 2)), [4.0, 6.0, 9.0]
    expected = [
        np.mean(
            [
                KernelDensity(kernel=kernel, bandwidth=b)
                .fit(np.delete(X, i, axis=0))
                .score_samples(X[i : i + 1])[0]
                for i in range(60)
            ]
        )
        for b in h
    ]
    choice = choose_bandwidth(X, h, kernel=kernel)
    np.testing.assert_allclose(choice.log_likelihood, expected, rtol=1e-10)
    assert choice.best == h[int(np.argmax(expected))]


def test_outliers_keep_a_finite_likelihood(rng):
    X = np.vstack([rng.normal(size=(50, 1)), [[1e4]]])
    assert np.isfinite(choose_bandwidth(X, [0.1, 1.0]).log_likelihood).all()


def test_weights_and_default_grid(rng):
    X, w = rng.normal(size=(200, 1)), rng.random(200)
    w[:50] = 0
    some = choose_bandwidth(X, [0.2, 0.4], sample_weight=w)
    kept = choose_bandwidth(X[50:], [0.2, 0.4], sample_weight=w[50:])
    np.testing.assert_allclose(some.log_likelihood, kept.log_likelihood, rtol=1e-12)
    grid = choose_bandwidth(1000 * X)
    assert len(grid.values) == 20
    assert 30 < grid.best < 1000


def test_bins_by_leaving_out_each_row(rng):
    x = rng.uniform(size=80)
    choice = choose_bins(x, [1, 3])
    counts, edges = np.histogram(x, bins=3)
    width = edges[1] - edges[0]
    expected = np.sum(counts * np.log((counts - 1) / (79 * width))) / 80
    assert choice.log_likelihood[1] == pytest.approx(expected)
    assert choice.log_likelihood[0] == pytest.approx(-np.log(np.ptp(x)))
    assert choose_bins(x).best >= 1


def test_neighbours_by_leaving_out_each_row(rng):
    X = rng.normal(size=(60, 2))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    np.fill_diagonal(D, np.inf)
    fifth = np.sort(D, axis=1)[:, 4]
    expected = np.mean(np.log(4 / (59 * np.pi * fifth**2)))
    assert choose_neighbors(X, [5, 9]).log_likelihood[0] == pytest.approx(expected)
    assert 2 <= choose_neighbors(X).best <= 15


def test_bad_arguments_are_refused(rng):
    X = rng.normal(size=(10, 1))
    for h in ([0.0], [-1.0], [np.nan], []):
        with pytest.raises(ValueError, match="bandwidths must contain"):
            choose_bandwidth(X, h)
    with pytest.raises(ValueError, match="at least two"):
        choose_bandwidth(X[:1], [1.0])
    with pytest.raises(ValueError, match="larger candidates"):
        choose_bandwidth(1000.0 * np.arange(5)[:, None], [1.0], kernel="tophat")
    with pytest.raises(ValueError, match="kernel must be"):
        choose_bandwidth(X, kernel="bell")
    with pytest.raises(ValueError, match="bins must be"):
        choose_bins(X, [0])
    with pytest.raises(ValueError, match="n_neighbors must be"):
        choose_neighbors(X, [10])
    with pytest.raises(ValueError, match="sample_weight"):
        choose_bandwidth(X, [1.0], sample_weight=np.zeros(10))


def test_messages_name_the_argument():
    with pytest.raises(ValueError, match="choose_bandwidth: Input X contains NaN"):
        choose_bandwidth([[np.nan], [1.0]])
    with pytest.raises(ValueError, match="choose_neighbors: Input X contains NaN"):
        choose_neighbors([[np.nan], [1.0], [2.0]])
    with pytest.raises(
        ValueError, match=r"choose_bins: x must be .* one column; got shape \(4, 2\)"
    ):
        choose_bins(np.ones((4, 2)))
    with pytest.raises(ValueError, match="choose_bins: Input x contains NaN"):
        choose_bins([np.nan, 1.0])


def test_a_weight_near_zero_changes_no_likelihood(rng):
    X, w = rng.normal(size=(30, 1)), np.ones(30)
    w[0] = 1e-310
    found = choose_bandwidth(X, [0.1, 0.3], sample_weight=w)
    expected = choose_bandwidth(X[1:], [0.1, 0.3])
    np.testing.assert_allclose(found.log_likelihood, expected.log_likelihood, rtol=1e-12)
