r"""The leading eigenpairs of a symmetric operator, by a block Krylov space with thick restarts.

From an orthonormal block Q_0 the space S = span(Q_0, A Q_0, A^2 Q_0, ...) is built block after
block, each orthogonal to all before; the eigenpairs (w, y) of the small H = S^T A S give the Ritz
pairs (w, S y), and A S = S H + Q_next B E_last^T their residuals |B y_last| without another
product. A space that has grown to its limit is replaced by its leading Ritz vectors, which keeps
this identity (Stewart, SIAM Journal on Matrix Analysis 23, 2001). A block of more columns than
pairs asked for finds repeated eigenvalues as often as they occur.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime import lapack
from gramian.base.types import Floats
from gramian.linalg.checks import check_symmetric
from gramian.linalg.symmetric import Eigenpairs, largest_entry_positive

_FULL = 300  # columns up to which all eigenpairs are as quick as a few
_GUARD = 8  # columns of a block beyond the pairs asked for
_INDEPENDENT = 1e-5  # least diagonal entry of a Cholesky factor, of the largest, to trust it
_RIGHT_ANGLE = 1e-14  # inner product of two columns of length 1 that needs no correction


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
        The first block (n, b), of full rank, with b >= k.
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
    limit = min(n, max_columns or max(6 * b, b + 60))
    Q = orthonormal(start)[0]
    S, H = np.empty((n, 0)), np.empty((0, 0))
    done = 0
    while True:
        S = np.hstack([S, Q])
        W = np.asarray(product(Q), dtype=np.float64)
        done += 1
        columns = S.T @ W
        H = _bordered(H, columns)
        W -= S @ columns
        m = S.shape[1]
        width = min(b, n - m)
        values, Y = np.linalg.eigh(H)
        values, Y = values[::-1], Y[:, ::-1]
        last = m >= k and (done >= max_products or not width)
        if not last:
            W -= S @ (S.T @ W)
        residuals = np.linalg.norm(W @ Y[-Q.shape[1] :, :k], axis=0)
        largest = np.abs(values).max(initial=0.0)
        if last or (m >= k and (residuals <= tol * largest).all()):
            return KrylovPairs(values[:k].copy(), S @ Y[:, :k], residuals, done)
        following = orthonormal(W)[0]
        if width < b:  # the space is nearly everything: only a few columns are left
            following = np.linalg.svd(W, full_matrices=False)[0][:, :width]
        if m + width > limit and m > b:
            kept = min(m, max(b, limit // 2))
            S, H = S @ Y[:, :kept], np.diag(values[:kept])
        overlap = S.T @ following
        # A small W may have lost its right angle to S when it was made of length 1.
        small = np.abs(overlap).max(initial=0.0) <= _RIGHT_ANGLE
        Q = following if small else orthonormal(following - S @ overlap)[0]


def orthonormal(W: Floats) -> tuple[Floats, Floats]:
    """Return Q with orthonormal columns and R, of W = Q R.

    Where the columns are far from dependent, by two Cholesky factors of W'W, which are matrix
    products and several times quicker than Householder's reflections of a tall W; R is then upper
    triangular with a positive diagonal (Yamamoto et al., ETNA 44, 2015).

    Examples
    --------
    >>> Q, R = orthonormal(np.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> Q.round(6).tolist(), R.round(6).tolist()
    ([[0.6, -0.8], [0.8, 0.6]], [[5.0, 2.2], [0.0, 0.4]])
    """
    R = np.eye(W.shape[1])
    Q = W
    for _ in range(2):
        try:
            factor = np.linalg.cholesky(Q.T @ Q).T
        except np.linalg.LinAlgError:
            return np.linalg.qr(W)
        sizes = np.diag(factor)
        if not sizes.min(initial=np.inf) > _INDEPENDENT * sizes.max(initial=0.0):
            return np.linalg.qr(W)
        Q = Q @ np.linalg.inv(factor)
        R = factor @ R
    return Q, R


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
    b = k + max(_GUARD, k // 4)
    if n > _FULL and 10 * b <= n:
        start = stream(seed).standard_normal((n, b))
        found = block_krylov(lambda Q: matrix @ Q, start, k, tol=tol, max_products=n // (2 * b) + 5)
        scale = np.abs(found.values).max(initial=0.0)
        # Rounding alone leaves residuals of about eps sqrt(n) |A|, and |A| may belong to a large
        # negative eigenvalue.
        if (found.residuals <= max(tol, 1e-14 * np.sqrt(n)) * scale).all():
            return Eigenpairs(found.values, largest_entry_positive(found.vectors))
    values, vectors = lapack.eigh(matrix)
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    return Eigenpairs(values.copy(), largest_entry_positive(vectors))


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
