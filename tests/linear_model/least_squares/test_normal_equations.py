"""Least squares from the Gram matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import LinearRegression
from gramian.base.rows.moments import Rows
from gramian.linear_model.least_squares.normal_equations import by_cholesky, by_eigenvectors
from tests.linear_model.data import table


@pytest.mark.parametrize("constant", [0.0, 1.0, 1e8 + 0.1])
def test_a_constant_column_has_a_zero_coefficient(constant):
    X, y, _ = table(d=3)
    model = LinearRegression().fit(np.column_stack([X, np.full(len(X), constant)]), y)
    assert model.coef_[3] == 0
    assert model.rank_ == 3
    assert_allclose(model.coef_[:3], LinearRegression().fit(X, y).coef_, rtol=1e-10)


def test_a_mean_far_from_zero_costs_few_digits():
    """The normal equations about zero would lose all: (2^30)^2 eps is 256."""
    X, y, _ = table()
    shifted = np.round(X * 2**20) / 2**20  # so that adding the shift rounds nothing
    model = LinearRegression().fit(shifted + 2.0**30, y)
    assert_allclose(model.coef_, LinearRegression().fit(shifted, y).coef_, rtol=1e-9)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("solver", ["cholesky", "eigh"])
def test_the_gram_matrix_gives_the_solution(solver, fit_intercept, rng):
    X, Y, w = rng.normal(size=(30, 4)) + 2, rng.normal(size=(30, 2)), rng.random(30)
    summary = Rows.of(X, Y, w).summarise()
    if solver == "cholesky":
        found, factor, lost = by_cholesky(summary, fit_intercept)
        assert factor is not None
        assert 1 <= lost < 100
    else:
        found = by_eigenvectors(summary, fit_intercept)
    A, root = np.column_stack([X, np.ones(30)]) if fit_intercept else X, np.sqrt(w)[:, None]
    exact = np.linalg.lstsq(A * root, Y * root)[0].T
    assert_allclose(found.coef, exact[:, :4], atol=1e-9)
    assert_allclose(found.rss, w @ (Y - A @ exact.T) ** 2, rtol=1e-8)
    assert (found.rank, found.solver) == (4, solver)


def test_a_singular_gram_matrix_has_no_factor_but_eigenvectors(rng):
    X = rng.normal(size=(30, 2))
    y = rng.normal(size=30)
    twice = np.column_stack([X, X[:, 0]])
    summary = Rows.of(twice, y[:, None], None).summarise(shifted=False)
    _, factor, lost = by_cholesky(summary, False)
    assert factor is None or lost > 1e6
    found = by_eigenvectors(summary, False)
    assert found.rank == 2
    assert_allclose(found.coef[0], np.linalg.pinv(twice) @ y, atol=1e-8)


def test_the_condition_matches_the_scaled_columns(rng):
    X = rng.normal(size=(50, 3))
    X[:, 1] = X[:, 0] + 0.02 * X[:, 1]
    X = X * [1.0, 1e4, 1e-4]
    found, _, _ = by_cholesky(Rows.of(X, np.ones((50, 1)), None).summarise(shifted=False), False)
    scaled = X / np.linalg.norm(X, axis=0)
    exact = np.linalg.cond(scaled)
    assert exact > 30
    assert exact / 3 < found.condition < 3 * exact  # LAPACK's estimate, in the 1-norm
