"""Least squares of wide sparse rows by LSQR."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.linalg import lsqr
from sklearn.exceptions import ConvergenceWarning

from gramian import LinearRegression
from gramian.base.rows.moments import Rows
from gramian.linear_model.least_squares.krylov import by_lsqr, stack_rows, too_wide


def test_wide_sparse_rows_use_lsqr():
    rng = np.random.default_rng(8)
    X = sp.random_array((3000, 6000), density=0.002, rng=rng, format="csr")
    y = X @ rng.normal(size=6000) + 1
    model = LinearRegression(tol=1e-10).fit(X, y)
    assert model.solver_ == "lsqr"
    assert_allclose(model.predict(X), y, atol=1e-5)


def test_lsqr_that_stops_early_gives_a_warning(monkeypatch):
    monkeypatch.setattr("gramian.linear_model.least_squares.krylov.lsqr", partial(lsqr, iter_lim=2))
    rng = np.random.default_rng(8)
    X = sp.random_array((3000, 6000), density=0.002, rng=rng, format="csr")
    with pytest.warns(ConvergenceWarning, match="LinearRegression: LSQR did not reach") as raised:
        LinearRegression().fit(X, rng.normal(size=3000))
    assert raised[0].filename == __file__


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_chunks_are_stacked_with_their_weights(make, rng):
    X, Y = rng.normal(size=(6, 2)), rng.normal(size=(6, 1))
    chunks = [(make(X[:2]), Y[:2], None), (make(X[2:]), Y[2:], np.full(4, 2.0))]
    table, targets, weights = stack_rows(Rows(lambda: iter(chunks), 2, 1))
    assert_array_equal(table.toarray() if sp.issparse(table) else table, X)
    assert_array_equal(targets, Y)
    assert weights.tolist() == [1, 1, 2, 2, 2, 2]
    assert stack_rows(Rows.of(make(X), Y, None))[2] is None


def test_too_wide_depends_on_columns_and_values():
    assert too_wide(sp.csr_array((6000, 5001)))
    assert too_wide(sp.csr_array((2100, 5001)))
    assert not too_wide(sp.csr_array((100, 5001)))  # small enough for an SVD
    assert not too_wide(sp.csr_array((10**6, 5000)))


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_lsqr_finds_the_weighted_minimum(fit_intercept, rng):
    X, Y, w = rng.normal(size=(20, 4)) + 3, rng.normal(size=(20, 2)), rng.random(20)
    found = by_lsqr(Rows.of(sp.csr_array(X), Y, w), fit_intercept, 1e-14, "owner")
    A, root = np.column_stack([X, np.ones(20)]) if fit_intercept else X, np.sqrt(w)[:, None]
    exact = np.linalg.lstsq(A * root, Y * root)[0].T
    assert_allclose(found.coef, exact[:, :4], atol=1e-8)
    assert_allclose(found.rss, w @ (Y - A @ exact.T) ** 2, rtol=1e-8)
