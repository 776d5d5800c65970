"""Normal directions keep distances as promised."""

import numpy as np
from scipy import stats

from gramian import GaussianRandomProjection
from gramian.random_projection import distortion, johnson_lindenstrauss_dimension


def test_entries_are_normal_of_variance_one_over_k():
    R = GaussianRandomProjection(50, random_state=0).fit(np.zeros((2, 400))).components_
    assert stats.kstest(R.ravel() * np.sqrt(50), stats.norm.cdf).pvalue > 1e-4


def test_all_distances_are_kept_within_the_bound():
    X = np.random.default_rng(0).normal(size=(30, 2000))
    k = johnson_lindenstrauss_dimension(0.4, 1 / 30**2 / 20)
    found = distortion(X, GaussianRandomProjection(k, random_state=1).fit_transform(X), eps=0.4)
    assert found.within == 1


def test_squared_lengths_are_kept_on_average():
    x = np.random.default_rng(1).normal(size=(1, 60))
    squares = [
        (GaussianRandomProjection(5, random_state=s).fit_transform(x) ** 2).sum()
        for s in range(800)
    ]
    error = np.std(squares) / np.sqrt(800)
    assert abs(np.mean(squares) - (x**2).sum()) < 4 * error
