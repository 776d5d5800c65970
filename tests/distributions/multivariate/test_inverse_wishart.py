"""Inverse Wishart."""

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import InverseGamma, InverseWishart

S = np.array([[2.0, 0.5], [0.5, 1.0]])


def test_density_and_moments_agree_with_scipy():
    ours, theirs = InverseWishart(6.5, S), scipy.stats.invwishart(6.5, S)
    x = ours.sample(10, random_state=0)
    assert_allclose(ours.log_prob(x), theirs.logpdf(np.moveaxis(x, 0, -1)), rtol=1e-10)
    assert_allclose(ours.mean, theirs.mean())
    assert_allclose(ours.variance, theirs.var())
    assert_allclose(ours.mode, theirs.mode())


def test_entropy_is_the_mean_surprise():
    """SciPy 1.17's formula subtracts log 2 once instead of d times."""
    ours = InverseWishart(6.5, S)
    surprise = -ours.log_prob(ours.sample(20000, random_state=1))
    assert ours.entropy() == pytest.approx(surprise.mean(), abs=5 * surprise.std() / 140)


def test_one_dimension_is_an_inverse_gamma():
    x = np.array([0.5, 1.0, 4.0])
    ours = InverseWishart(5.0, [[3.0]])
    assert_allclose(ours.log_prob(x[:, None, None]), InverseGamma(2.5, 1.5).log_prob(x))
    assert ours.entropy() == pytest.approx(InverseGamma(2.5, 1.5).entropy())


def test_draws_and_expected_log_determinant():
    ours = InverseWishart(9.0, S)
    x = ours.sample(20000, random_state=2)
    assert_allclose(x.mean(axis=0), ours.mean, atol=0.01)
    logs = np.linalg.slogdet(x)[1]
    assert ours.expected_log_determinant() == pytest.approx(logs.mean(), abs=0.03)


def test_invalid_arguments_are_rejected():
    with pytest.raises(ParameterError, match="df must be above d - 1 = 1"):
        InverseWishart(1.0, S)
    with pytest.raises(DataError, match=r"positive definite matrices; got .* \(row 1\)"):
        InverseWishart.fit([np.eye(2), -np.eye(2)])
    with pytest.raises(DataError, match=r"shape \(2, 2\) on the last axes"):
        InverseWishart(3.0, S).log_prob(np.eye(3))
    assert InverseWishart(3.0, S).log_prob(-np.eye(2)) == -np.inf
    assert np.isinf(InverseWishart(2.5, S).mean).all()


def test_moment_generating_function():
    ours, v = InverseWishart(7.0, S), np.array([1.0, -2.0])
    x = ours.sample(4000, random_state=3)
    T = -0.4 * np.outer(v, v)
    drawn = np.exp(np.einsum("ij,nji->n", T, x))
    assert ours.mgf(T) == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 63)
    assert_allclose(ours.mgf([0 * T, np.diag([-1.0, 0.1])]), [1.0, np.inf])
    with pytest.raises(NotImplementedError, match=r"rank 2; average over draws"):
        ours.mgf(-np.eye(2))
    with pytest.raises(DataError, match=r"shape \(2, 2\)"):
        ours.mgf(np.eye(3))
