"""Regression data with additive noise."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Exponential, Gaussian, MultivariateGaussian, StudentT, Uniform
from gramian.textbook.data_sets import AdditiveNoise


def test_targets_are_function_plus_noise():
    model = AdditiveNoise(np.sin, Gaussian(0, 0.04))
    x, y = model.sample_pairs(Uniform(0, 6), 20000, random_state=0)
    residual = y - np.sin(x)
    assert residual.mean() == pytest.approx(0, abs=0.01)
    assert residual.var() == pytest.approx(0.04, rel=0.05)
    assert np.array_equal(model.sample(x[:5], 3), model.sample(x[:5], 3))


def test_least_squares_is_maximum_likelihood_under_gaussian_noise():
    """The log-likelihood is -(1 / 2v) sum (y - g(x))^2 + const."""
    x, y = np.array([0.0, 1.0, 2.0]), np.array([0.1, 0.9, 2.2])
    for slope in (0.5, 1.0, 1.1):
        model = AdditiveNoise(lambda v, a=slope: a * v, Gaussian(0, 0.25))
        squares = ((y - slope * x) ** 2).sum()
        constant = -1.5 * np.log(2 * np.pi * 0.25)
        assert model.log_prob(x, y).sum() == pytest.approx(constant - squares / 0.5)


def test_vector_inputs_and_heavy_tails():
    plane = AdditiveNoise(lambda X: X @ [1.0, -2.0], StudentT(3, 0, 0.1))
    X, y = plane.sample_pairs(MultivariateGaussian([0, 0], np.eye(2)), 50, random_state=1)
    assert (X.shape, y.shape) == ((50, 2), (50,))
    assert_allclose(plane.mean(X), X @ [1.0, -2.0])


def test_what_is_refused():
    with pytest.raises(ParameterError, match="mean 0; got 1"):
        AdditiveNoise(np.sin, Exponential(1.0))
    with pytest.raises(ParameterError, match="must be callable"):
        AdditiveNoise(3, Gaussian())
    with pytest.raises(DataError, match="one number per input"):
        AdditiveNoise(lambda X: X, Gaussian()).mean(np.eye(2))
