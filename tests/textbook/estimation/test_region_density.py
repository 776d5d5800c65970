"""K / (N V) of a region: its value, its mean and its variance."""

import numpy as np
import pytest
import scipy.stats

from gramian.neighbors import KNeighborsDensity, naive_density
from gramian.textbook.estimation import proportion_moments, region_density


def corner(x):
    return (x < 0.5).all(axis=1)


def test_the_estimate_is_the_proportion_over_the_volume(rng):
    X = rng.random((40, 2))
    found = region_density(X, corner, 0.25)
    assert found.n_inside == corner(X).sum()
    assert found.density == pytest.approx(found.n_inside / (40 * 0.25))
    assert found.standard_error == pytest.approx(np.sqrt(found.proportion_variance) / 0.25)


def test_proportions_of_a_region_have_the_mean_p_and_the_variance_of_a_binomial(rng):
    """K of N points in a region of probability P: E[K / N] = P, var = P (1 - P) / N."""
    runs, n = 1000, 60
    found = [region_density(rng.random((n, 2)), corner, 0.25) for _ in range(runs)]
    proportions = np.array([each.proportion for each in found])
    mean, variance = proportion_moments(0.25, n)
    assert (mean, variance * n) == pytest.approx((0.25, 0.25 * 0.75))
    assert proportions.mean() == pytest.approx(mean, abs=4 * np.sqrt(variance / runs))
    assert proportions.var() == pytest.approx(variance, rel=0.2)
    estimated = np.array([each.proportion_variance for each in found])  # unbiased
    assert estimated.mean() == pytest.approx(variance, rel=0.02)
    assert np.mean([each.density for each in found]) == pytest.approx(1.0, abs=0.03)


def test_moments_agree_with_the_binomial_distribution():
    k = scipy.stats.binom(37, 0.3)
    assert proportion_moments(0.3, 37) == pytest.approx((k.mean() / 37, k.var() / 37**2))
    assert proportion_moments(1, 5) == (1.0, 0.0)


def test_a_window_is_the_naive_density_and_a_ball_the_neighbour_density(rng):
    x = rng.normal(size=50)
    window = region_density(x[:, None], lambda r: (r[:, 0] > -0.3) & (r[:, 0] <= 0.3), 0.6)
    assert window.density == pytest.approx(float(naive_density(x, 0.0, 0.6)))
    k = 7
    radius = np.sort(np.abs(x))[k - 1]
    ball = region_density(x[:, None], lambda r: np.abs(r[:, 0]) <= radius, 2 * radius)
    model = KNeighborsDensity(n_neighbors=k).fit(x[:, None])
    assert ball.density == pytest.approx(np.exp(model.score_samples([[0.0]])[0]))


def test_bad_requests_are_refused():
    X = [[0.0], [1.0]]
    with pytest.raises(ValueError, match="volume must be a finite number > 0; got 0"):
        region_density(X, lambda x: x[:, 0] > 0, 0)
    with pytest.raises(ValueError, match=r"one value per row, shape \(2,\); got shape \(2, 1\)"):
        region_density(X, lambda x: x > 0, 1.0)
    assert np.isnan(region_density([[0.0]], lambda x: x[:, 0] > 0, 1.0).proportion_variance)
    with pytest.raises(ValueError, match=r"probability must be in \[0, 1\]"):
        proportion_moments(1.5, 3)
    with pytest.raises(ValueError, match="n must be an integer >= 1"):
        proportion_moments(0.5, 0)
