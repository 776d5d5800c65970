"""Non-negative least squares."""

import numpy as np
import sklearn.linear_model
from numpy.testing import assert_allclose

from gramian import LinearRegression
from gramian.linear_model.least_squares.non_negative import non_negative
from tests.linear_model.data import table


def test_positive_is_non_negative_least_squares():
    X, y, w = table(d=6, seed=3)
    ours = LinearRegression(positive=True).fit(X, y, w)
    theirs = sklearn.linear_model.LinearRegression(positive=True).fit(X, y, w)
    assert ours.coef_.min() == 0
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8 * np.abs(theirs.coef_).max())
    assert ours.solver_ == "nnls"


def test_positive_with_fewer_rows_than_columns_does_not_depend_on_their_order():
    X, y, _ = table(8, 20, seed=4)
    model = LinearRegression(positive=True).fit(X, y)
    turned = LinearRegression(positive=True).fit(X[::-1], y[::-1])
    assert_allclose(model.predict(X), y, atol=1e-8 * np.abs(y).max())
    assert_allclose(model.coef_, turned.coef_, rtol=1e-6, atol=1e-9)
    assert model.coef_.min() == 0


def test_the_optimality_conditions_hold(rng):
    """c >= 0, the gradient is 0 where c > 0 and points upwards where c = 0."""
    A, b = rng.normal(size=(20, 6)), rng.normal(size=20)
    c = non_negative(A, b, np.ones(6))
    slope = A.T @ (A @ c - b)
    assert (c >= 0).all()
    assert 0 < (c > 0).sum() < 6
    assert_allclose(slope[c > 0], 0, atol=1e-10)
    assert (slope[c == 0] >= -1e-10).all()


def test_dependent_columns_share_the_coefficient(rng):
    x = np.abs(rng.normal(size=(15, 1)))
    c = non_negative(np.hstack([x, x]), 3 * x[:, 0], np.ones(2))
    assert_allclose(c, [1.5, 1.5], rtol=1e-6)
