"""Least-angle regression and the lasso path by it."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning

from gramian import Lars, Lasso, LassoLars
from tests.linear_model.hard_tables import HARD, hard_table
from tests.linear_model.lasso.lasso_data import slow_problem


def test_least_angle_path_meets_the_lasso_at_every_knot():
    X, y = load_diabetes(return_X_y=True)
    path = LassoLars(alpha=1e-3).fit(X, y)
    for alpha, coef in zip(path.alphas_[1:], path.coef_path_.T[1:], strict=True):
        np.testing.assert_allclose(Lasso(alpha, tol=1e-13).fit(X, y).coef_, coef, atol=1e-5)


def relative_gap(X, y, coef, alpha, *, positive):
    """The duality gap as a fraction of the objective without columns."""
    X, y = X - X.mean(axis=0), y - y.mean()
    r = y - X @ coef
    c = X.T @ r / len(y)
    feasible = r * min(1.0, alpha / np.max(c if positive else np.abs(c)))
    lowest = y @ y - (y - feasible) @ (y - feasible)
    return (r @ r + 2 * len(y) * alpha * np.abs(coef).sum() - lowest) / (y @ y)


@pytest.mark.slow
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("strength", [0.3, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("name", ["slow", *HARD])
def test_the_least_angle_path_ends_at_the_minimum(name, strength, positive):
    X, y = slow_problem() if name == "slow" else hard_table(name)
    alpha = strength * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
    model = LassoLars(alpha, positive=positive).fit(X, y)  # without a warning
    assert relative_gap(X, y, model.coef_, alpha, positive=positive) < 1e-10


def test_a_path_that_ends_early_gives_a_warning():
    X, y = slow_problem()
    with pytest.warns(ConvergenceWarning, match="LassoLars: the path ended at .* raise max_iter"):
        LassoLars(1e-5, max_iter=20).fit(X, y)


def test_columns_that_reach_the_bound_together_enter_together():
    X = np.kron(np.eye(4), [[1.0], [-1.0]])
    model = LassoLars(0.125).fit(X, X.sum(axis=1))
    np.testing.assert_allclose(model.coef_, Lasso(0.125, tol=1e-14).fit(X, X.sum(axis=1)).coef_)
    assert model.n_iter_ == 1


@pytest.mark.parametrize("model", [Lars(), LassoLars()])
def test_least_angle_regression_refuses_sparse_columns_with_advice(model):
    with pytest.raises(ValueError, match=r"sparse matrix\. Use Lasso or gramian"):
        model.fit(sp.csr_array(np.eye(4)), np.arange(4.0))


@pytest.mark.parametrize(
    "model", [Lars(), LassoLars(alpha=1e-3), LassoLars(alpha=0.01, positive=True)]
)
def test_many_targets_have_the_paths_of_each_alone(model, rng):
    """Tall X: from the second target on they are paths of its triangular factor."""
    X = rng.normal(size=(90, 8)) * 10.0 ** np.arange(-3, 5)
    X[:, 2] = 7.0
    X = np.column_stack([X, X[:, 0], X[:, 1] + X[:, 3]])
    Y = X[:, :5] @ rng.normal(size=(5, 6)) + rng.normal(size=(90, 6))
    together = clone(model).fit(X, Y)
    for k, y in enumerate(Y.T):
        alone = clone(model).fit(X, y)
        np.testing.assert_allclose(together.alphas_[k], alone.alphas_, rtol=1e-8, atol=1e-9)
        fitted = X @ together.coef_[k] + together.intercept_[k]
        np.testing.assert_allclose(fitted, alone.predict(X), atol=1e-7 * np.abs(fitted).max())
        assert together.n_iter_[k] == alone.n_iter_
