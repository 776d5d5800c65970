r"""The leading eigenpairs of a symmetric operator, by a block Krylov space with thick restarts.

From an orthonormal block Q_0 the space S = span(Q_0, A Q_0, A^2 Q_0, ...) is built block after
block, each orthogonal to all before; the eigenpairs (w, y) of the small H = S^T A S give the Ritz
pairs (w, S y), and A S = S H + Q_next B E_last^T their residuals |B y_last| without another
product. A space that has grown to its limit is replaced by its leading Ritz vectors, which keeps
this identity (Stewart, SIAM Journal on Matrix Analysis 23, 2001).

Of spaces with as many columns, that of the smallest blocks has the polynomials of highest degree,
and the smallest error. But from a block of b columns an eigenvalue is found b times at most,
however often it occurs: where b of those found are equal, larger blocks have to decide.
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

_DIRECT = 1000  # columns up to which LAPACK's eigenpairs are as quick as a Krylov space
_BLOCK = 8  # columns of a block
_GUARD = 8  # columns of a large block beyond the pairs asked for
_LOOK = 2  # the residuals are looked at when the space has grown by a half, or before
_BEYOND = 4  # times the columns that may still come, for convergence to be out of reach
_TINY = 1e-300
_INDEPENDENT = 1e-5  # least diagonal entry of a Cholesky factor, of the largest, to trust it
_ONCE = 1e-8  # part of a column of length 1 within the space that one correction removes
_NEARLY = 0.5  # sum of a column's cosines with the others where one Cholesky factor is enough
_EQUAL = 1e-9  # difference of equal eigenvalues, of the largest


class KrylovPairs(NamedTuple):
    """Ritz pairs, the largest first.

    Attributes
    ----------
    values, vectors
        Eigenvalues, and the matrix whose columns are their vectors.
    residuals
        Norms of A v - w v.
    products
        How often a block was multiplied by A.
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
        From a block (n, b) to A times it.
    start
        The first block (n, b), of full rank.
    k
        Number of pairs.
    tol
        Stop when all residuals are at most this times the largest eigenvalue.
    max_products
        Stop after so many products in any case.
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
    done, look, looked, behind = 0, k, 0, np.inf
    while True:
        m = len(H) + Q.shape[1]
        rows[len(H) : m] = Q.T
        S = rows[:m]
        W = np.asarray(product(Q), dtype=np.float64)
        done += 1
        columns = times(S, W)
        H = _bordered(H, columns)
        W = W - transposed_times(S, columns)
        width = min(b, n - m)
        last = m >= k and (done >= max_products or not width)
        following, R = orthonormal(W)
        full = m + width > limit and m > b
        if last or full or m >= look:
            values, Y = np.linalg.eigh(H)
            values, Y = values[::-1], Y[:, ::-1]
            residuals = np.linalg.norm(R @ Y[-Q.shape[1] :, :k], axis=0)
            largest = np.abs(values).max(initial=0.0)
            if last or (m >= k and (residuals <= tol * largest).all()):
                vectors = np.ascontiguousarray((Y[:, :k].T @ S).T)
                return KrylovPairs(values[:k].copy(), vectors, residuals, done)
            behind, before = np.log(max(residuals.max(initial=0.0), _TINY)), behind
            left = behind - np.log(max(tol * largest, _TINY))
            budget = (max_products - done) * b
            look = m + _columns_until_look(m, before - behind, m - looked, left, budget)
            looked = m
        if width < b:  # the space is nearly everything: only a few columns are left
            following = np.linalg.svd(W, full_matrices=False)[0][:, :width]
        if full:
            kept = min(m, max(b, k, limit // 2), limit - width)
            S = rows[:kept]
            S[:] = Y[:, :kept].T @ rows[:m]
            H = np.diag(values[:kept])
            look, looked, behind = kept + width, kept, np.inf
        Q = _at_right_angles(S, following)


def few_pairs(
    product: Callable[[Floats], Floats],
    start: Floats,
    k: int,
    *,
    tol: float,
    max_columns: int,
    most: int,
    seed: int,
) -> KrylovPairs:
    """Return the k largest eigenpairs from blocks of a few columns; of more where it takes them.

    Parameters
    ----------
    product, start, k, tol, max_columns
        As of `block_krylov`.
    most
        Stop after products with so many columns in any case.
    seed
        Of the random columns of a larger block.
    """
    n, b = start.shape
    with one_blas_thread():  # passes alternate with small factorisations
        found = block_krylov(
            product, start, k, tol=tol, max_products=ceil(most / b), max_columns=max_columns
        )
    apart = found.values[: k - b + 1] - found.values[b - 1 :] if b <= k else np.ones(1)
    if b == n or (apart > _EQUAL * np.abs(found.values).max(initial=0.0)).all():
        return found
    wide = min(n, k + _GUARD)
    start = stream(seed, 2).standard_normal((n, wide))
    options = {"max_products": ceil(2 * most / wide), "max_columns": max(max_columns, 3 * wide)}
    with one_blas_thread():
        return block_krylov(product, start, k, tol=tol, **options)


def orthonormal(W: Floats) -> tuple[Floats, Floats]:
    """Return Q with orthonormal columns and R, of W = Q R.

    Where the columns are far from dependent, by two Cholesky factors of W'W, which are matrix
    products and several times quicker than Householder's reflections of a tall W; R is then upper
    triangular with a positive diagonal (Yamamoto et al., ETNA 44, 2015). One factor is enough where
    they are nearly orthogonal.

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
    """R of W = Q R, from W'W.

    Attributes
    ----------
    factor
        Upper triangular, with a positive diagonal.
    exact
        Whether the columns of W are nearly orthogonal, so that squaring loses nothing.
    """

    factor: Floats
    exact: bool


def cholesky_root(W: Floats) -> CholeskyRoot | None:
    """Return R of W = Q R from W'W, or None where the columns are nearly dependent.

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
    if not sizes.min(initial=np.inf) > _INDEPENDENT * sizes.max(initial=0.0):
        return None
    return CholeskyRoot(factor, _far_apart(gram))


def leading_eigenpairs(
    A: Floats, k: int, *, tol: float = 1e-13, random_state: object = 0
) -> Eigenpairs:
    """Return the k largest eigenvalues of a symmetric matrix and their vectors.

    A few pairs of a large matrix cost some products with it; `eigenpairs` returns all.
    The entry of largest size of each vector is positive.

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
    return pairs_of(matrix, k, tol=tol, seed=seed_of(random_state))


def pairs_of(matrix: Floats, k: int, *, tol: float = 1e-13, seed: int = 0) -> Eigenpairs:
    """Return the k largest eigenpairs of a symmetric matrix that needs no check."""
    n = len(matrix)
    if not n:
        raise DataError("leading_eigenpairs: A must have at least one row.")
    most = n // 8  # products with so many columns take about as long as LAPACK
    if n > _DIRECT and 4 * (k + _GUARD) <= most:
        full = np.ascontiguousarray(matrix, dtype=np.float64)
        start = stream(seed).standard_normal((n, _BLOCK))
        found = few_pairs(
            partial(times, full),
            start,
            k,
            tol=tol,
            max_columns=max(20 * _BLOCK, 6 * k),
            most=most,
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
    """Return at least the k largest eigenvalues, the smallest of them first, and their vectors."""
    n = len(matrix)
    if 4 * k <= n:
        with suppress(np.linalg.LinAlgError), one_blas_thread():
            values, vectors = lapack.eigh(matrix, largest=k)
            if len(values) == k:  # LAPACK may miss some of many equal ones
                return values, vectors
    return lapack.eigh(matrix)


def _columns_until_look(m: int, fallen: float, by: int, left: float, budget: int) -> int:
    """Return when to look at the residuals again.

    Their logarithm has fallen so much by so many columns, and as much is left; the fall becomes
    steeper, so that it is worth looking before it would be over at this rate. Where that is far
    beyond the columns that may still come, the next look is the last.
    """
    most = max(1, m // _LOOK)
    if not 0 < fallen < np.inf:
        return most
    expected = by * left / fallen
    if expected > _BEYOND * budget:
        return max(1, budget)
    return max(1, min(most, int(0.7 * expected)))


def _far_apart(gram: Floats) -> bool:
    """Tell whether columns with these inner products are nearly orthogonal."""
    sizes = np.sqrt(np.diag(gram))
    cosines = gram / np.outer(sizes, sizes) - np.eye(len(gram))
    return bool(np.abs(cosines).sum(axis=0).max(initial=0.0) < _NEARLY)


def _at_right_angles(S: Floats, block: Floats) -> Floats:
    """Return orthonormal columns orthogonal to the rows of S, of a block that nearly is.

    A small block may have lost its right angle when it was made of length 1.
    """
    for _ in range(3):
        along = gram_times(S, block)
        size = np.linalg.norm(along, axis=0).max(initial=0.0)
        block = block - along
        if size <= _ONCE:  # the columns have changed by the square of that
            break
        block = orthonormal(block)[0]
    return block


def _bordered(H: Floats, columns: Floats) -> Floats:
    """Return H with the new columns S^T A Q to its right, and below by symmetry."""
    old = len(H)
    m = len(columns)
    grown = np.empty((m, m))
    grown[:old, :old] = H
    grown[:, old:] = columns
    grown[old:, :old] = columns[:old].T
    grown[old:, old:] = (columns[old:] + columns[old:].T) / 2
    return grown
