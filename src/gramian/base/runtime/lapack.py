"""Factorisations by SciPy's LAPACK that Ctrl-C can interrupt.

Most of SciPy's own functions hold the GIL until they return. They are used here for small matrices;
for large ones the same routine is called by its address, with the same arguments and workspace, so
that the result is the same, while other Python threads run.

Cholesky factors and solutions from them are identical for any number of BLAS threads, and so is any
other factorisation of at most FEW numbers, which uses one thread. Eigenvectors and singular vectors
of larger matrices use all BLAS threads: with one they would take up to twice as long.
"""

import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.linalg import lapack

from gramian.base.runtime.blas import (
    BAND,
    Argument,
    address,
    bands,
    by_reference,
    call,
    cholesky_in_place,
    run_in_parallel,
    run_routine,
)
from gramian.base.runtime.interruptible import interruptible, is_long
from gramian.base.runtime.threads import one_blas_thread

FEW = 10**6  # numbers of a matrix for which several BLAS threads are not worthwhile
_TINY = 2000  # numbers of a matrix for which BLAS has one thread anyway
_TILED = 4 * BAND  # rows from which a Cholesky factor is computed in tiles
_COLUMNS = 64  # right sides that are solved for at once
_Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
_P = ParamSpec("_P")
_T = TypeVar("_T")


def threads_for_size(size: int) -> AbstractContextManager[None]:
    """Return the context in which a matrix of this size is factorised."""
    return one_blas_thread() if _TINY < size <= FEW else nullcontext()


def _few_threads(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Run a function of a small matrix with one BLAS thread."""

    @wraps(function)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        with threads_for_size(np.size(args[0])):  # type: ignore[arg-type]
            return function(*args, **kwargs)

    return run


@_few_threads
def svd(A: npt.ArrayLike) -> tuple[_Floats, _Floats, _Floats]:
    """Return U, s, V' of A = U diag(s) V', as narrow as A allows.

    Examples
    --------
    >>> U, s, Vt = svd([[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]])
    >>> s
    array([2., 1.])
    """
    matrix = np.asarray_chkfinite(A, dtype=np.float64)
    m, n, k = *matrix.shape, min(matrix.shape)
    dgesdd = _routine("dgesdd", 14 * k * m * n)
    if dgesdd is None:
        U, s, Vt = scipy.linalg.svd(matrix, full_matrices=False, check_finite=False)
        return U, s, Vt
    U, s, Vt = _columns(m, k), np.empty(k), _columns(k, n)
    _svd(dgesdd, "S", matrix, U, s, Vt)
    return U, s, Vt


def orth(A: _Floats) -> _Floats:
    """Return an orthonormal basis of the columns, as `scipy.linalg.orth` does."""
    U, s, _ = svd(A)
    least = np.finfo(np.float64).eps * max(A.shape) * np.max(s, initial=0.0)
    return U[:, : int(np.sum(s > least))]


@_few_threads
def svdvals(A: npt.ArrayLike) -> _Floats:
    """Return the singular values, largest first."""
    matrix = np.asarray(A, dtype=np.float64)
    m, n, k = *matrix.shape, min(matrix.shape)
    dgesdd = _routine("dgesdd", 4 * k * m * n)
    if dgesdd is None:
        return np.asarray(scipy.linalg.svdvals(matrix, check_finite=False))
    s = np.empty(k)
    _svd(dgesdd, "N", matrix, _columns(1, 1), s, _columns(1, 1))
    return s


def _svd(dgesdd: "_Routine", job: str, A: _Floats, U: _Floats, s: _Floats, Vt: _Floats) -> None:
    m, n = A.shape
    size, _ = lapack.dgesdd_lwork(m, n, compute_uv=job == "S", full_matrices=False)
    work, numbers = _workspace(size), np.empty(8 * min(m, n), dtype=np.intc)
    copy = np.array(A, order="F")
    info = dgesdd(job, m, n, copy, m, s, U, len(U), Vt, len(Vt), work, len(work), numbers)
    if info != 0:
        raise np.linalg.LinAlgError("SVD did not converge")


@_few_threads
def eigh(A: npt.ArrayLike, largest: int | None = None) -> tuple[_Floats, _Floats]:
    """Return eigenvalues, smallest first, and eigenvectors of a symmetric matrix.

    All pairs, or those of the `largest` values: some of many equal values may then be missing.

    Examples
    --------
    >>> eigh([[2.0, 0.0], [0.0, 5.0]], largest=1)[0]
    array([5.])
    """
    matrix = np.asarray(A, dtype=np.float64)
    n = len(matrix)
    first = 1 if largest is None else n - largest + 1
    dsyevr = _routine("dsyevr", (9 if first == 1 else 4 / 3) * n**3)
    if dsyevr is not None:
        return _eigh(dsyevr, "V", matrix, first)
    subset = None if first == 1 else (first - 1, n - 1)
    values, vectors = scipy.linalg.eigh(matrix, subset_by_index=subset, check_finite=False)
    return values, vectors


@_few_threads
def eigvalsh(A: npt.ArrayLike) -> _Floats:
    """Return the eigenvalues of a symmetric matrix, smallest first."""
    matrix = np.asarray(A, dtype=np.float64)
    dsyevr = _routine("dsyevr", 4 / 3 * len(matrix) ** 3)
    if dsyevr is None:
        return np.asarray(scipy.linalg.eigvalsh(matrix, check_finite=False))
    return _eigh(dsyevr, "N", matrix)[0]


def _eigh(dsyevr: "_Routine", job: str, A: _Floats, first: int = 1) -> tuple[_Floats, _Floats]:
    n = len(A)
    values, vectors = np.empty(n), _columns(n, n - first + 1) if job == "V" else _columns(1, 1)
    size, count, _ = lapack.dsyevr_lwork(n, lower=1)
    work, numbers = _workspace(size), np.empty(int(count), dtype=np.intc)
    found, support = np.zeros(1, dtype=np.intc), np.empty(2 * n, dtype=np.intc)
    copy, rows, which = np.array(A, order="F"), len(vectors), "A" if first == 1 else "I"
    before = (job, which, "L", n, copy, n, 0.0, 1.0, first, n, 0.0, found, values, vectors, rows)
    info = dsyevr(*before, support, work, len(work), numbers, len(numbers))
    if info != 0:
        raise np.linalg.LinAlgError("the eigenvalues did not converge")
    return values[: found[0]], vectors[:, : found[0]]


def cholesky(A: npt.ArrayLike, *, lower: bool = True) -> tuple[_Floats, int]:
    """Return L of A = L L', or L'; and 0, or the order of the first minor that is not positive.

    Examples
    --------
    >>> cholesky([[4.0, 2.0], [2.0, 10.0]])
    (array([[2., 0.],
           [1., 3.]]), 0)
    """
    matrix = np.asarray(A, dtype=np.float64)
    n = len(matrix)
    if n < _TILED or address("dpotrf") is None or address("dtrsm") is None:
        with one_blas_thread():
            root, info = lapack.dpotrf(matrix, lower=lower, clean=1)
        return root, int(info)
    # The upper triangle in C order is the lower one in Fortran order.
    L = np.array(matrix if lower else matrix.T, order="F")
    info = cholesky_in_place(L)
    for j in range(n):
        L[:j, j] = 0.0
    return L if lower else L.T, info


def inverse_of_lower(L: _Floats) -> _Floats:
    """Return the inverse of a lower triangular matrix without zeros on its diagonal."""
    n, dtrsm = len(L), address("dtrsm")
    if n < _TILED or dtrsm is None:
        with one_blas_thread():
            return np.asarray(lapack.dtrtri(L, lower=1)[0])
    root, inverse = np.asfortranarray(L), np.zeros((n, n), order="F")

    def solve(p: slice) -> None:
        below, width = n - p.start, p.stop - p.start
        part = inverse[p.start :, p]
        np.fill_diagonal(part, 1.0)
        corner = root[p.start :, p.start :]
        call(dtrsm, "L", "L", "N", "N", below, width, 1.0, corner, n, part, n)

    run_in_parallel(n**3 / 3, solve, bands(n))
    return inverse


def solve_by_cholesky(root: _Floats, B: npt.ArrayLike, *, lower: bool = True) -> _Floats:
    """Solve A X = B, given the factor of A that `cholesky` returned."""
    right = np.asarray(B, dtype=np.float64)
    n, columns = len(root), right.size // max(1, len(root))
    dpotrs = address("dpotrs")
    if dpotrs is None:
        with one_blas_thread():
            return np.asarray(lapack.dpotrs(root, right, lower=lower)[0])
    X = np.array(right.reshape(n, columns), order="F")
    triangle = "L" if lower else "U"
    if not root.flags.f_contiguous and root.flags.c_contiguous:
        triangle, root = "U" if lower else "L", root.T
    factor = np.asfortranarray(root)

    def solve(p: slice) -> None:
        info = ctypes.c_int(0)
        call(dpotrs, triangle, n, p.stop - p.start, factor, n, X[:, p], n, info)

    run_in_parallel(2 * n**2 * columns, solve, bands(columns, size=_COLUMNS))
    return X.reshape(right.shape)


@_few_threads
def lstsq(A: _Floats, B: _Floats, cond: float) -> tuple[_Floats, int, _Floats]:
    """Return the X of least norm that minimises |AX - B|; the rank; the singular values."""
    m, n = A.shape
    dgelsd = _routine("dgelsd", 4 * m * n * min(m, n))
    if dgelsd is None:
        X, _, rank, s = scipy.linalg.lstsq(A, B, cond=cond, check_finite=False)
        return X, int(rank), s
    columns, longest = B.size // max(1, m), max(m, n)
    size, count, _ = lapack.dgelsd_lwork(m, n, columns, cond)
    work, numbers = _workspace(size), np.empty(int(count), dtype=np.intc)
    X, s, found = np.zeros((longest, columns), order="F"), np.empty(min(m, n)), np.empty(1, np.intc)
    X[:m] = B.reshape(m, columns)
    before = (m, n, columns, np.array(A, order="F"), m, X, longest, s, float(cond), found)
    if dgelsd(*before, work, len(work), numbers) != 0:
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    return X[:n].reshape((n, *B.shape[1:])), int(found[0]), s


def householder(A: _Floats) -> tuple[_Floats, _Floats, _Floats]:
    """Return V, T and R with A = (I - V T V') [R; 0], by Householder reflections.

    V (m, k) has ones on its diagonal and zeros above it, T is upper triangular, R (k, n) too; k is
    the smaller side of A. For matrices of few columns: their reflections are joined in
    halves, so that threads have little to wait for.

    Examples
    --------
    >>> V, T, R = householder(np.array([[3.0], [4.0]]))
    >>> ((np.eye(2) - V @ T @ V.T) @ [[R[0, 0]], [0.0]]).round(12)
    array([[3.],
           [4.]])
    """
    (m, n), k = A.shape, min(A.shape)
    dgeqrt = address("dgeqrt")
    T = np.zeros((k, k), order="F")
    if dgeqrt is None:
        with one_blas_thread():
            reflected, tau, _, _ = lapack.dgeqrf(A)
    else:
        reflected = np.array(A, order="F")
        with one_blas_thread():
            interruptible(
                2 * k * m * n, call, dgeqrt, m, n, k, reflected, m, T, k, np.empty(k * n), 0
            )
    V, R = reflected[:, :k], np.triu(reflected[:k])
    V[:k] = np.tril(V[:k], -1)
    V[np.arange(k), np.arange(k)] = 1.0
    if dgeqrt is None:
        for j in range(k):
            T[:j, j] = -tau[j] * (T[:j, :j] @ (V[:, :j].T @ V[:, j]))
            T[j, j] = tau[j]
    return V, T, R


def _columns(m: int, n: int) -> _Floats:
    return np.empty((m, n), order="F")


def _workspace(size: float) -> _Floats:
    """Return a workspace of the size that a routine requires; LAPACK uses 32-bit integers."""
    if not 1 <= size < 2**31:
        raise ValueError("the matrix is too large for LAPACK, whose workspace has 2^31 - 1 numbers")
    return np.empty(int(size))


# Called without the last argument, `info`, whose value it returns.
_Routine = Callable[..., int]


def _routine(name: str, work: float) -> _Routine | None:
    """Return a function that calls a routine interruptibly; None if the call is short."""
    function = address(name) if is_long(work) else None
    if function is None:
        return None

    def call(*arguments: Argument) -> int:
        info = ctypes.c_int(0)
        kept = [by_reference(a) for a in arguments]
        interruptible(work, run_routine, function, *kept, info)
        return info.value

    return call
