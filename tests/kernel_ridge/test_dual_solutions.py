"""Dual systems: many penalties, singular matrices, left-out rows."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.kernel_ridge.dual_solutions import leave_one_out, solve_dual
from gramian.kernels import RBF

rng = np.random.default_rng(0)
K = RBF(0.5)(rng.normal(size=(30, 2)))


@pytest.mark.parametrize("n_targets", [2, 12])
def test_every_target_has_its_penalty(n_targets):
    Y, alphas = rng.normal(size=(30, n_targets)), np.logspace(-2, 1, n_targets)
    solution = solve_dual("test", K.copy(), Y, alphas)
    for j, alpha in enumerate(alphas):
        expected = np.linalg.solve(K + alpha * np.eye(30), Y[:, j])
        np.testing.assert_allclose(solution[:, j], expected, rtol=1e-7)


def test_without_a_penalty_a_singular_matrix_gives_least_squares():
    """E31: with more rows than features K a = y has no solution in general."""
    X = rng.normal(size=(10, 2))
    y = rng.normal(size=(10, 1))
    with pytest.warns(ConvergenceWarning, match="singular"):
        a = solve_dual("test", X @ X.T, y, np.zeros(1))
    np.testing.assert_allclose(X.T @ a, np.linalg.lstsq(X, y, rcond=None)[0], atol=1e-10)


def test_many_penalties_of_an_indefinite_matrix():
    """Those that make it positive definite share a reduction; the others warn."""
    A = K - 0.5 * np.eye(30)
    Y, alphas = rng.normal(size=(30, 12)), np.append(np.linspace(0.6, 3.0, 11), 0.1)
    with pytest.warns(ConvergenceWarning, match="alpha=0.1 ") as warned:
        solution = solve_dual("test", A.copy(), Y, alphas)
    assert len(warned) == 1
    for j, alpha in enumerate(alphas):
        expected = np.linalg.solve(A + alpha * np.eye(30), Y[:, j])
        np.testing.assert_allclose(solution[:, j], expected, rtol=1e-6)


def test_left_out_rows_of_more_penalties_than_are_factored_at_a_time():
    Y, alphas = rng.normal(size=(30, 2)), np.logspace(-1, 1, 11)
    out = leave_one_out("test", K.copy(), Y, alphas)
    for i, alpha in enumerate(alphas):
        inverse = np.linalg.inv(K + alpha * np.eye(30))
        np.testing.assert_allclose(out.solutions[i], inverse @ Y, rtol=1e-7)
        residuals = inverse @ Y / np.diag(inverse)[:, None]
        np.testing.assert_allclose(out.residuals[:, :, i], residuals, rtol=1e-7)


def test_left_out_rows_match_refits():
    Y = rng.normal(size=(30, 2))
    alphas = np.array([0.1, 3.0])
    out = leave_one_out("test", K.copy(), Y, alphas)
    for i in (0, 17):
        rest = np.delete(np.arange(30), i)
        for k, alpha in enumerate(alphas):
            a = np.linalg.solve(K[np.ix_(rest, rest)] + alpha * np.eye(29), Y[rest])
            np.testing.assert_allclose(out.residuals[i, :, k], Y[i] - K[i, rest] @ a, rtol=1e-7)


def test_an_indefinite_kernel_cannot_be_left_out():
    with pytest.raises(DataError, match="not positive definite"):
        leave_one_out("test", -K, np.ones((30, 1)), np.array([0.1]))
