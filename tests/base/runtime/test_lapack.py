"""The factorisations are SciPy's to the bit, in whatever thread they run."""

import ctypes
import threading

import numpy as np
import pytest

from gramian.base.runtime import interruptible, lapack

RNG = np.random.default_rng(0)


TALL = RNG.standard_normal((60, 25))


GRAM = TALL.T @ TALL


ROOT = np.linalg.cholesky(GRAM)


RIGHT = RNG.standard_normal((60, 3))


CALLS = {
    "svd": lambda: lapack.svd(TALL),
    "svd of few rows": lambda: lapack.svd(TALL.T),
    "svdvals": lambda: (lapack.svdvals(TALL),),
    "orth": lambda: (lapack.orth(np.hstack([TALL, TALL])),),
    "eigh": lambda: lapack.eigh(GRAM),
    "eigvalsh": lambda: (lapack.eigvalsh(GRAM),),
    "cholesky": lambda: lapack.cholesky(GRAM),
    "cholesky of the upper half": lambda: lapack.cholesky(GRAM, lower=False),
    "cholesky that fails": lambda: (lapack.cholesky(-GRAM)[1],),
    "inverse": lambda: (lapack.inverse_of_lower(ROOT),),
    "solve": lambda: (lapack.solve_by_cholesky(ROOT, GRAM[:, :3]),),
    "solve for one": lambda: (lapack.solve_by_cholesky(ROOT.T, GRAM[0], lower=False),),
    "lstsq": lambda: lapack.lstsq(TALL, RIGHT, 1e-15),
    "lstsq of few rows": lambda: lapack.lstsq(TALL.T, RIGHT[:25, 0], 1e-15),
    "product": lambda: (lapack.product(TALL, GRAM),),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_long_call_gives_the_same_bits_as_scipys(call, monkeypatch):
    short = CALLS[call]()
    threads = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda t: (threads.append(t), start(t)))
    monkeypatch.setattr(interruptible, "LONG", 0)
    long = CALLS[call]()
    assert threads, "it was called in the caller's thread"
    assert len(short) == len(long)
    for a, b in zip(short, long, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "signature",
    [b"void (char *, __pyx_t_lapack_blas_int *, double *)", b"void (char *, int64_t *, double *)"],
)
def test_a_lapack_that_counts_in_64_bits_is_left_to_scipy(signature, monkeypatch):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    table = {"dpotrf": new(1, signature, None)}
    monkeypatch.setattr(lapack.cython_lapack, "__pyx_capi__", table)
    assert lapack._address.__wrapped__("dpotrf") is None


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
    np.testing.assert_allclose(lapack.product(TALL.T, TALL), GRAM)


def test_a_matrix_that_is_not_positive_tells_its_minor():
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
        monkeypatch.setattr(lapack, "_address", lambda name: None)


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("left", ["C", "F"])
@pytest.mark.parametrize("right", ["C", "F"])
def test_a_product_is_added_to_a_part_of_a_matrix(left, right):
    rng = np.random.default_rng(0)
    A = np.asarray(rng.normal(size=(6, 5)), order=left)[1:, 2:]
    B = np.asarray(rng.normal(size=(4, 6)), order=right)[1:, 2:]
    whole = np.asfortranarray(np.ones((7, 6)))
    lapack.add_product(whole[2:, 2:], A, B, -2.0)
    np.testing.assert_allclose(whole[2:, 2:], 1.0 - 2.0 * A @ B)
    assert (whole[:2] == 1).all()
    assert (whole[:, :2] == 1).all()


@pytest.mark.usefixtures("address")
def test_the_lower_triangle_stands_for_a_symmetric_matrix():
    rng = np.random.default_rng(0)
    whole = np.asfortranarray(rng.normal(size=(6, 6)))
    part = whole[1:, 1:]
    symmetric = np.tril(part) + np.tril(part, -1).T
    V, W = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    np.testing.assert_allclose(lapack.symmetric_product(part, V), symmetric @ V)
    lapack.subtract_symmetric(part, V, W)
    np.testing.assert_allclose(np.tril(part), np.tril(symmetric - V @ W.T - W @ V.T))


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("m", [1, 64, 150])
def test_rows_are_multiplied_by_a_triangle_in_place(m, dtype):
    rng = np.random.default_rng(0)
    L = np.tril(rng.normal(size=(m, m))).astype(dtype)
    rows = rng.normal(size=(7, m)).astype(dtype)
    expected = rows.astype(np.float64) @ L.T.astype(np.float64)
    lapack.times_lower(rows, L)
    assert rows.dtype == dtype
    np.testing.assert_allclose(rows, expected, atol=200 * np.finfo(dtype).eps)


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
