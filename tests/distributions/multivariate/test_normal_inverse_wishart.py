"""Normal-inverse-Wishart."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import (
    InverseWishart,
    MultivariateGaussian,
    NormalInverseWishart,
)

S = np.array([[2.0, 0.5], [0.5, 1.0]])
PRIOR = NormalInverseWishart([1.0, -1.0], 3.0, 7.0, S)


def test_density_is_the_product_of_matrix_and_mean():
    m, C = np.array([0.3, 0.2]), np.array([[1.0, 0.2], [0.2, 0.5]])
    expected = InverseWishart(7.0, S).log_prob(C)
    expected += MultivariateGaussian([1.0, -1.0], C / 3).log_prob(m)
    assert PRIOR.log_prob((m, C)) == pytest.approx(expected)
    assert PRIOR.log_prob((m, -C)) == -np.inf


def test_draws_means_and_entropy():
    means, matrices = PRIOR.sample(20000, random_state=0)
    assert (means.shape, matrices.shape) == ((20000, 2), (20000, 2, 2))
    assert_allclose(means.mean(axis=0), PRIOR.mean, atol=0.02)
    assert_allclose(means.var(axis=0), PRIOR.variance, rtol=0.1)
    surprise = -PRIOR.log_prob((means, matrices))
    assert PRIOR.entropy() == pytest.approx(surprise.mean(), abs=5 * surprise.std() / 140)
    mean, matrix = PRIOR.sample(random_state=1)
    assert (mean.shape, matrix.shape) == ((2,), (2, 2))


def test_predictive_is_the_average_of_normals():
    means, matrices = PRIOR.sample(20000, random_state=3)
    x = np.array([0.5, 0.5])
    away = x - means
    q = np.einsum("ni,nij,nj->n", away, np.linalg.inv(matrices), away)
    densities = np.exp(-q / 2) / (2 * np.pi * np.sqrt(np.linalg.det(matrices)))
    error = 5 * densities.std() / np.sqrt(20000)
    assert PRIOR.predictive().prob(x) == pytest.approx(densities.mean(), abs=error)


def test_mode_is_where_the_density_is_largest():
    mean, matrix = PRIOR.mode

    def cost(v):
        L = np.array([[np.exp(v[2]), 0], [v[3], np.exp(v[4])]])
        return -PRIOR.log_prob((v[:2], L @ L.T))

    L = np.linalg.cholesky(matrix)
    start = np.array([*mean, np.log(L[0, 0]), L[1, 0], np.log(L[1, 1])])
    assert minimize(cost, start).fun == pytest.approx(cost(start), abs=1e-8)


def test_fit_finds_the_parameters_and_merges():
    data = PRIOR.sample(4000, random_state=5)
    fitted = NormalInverseWishart.fit(data)
    assert_allclose(fitted.mean, PRIOR.mean, atol=0.05)
    assert fitted.kappa == pytest.approx(3, rel=0.1)
    assert fitted.df == pytest.approx(7, rel=0.1)
    halves = [(data[0][k::2], data[1][k::2]) for k in (0, 1)]
    a, b = (NormalInverseWishart.sufficient_statistics(half) for half in halves)
    merged = NormalInverseWishart.from_statistics(a + b)
    assert merged.kappa == pytest.approx(fitted.kappa)
    best = NormalInverseWishart.log_prob(fitted, data).sum()
    for factor in (0.98, 1.02):
        for other in (
            NormalInverseWishart(fitted.mean, fitted.kappa * factor, fitted.df, fitted.scale),
            NormalInverseWishart(fitted.mean, fitted.kappa, fitted.df * factor, fitted.scale),
            NormalInverseWishart(fitted.mean * factor, fitted.kappa, fitted.df, fitted.scale),
            NormalInverseWishart(fitted.mean, fitted.kappa, fitted.df, fitted.scale * factor),
        ):
            assert other.log_prob(data).sum() < best


def test_invalid_arguments_are_rejected():
    with pytest.raises(ParameterError, match="mean and scale must have shapes"):
        NormalInverseWishart([0.0], 1.0, 5.0, S)
    with pytest.raises(DataError, match="pair"):
        PRIOR.log_prob(3.0)
    with pytest.raises(DataError, match="pair"):
        NormalInverseWishart.fit(3.0)
    one = PRIOR.sample(1, random_state=0)
    with pytest.raises(DataError, match="likelihood is unbounded"):
        NormalInverseWishart.fit(one)


def test_moment_generating_function():
    t = np.array([0.5, 0.0])
    T = -np.outer(t, t)
    means, matrices = PRIOR.sample(4000, random_state=5)
    drawn = np.exp(means @ t + np.einsum("ij,nji->n", T, matrices))
    assert PRIOR.mgf((t, T)) == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 63)
    assert PRIOR.mgf((t, 0 * T)) == np.inf  # the means have the tails of Student's t
    assert PRIOR.mgf((0 * t, 0 * T)) == 1.0
