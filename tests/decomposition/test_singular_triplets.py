import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.base.rows.moments import Rows
from gramian.decomposition.centred_table import CentredTable
from gramian.decomposition.singular_triplets import (
    best_solver,
    by_covariance,
    by_full,
    by_gram,
    by_krylov,
    is_small,
    summarise,
)


def covariance(table, k):
    n = table.shape[0]
    return by_covariance(summarise(Rows.of(table.X, np.empty((n, 0)), None), table.X.dtype), k)


SOLVERS = {
    "covariance": covariance,
    "gram": by_gram,
    "krylov": lambda table, k: by_krylov(table, k, seed=0),
    "full": by_full,
}


def rows(n, d, values, seed=0, mean=3.0):
    """Rows whose centred table has these singular values."""
    rng = np.random.default_rng(seed)
    centred = rng.normal(size=(n, len(values)))
    U = np.linalg.qr(centred - centred.mean(axis=0))[0]
    V = np.linalg.qr(rng.normal(size=(d, len(values))))[0]
    return (U * values) @ V.T + mean, V.T


@pytest.mark.parametrize("shape", [(80, 30), (30, 80), (600, 520)])
@pytest.mark.parametrize("solver", SOLVERS)
def test_triplets_are_lapacks(solver, shape):
    values = np.geomspace(10, 0.5, 25)
    X, V = rows(*shape, values)
    found = SOLVERS[solver](CentredTable.of(X), 6)
    np.testing.assert_allclose(found.values, values[:6], atol=1e-10 * values[0])
    np.testing.assert_allclose(found.vectors @ found.vectors.T, np.eye(6), atol=1e-12)
    same = found.vectors.T @ found.vectors - V[:6].T @ V[:6]
    assert np.linalg.norm(same, 2) < 1e-10


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.0, 4.0]), min_size=6, max_size=10),
    st.sampled_from([(40, 12), (12, 40)]),
    st.sampled_from(["full", "krylov"]),
)
def test_repeated_and_zero_singular_values(values, shape, solver):
    X, _ = rows(*shape, np.sort(values)[::-1])
    found = SOLVERS[solver](CentredTable.of(X), 6)
    np.testing.assert_allclose(found.values, np.sort(values)[::-1][:6], atol=1e-9)
    np.testing.assert_allclose(found.vectors @ found.vectors.T, np.eye(6), atol=1e-12)


@pytest.mark.parametrize("solver", ["covariance", "gram"])
def test_squared_products_know_where_they_fail(solver):
    X, _ = rows(60, 60, np.geomspace(1, 1e-9, 12))
    assert is_small(SOLVERS[solver](CentredTable.of(X), 12).values)
    assert not is_small(SOLVERS[solver](CentredTable.of(X), 5).values)


@pytest.mark.parametrize("solver", SOLVERS)
def test_float32_rows_have_the_float64_answer(solver):
    X, _ = rows(700, 40, np.geomspace(10, 1, 20))
    narrow = X.astype(np.float32)
    exact = by_full(CentredTable.of(narrow.astype(np.float64)), 5)
    found = SOLVERS[solver](CentredTable.of(narrow), 5)
    np.testing.assert_allclose(found.values, exact.values, atol=1e-6 * exact.values[0])
    away = found.vectors.T @ found.vectors - exact.vectors.T @ exact.vectors
    assert np.linalg.norm(away, 2) < (2e-5 if solver in ("covariance", "gram") else 1e-10)


@pytest.mark.parametrize("solver", ["gram", "krylov", "full"])
def test_sparse_rows_have_the_dense_answer(solver):
    X = sp.random_array((60, 90), density=0.2, rng=np.random.default_rng(0), format="csr")
    dense = by_full(CentredTable.of(X.toarray()), 4)
    found = SOLVERS[solver](CentredTable.of(X), 4)
    np.testing.assert_allclose(found.values, dense.values, atol=1e-10 * dense.values[0])
    np.testing.assert_allclose(np.abs(found.vectors), np.abs(dense.vectors), atol=1e-8)


def test_first_rows_far_from_the_others_lose_no_digits():
    X, _ = rows(500, 5, np.array([5.0, 4.0, 3.0, 2.0, 1.0]))
    X[20:] += 1e7
    found = covariance(CentredTable.of(X), 5)
    exact = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(found.values[0], exact[0], rtol=1e-12)


def test_the_smaller_side_and_the_number_asked_for_choose():
    assert best_solver(100, 100, 5, sparse=False) == "full"
    assert best_solver(100_000, 200, 20, sparse=False) == "covariance"
    assert best_solver(200, 100_000, 20, sparse=False) == "gram"
    assert best_solver(5_000, 20_000, 20, sparse=False) == "krylov"
    assert best_solver(20_000, 100_000, 50, sparse=True) == "krylov"
    assert best_solver(1_500, 400, 10, sparse=True) == "covariance"
    assert best_solver(400, 1_500, 10, sparse=True) == "gram"
    assert best_solver(900, 900, 10, sparse=True, columns=80) == "krylov"
    assert best_solver(400, 400, 100, sparse=True, columns=440) == "covariance"
