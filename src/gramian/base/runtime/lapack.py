"""Factorisations and products by SciPy's LAPACK and BLAS, in a form that Ctrl-C can leave.

SciPy's own functions hold the GIL for as long as most of these take. Here small matrices go to
them; a large one goes to the same routine by its address, with the same arguments and workspace,
so that the answer is the same, while other threads of Python run.
"""

import ctypes
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.linalg import cython_blas, cython_lapack, lapack

from gramian.base.runtime.interruptible import interruptible, is_long

_BAND = 64  # columns of a triangle that are multiplied at once
_Floats = npt.NDArray[np.float64]
_Matrix = npt.NDArray[Any]
_Argument = str | int | float | npt.NDArray[Any]


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
        return tuple(scipy.linalg.svd(matrix, full_matrices=False, check_finite=False))
    U, s, Vt = _columns(m, k), np.empty(k), _columns(k, n)
    _svd(dgesdd, "S", matrix, U, s, Vt)
    return U, s, Vt


def orth(A: _Floats) -> _Floats:
    """Return an orthonormal basis of the columns, as `scipy.linalg.orth` does."""
    U, s, _ = svd(A)
    least = np.finfo(np.float64).eps * max(A.shape) * np.max(s, initial=0.0)
    return U[:, : int(np.sum(s > least))]


def product(A: _Floats, B: _Floats) -> _Floats:
    """Return A @ B; both may not change until it is there."""
    return interruptible(2 * A.size * B.shape[-1], np.matmul, A, B)


def svdvals(A: npt.ArrayLike) -> _Floats:
    """Return the singular values, the largest first."""
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


def eigh(A: npt.ArrayLike, largest: int | None = None) -> tuple[_Floats, _Floats]:
    """Return eigenvalues, the smallest first, and eigenvectors of a symmetric matrix.

    Of all pairs, or of the `largest` so many values: a few of many equal ones may then be missing.

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


def eigvalsh(A: npt.ArrayLike) -> _Floats:
    """Return the eigenvalues of a symmetric matrix, the smallest first."""
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
    """Return L of A = L L', or L', zeros elsewhere; and 0, or the order of a minor not positive.

    Examples
    --------
    >>> cholesky([[4.0, 2.0], [2.0, 10.0]])
    (array([[2., 0.],
           [1., 3.]]), 0)
    """
    matrix = np.asarray(A, dtype=np.float64)
    n = len(matrix)
    dpotrf = _routine("dpotrf", n**3 / 3)
    if dpotrf is None:
        root, info = lapack.dpotrf(matrix, lower=lower, clean=1)
        return root, int(info)
    copy = np.array(matrix, order="F")
    info = dpotrf("L" if lower else "U", n, copy, n)
    for j in range(n):
        copy[slice(0, j) if lower else slice(j + 1, n), j] = 0.0
    return copy, info


def inverse_of_lower(L: _Floats) -> _Floats:
    """Return the inverse of a lower triangular matrix without zeros on its diagonal."""
    n = len(L)
    dtrtri = _routine("dtrtri", n**3 / 3)
    if dtrtri is None:
        return np.asarray(lapack.dtrtri(L, lower=1)[0])
    copy = np.array(L, order="F")
    dtrtri("L", "N", n, copy, n)
    return copy


def solve_by_cholesky(root: _Floats, B: npt.ArrayLike, *, lower: bool = True) -> _Floats:
    """Return X of A X = B from the root of A that `cholesky` returned."""
    right = np.asarray(B, dtype=np.float64)
    n, columns = len(root), right.size // max(1, len(root))
    dpotrs = _routine("dpotrs", 2 * n**2 * columns)
    if dpotrs is None:
        return np.asarray(lapack.dpotrs(root, right, lower=lower)[0])
    X = np.array(right.reshape(n, columns), order="F")
    dpotrs("L" if lower else "U", n, columns, np.asfortranarray(root), n, X, n)
    return X.reshape(right.shape)


def lstsq(A: _Floats, B: _Floats, cond: float) -> tuple[_Floats, int, _Floats]:
    """Return X of least |AX - B| and, among these, least norm; the rank; the singular values."""
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
    """Return V, T and R with A = (I - V T V') [R; 0], by Householder's reflections.

    V (m, k) has ones on its diagonal and zeros above it, T is upper triangular, R (k, n) too; k is
    the lesser of the sides of A. For matrices of few columns: their reflections are joined in
    halves, so that threads have little to wait for.

    Examples
    --------
    >>> V, T, R = householder(np.array([[3.0], [4.0]]))
    >>> ((np.eye(2) - V @ T @ V.T) @ [[R[0, 0]], [0.0]]).round(12)
    array([[3.],
           [4.]])
    """
    (m, n), k = A.shape, min(A.shape)
    dgeqrt = _address("dgeqrt")
    T = np.zeros((k, k), order="F")
    if dgeqrt is None:
        reflected, tau, _, _ = lapack.dgeqrf(A)
    else:
        reflected = np.array(A, order="F")
        _call(2 * k * m * n, dgeqrt, m, n, k, reflected, m, T, k, np.empty(k * n), 0)
    V, R = reflected[:, :k], np.triu(reflected[:k])
    V[:k] = np.tril(V[:k], -1)
    V[np.arange(k), np.arange(k)] = 1.0
    if dgeqrt is None:
        for j in range(k):
            T[:j, j] = -tau[j] * (T[:j, :j] @ (V[:, :j].T @ V[:, j]))
            T[j, j] = tau[j]
    return V, T, R


def add_product(C: _Floats, A: _Floats, B: _Floats, factor: float = 1.0) -> None:
    """Add factor times A B to C in Fortran order, which may be a part of a larger matrix.

    A and B may be parts too, in either order. The call is that of SciPy's BLAS, as those of the
    other functions here: NumPy brings a BLAS of its own, whose waiting threads would be in the way.
    """
    dgemm = _address("dgemm")
    if dgemm is None:
        C += factor * (A @ B)
        return
    (left, A), (right, B), k = _transposed(A), _transposed(B), A.shape[1]
    before = (left, right, *C.shape, k, factor, A, _leading(A), B, _leading(B))
    _call(2 * C.size * k, dgemm, *before, 1.0, C, _leading(C))


def symmetric_product(A: _Floats, B: _Floats) -> _Floats:
    """Return A B of a symmetric A of which the lower triangle, in Fortran order, is read."""
    dsymm = _address("dsymm")
    if dsymm is None:
        return (np.tril(A) + np.tril(A, -1).T) @ B
    (m, k), B = B.shape, np.asfortranarray(B)
    out = _columns(m, k)
    _call(2 * m**2 * k, dsymm, "L", "L", m, k, 1.0, A, _leading(A), B, m, 0.0, out, m)
    return out


def subtract_symmetric(A: _Floats, V: _Floats, W: _Floats) -> None:
    """Subtract V W' + W V' from the lower triangle of A in Fortran order."""
    dsyr2k = _address("dsyr2k")
    if dsyr2k is None:
        product = V @ W.T
        A -= np.tril(product + product.T)
        return
    V, W = np.asfortranarray(V), np.asfortranarray(W)
    m, k = V.shape
    _call(2 * m**2 * k, dsyr2k, "L", "N", m, k, -1.0, V, m, W, m, 1.0, A, _leading(A))


def times_lower(rows: _Matrix, L: _Matrix) -> None:
    """Replace C-contiguous rows by rows L', L lower triangular, both float32 or both float64."""
    n, m = rows.shape
    name = "strmm" if rows.dtype == np.float32 else "dtrmm"
    trmm = _address(name)
    if trmm is None:
        for first in range(
            m - m % _BAND, -1, -_BAND
        ):  # of a band's columns those before it are read
            until = first + _BAND
            rows[:, first:until] = rows[:, :until] @ L[first:until, :until].T
        return
    one, L = np.ones(1, dtype=rows.dtype), np.ascontiguousarray(L)
    _call(n * m**2, trmm, "L", "U", "T", "N", m, n, one, L, m, rows, m)


def _transposed(A: _Floats) -> tuple[str, _Floats]:
    """Return whether BLAS is to transpose, and the matrix in Fortran order."""
    if A.strides[0] == A.itemsize:
        return "N", A
    return ("T", A.T) if A.strides[1] == A.itemsize else ("N", np.asfortranarray(A))


def _leading(A: _Floats) -> int:
    """Return the distance of two columns of a matrix in Fortran order."""
    return max(int(A.shape[0]), A.strides[1] // A.itemsize)


def _call(work: float, function: Any, *arguments: _Argument) -> None:
    """Call a routine of so many operations, which can be left if they are many."""
    interruptible(work, _run, function, *(_by_reference(a) for a in arguments))


def _columns(m: int, n: int) -> _Floats:
    return np.empty((m, n), order="F")


def _workspace(size: float) -> _Floats:
    """Return room for as many numbers as a routine asked for; it counts in 32 bits."""
    if not 1 <= size < 2**31:
        raise ValueError("the matrix is too large for LAPACK, whose workspace has 2^31 - 1 numbers")
    return np.empty(int(size))


# From arguments without the last to the number that LAPACK puts there.
_Routine = Callable[..., int]


def _routine(name: str, work: float) -> _Routine | None:
    """Return how to call a routine so that it can be left; None where that is not worth it."""
    function = _address(name) if is_long(work) else None
    if function is None:
        return None

    def call(*arguments: _Argument) -> int:
        info = ctypes.c_int(0)
        kept = [_by_reference(a) for a in arguments]
        interruptible(work, _run, function, *kept, info)
        return info.value

    return call


def _run(function: Any, *arguments: Any) -> None:
    """Call by reference; the frame of the thread keeps the arguments alive."""
    function(*(a.ctypes.data if isinstance(a, np.ndarray) else ctypes.byref(a) for a in arguments))


def _by_reference(argument: _Argument) -> Any:
    if isinstance(argument, str):
        return ctypes.c_char(argument.encode())
    if isinstance(argument, np.ndarray):
        return argument
    return ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_int(argument)


@cache
def _address(name: str) -> Any:
    """Return a routine of SciPy's LAPACK or BLAS as a function of ctypes; it lets go of the GIL."""
    routines = [getattr(module, "__pyx_capi__", {}) for module in (cython_lapack, cython_blas)]
    capsule = next((found[name] for found in routines if name in found), None)
    if capsule is None:
        return None
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = name_of(capsule) or b""
    types = set(re.findall(rb"(\w+) \*", signature))
    known = {b"char", b"int", b"float", b"double"}
    if not all(t in known or t.endswith((b"_s", b"_d")) for t in types):
        return None  # one that counts in 64 bits, say
    arguments = [ctypes.c_void_p] * (signature.count(b",") + 1)
    return ctypes.CFUNCTYPE(None, *arguments)(pointer_of(capsule, signature))
