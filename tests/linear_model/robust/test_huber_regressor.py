"""Huber regression."""

import numpy as np
import pytest
import sklearn.linear_model as peers

from gramian import (
    HuberRegressor,
)


@pytest.mark.parametrize("epsilon", [1.1, 1.35, 3.0])
def test_huber_agrees_with_scikit_learn(epsilon):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 4)) * [1, 10, 0.1, 1] + 2
    y, w = X @ [1, 2, 3, 0] + rng.standard_t(1.5, 100), rng.random(100)

    def cost(m):
        z = np.abs(y - m.predict(X)) / m.scale_
        H = np.where(z <= epsilon, z**2, 2 * epsilon * z - epsilon**2)
        return w @ (m.scale_ * (1 + H)) + m.alpha * m.coef_ @ m.coef_

    ours = HuberRegressor(epsilon=epsilon, tol=1e-9).fit(X, y, w)
    theirs = peers.HuberRegressor(epsilon=epsilon, tol=1e-9, max_iter=10_000).fit(X, y, w)
    assert cost(ours) <= cost(theirs) * (1 + 1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-2)
    assert (ours.outliers_ == (np.abs(y - ours.predict(X)) > epsilon * ours.scale_)).all()


def test_huber_does_not_depend_on_the_offset_of_the_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, 2.0, 3.0] + rng.standard_t(2, 60)
    weights = rng.random(60)
    near = HuberRegressor(tol=1e-8).fit(X, y, weights)
    far = HuberRegressor(tol=1e-8).fit(X + 1e7, y, weights)
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-6)
    assert far.scale_ == pytest.approx(near.scale_, rel=1e-6)
    np.testing.assert_array_equal(far.outliers_, near.outliers_)
    constant = HuberRegressor().fit(np.full((60, 2), 7.0), y)
    assert not constant.coef_.any()
    again = HuberRegressor(warm_start=True, tol=1e-8).fit(X + 1e3, y)
    assert again.fit(X + 1e3, y).n_iter_ <= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_huber_finds_the_minimum_where_hardly_a_row_is_within(seed):
    """With epsilon near 1 the scale is near 0, and the cost nearly has kinks."""
    rng = np.random.default_rng(seed)
    n, d = [30, 60, 200][seed % 3], [2, 5][seed % 2]
    X = rng.normal(size=(n, d))
    y = X @ rng.normal(size=d) + rng.standard_t(1.5, size=n) * [0.1, 1][seed % 2]
    y[::7] *= 20

    def cost(model):
        r, s = np.abs(y - X @ model.coef_ - model.intercept_), model.scale_
        terms = s + np.where(r <= 1.01 * s, r * r / s, 2 * 1.01 * r - 1.01**2 * s)
        return terms.sum() + 1e-4 * model.coef_ @ model.coef_

    ours = HuberRegressor(epsilon=1.01).fit(X, y)
    theirs = peers.HuberRegressor(epsilon=1.01, max_iter=10_000, tol=1e-9).fit(X, y)
    assert cost(ours) <= cost(theirs) * (1 + 1e-6)
