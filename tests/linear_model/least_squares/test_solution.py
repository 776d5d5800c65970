"""The factor of a least-squares solution: updates, intercepts, the inverse Gram matrix."""

import numpy as np
import pytest

from gramian.base.rows.moments import Rows
from gramian.linear_model.least_squares.solution import Factor, Solution, moments


@pytest.fixture
def table(rng):
    return rng.normal(size=(30, 3)) + 4, rng.normal(size=(30, 2)), rng.random(30)


def factor_of(X, w, *, fit_intercept):
    means = np.average(X, axis=0, weights=w) if fit_intercept else np.zeros(3)
    A = X - means
    inverse = np.linalg.inv(np.linalg.cholesky((A.T * w) @ A)).T
    return Factor(inverse, means, w.sum(), fit_intercept)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_inverse_gram_matrix_matches_the_columns_and_ones(table, fit_intercept):
    X, _, w = table
    A = np.column_stack([X, np.ones(30)]) if fit_intercept else X
    found = factor_of(X, w, fit_intercept=fit_intercept).inverse_gram()
    np.testing.assert_allclose(found, np.linalg.inv((A.T * w) @ A), rtol=1e-8)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_solving_for_the_gradient_gives_the_minimum_from_anywhere(table, fit_intercept, rng):
    """The cost is quadratic, so one step from any model is enough."""
    X, Y, w = table
    A = np.column_stack([X, np.ones(30) * fit_intercept])
    start = rng.normal(size=(2, 4)) * [1, 1, 1, fit_intercept]
    gradient = (A.T * w) @ (Y - A @ start.T)
    if not fit_intercept:
        gradient[-1] = 0
    found = start + factor_of(X, w, fit_intercept=fit_intercept).solve(gradient.T)
    root = np.sqrt(w)[:, None]
    np.testing.assert_allclose(found, np.linalg.lstsq(A * root, Y * root)[0].T, atol=1e-9)


def test_the_null_space_is_removed_from_the_coefficients():
    null = np.array([[1.0], [-1.0], [0.0]]) / np.sqrt(2)
    factor = Factor(np.zeros((3, 0)), np.zeros(3), 1.0, True, null)
    assert factor.model(np.array([[3.0, 1.0, 5.0]]), np.array([7.0])).tolist() == [
        pytest.approx([2.0, 2.0, 5.0, 7.0])
    ]


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_moments_are_the_products_of_the_columns(table, fit_intercept):
    X, Y, w = table
    gram, cross, squares, means = moments(Rows.of(X, Y, w).summarise(), fit_intercept)
    both = np.column_stack([X, Y])
    centre = np.average(both, axis=0, weights=w) * fit_intercept
    A, B = X - centre[:3], Y - centre[3:]
    np.testing.assert_allclose(gram, (A.T * w) @ A, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(cross, (A.T * w) @ B, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(squares, w @ B**2, rtol=1e-10)
    np.testing.assert_allclose(means, centre, rtol=1e-12)


def test_an_unknown_solution_has_the_shapes_of_the_coefficients(table):
    X, Y, w = table
    blank = Solution.unknown(Rows.of(X, Y, w).summarise(), np.zeros((2, 3)))
    assert (blank.coef.shape, blank.intercept.shape, blank.n_rows) == ((2, 3), (2,), 30)
    assert np.isnan(blank.coef).all()
    assert blank.weight == pytest.approx(w.sum())
