"""Products in fixed tiles: right, and the same bits for any number of threads of BLAS or ours."""

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.linalg

import gramian
from gramian.base.runtime import blas

N = 2 * blas.BAND + 40


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
    monkeypatch.setattr(blas.cython_lapack, "__pyx_capi__", table)
    assert blas.address.__wrapped__("dpotrf") is None


@pytest.fixture(params=["by address", "without"])
def address(request, monkeypatch):
    """Routines by their address, and where it is not to be had."""
    if request.param == "without":
        monkeypatch.setattr(blas, "address", lambda name: None)


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("left", ["C", "F"])
@pytest.mark.parametrize("right", ["C", "F"])
def test_a_product_is_added_to_a_part_of_a_matrix(left, right):
    rng = np.random.default_rng(0)
    A = np.asarray(rng.normal(size=(6, 5)), order=left)[1:, 2:]
    B = np.asarray(rng.normal(size=(4, 6)), order=right)[1:, 2:]
    whole = np.asfortranarray(np.ones((7, 6)))
    blas.add_product(whole[2:, 2:], A, B, -2.0)
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
    np.testing.assert_allclose(blas.symmetric_product(part, V), symmetric @ V)
    blas.subtract_symmetric(part, V, W)
    np.testing.assert_allclose(np.tril(part), np.tril(symmetric - V @ W.T - W @ V.T))


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("m", [1, 64, 150])
def test_rows_are_multiplied_by_a_triangle_in_place(m, dtype):
    rng = np.random.default_rng(0)
    L = np.tril(rng.normal(size=(m, m))).astype(dtype)
    rows = rng.normal(size=(7, m)).astype(dtype)
    expected = rows.astype(np.float64) @ L.T.astype(np.float64)
    blas.times_lower(rows, L)
    assert rows.dtype == dtype
    np.testing.assert_allclose(rows, expected, atol=200 * np.finfo(dtype).eps)


@pytest.mark.parametrize("shape", [(N, 30, 7), (7, 30, N), (5, 9000, 4), (3, 4, 5), (N, 1, 1)])
def test_a_product_is_numpys_up_to_rounding(shape):
    m, k, n = shape
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(m, k)), rng.normal(size=(k, n))
    np.testing.assert_allclose(blas.product(A, B), A @ B, rtol=1e-12, atol=1e-11)
    single = blas.product(A.astype(np.float32), B.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, A @ B, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_products_of_all_rows_are_symmetric(dtype):
    V = np.random.default_rng(0).normal(size=(N, 9)).astype(dtype)
    found = blas.gram_of(V)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(found, V @ V.T, atol=1e-4 if dtype == np.float32 else 1e-12)


@pytest.mark.usefixtures("address")
def test_several_bands_of_a_triangle():
    rng = np.random.default_rng(0)
    whole = np.asfortranarray(rng.normal(size=(N, N)))
    symmetric = np.tril(whole) + np.tril(whole, -1).T
    V, W = rng.normal(size=(N, 5)), rng.normal(size=(N, 5))
    np.testing.assert_allclose(blas.symmetric_product(whole, V), symmetric @ V, atol=1e-11)
    blas.subtract_symmetric(whole, V, W)
    expected = symmetric - V @ W.T - W @ V.T
    np.testing.assert_allclose(np.tril(whole), np.tril(expected), atol=1e-11)
    blas.add_gram(whole, np.asfortranarray(V))
    np.testing.assert_allclose(np.tril(whole), np.tril(expected + V @ V.T), atol=1e-11)


@pytest.mark.usefixtures("address")
def test_columns_are_divided_by_a_triangle():
    rng = np.random.default_rng(0)
    T = np.asfortranarray(np.triu(rng.normal(size=(20, 20))) + 8 * np.eye(20))
    B = np.asfortranarray(rng.normal(size=(20, N)))
    expected = scipy.linalg.solve_triangular(T, B, trans="T")
    blas.divide_by_upper(T, B)
    np.testing.assert_allclose(B, expected, atol=1e-12)


def test_a_factor_in_tiles_gives_the_matrix_back():
    rng = np.random.default_rng(0)
    B = rng.normal(size=(N, N))
    A = np.asfortranarray(B @ B.T + N * np.eye(N))
    L = A.copy(order="F")
    assert blas.cholesky_in_place(L) == 0
    np.testing.assert_allclose(np.tril(L) @ np.tril(L).T, A, atol=1e-9)


def test_a_tiled_factor_reports_the_minor_that_is_not_positive():
    A = np.eye(N, order="F")
    A[blas.BAND + 3, blas.BAND + 3] = -1.0
    assert blas.cholesky_in_place(A) == blas.BAND + 4


@pytest.mark.parametrize("work", [0.0, 1e12])
def test_parts_come_in_their_order_and_an_error_reaches_the_caller(work):
    assert blas.run_in_parallel(work, lambda p: p.start, blas.bands(1000)) == [0, 256, 512, 768]
    with pytest.raises(ZeroDivisionError):
        blas.run_in_parallel(work, lambda p: 1 // p.start, blas.bands(1000))


def test_work_inside_a_part_stays_on_its_thread():
    """Parts that wait for parts of their own would wait for each other."""
    gramian.set_num_threads(2)

    def inner(p):
        return sum(blas.run_in_parallel(1e12, lambda q: q.start, blas.bands(1000)))

    assert blas.run_in_parallel(1e12, inner, blas.bands(1000)) == [1536] * 4


SAME = """
import hashlib, sys
import numpy as np
import gramian
from gramian.base.runtime import blas, lapack
rng = np.random.default_rng(0)
n = 1100
A, V, tall = rng.normal(size=(n, n)), rng.normal(size=(n, 17)), rng.normal(size=(20000, 30))
P = np.asfortranarray(A + A.T + 4 * n * np.eye(n))
L = lapack.cholesky(P)[0]
S = P.copy(order="F")
blas.subtract_symmetric(S, V, V)
found = [
    blas.product(A, A), blas.product(A, V), blas.product(V.T, A), blas.product(tall.T, tall), L,
    blas.symmetric_product(P, V), np.tril(S), lapack.solve_by_cholesky(L, V),
    lapack.inverse_of_lower(L), *lapack.householder(V), *lapack.eigh(P[:300, :300]),
    *lapack.svd(V), *lapack.lstsq(A[:300, :200], V[:300], 1e-12),
]
for array in found:
    print(hashlib.md5(np.ascontiguousarray(array).tobytes()).hexdigest())
"""


def test_the_threads_of_blas_change_no_bit():
    printed = set()
    for threads in (1, 2, 3):
        own = {"OPENBLAS_NUM_THREADS": str(threads), "GRAMIAN_NUM_THREADS": str(4 - threads)}
        run = subprocess.run(
            [sys.executable, "-c", SAME],
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.add(run.stdout)
    assert len(printed) == 1
