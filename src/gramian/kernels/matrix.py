"""Kernel matrices, computed in tiles; products with them; their diagonals."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_array

from gramian import _native
from gramian.base.conversions import translated
from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_finite, is_float32
from gramian.base.runtime.blas import map_in_parallel, run_in_parallel
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.kernels.kernel import ALL_COLUMNS, Kernel
from gramian.kernels.resolution import KernelLike, resolve_kernel

TILE_BYTES = 4 << 20  # size of a tile, which fits into the cache
_THREAD_TILE_BYTES = 2 << 19  # size of a tile if each thread has its own
_VALUE_OPERATIONS = 100  # approximate operations per kernel value
T = TypeVar("T")
_MAX_ASYMMETRY = 1e-3  # relative to the largest value; allows rounding in single precision


def kernel_matrix(
    X: Table,
    Y: Table | None = None,
    kernel: KernelLike = "rbf",
    *,
    gamma: float | str | None = None,
    degree: float = 3,
    coef0: float = 1.0,
) -> Matrix:
    """Return the kernel matrix K[i, j] = k(x_i, y_j).

    Memory beyond the result is a few tiles of 4 MB. For one table, half of the tiles are computed
    and the others mirrored, so K is exactly symmetric.

    Parameters
    ----------
    X
        Rows, array or CSR (n, d).
    Y
        Other rows (m, d); None means X itself.
    kernel
        A `Kernel`, a name of scikit-learn's ("linear", "poly", "rbf", "laplacian", "sigmoid",
        "chi2", "additive_chi2", "cosine", "precomputed"), or a function of two rows.
    gamma
        Factor or rate of a kernel given by name, > 0; None means 1 / d, or 1 for "chi2"; "scale": 1
        / (d times the variance of X).
    degree
        Exponent of "poly".
    coef0
        Constant of "poly" and "sigmoid".

    Returns
    -------
    K : array of shape (n, m)
        float32 if both tables are, else float64.

    Examples
    --------
    >>> kernel_matrix([[0.0], [1.0]], kernel="rbf").round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """
    left = check_table("kernel_matrix", "X", X)
    right = left if Y is None else check_table("kernel_matrix", "Y", Y)
    if Y is not None and left.shape[1] != right.shape[1]:
        raise DataError(
            f"kernel_matrix: X has {left.shape[1]} columns but Y has {right.shape[1]}; pass tables "
            "with the same columns."
        )
    dtype = np.result_type(left.dtype, right.dtype)
    left, right = left.astype(dtype, copy=False), right.astype(dtype, copy=False)
    found = resolve_kernel("kernel_matrix", kernel, left, gamma=gamma, degree=degree, coef0=coef0)
    return checked_kernel_matrix("kernel_matrix", found, left, None if Y is None else right)


def checked_kernel_matrix(owner: str, kernel: Kernel, X: Data, Y: Data | None = None) -> Matrix:
    """Return the kernel matrix of validated X and Y; raise if it contains NaN."""
    if Y is None and not kernel.takes_rows:
        check_square(owner, X)
        Y = X
    if Y is None:
        return _symmetric(owner, kernel, X)
    out = np.empty((X.shape[0], _width(kernel, X, Y)), dtype=np.result_type(X.dtype, Y.dtype))

    def copy(rows: slice, block: Matrix) -> None:
        out[rows] = block

    for _ in map_kernel_rows(owner, kernel, X, Y, copy):
        pass
    return out


def map_kernel_rows(
    owner: str, kernel: Kernel, X: Data, Y: Data, make: Callable[[slice, Matrix], T]
) -> Iterator[T]:
    """Yield ``make(rows, block)`` for blocks of rows of k(X, Y), in parallel if there are many.

    Each thread computes whole blocks with one thread of BLAS, so that threads do not wait for each
    other and the blocks, which `make` may overwrite, stay in their caches. Results come in the
    order of the rows for any number of threads.
    """
    tile, width = kernel.against(Y), _width(kernel, X, Y)
    itemsize = np.result_type(X.dtype, Y.dtype).itemsize
    blocks = list(
        row_blocks(X.shape[0], width, tile_bytes=_THREAD_TILE_BYTES, itemsize=int(itemsize))
    )
    work = _VALUE_OPERATIONS * float(X.shape[0]) * width

    def run(rows: slice) -> T:
        block = tile(X[rows], ALL_COLUMNS)
        check_values(owner, block)
        return make(rows, block)

    if kernel.parallel_tiles:
        yield from map_in_parallel(work, run, blocks)
    else:
        with one_blas_thread():
            yield from map(run, blocks)


def kernel_product(kernel: Kernel, X: Data, Y: Data, V: Matrix, *, owner: str) -> Matrix:
    """Return k(X, Y) V without storing the matrix; V has one or several columns."""
    out = np.empty((X.shape[0], *V.shape[1:]), dtype=np.result_type(X.dtype, V.dtype))

    def multiply(rows: slice, block: Matrix) -> None:
        out[rows] = block @ V

    for _ in map_kernel_rows(owner, kernel, X, Y, multiply):
        pass
    return out


def kernel_diagonal(
    X: Table,
    kernel: KernelLike = "rbf",
    *,
    gamma: float | str | None = None,
    degree: float = 3,
    coef0: float = 1.0,
) -> Floats:
    """Return k(x_i, x_i) for each row, without computing the matrix.

    Parameters
    ----------
    X
        Rows, array or CSR (n, d); the matrix itself for kernel="precomputed".
    kernel, gamma, degree, coef0
        As in `kernel_matrix`.

    Returns
    -------
    diagonal : array of shape (n,)

    Examples
    --------
    >>> kernel_diagonal([[1.0], [2.0]], "linear")
    array([1., 4.])
    """
    owner = "kernel_diagonal"
    table = check_table(owner, "X", X)
    found = resolve_kernel(owner, kernel, table, gamma=gamma, degree=degree, coef0=coef0)
    if not found.takes_rows:
        check_square(owner, table)
    diagonal = found.diagonal(table)
    check_values(owner, diagonal)
    return diagonal


def row_blocks(
    n: int, width: int, *, tile_bytes: int = TILE_BYTES, itemsize: int = 8
) -> Iterator[slice]:
    """Yield slices of rows whose tiles of this width fit into `tile_bytes`, at least 32 rows."""
    step = max(32, tile_bytes // (itemsize * max(1, width)))
    for first in range(0, n, step):
        yield slice(first, min(n, first + step))


def check_values(owner: str, block: Matrix) -> None:
    """Raise if kernel values are NaN or infinite."""
    if _native.all_finite(block.ravel(order="K")):
        return
    at = tuple(int(i) for i in np.argwhere(~np.isfinite(block))[0])
    raise DataError(
        f"{owner}: the kernel returned {block[at]} (NaN or infinity) for a pair of rows; scale "
        "the columns, lower degree, or correct the kernel function."
    )


def check_square(owner: str, K: Data) -> None:
    """Raise unless a precomputed kernel matrix is square."""
    if K.shape[0] != K.shape[1]:
        raise DataError(
            f"{owner}: a precomputed kernel must be a square matrix, with a row and a column for "
            f"each training row; got shape {K.shape[0]}x{K.shape[1]}."
        )


def check_symmetric(owner: str, K: Matrix) -> None:
    """Raise unless a square matrix of kernel values is symmetric up to rounding."""
    n = K.shape[0]
    step = max(1, TILE_BYTES // (8 * n))
    largest = max(float(K.max()), -float(K.min()))
    for first in range(0, n, step):
        rows = slice(first, first + step)
        with np.errstate(over="ignore"):
            difference = np.abs(K[rows] - K[:, rows].T)
        if difference.max() <= _MAX_ASYMMETRY * largest:
            continue
        i, j = np.unravel_index(int(difference.argmax()), difference.shape)
        i += first
        raise DataError(
            f"{owner}: a kernel must be symmetric, k(x, z) = k(z, x); got {K[i, j]:.6g} for the "
            f"rows {i} and {j}, but {K[j, i]:.6g} for {j} and {i}. Pass k(X, X) of one table, or "
            "the symmetric part, (K + K.T) / 2."
        )


def check_table(owner: str, name: str, X: Table) -> Data:
    """Return a C-contiguous float array or a canonical CSR array."""
    table = translated(
        owner,
        name,
        lambda: check_array(
            X,
            accept_sparse="csr",
            dtype=np.float32 if not sp.issparse(X) and is_float32(X) else [np.float64, np.float32],
            order="C",
            ensure_all_finite=sp.issparse(X),
            input_name=name,
        ),
    )
    if sp.issparse(table):
        table = sp.csr_array(table)
        if not table.has_canonical_format:
            table = table.copy()
            table.sum_duplicates()
        return table
    check_finite(owner, name, table)
    return table


def _symmetric(owner: str, kernel: Kernel, X: Data) -> Matrix:
    n = X.shape[0]
    out = np.empty((n, n), dtype=X.dtype)
    tile = kernel.against(X)

    def fill(rows: slice) -> None:
        until = slice(0, rows.stop)
        block = tile(X[rows], until)
        check_values(owner, block)
        out[rows, until] = block
        out[until, rows] = block.T
        corner = block[:, rows]
        out[rows, rows] = np.tril(corner) + np.tril(corner, -1).T

    blocks = list(row_blocks(n, n))
    if kernel.parallel_tiles:
        run_in_parallel(_VALUE_OPERATIONS / 2 * float(n) ** 2, fill, blocks[::-1])  # longest first
    else:
        with one_blas_thread():
            for rows in blocks:
                fill(rows)
    out.flat[:: n + 1] = kernel.diagonal(X)
    return out


def _width(kernel: Kernel, X: Data, Y: Data) -> int:
    return int(Y.shape[0] if kernel.takes_rows else X.shape[1])
