"""Bias and variance over many training sets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from gramian.textbook.learning_theory import bias_variance, bias_variance_curve


def sine(z):
    return np.sin(3 * np.asarray(z)[:, 0])


def draw(rng):
    x = rng.uniform(-1, 1, size=(30, 1))
    return x, sine(x) + 0.3 * rng.normal(size=30)


Z = np.linspace(-0.9, 0.9, 13)[:, None]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**31), k=st.integers(1, 20))
def test_bias_and_variance_add_up_to_the_mean_square(seed, k):
    found = bias_variance(KNeighborsRegressor(k), draw, Z, sine, n_sets=5, random_state=seed)
    squares = ((found.predictions - sine(Z)) ** 2).mean(axis=0)
    assert_allclose(found.bias_squared + found.variance, squares, atol=1e-12)
    assert_allclose(found.risk, squares, atol=1e-12)  # no noise was given


def test_variance_is_around_the_mean_fit_and_not_around_the_truth():
    """A constant 0 has bias^2 = g^2 and no variance, although E (g - h)^2 is not 0."""
    found = bias_variance(
        DummyRegressor(strategy="constant", constant=0.0), draw, Z, sine, noise=0.09, n_sets=4
    )
    assert_allclose(found.variance, 0)
    assert_allclose(found.bias_squared, sine(Z) ** 2)
    assert_allclose(found.risk, sine(Z) ** 2 + 0.09)


def test_least_squares_has_no_bias_and_the_variance_of_the_book():
    """Fixed design: var h(z) = sigma^2 z' (X'X)^-1 z."""
    X = np.c_[np.ones(20), np.linspace(0, 1, 20)]
    found = bias_variance(
        LinearRegression(fit_intercept=False),
        lambda rng: (X, X @ [1.0, 2.0] + 0.5 * rng.normal(size=20)),
        X[[0, 10, 19]],
        X[[0, 10, 19]] @ [1.0, 2.0],
        noise=0.25,
        n_sets=600,
    )
    expected = 0.25 * np.diag(X[[0, 10, 19]] @ np.linalg.inv(X.T @ X) @ X[[0, 10, 19]].T)
    assert_allclose(found.variance, expected, rtol=0.2)
    assert_allclose(found.bias_squared, 0, atol=3.29**2 * expected.max() / 600)


def test_the_risk_is_the_error_on_fresh_targets():
    found = bias_variance(KNeighborsRegressor(4), draw, Z, sine, noise=0.09, n_sets=400)
    rng = np.random.default_rng(5)
    fresh = sine(Z) + 0.3 * rng.normal(size=found.predictions.shape)
    assert np.mean((found.predictions - fresh) ** 2) == pytest.approx(found.means().risk, rel=0.06)


@pytest.mark.slow
def test_flexibility_trades_bias_for_variance():
    """At the points of a fixed design the mean variance of degree p is sigma^2 (p + 1) / n."""
    x = np.linspace(-1, 1, 30)[:, None]
    degrees = [make_pipeline(PolynomialFeatures(p), LinearRegression()) for p in (1, 3, 9)]
    curve = bias_variance_curve(
        degrees,
        lambda rng: (x, sine(x) + 0.3 * rng.normal(size=30)),
        x,
        sine,
        noise=0.09,
        n_sets=200,
    )
    assert_allclose(curve.variance, 0.09 * np.array([2, 4, 10]) / 30, rtol=0.25)
    assert curve.bias_squared[0] > 10 * curve.bias_squared[1]
    assert curve.risk.argmin() == 1
    assert_allclose(curve.risk, curve.bias_squared + curve.variance + curve.noise)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="one number per point; got shape"):
        bias_variance(DummyRegressor(), draw, Z, [1.0], n_sets=2)
    with pytest.raises(ValueError, match="n_sets must be at least 2"):
        bias_variance(DummyRegressor(), draw, Z, sine, n_sets=1)
    with pytest.raises(ValueError, match="must be >= 0"):
        bias_variance(DummyRegressor(), draw, Z, sine, noise=-1, n_sets=2)
    with pytest.raises(ValueError, match="at least one estimator"):
        bias_variance_curve([], draw, Z, sine)
