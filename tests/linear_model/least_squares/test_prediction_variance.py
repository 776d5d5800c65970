"""The variance of a fitted value at a new point."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import LinearRegression, Ridge
from gramian.linear_model import prediction_variance
from tests.linear_model.data import table


@pytest.mark.slow
def test_the_variance_at_a_new_point_agrees_with_repeated_fits():
    """LT-25: Var h(z) = sigma^2 z'(X'X)^-1 z; LT-26: the same of ridge."""
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(25, 3)) + 4, np.array([[4.0, 4, 4], [6, 2, 4], [0, 9, 4]])
    noise, alphas = 0.5, np.array([0.0, 3.0])
    targets = X @ [1.0, -1, 2] + np.sqrt(noise) * rng.normal(size=(4000, 25))
    expected = prediction_variance(X, Z, noise=noise, alpha=alphas)
    for alpha, variance in zip(alphas, expected, strict=True):
        predictions = Ridge(alpha=alpha).fit(X, targets.T).predict(Z)
        assert_allclose(predictions.var(axis=1), variance, rtol=0.1)
    model = LinearRegression().fit(X, targets[0])
    assert_allclose(model.prediction_variance(Z, noise=noise), expected[0], rtol=1e-9)
    estimate = model.rss_ / (25 - 4)
    assert_allclose(model.prediction_variance(Z), expected[0] / noise * estimate, rtol=1e-9)
    assert model.prediction_variance(X, noise=noise).mean() == pytest.approx(noise * 4 / 25)


def test_the_variance_without_an_intercept_is_the_formula():
    X, _, _ = table()
    Z = X[:4] + 1
    G, R = X.T @ X, np.linalg.inv(X.T @ X + 2 * np.eye(X.shape[1]))
    found = prediction_variance(X, Z, noise=3.0, alpha=2.0, fit_intercept=False)
    assert_allclose(found, 3 * np.diag(Z @ R @ G @ R @ Z.T), rtol=1e-9)


def test_several_targets_have_variances_of_their_own():
    X, y, _ = table()
    both = LinearRegression().fit(X, np.column_stack([y, 2 * y])).prediction_variance(X[:5])
    assert both.shape == (2, 5)
    assert_allclose(both[1], 4 * both[0])


def test_bad_variances_are_refused():
    with pytest.raises(ValueError, match="Z must have the 2 columns of X; got 1"):
        prediction_variance([[1.0, 2.0], [0.0, 1.0]], [[1.0]], noise=1.0)
    with pytest.raises(ValueError, match="must be >= 0; got noise=-1"):
        prediction_variance([[1.0], [0.0]], [[1.0]], noise=-1)
    with pytest.raises(AttributeError, match="pass noise"):
        LinearRegression().fit([[1.0], [2.0]], [0.0, 1.0]).prediction_variance([[1.0]])
