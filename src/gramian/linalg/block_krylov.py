r"""The leading eigenpairs of a symmetric operator, by a block Krylov space with thick restarts.

From an orthonormal block Q_0 the space S = span(Q_0, A Q_0, A^2 Q_0, ...) is built block after
block, each orthogonal to all before; the eigenpairs (w, y) of the small H = S^T A S give the Ritz
pairs (w, S y), and A S = S H + Q_next B E_last^T their residuals |B y_last| without another
product. A space that has grown to its limit is replaced by its leading Ritz vectors, which keeps
this identity (Stewart, SIAM Journal on Matrix Analysis 23, 2001).

Among spaces with equally many columns, the one with the smallest blocks has polynomials of the
highest degree, and the smallest error. But a block of b columns finds an eigenvalue at most b
times, whatever its multiplicity: if b of the eigenvalues found are equal, larger blocks are tried.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import ceil
from typing import NamedTuple

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.table_products import gram_times, times, transposed_times
from gramian.base.runtime import lapack
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats
from gramian.linalg.checks import check_symmetric
from gramian.linalg.symmetric import Eigenpairs, largest_entry_positive

_LAPACK_LIMIT = 1000  # number of columns up to which LAPACK is as fast as a Krylov space
_BLOCK_WIDTH = 8  # columns of a block
_EXTRA_COLUMNS = 8  # extra columns of a large block, beyond the requested pairs
_CHECK_INTERVAL = 2  # check the residuals at the latest when the space has grown by 1 / this
_HOPELESS = 4  # convergence is out of reach if it needs this many times the remaining columns
_TINY = 1e-300
_MIN_DIAGONAL = (
    1e-5  # smallest diagonal entry of a trusted Cholesky factor, relative to the largest
)
_ORTHOGONAL = 1e-8  # norm of the projection on the space below which one correction is enough
_NEARLY_ORTHOGONAL = (
    0.5  # sum of cosines with other columns up to which one Cholesky factor is enough
)
_EQUAL_EIGENVALUES = 1e-9  # relative difference up to which eigenvalues count as equal


class KrylovPairs(NamedTuple):
    """Ritz pairs, largest first.

    Attributes
    ----------
    values, vectors
        Eigenvalues, and the matrix whose columns are their vectors.
    residuals
        Norms of A v - w v.
    products
        Number of products of A with a block.
    """

    values: Floats
    vectors: Floats
    residuals: Floats
    products: int


def block_krylov(
    product: Callable[[Floats], Floats],
    start: Floats,
    k: int,
    *,
    tol: float,
    max_products: int,
    max_columns: int = 0,
) -> KrylovPairs:
    """Return the k largest eigenpairs of a symmetric operator.

    Parameters
    ----------
    product
        Function from a block (n, b) to the product of A and the block.
    start
        The first block (n, b), of full rank.
    k
        Number of pairs.
    tol
        Stop when all residuals are at most this times the largest eigenvalue.
    max_products
        Maximum number of products.
    max_columns
        Columns of the space before a restart; 0 is a few blocks.

    Examples
    --------
    >>> A = np.diag([5.0, 3.0, 1.0, 0.0])
    >>> pairs = block_krylov(lambda Q: A @ Q, np.ones((4, 1)), 1, tol=1e-12, max_products=10)
    >>> pairs.values.round(10).tolist()
    [5.0]
    """
    n, b = start.shape
    limit = max(min(n, max_columns or max(6 * b, b + 60, 3 * k)), min(n, k + b))
    rows = np.empty((limit, n))  # S^T: a vector of the space is a row
    Q = orthonormal(start)[0]
    H: Floats = np.empty((0, 0))
    products_done, next_check, last_check, log_residual = 0, k, 0, np.inf
    while True:
        m = len(H) + Q.shape[1]
        rows[len(H) : m] = Q.T
        S = rows[:m]
        W = np.asarray(product(Q), dtype=np.float64)
        products_done += 1
        columns = times(S, W)
        H = _append_columns(H, columns)
        W = W - transposed_times(S, columns)
        width = min(b, n - m)
        last = m >= k and (products_done >= max_products or not width)
        next_block, R = orthonormal(W)
        full = m + width > limit and m > b
        if last or full or m >= next_check:
            values, Y = np.linalg.eigh(H)
            values, Y = values[::-1], Y[:, ::-1]
            residuals = np.linalg.norm(R @ Y[-Q.shape[1] :, :k], axis=0)
            largest = np.abs(values).max(initial=0.0)
            if last or (m >= k and (residuals <= tol * largest).all()):
                vectors = np.ascontiguousarray((Y[:, :k].T @ S).T)
                return KrylovPairs(values[:k].copy(), vectors, residuals, products_done)
            log_residual, previous_log_residual = (
                np.log(max(residuals.max(initial=0.0), _TINY)),
                log_residual,
            )
            remaining = log_residual - np.log(max(tol * largest, _TINY))
            budget = (max_products - products_done) * b
            next_check = m + _columns_until_check(
                m, previous_log_residual - log_residual, m - last_check, remaining, budget
            )
            last_check = m
        if width < b:  # the space is nearly complete: only a few columns are left
            next_block = np.linalg.svd(W, full_matrices=False)[0][:, :width]
        if full:
            kept = min(m, max(b, k, limit // 2), limit - width)
            S = rows[:kept]
            S[:] = Y[:, :kept].T @ rows[:m]
            H = np.diag(values[:kept])
            next_check, last_check, log_residual = kept + width, kept, np.inf
        Q = _orthogonalize(S, next_block)


def small_block_krylov(
    product: Callable[[Floats], Floats],
    start: Floats,
    k: int,
    *,
    tol: float,
    max_columns: int,
    max_total_columns: int,
    seed: int,
) -> KrylovPairs:
    """Return the k largest eigenpairs from small blocks, or from larger ones if necessary.

    Parameters
    ----------
    product, start, k, tol, max_columns
        As for `block_krylov`.
    most
        Maximum number of columns multiplied by A, over all products.
    seed
        Seed for the random columns of a larger block.
    """
    n, b = start.shape
    with one_blas_thread():  # passes alternate with small factorisations
        found = block_krylov(
            product,
            start,
            k,
            tol=tol,
            max_products=ceil(max_total_columns / b),
            max_columns=max_columns,
        )
    gaps = found.values[: k - b + 1] - found.values[b - 1 :] if b <= k else np.ones(1)
    if b == n or (gaps > _EQUAL_EIGENVALUES * np.abs(found.values).max(initial=0.0)).all():
        return found
    wide_block = min(n, k + _EXTRA_COLUMNS)
    start = stream(seed, 2).standard_normal((n, wide_block))
    options = {
        "max_products": ceil(2 * max_total_columns / wide_block),
        "max_columns": max(max_columns, 3 * wide_block),
    }
    with one_blas_thread():
        return block_krylov(product, start, k, tol=tol, **options)


def orthonormal(W: Floats) -> tuple[Floats, Floats]:
    """Return Q with orthonormal columns, and R, with W = Q R.

    If the columns are far from dependent, two Cholesky factors of W'W are used: matrix products,
    several times faster than Householder reflections of a tall W; R is then upper triangular with a
    positive diagonal (Yamamoto et al., ETNA 44, 2015). One factor is enough if the columns are
    nearly orthogonal.

    Examples
    --------
    >>> Q, R = orthonormal(np.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> Q.round(6).tolist(), R.round(6).tolist()
    ([[0.6, -0.8], [0.8, 0.6]], [[5.0, 2.2], [0.0, 0.4]])
    """
    R = np.eye(W.shape[1])
    Q = W
    for _ in range(2):
        root = cholesky_root(Q)
        if root is None:
            return np.linalg.qr(W)
        Q = Q @ np.linalg.inv(root.factor)
        R = root.factor @ R
        if root.exact:
            break
    return Q, R


class CholeskyRoot(NamedTuple):
    """The factor R of W = Q R, computed from W'W.

    Attributes
    ----------
    factor
        Upper triangular, with a positive diagonal.
    exact
        Whether the columns of W are nearly orthogonal, so that W'W loses no accuracy.
    """

    factor: Floats
    exact: bool


def cholesky_root(W: Floats) -> CholeskyRoot | None:
    """Return R of W = Q R from W'W, or None if the columns are nearly dependent.

    Examples
    --------
    >>> cholesky_root(np.array([[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]]))
    CholeskyRoot(factor=array([[5., 0.],
           [0., 2.]]), exact=True)
    """
    gram = W.T @ W
    try:
        factor = np.asarray(np.linalg.cholesky(gram).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    sizes = np.diag(factor)
    if not sizes.min(initial=np.inf) > _MIN_DIAGONAL * sizes.max(initial=0.0):
        return None
    return CholeskyRoot(factor, _nearly_orthogonal(gram))


def leading_eigenpairs(
    A: Floats, k: int, *, tol: float = 1e-13, random_state: object = 0
) -> Eigenpairs:
    """Return the k largest eigenvalues of a symmetric matrix and their vectors.

    For a few pairs of a large matrix a few products with it suffice; `eigenpairs` returns all. The
    entry of largest absolute value of each vector is positive.

    Parameters
    ----------
    A
        Symmetric matrix (n, n).
    k
        Number of pairs, at most n.
    tol
        Residuals |A v - w v| allowed, as a multiple of the largest eigenvalue.
    random_state
        Seed of the first block.

    Examples
    --------
    >>> leading_eigenpairs(np.diag([1.0, 3.0, 2.0]), 2).values.tolist()
    [3.0, 2.0]
    """
    matrix = check_symmetric("leading_eigenpairs", A)
    n = len(matrix)
    if not 1 <= k <= n:
        raise ParameterError(f"leading_eigenpairs: k must be between 1 and {n}; got {k}.")
    return top_eigenpairs(matrix, k, tol=tol, seed=seed_of(random_state))


def top_eigenpairs(matrix: Floats, k: int, *, tol: float = 1e-13, seed: int = 0) -> Eigenpairs:
    """Return the k largest eigenpairs of a symmetric matrix, without checks."""
    n = len(matrix)
    if not n:
        raise DataError("leading_eigenpairs: A must have at least one row.")
    max_total_columns = n // 8  # products with this many columns take about as long as LAPACK
    if n > _LAPACK_LIMIT and 4 * (k + _EXTRA_COLUMNS) <= max_total_columns:
        full = np.ascontiguousarray(matrix, dtype=np.float64)
        start = stream(seed).standard_normal((n, _BLOCK_WIDTH))
        found = small_block_krylov(
            partial(times, full),
            start,
            k,
            tol=tol,
            max_columns=max(20 * _BLOCK_WIDTH, 6 * k),
            max_total_columns=max_total_columns,
            seed=seed,
        )
        scale = np.abs(found.values).max(initial=0.0)
        # Rounding alone leaves residuals of about eps sqrt(n) |A|, and |A| may belong to a large
        # negative eigenvalue.
        if (found.residuals <= max(tol, 1e-14 * np.sqrt(n)) * scale).all():
            return Eigenpairs(found.values, largest_entry_positive(found.vectors))
    values, vectors = _largest_pairs(matrix, k)
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    return Eigenpairs(values.copy(), largest_entry_positive(vectors))


def _largest_pairs(matrix: Floats, k: int) -> tuple[Floats, Floats]:
    """Return at least the k largest eigenvalues, in ascending order, and their vectors."""
    n = len(matrix)
    if 4 * k <= n:
        with suppress(np.linalg.LinAlgError), one_blas_thread():
            values, vectors = lapack.eigh(matrix, largest=k)
            if len(values) == k:  # LAPACK may miss some of many equal eigenvalues
                return values, vectors
    return lapack.eigh(matrix)


def _columns_until_check(m: int, decrease: float, by: int, remaining: float, budget: int) -> int:
    """Return the number of columns to add before the next check of the residuals.

    The logarithm of the residual decreased by `decrease` over the last `by` columns and must still
    decrease by `remaining`. Convergence accelerates, so the check comes before this rate predicts
    the end. If the prediction is far beyond the budget, the next check is the last.
    """
    max_total_columns = max(1, m // _CHECK_INTERVAL)
    if not 0 < decrease < np.inf:
        return max_total_columns
    expected = by * remaining / decrease
    if expected > _HOPELESS * budget:
        return max(1, budget)
    return max(1, min(max_total_columns, int(0.7 * expected)))


def _nearly_orthogonal(gram: Floats) -> bool:
    """Return whether columns with these inner products are nearly orthogonal."""
    sizes = np.sqrt(np.diag(gram))
    cosines = gram / np.outer(sizes, sizes) - np.eye(len(gram))
    return bool(np.abs(cosines).sum(axis=0).max(initial=0.0) < _NEARLY_ORTHOGONAL)


def _orthogonalize(S: Floats, block: Floats) -> Floats:
    """Make a block of nearly orthogonal columns orthonormal, and orthogonal to the rows of S.

    Scaling tiny columns to length 1 may have lost their orthogonality to S.
    """
    for _ in range(3):
        projection = gram_times(S, block)
        size = np.linalg.norm(projection, axis=0).max(initial=0.0)
        block = block - projection
        if size <= _ORTHOGONAL:  # lengths have changed by at most size^2
            break
        block = orthonormal(block)[0]
    return block


def _append_columns(H: Floats, columns: Floats) -> Floats:
    """Return H with the new columns S^T A Q appended, and their transpose as rows."""
    old = len(H)
    m = len(columns)
    extended = np.empty((m, m))
    extended[:old, :old] = H
    extended[:, old:] = columns
    extended[old:, :old] = columns[:old].T
    extended[old:, old:] = (columns[old:] + columns[old:].T) / 2
    return extended
