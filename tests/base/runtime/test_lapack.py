"""The factorisations are SciPy's, in whatever thread they run."""

import threading

import numpy as np
import pytest

from gramian.base.runtime import interruptible, lapack

RNG = np.random.default_rng(0)


TALL = RNG.standard_normal((60, 25))


GRAM = TALL.T @ TALL


RIGHT = RNG.standard_normal((60, 3))


CALLS = {
    "svd": lambda: lapack.svd(TALL),
    "svd of few rows": lambda: lapack.svd(TALL.T),
    "svdvals": lambda: (lapack.svdvals(TALL),),
    "orth": lambda: (lapack.orth(np.hstack([TALL, TALL])),),
    "eigh": lambda: lapack.eigh(GRAM),
    "eigvalsh": lambda: (lapack.eigvalsh(GRAM),),
    "lstsq": lambda: lapack.lstsq(TALL, RIGHT, 1e-15),
    "lstsq of few rows": lambda: lapack.lstsq(TALL.T, RIGHT[:25, 0], 1e-15),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_long_call_gives_the_same_bits_as_scipys(call, monkeypatch):
    direct = CALLS[call]()
    threads = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda t: (threads.append(t), start(t)))
    monkeypatch.setattr(interruptible, "LONG", 0)
    long = CALLS[call]()
    assert threads, "it was called in the caller's thread"
    assert len(direct) == len(long)
    for a, b in zip(direct, long, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_workspace_beyond_32_bits_is_refused():
    for size in (2.0**31, -5.0):
        with pytest.raises(ValueError, match="too large for LAPACK"):
            lapack._workspace(size)


@pytest.mark.parametrize("long", [False, True])
def test_factors_multiply_to_the_matrix(long, monkeypatch):
    if long:
        monkeypatch.setattr(interruptible, "LONG", 0)
    U, s, Vt = lapack.svd(TALL)
    np.testing.assert_allclose(U * s @ Vt, TALL, atol=1e-12)
    np.testing.assert_allclose(lapack.svdvals(TALL), s)
    values, vectors = lapack.eigh(GRAM)
    np.testing.assert_allclose(vectors * values @ vectors.T, GRAM, atol=1e-11)
    np.testing.assert_allclose(values, lapack.eigvalsh(GRAM))
    L, info = lapack.cholesky(GRAM)
    assert info == 0
    np.testing.assert_allclose(L @ L.T, GRAM, atol=1e-11)
    np.testing.assert_allclose(lapack.inverse_of_lower(L) @ L, np.eye(25), atol=1e-11)
    np.testing.assert_allclose(GRAM @ lapack.solve_by_cholesky(L, GRAM[:, :3]), GRAM[:, :3])


def test_a_matrix_that_is_not_positive_reports_its_minor():
    """The leading 2 x 2 minor of this matrix is the first that is not positive."""
    assert lapack.cholesky([[4.0, 6.0, 0.0], [6.0, 1.0, 0.0], [0.0, 0.0, 1.0]])[1] == 2


def test_a_basis_of_the_columns_leaves_out_what_repeats():
    basis = lapack.orth(np.hstack([TALL[:, :3], TALL[:, :2]]))
    assert basis.shape == (60, 3)
    np.testing.assert_allclose(basis @ (basis.T @ TALL[:, :3]), TALL[:, :3], atol=1e-12)


@pytest.fixture(params=["by address", "without"])
def address(request, monkeypatch):
    """Routines by their address, and where it is not to be had."""
    if request.param == "without":
        monkeypatch.setattr(lapack, "address", lambda name: None)


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (9, 4), (4, 4), (3, 5)])
def test_reflections_give_the_matrix_back(rows, columns):
    A = np.random.default_rng(0).normal(size=(rows, columns))
    A[:, columns // 2] = 0.0  # nothing to reflect there
    V, T, R = lapack.householder(A)
    H = np.eye(rows) - V @ T @ V.T
    np.testing.assert_allclose(H.T @ H, np.eye(rows), atol=1e-14)
    np.testing.assert_allclose(H[:, : len(R)] @ R, A, atol=1e-14)
    assert not np.tril(R, -1).any()
    assert not np.triu(V, 1).any()


@pytest.mark.parametrize("long", [False, True])
def test_only_the_largest_eigenpairs(long, monkeypatch):
    monkeypatch.setattr(interruptible, "LONG", 0 if long else np.inf)
    values, vectors = lapack.eigh(GRAM, largest=3)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(GRAM)[-3:], rtol=1e-12)
    assert vectors.shape == (len(GRAM), 3)
    np.testing.assert_allclose(GRAM @ vectors, vectors * values, atol=1e-11 * values[-1])


@pytest.mark.parametrize("n", [25, lapack._TILED + 30])
@pytest.mark.parametrize("lower", [False, True])
def test_a_cholesky_factor_solves(n, lower):
    B = np.random.default_rng(0).standard_normal((n, n))
    A = B @ B.T + n * np.eye(n)
    root, info = lapack.cholesky(A, lower=lower)
    assert info == 0
    assert not (np.triu(root, 1) if lower else np.tril(root, -1)).any()
    np.testing.assert_allclose(root @ root.T if lower else root.T @ root, A, atol=1e-9)
    for right in (B[:, 0], B[:, :70]):
        np.testing.assert_allclose(
            A @ lapack.solve_by_cholesky(root, right, lower=lower), right, atol=1e-9
        )
    if lower:
        np.testing.assert_allclose(lapack.inverse_of_lower(root) @ root, np.eye(n), atol=1e-9)
