"""Least squares by QR and by the SVD."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import LinAlgWarning

from gramian import LinearRegression
from gramian.base.rows.moments import Rows
from gramian.linear_model.least_squares.orthogonal import by_qr, by_svd, scaled_root
from tests.linear_model.data import table


def test_least_norm_is_in_the_original_units():
    """With columns x and 10 x, c is proportional to (1, 10), though both are scaled inside."""
    X, y, _ = table(d=1)
    with pytest.warns(LinAlgWarning):
        model = LinearRegression().fit(np.column_stack([X, 10 * X]), y)
    assert model.coef_[1] == pytest.approx(10 * model.coef_[0], rel=1e-9)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("scale", [1e-170, 1e160])
def test_columns_whose_squares_leave_the_range_are_solved_without_a_warning(scale, fit_intercept):
    X, y = np.arange(12.0).reshape(6, 2) ** 2, np.arange(6.0)
    scaled = LinearRegression(fit_intercept=fit_intercept).fit(X * scale, y)
    plain = LinearRegression(fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(scaled.coef_ * scale, plain.coef_, rtol=1e-9)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_qr_gives_the_solution_and_its_diagnostics(fit_intercept, rng):
    X, Y, w = rng.normal(size=(30, 4)) + 2, rng.normal(size=(30, 2)), rng.random(30)
    rows = Rows.of(X, Y, w)
    found, factor = by_qr(rows, rows.summarise(), fit_intercept)
    A, root = np.column_stack([X, np.ones(30)]) if fit_intercept else X, np.sqrt(w)[:, None]
    exact = np.linalg.lstsq(A * root, Y * root)[0].T
    assert_allclose(found.coef, exact[:, :4], atol=1e-10)
    assert_allclose(found.rss, w @ (Y - A @ exact.T) ** 2, rtol=1e-10)
    assert_allclose(found.inverse_gram, np.linalg.inv((A.T * w) @ A), rtol=1e-7)
    centred = (X - np.average(X, axis=0, weights=w) * fit_intercept) * root
    assert_allclose(found.singular, np.linalg.svd(centred, compute_uv=False), rtol=1e-10)
    assert (found.rank, found.solver) == (4, "qr")
    assert factor.null is None


def test_qr_of_dependent_columns_has_a_null_space_and_the_least_norm(rng):
    X = rng.normal(size=(30, 2))
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    y = rng.normal(size=30)
    rows = Rows.of(X, y[:, None], None)
    found, factor = by_qr(rows, rows.summarise(shifted=False), False)
    assert (found.rank, found.inverse_gram) == (2, None)
    assert_allclose(found.coef[0], np.linalg.pinv(X) @ y, atol=1e-10)
    assert_allclose(np.abs(factor.null[:, 0]), np.ones(3) / np.sqrt(3), atol=1e-10)


def test_svd_of_few_rows_is_the_pseudoinverse(rng):
    X, Y = rng.normal(size=(4, 7)), rng.normal(size=(4, 2))
    rows = Rows.of(X, Y, None)
    found = by_svd(rows, rows.summarise(), True)
    centred = X - X.mean(axis=0)
    assert_allclose(found.coef, (np.linalg.pinv(centred) @ (Y - Y.mean(axis=0))).T, atol=1e-10)
    assert found.rank == 3
    assert_allclose(found.rss, 0, atol=1e-20)


def test_the_scaled_root_has_the_gram_matrix_of_the_columns(rng):
    X, y = rng.normal(size=(20, 2)) * [1e-3, 1e5], rng.normal(size=(20, 1))
    R, power, means = scaled_root(Rows.of(X, y, None), ones=False, shifted=False)
    A = np.hstack([X, y]) * power
    assert_allclose(R.T @ R, A.T @ A, rtol=1e-10)
    assert_allclose(np.log2(power), np.round(np.log2(power)))
    assert (np.abs(A).max(axis=0) < 2).all()
    assert not means.any()
