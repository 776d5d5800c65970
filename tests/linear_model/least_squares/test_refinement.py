"""Iterative refinement."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import LinearRegression, Ridge
from gramian.base.rows.moments import Rows
from gramian.linear_model.least_squares.refinement import refine
from tests.linear_model.data import table


@pytest.mark.parametrize("n", [300, 20_000])
def test_float32_rows_give_the_solution_in_double(n):
    X, y, w = table(n, 8)
    X = X.astype(np.float32)
    single = LinearRegression().fit(X, y, w)
    double = LinearRegression().fit(X.astype(float), y, w)
    assert single.coef_.dtype == np.float32
    assert_allclose(single.coef_, double.coef_, rtol=3e-7)
    assert single.rss_ == pytest.approx(double.rss_, rel=1e-6)


def test_a_large_change_of_a_coefficient_near_zero_is_no_overflow():
    X = np.eye(3)
    rows = Rows.of(X, np.array([[1e300], [1.0], [2.0]]), None)
    with np.errstate(all="raise"):
        model, _ = refine(rows, np.zeros((1, 4)), lambda gradient: np.full((1, 4), 1e10))
    assert np.isfinite(model).all()


def test_refinement_corrects_an_inaccurate_factor(rng):
    """Each pass gains the digits that the factor has: here three at a time."""
    X, y = rng.normal(size=(40, 4)), rng.normal(size=(40, 1))
    rows = Rows.of(X, y, None)
    inverse = np.linalg.inv(X.T @ X) * (1 + 1e-3)

    def solve(gradient):
        return np.column_stack([gradient[:, :-1] @ inverse, np.zeros(1)])

    exact = np.linalg.lstsq(X, y[:, 0])[0]
    model, rss = refine(rows, np.zeros((1, 5)), solve)
    assert_allclose(model[0, :-1], exact, rtol=1e-13)
    assert rss[0] == pytest.approx(((y[:, 0] - X @ exact) ** 2).sum(), rel=1e-12)
    once, _ = refine(rows, np.zeros((1, 5)), solve, extended=False)
    assert_allclose(once[0, :-1], exact, rtol=2e-3)
    assert np.abs(once[0, :-1] - exact).max() > 1e-6


def test_the_penalty_is_part_of_the_gradient(rng):
    X, y = rng.normal(size=(40, 3)), rng.normal(size=(40, 1))
    inverse = np.linalg.inv(X.T @ X + 2 * np.eye(3))
    model, _ = refine(
        Rows.of(X, y, None),
        np.zeros((1, 4)),
        lambda g: np.column_stack([g[:, :-1] @ inverse, np.zeros(1)]),
        penalty=lambda m: np.column_stack([2 * m[:, :-1], np.zeros(1)]),
    )
    assert_allclose(model[0, :-1], inverse @ X.T @ y[:, 0], rtol=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e-150, 1e-145])
def test_underflowing_gradients_lose_no_digits(size):
    X, y, _ = table(40)
    model = LinearRegression().fit(X * size, y * size)
    assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-12)
    assert model.solver_ == ("qr" if size < 1e-150 else "qr, refined")


@pytest.mark.parametrize("size", [1e160, 1e200, 1e300])
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(alpha=0)])
def test_products_of_huge_rows_and_targets_overflow_without_a_warning(model, size):
    X, y, _ = table(40)
    plain = model.fit(X, y).coef_
    with np.errstate(all="raise", under="ignore"):
        assert_allclose(model.fit(X * size, y * size).coef_, plain, rtol=1e-9)
