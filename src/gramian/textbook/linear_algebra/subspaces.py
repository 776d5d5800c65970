r"""Subspaces of a matrix, orthonormal bases, projections.

With A = U D V^T and r singular values above the tolerance: the first r columns of U span the column
space, those of V the row space, the others of V the null space and those of U the left null space.
The projection of x onto the span of orthonormal q_1, ..., q_k is sum_i (q_i . x) q_i.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats, RowNumbers
from gramian.linalg.checks import check_matrix, check_numbers, rank_tolerance


class Subspaces(NamedTuple):
    """The four subspaces of a matrix, each by an orthonormal basis in columns.

    Attributes
    ----------
    rank
        Number of singular values above the tolerance.
    column, left_null
        Bases of the column space and its orthogonal complement, (n, rank) and (n, n - rank).
    row, null
        Bases of the row space and its orthogonal complement, (d, rank) and (d, d - rank).
    singular_values
        All singular values, largest first.
    tolerance
        The tolerance used.
    """

    rank: int
    column: Floats
    left_null: Floats
    row: Floats
    null: Floats
    singular_values: Floats
    tolerance: float


def subspaces(A: ArrayLike, *, tol: float | None = None) -> Subspaces:
    """Return rank, column space, row space and null spaces of a matrix, by one tolerance.

    Parameters
    ----------
    A
        Matrix (n, d).
    tol
        Singular values up to tol times the largest count as 0; None means max(n, d) times the
        machine epsilon.

    Examples
    --------
    >>> found = subspaces([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]])
    >>> found.rank, found.null.shape, found.left_null.shape
    (1, (2, 1), (3, 2))
    """
    matrix = check_matrix("subspaces", A)
    if 0 in matrix.shape:
        n, d = matrix.shape
        no_columns = np.zeros(0)
        return Subspaces(
            0, np.eye(n)[:, :0], np.eye(n), np.eye(d)[:, :0], np.eye(d), no_columns, 0.0
        )
    U, D, Vt = np.linalg.svd(matrix, full_matrices=True)
    limit = rank_tolerance(float(D[0]), matrix.shape, tol)
    rank = int((limit < D).sum())
    return Subspaces(rank, U[:, :rank], U[:, rank:], Vt[:rank].T, Vt[rank:].T, D, limit)


class OrthonormalBasis(NamedTuple):
    """The result of Gram-Schmidt.

    Attributes
    ----------
    basis
        Orthonormal columns with the same span.
    kept
        Indices of the vectors that added a direction.
    dropped
        Indices of the vectors that depend on earlier ones.
    """

    basis: Floats
    kept: RowNumbers
    dropped: RowNumbers


def gram_schmidt(
    vectors: ArrayLike,
    *,
    method: Literal["classical", "modified", "twice"] = "twice",
    tol: float = 1e-10,
) -> OrthonormalBasis:
    """Return an orthonormal basis of the span of the columns, built vector by vector.

    Parameters
    ----------
    vectors
        Matrix whose columns are the vectors.
    method
        ``"classical"`` subtracts the projections on the basis so far, all computed from the vector
        itself; ``"modified"`` computes each from the remainder, which is more accurate; ``"twice"``
        repeats the classical step, after which the basis is orthogonal to rounding.
    tol
        A vector counts as dependent, and is dropped, if less than this fraction of its length
        remains.

    Examples
    --------
    >>> found = gram_schmidt([[3.0, 6.0, 1.0], [4.0, 8.0, 0.0]])
    >>> found.basis.round(12).tolist(), found.dropped.tolist()
    ([[0.6, 0.8], [0.8, -0.6]], [1])
    """
    columns = check_matrix("gram_schmidt", vectors, name="vectors")
    if method not in ("classical", "modified", "twice"):
        raise ParameterError(
            f"gram_schmidt: method must be 'classical', 'modified' or 'twice'; got {method!r}."
        )
    basis = np.empty((columns.shape[0], 0))
    kept: list[int] = []
    for k, column in enumerate(columns.T):
        size = np.abs(column).max(initial=0.0)
        if size == 0:
            continue
        left = column / size
        length = np.linalg.norm(left)
        if method == "modified":
            for q in basis.T:
                left = left - (q @ left) * q
        else:
            for _ in range(2 if method == "twice" else 1):
                left = left - basis @ (basis.T @ left)
        rest = np.linalg.norm(left)
        if rest > tol * length and basis.shape[1] < basis.shape[0]:
            basis = np.c_[basis, left / rest]
            kept.append(k)
    dropped = np.setdiff1d(np.arange(columns.shape[1]), kept)
    return OrthonormalBasis(basis, np.array(kept, dtype=np.intp), dropped.astype(np.intp))


def project(x: ArrayLike, vectors: ArrayLike) -> Floats:
    """Return the orthogonal projection onto the span of the vectors.

    Parameters
    ----------
    x
        Point (d,), or points (n, d).
    vectors
        A vector (d,), or a matrix (d, k) of columns, which need not be orthogonal or independent.

    Examples
    --------
    >>> project([3.0, 4.0], [2.0, 0.0]).tolist()
    [3.0, 0.0]
    """
    columns = check_numbers("project", vectors, name="vectors")
    columns = columns[:, None] if columns.ndim == 1 else columns
    basis = gram_schmidt(columns).basis
    points = check_numbers("project", x, name="x")
    if points.ndim not in (1, 2) or points.shape[-1] != len(basis):
        raise DataError(f"project: x must have {len(basis)} coordinates; got shape {points.shape}.")
    return np.asarray((points @ basis) @ basis.T)


def project_on_hyperplane(x: ArrayLike, w: ArrayLike, b: float = 0.0) -> Floats:
    """Return the nearest point of the hyperplane w . x + b = 0.

    Parameters
    ----------
    x
        Point (d,), or points (n, d).
    w
        Normal vector (d,), not zero.
    b
        Offset.

    Examples
    --------
    >>> project_on_hyperplane([2.0, 3.0], [0.0, 2.0], b=-2.0).tolist()
    [2.0, 1.0]
    """
    owner = "project_on_hyperplane"
    normal, points = check_numbers(owner, w, name="w"), check_numbers(owner, x, name="x")
    length = np.linalg.norm(normal)
    if normal.ndim != 1 or points.ndim not in (1, 2) or points.shape[-1:] != normal.shape:
        raise DataError(
            f"{owner}: x and w must have the same number of coordinates; got shapes "
            f"{points.shape} and {normal.shape}."
        )
    if not length > 0:
        raise DataError(f"{owner}: w must not be zero.")
    unit = normal / length
    distance = points @ unit + b / length
    return np.asarray(points - distance[..., None] * unit)
