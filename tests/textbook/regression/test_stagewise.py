"""Forward stagewise, l_q penalties and least-angle regression."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from sklearn.datasets import load_diabetes

from gramian import Lars, Lasso, LassoLars
from gramian.objectives import L1, LinearProblem, SquaredError
from gramian.solvers import InverseRoot, Subgradient
from gramian.textbook.regression import lq_regression, stagewise_path


def test_least_angle_regression_is_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    ours, theirs = Lars().fit(X, y), peers.Lars().fit(X, y)
    np.testing.assert_allclose(ours.coef_path_, theirs.coef_path_, atol=1e-8)
    np.testing.assert_allclose(ours.alphas_, theirs.alphas_, atol=1e-10)
    ours, theirs = LassoLars(alpha=0.0).fit(X, y), peers.LassoLars(alpha=0.0).fit(X, y)
    np.testing.assert_allclose(ours.coef_path_, theirs.coef_path_, atol=1e-8)  # one leaves, returns


def test_columns_of_any_scale_enter():
    X, y = load_diabetes(return_X_y=True)
    scale = np.array([1e-4, 1e5] * 5)
    plain, scaled = Lars().fit(X, y), Lars().fit(np.c_[X * scale, np.full(len(X), 0.1)], y)
    np.testing.assert_allclose(scaled.coef_[:-1] * scale, plain.coef_, rtol=1e-5)
    assert scaled.coef_[-1] == 0


def test_small_steps_follow_the_lasso():
    X, y = load_diabetes(return_X_y=True)
    path = stagewise_path(X, y, step=1.0, n_steps=1500)
    assert np.abs(np.diff(path, axis=0)).max() == pytest.approx(1.0)
    budget = np.abs(path[-1]).sum()
    knots = LassoLars(alpha=1e-3).fit(X, y).coef_path_.T
    lengths = np.abs(knots).sum(axis=1)
    same = [np.interp(budget, lengths, knots[:, j]) for j in range(10)]
    np.testing.assert_allclose(path[-1], same, atol=0.05 * np.abs(same).max())


def test_lasso_by_subgradients_comes_near_the_minimum():
    """RG-18: the subgradient X'(Xw - y)/n + alpha sign(w)."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    y = X @ [2.0, -1, 0, 0, 0] + 0.1 * rng.normal(size=60)
    problem = LinearProblem(X, y, SquaredError(), L1(0.3), intercept=False)
    found = Subgradient(InverseRoot(0.3), max_iter=3000).minimize(problem)
    best = problem.value(Lasso(0.3, fit_intercept=False, tol=1e-12).fit(X, y).coef_)
    assert found.value == pytest.approx(best, rel=1e-2)
    assert found.value >= best - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("q", [1.0, 1.5, 2.0, 4.0])
def test_penalty_and_budget_are_two_forms_of_one_problem(q):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 3))
    y = X @ [1.0, -2, 0.2] + rng.normal(size=50)
    free = lq_regression(X, y, q, strength=20.0)
    bound = lq_regression(X, y, q, budget=float((np.abs(free.coef) ** q).sum()))
    np.testing.assert_allclose(bound.coef, free.coef, atol=1e-4)
    slope = (X - X.mean(axis=0)).T @ (y - y.mean() - (X - X.mean(axis=0)) @ free.coef)
    kept = free.coef != 0
    expected = 10 * q * np.sign(free.coef) * np.abs(free.coef) ** (q - 1)
    np.testing.assert_allclose(slope[kept], expected[kept], atol=1e-4)


def test_powers_below_one_make_zeros_and_are_stationary():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 6))
    y = X @ [3.0, -2, 0, 0, 0, 0] + 0.5 * rng.normal(size=80)
    found = lq_regression(X, y, 0.5, strength=20.0)
    assert (found.coef[2:] == 0).all()
    Z = X - X.mean(axis=0)
    slope = Z.T @ (y - y.mean() - Z @ found.coef)
    kept = found.coef != 0
    expected = 10 * 0.5 * np.sign(found.coef[kept]) * np.abs(found.coef[kept]) ** -0.5
    np.testing.assert_allclose(slope[kept], expected, rtol=1e-5)


def test_bad_powers_and_steps():
    with pytest.raises(ValueError, match="q must be > 0"):
        lq_regression([[1.0], [2.0]], [1.0, 2.0], 0.5, budget=1.0)
    with pytest.raises(ValueError, match="either strength or budget"):
        lq_regression([[1.0], [2.0]], [1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match="step must be > 0"):
        stagewise_path([[1.0], [2.0]], [1.0, 2.0], step=0.0)
