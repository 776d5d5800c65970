"""BLAS in fixed tiles: products and sums that are identical for any number of threads.

BLAS divides a product among its threads, and sums at the borders are rounded differently. Here a
large matrix is cut into bands of a fixed number of rows, each of which is one call with one BLAS
thread; the bands run in parallel on as many threads as gramian may use.

Routines of SciPy's BLAS are called by their address, which releases the GIL.
"""

import ctypes
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.linalg import blas, cython_blas, cython_lapack

from gramian.base.runtime.interruptible import is_long
from gramian.base.runtime.threads import get_num_threads, one_blas_thread, threads_for

BAND = 256  # rows of a band
_INNER = 4096  # terms of a sum that are added at once
_ENOUGH = 2e6  # operations for which a second thread is worthwhile
_TRIANGLE = 64  # columns of a triangle that are multiplied at once
Band: TypeAlias = "slice[int, int, None]"
_T = TypeVar("_T")
_Floats = npt.NDArray[np.float64]
_Matrix = npt.NDArray[Any]
Argument = str | int | float | npt.NDArray[Any]
_pools: dict[int, ThreadPoolExecutor] = {}
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_pools.clear)  # the parent's threads do not exist in a child


def bands(n: int, first: int = 0, size: int = BAND) -> list[Band]:
    """Return the bands of the rows from `first` to n.

    Examples
    --------
    >>> bands(600)
    [slice(0, 256, None), slice(256, 512, None), slice(512, 600, None)]
    """
    return [slice(i, min(n, i + size), None) for i in range(first, n, size)]


def map_in_parallel(work: float, function: Callable[[Band], _T], parts: list[Band]) -> Iterator[_T]:
    """Yield function(part) for each part, on several threads if there are many operations, `work`.

    Each part uses one BLAS thread and, if there are several parts, one of gramian's threads.
    KeyboardInterrupt abandons long work.
    """
    threads = min(get_num_threads(), len(parts)) if work >= _ENOUGH else 1
    with one_blas_thread():
        if threads <= 1 and not is_long(work):
            yield from map(function, parts)
            return
        threads = max(threads, 1)
        # Of two callers at once the first one's pool is kept; the other has started no thread.
        pool = _pools.get(threads) or _pools.setdefault(
            threads, ThreadPoolExecutor(threads, "gramian: tiles")
        )

        def alone(part: Band) -> _T:
            with threads_for(1):
                return function(part)

        yield from pool.map(alone, parts)


def run_in_parallel(work: float, function: Callable[[Band], _T], parts: list[Band]) -> list[_T]:
    """Return what `map_in_parallel` yields."""
    return list(map_in_parallel(work, function, parts))


def product(A: _Matrix, B: _Matrix) -> _Matrix:
    """Return A B; the matrices must not change during the call.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    (m, k), n = A.shape, B.shape[1]
    work = 2.0 * m * n * k
    if max(m, n) <= BAND and k > 2 * _INNER:
        parts = run_in_parallel(work, lambda p: A[:, p] @ B[p], bands(k, size=_INNER))
        return np.asarray(sum(parts[1:], parts[0]))
    out = np.empty((m, n), dtype=np.result_type(A, B))
    if m >= n:
        run_in_parallel(work, lambda p: np.matmul(A[p], B, out=out[p]), bands(m))
    else:
        run_in_parallel(work, lambda p: np.matmul(A, B[:, p], out=out[:, p]), bands(n))
    return out


def gram_of(V: _Matrix) -> _Matrix:
    """Return V V', symmetric to the last bit, at about half the work of a product.

    Examples
    --------
    >>> gram_of(np.array([[1.0, 2.0], [0.0, 1.0]]))
    array([[5., 2.],
           [2., 1.]])
    """
    n = len(V)
    out = np.empty((n, n), dtype=V.dtype)

    def fill(p: Band) -> None:
        values = V[p] @ V[: p.stop].T
        before, corner = values[:, : p.start], values[:, p.start :]
        out[p, : p.start], out[: p.start, p] = before, before.T
        out[p, p] = np.tril(corner) + np.tril(corner, -1).T

    run_in_parallel(float(n) * V.size, fill, bands(n)[::-1])
    return out


def add_product(C: _Floats, A: _Floats, B: _Floats, factor: float = 1.0) -> None:
    """Add factor times A B to C in Fortran order, which may be a part of a larger matrix.

    A and B may be parts too, in either order. This calls SciPy's BLAS, like the other functions
    here: NumPy has its own BLAS, whose waiting threads would take up processors.
    """
    run_in_parallel(2 * C.size * A.shape[1], lambda p: _add(C[p], A[p], B, factor), bands(len(C)))


def _add(C: _Floats, A: _Floats, B: _Floats, factor: float) -> None:
    """Add factor times A B to C, in one call."""
    dgemm = address("dgemm")
    if not C.size or not A.size:
        return
    if dgemm is None:
        C += factor * (A @ B)
        return
    (left, A), (right, B), k = _transposed(A), _transposed(B), A.shape[1]
    m, n = C.shape
    before = (left, right, m, n, k, factor)
    call(dgemm, *before, A, _leading(A), B, _leading(B), 1.0, C, _leading(C))


def symmetric_product(A: _Floats, B: _Floats) -> _Floats:
    """Return A B for a symmetric A in Fortran order, of which only the lower triangle is read."""
    m, k = B.shape
    B, out = np.asfortranarray(B), np.zeros((m, k), order="F")

    def add(p: Band) -> None:
        corner, after = _symmetric(A[p, p]), slice(p.stop, m, None)
        _add(out[p], A[p, : p.start], B[: p.start], 1.0)
        _add(out[p], corner, B[p], 1.0)
        _add(out[p], A[after, p].T, B[after], 1.0)

    run_in_parallel(2 * m**2 * k, add, bands(m))
    return out


def subtract_symmetric(A: _Floats, V: _Floats, W: _Floats) -> None:
    """Subtract V W' + W V' from the lower triangle of A in Fortran order."""
    m = len(V)
    left = np.asfortranarray(np.hstack([V, W]))
    right = np.asfortranarray(np.hstack([W, V]))

    def subtract(p: Band) -> None:
        _add(A[p, : p.start], left[p], right[: p.start].T, -1.0)
        _subtract_corner(A[p, p], left[p] @ right[p].T)

    run_in_parallel(2 * m**2 * V.shape[1], subtract, bands(m)[::-1])


def add_gram(A: _Floats, V: _Floats) -> None:
    """Add V V' to the lower triangle of A in Fortran order."""

    def add(p: Band) -> None:
        _add(A[p, : p.start], V[p], V[: p.start].T, 1.0)
        _subtract_corner(A[p, p], -(V[p] @ V[p].T))

    run_in_parallel(float(len(V)) * V.size, add, bands(len(V))[::-1])


def divide_by_upper(T: _Floats, B: _Floats) -> None:
    """Replace B with T'^-1 B, T upper triangular, both in Fortran order."""
    dtrsm, n = address("dtrsm"), len(T)

    def divide(p: Band) -> None:
        part = B[:, p]
        if dtrsm is None:
            part[:] = blas.dtrsm(1.0, T, part, trans_a=1)
        else:
            columns = p.stop - p.start
            before = ("L", "U", "T", "N", n, columns, 1.0, T, _leading(T))
            call(dtrsm, *before, part, _leading(part))

    run_in_parallel(float(n) * B.size, divide, bands(B.shape[1]))


def _subtract_corner(corner: _Floats, product: _Floats) -> None:
    """Subtract the lower triangle of a product."""
    corner -= np.tril(product)


def _symmetric(lower: _Floats) -> _Floats:
    return np.asfortranarray(np.tril(lower) + np.tril(lower, -1).T)


def cholesky_in_place(A: _Floats) -> int:
    """Replace the lower triangle of A, in Fortran order, with its Cholesky factor.

    Returns 0, or the order of the first leading minor that is not positive.
    """
    n, ld = len(A), _leading(A)
    dpotrf, dtrsm = address("dpotrf"), address("dtrsm")
    for p in bands(n):
        width, info, corner, rest = p.stop - p.start, ctypes.c_int(0), A[p, p], bands(n, p.stop)
        with one_blas_thread():
            call(dpotrf, "L", width, corner, ld, info)
        if info.value:
            return int(p.start) + info.value
        left = A[:, p]

        def divide(q: Band, left: _Floats = left, corner: _Floats = corner) -> None:
            before = ("R", "L", "T", "N", q.stop - q.start, len(corner), 1.0, corner, ld)
            call(dtrsm, *before, left[q], ld)

        def subtract(q: Band, left: _Floats = left, first: int = p.stop) -> None:
            _add(A[q, first : q.start], left[q], left[first : q.start].T, -1.0)
            _subtract_corner(A[q, q], left[q] @ left[q].T)

        run_in_parallel(float(n - p.stop) * width**2, divide, rest)
        run_in_parallel(float(n - p.stop) ** 2 * width, subtract, rest[::-1])
    return 0


def times_lower(rows: _Matrix, L: _Matrix) -> None:
    """Replace C-contiguous rows with rows L', L lower triangular, both float32 or both float64."""
    n, m = rows.shape
    name = "strmm" if rows.dtype == np.float32 else "dtrmm"
    trmm = address(name)
    if trmm is None:
        # Each block of columns reads the columns before it.
        for first in range(m - m % _TRIANGLE, -1, -_TRIANGLE):
            until = first + _TRIANGLE
            rows[:, first:until] = rows[:, :until] @ L[first:until, :until].T
        return
    one, L = np.ones(1, dtype=rows.dtype), np.ascontiguousarray(L)
    call(trmm, "L", "U", "T", "N", m, n, one, L, m, rows, m)


def _transposed(A: _Floats) -> tuple[str, _Floats]:
    """Return whether BLAS must transpose, and the matrix in Fortran order."""
    if A.strides[0] == A.itemsize:
        return "N", A
    return ("T", A.T) if A.strides[1] == A.itemsize else ("N", np.asfortranarray(A))


def _leading(A: _Floats) -> int:
    """Return the leading dimension of a matrix in Fortran order."""
    return max(int(A.shape[0]), A.strides[1] // A.itemsize)


def call(function: Any, *arguments: Argument | ctypes.c_int) -> None:
    """Call a routine with its arguments by reference."""
    run_routine(function, *(by_reference(a) for a in arguments))


def run_routine(function: Any, *arguments: Any) -> None:
    """Call by reference; the frame of the thread keeps the arguments alive."""
    function(*(a.ctypes.data if isinstance(a, np.ndarray) else ctypes.byref(a) for a in arguments))


def by_reference(argument: Argument | ctypes.c_int) -> Any:
    """Return what `run_routine` passes by reference: a C number, or the array itself."""
    if isinstance(argument, str):
        return ctypes.c_char(argument.encode())
    if isinstance(argument, np.ndarray | ctypes.c_int):
        return argument
    return ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_int(argument)


@cache
def address(name: str) -> Any:
    """Return a routine of SciPy's LAPACK or BLAS as a ctypes function; it releases the GIL."""
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
        return None  # for example one with 64-bit integers
    arguments = [ctypes.c_void_p] * (signature.count(b",") + 1)
    return ctypes.CFUNCTYPE(None, *arguments)(pointer_of(capsule, signature))
