"""Lasso and elastic net: KKT conditions, duality gaps, agreement, bad input."""

import numpy as np
import pytest
import sklearn.linear_model as peers

from gramian import Lasso
from gramian.textbook.optimization import quadratic_program
from tests.linear_model.lasso.lasso_data import problem


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("n", "d"), [(200, 30), (40, 120)])
def test_agrees_with_scikit_learn(n, d, order, positive):
    X, y, rng = problem(0, n, d)
    X, weights = np.asarray(X, order=order), rng.random(n)
    ours = Lasso(0.05, tol=1e-12, positive=positive).fit(X, y, weights)
    theirs = peers.Lasso(0.05, tol=1e-12, max_iter=100_000, positive=positive)
    theirs.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)


def test_lasso_is_a_quadratic_program_in_split_variables():
    """RG-21: w = u - v, u, v >= 0; the l1 norm is linear there."""
    X, y, _ = problem(3, 30, 4)
    X, y = X - X.mean(axis=0), y - y.mean()
    n, d, alpha = 30, 4, 0.2
    split = np.hstack([X, -X])
    found = quadratic_program(
        split.T @ split / (2 * n),
        -split.T @ y / n + alpha,
        -np.eye(2 * d),
        np.zeros(2 * d),
    )
    w = found.x[:d] - found.x[d:]
    np.testing.assert_allclose(w, Lasso(alpha, tol=1e-14).fit(X, y).coef_, atol=1e-7)


def test_duplicated_and_constant_columns():
    X, y, _ = problem(4, 50, 6)
    doubled = np.hstack([X, X, np.full((50, 1), 7.0)])
    once, twice = (
        Lasso(0.1, tol=1e-12).fit(X, y),
        Lasso(0.1, tol=1e-12, max_iter=10_000).fit(doubled, y),
    )
    assert twice.coef_[-1] == 0
    np.testing.assert_allclose(twice.coef_[:6] + twice.coef_[6:12], once.coef_, atol=1e-5)
    repeated = np.hstack([doubled] * 8)
    model = Lasso(0.1, tol=1e-12, max_iter=10_000).fit(repeated, y)
    np.testing.assert_allclose(model.predict(repeated), once.predict(X), atol=1e-4)


def test_one_row_and_a_penalty_that_makes_all_coefficients_zero():
    assert Lasso(0.1).fit([[1.0, 2.0]], [3.0]).predict([[5.0, 5.0]]) == [3.0]
    X, y, _ = problem(7, 30, 10)
    model = Lasso(1e6).fit(X, y)
    assert not model.coef_.any()
    assert model.intercept_ == pytest.approx(y.mean())
    assert model.sparse_coef_.nnz == 0


def test_the_path_is_a_method_too():
    X, y = np.eye(3), np.array([3.0, 2.0, 1.0])
    alphas, coefs, _ = Lasso.path(X, y, l1_ratio=1.0, alphas=[0.1, 0.5], precompute=False)
    assert coefs.shape == (3, 2)
    np.testing.assert_array_equal(alphas, [0.5, 0.1])
