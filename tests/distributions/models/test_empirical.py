"""Empirical distributions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Empirical


def test_probabilities_are_proportions():
    sample = Empirical([3.0, 1.0, 3.0, 2.0])
    assert sample.prob([1, 2, 3, 4]).tolist() == pytest.approx([0.25, 0.25, 0.5, 0])
    assert sample.cdf([0, 1, 2.5, 3]).tolist() == [0, 0.25, 0.5, 1]
    assert sample.quantile([0.0, 0.25, 0.26, 1.0]).tolist() == [1, 1, 2, 3]
    assert sample == Empirical([1, 2, 3], [1, 1, 2])


def test_moments_equal_the_sample_moments():
    x = np.array([1.0, 4.0, 4.0, 7.0])
    assert (Empirical(x).mean, Empirical(x).variance) == (x.mean(), x.var())
    X = np.random.default_rng(0).normal(size=(9, 2))
    assert_allclose(Empirical(X).covariance, np.cov(X.T, bias=True))
    assert_allclose(Empirical(X).mgf([0.1, 0.2]), np.exp(X @ [0.1, 0.2]).mean())
    assert Empirical(x).mgf(0.3) == pytest.approx(np.exp(0.3 * x).mean())


def test_the_mean_of_an_indicator_is_a_probability():
    """P(A) = E 1{A}."""
    x = np.arange(10.0)
    assert Empirical(x).expectation(lambda v: v >= 7) == pytest.approx(0.3)


def test_draws_are_a_bootstrap():
    x = Empirical([1.0, 2.0, 5.0]).sample(30000, random_state=0)
    assert set(x) == {1.0, 2.0, 5.0}
    assert x.mean() == pytest.approx(8 / 3, abs=0.05)
    assert Empirical([[1.0, 2.0], [3.0, 4.0]]).sample(5, 0).shape == (5, 2)


def test_rows_and_zero_weights():
    rows = Empirical([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1, 0, 3])
    assert rows.log_prob([[1, 2], [3, 4], [5, 6]]).tolist() == pytest.approx(
        [np.log(0.25), -np.inf, np.log(0.75)]
    )
    assert rows.entropy(2) == pytest.approx(-0.25 * np.log2(0.25) - 0.75 * np.log2(0.75))
    with pytest.raises(NotImplementedError, match="rows"):
        rows.cdf([1, 2])


def test_fit_is_the_sample_and_merges():
    left = Empirical.sufficient_statistics([1.0, 2.0])
    both = left + Empirical.sufficient_statistics([2.0], [2.0])
    assert Empirical.from_statistics(both) == Empirical([1, 2], [1, 3])
    assert Empirical.fit([[1.0, 2.0]]).event_ndim == 1


def test_invalid_arguments_are_rejected():
    with pytest.raises(ParameterError, match="n >= 1 numbers"):
        Empirical([])
    with pytest.raises(DataError, match="every sample_weight is zero"):
        Empirical([1.0], [0.0])
