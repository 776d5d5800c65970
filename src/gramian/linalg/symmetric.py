r"""Symmetric matrices, by their eigendecomposition A = V Lambda V^T with orthonormal V.

    A^p = V Lambda^p V^T          inverse p = -1, square root p = 1/2, whitening p = -1/2
    v^T A v / v^T v               the Rayleigh quotient, between least and largest eigenvalue
    L v = lambda M v              V^T M V = I for positive definite M

Reference: Golub and Van Loan, Matrix Computations, 2013, chapter 8.
"""

from typing import Literal, NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.runtime import lapack
from gramian.base.types import Floats, Matrix
from gramian.linalg.checks import check_matrix, check_symmetric, rank_tolerance

Definiteness = Literal[
    "positive definite",
    "positive semidefinite",
    "zero",
    "negative semidefinite",
    "negative definite",
    "indefinite",
]


class Eigenpairs(NamedTuple):
    """Eigenvalues, largest first, and the matrix whose columns are their eigenvectors."""

    values: Floats
    vectors: Floats


def eigenpairs(A: ArrayLike) -> Eigenpairs:
    """Return the eigenvalues and orthonormal eigenvectors of a symmetric matrix, largest first.

    The entry of largest absolute value of each vector is positive.

    Parameters
    ----------
    A
        Symmetric matrix (d, d).

    Examples
    --------
    >>> values, vectors = eigenpairs([[0.75, 1.25], [1.25, 0.75]])
    >>> values.round(12).tolist()
    [2.0, -0.5]
    """
    matrix = check_symmetric("eigenpairs", A)
    with lapack.threads_for_size(matrix.size):
        values, vectors = np.linalg.eigh(matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    return Eigenpairs(values.copy(), largest_entry_positive(vectors))


def matrix_from_eigenpairs(values: ArrayLike, vectors: ArrayLike) -> Floats:
    """Return the symmetric matrix that has these eigenvalues and eigenvectors.

    Parameters
    ----------
    values
        d eigenvalues.
    vectors
        Matrix whose columns are orthogonal; they are scaled to length 1.

    Examples
    --------
    >>> matrix_from_eigenpairs([2.0, -0.5], [[1, 1], [1, -1]]).round(12)
    array([[0.75, 1.25],
           [1.25, 0.75]])
    """
    owner = "matrix_from_eigenpairs"
    V = check_matrix(owner, vectors, name="vectors")
    eigenvalues = np.asarray(values, dtype=np.float64)
    lengths = np.linalg.norm(V, axis=0)
    if V.shape[0] != V.shape[1] or eigenvalues.shape != V.shape[1:]:
        raise DataError(
            f"{owner}: values and vectors must have shapes (d,) and (d, d); got shapes "
            f"{eigenvalues.shape} and {V.shape}. Use eigenvalue 0 for missing directions."
        )
    if (lengths == 0).any():
        raise DataError(f"{owner}: eigenvectors must not be zero.")
    V = V / lengths
    if np.abs(V.T @ V - np.eye(len(V))).max(initial=0.0) > 1e-8:
        raise DataError(
            f"{owner}: the vectors must be orthogonal; see "
            "gramian.textbook.linear_algebra.gram_schmidt."
        )
    return np.asarray((V * eigenvalues) @ V.T)


def symmetric_power(A: ArrayLike, p: float, *, tol: float | None = None) -> Floats:
    """Return A^p = V Lambda^p V^T.

    Parameters
    ----------
    A
        Symmetric matrix; positive semidefinite if p is not an integer.
    p
        Exponent: -1 is the inverse, 1/2 the square root, -1/2 the whitening matrix.
    tol
        Eigenvalues up to tol times the largest absolute value count as 0; None means d times the
        machine epsilon. With p < 0 they stay 0, which gives the pseudoinverse.

    Examples
    --------
    >>> symmetric_power([[5.0, 4.0], [4.0, 5.0]], 0.5).round(12)
    array([[2., 1.],
           [1., 2.]])
    """
    matrix = check_symmetric("symmetric_power", A)
    if not np.isfinite(p):
        raise ParameterError(f"symmetric_power: p must be a finite number; got {p!r}.")
    values, V = np.linalg.eigh(matrix)
    largest = np.abs(values).max(initial=0.0)
    zero = np.abs(values) <= rank_tolerance(largest, matrix.shape, tol)
    if p != round(p) and (values[~zero] < 0).any():
        raise ParameterError(
            f"symmetric_power: A has the eigenvalue {values.min():.3g}, which has no real power "
            f"{p}; p must be an integer, or A positive semidefinite."
        )
    powers = np.zeros_like(values)
    powers[~zero] = values[~zero] ** p
    if p == 0:
        powers[:] = 1.0
    return np.asarray((V * powers) @ V.T)


def definiteness(A: ArrayLike, *, tol: float | None = None) -> Definiteness:
    """Classify a symmetric matrix by the signs of its eigenvalues.

    Only a positive or negative definite matrix, or an indefinite one without eigenvalue 0, is
    invertible.

    Parameters
    ----------
    A
        Symmetric matrix.
    tol
        Eigenvalues up to tol times the largest absolute value count as 0; None means d times the
        machine epsilon.

    Examples
    --------
    >>> definiteness([[2, 0], [0, 1]]), definiteness([[1, 1], [1, 1]])
    ('positive definite', 'positive semidefinite')
    >>> definiteness([[0, 1], [1, 0]])
    'indefinite'
    """
    matrix = check_symmetric("definiteness", A)
    values = np.linalg.eigvalsh(matrix)
    limit = rank_tolerance(np.abs(values).max(initial=0.0), matrix.shape, tol)
    positive, negative = (values > limit).sum(), (values < -limit).sum()
    if positive and negative:
        return "indefinite"
    if not positive and not negative:
        return "zero"
    if positive:
        return "positive definite" if positive == len(values) else "positive semidefinite"
    return "negative definite" if negative == len(values) else "negative semidefinite"


def rayleigh_quotient(A: ArrayLike, v: ArrayLike) -> Floats:
    """Return v^T A v / v^T v, for one vector or for each column of a matrix.

    Parameters
    ----------
    A
        Symmetric matrix (d, d).
    v
        Vector (d,), or matrix (d, m) of columns.

    Examples
    --------
    >>> float(rayleigh_quotient([[2.0, 0.0], [0.0, 1.0]], [3.0, 3.0]))
    1.5
    """
    matrix = check_symmetric("rayleigh_quotient", A)
    columns = np.asarray(v, dtype=np.float64)
    if columns.ndim not in (1, 2) or columns.shape[0] != len(matrix):
        raise DataError(
            f"rayleigh_quotient: v must have {len(matrix)} coordinates; got shape {columns.shape}."
        )
    largest: Matrix = np.abs(columns).max(axis=0)
    if (largest == 0).any():
        raise DataError("rayleigh_quotient: v must not contain a zero vector.")
    unit = columns / largest  # scaled so that the squares neither overflow nor underflow
    return np.asarray((unit * (matrix @ unit)).sum(axis=0) / (unit * unit).sum(axis=0))


def generalized_eigenpairs(L: ArrayLike, M: ArrayLike, *, tol: float | None = None) -> Eigenpairs:
    """Return the solutions of L v = lambda M v with symmetric L and positive semidefinite M.

    Parameters
    ----------
    L
        Symmetric matrix (d, d).
    M
        Positive definite matrix (d, d). If it is singular, the problem is solved in its range, and
        the number of solutions is its rank.
    tol
        Eigenvalues of M up to tol times the largest count as 0.

    Returns
    -------
    pairs
        Eigenvalues, largest first, and vectors with V^T M V = I.

    Examples
    --------
    >>> values, V = generalized_eigenpairs([[2.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 2.0]])
    >>> values.round(12).tolist()
    [2.0, 1.5]
    """
    owner = "generalized_eigenpairs"
    left, right = check_symmetric(owner, L, name="L"), check_symmetric(owner, M, name="M")
    if left.shape != right.shape:
        raise DataError(
            f"{owner}: L and M must have the same shape; got {left.shape} and {right.shape}."
        )
    masses, Q = np.linalg.eigh(right)
    limit = rank_tolerance(np.abs(masses).max(initial=0.0), right.shape, tol)
    if (masses < -limit).any():
        raise DataError(
            f"{owner}: M must be positive semidefinite; its smallest eigenvalue is "
            f"{masses.min():.3g}."
        )
    if (masses > limit).all():
        values, V = scipy.linalg.eigh(left, right)
    else:
        whitened = Q[:, masses > limit] / np.sqrt(masses[masses > limit])
        values, inner = np.linalg.eigh(whitened.T @ left @ whitened)
        V = whitened @ inner
    return Eigenpairs(values[::-1].copy(), largest_entry_positive(V[:, ::-1]))


class Correlations(NamedTuple):
    """A covariance S = D C D with ones on the diagonal of C, C = V Lambda V^T.

    Attributes
    ----------
    sizes
        The diagonal of D, the standard deviations; 1 for constant columns.
    values, vectors
        Lambda in ascending order, and V.
    rank
        Number of eigenvalues above rounding error: the rank of S, independent of the units of its
        columns.
    """

    sizes: Floats
    values: Floats
    vectors: Floats
    rank: int


def correlations(S: Floats, eps: float = float(np.finfo(np.float64).eps)) -> Correlations:
    """Return the correlations of a covariance whose entries are rounded to `eps`.

    Examples
    --------
    >>> correlations(np.diag([1e-20, 4.0, 0.0])).rank
    2
    """
    sizes = np.sqrt(np.diag(S))
    sizes = np.where(sizes > 0, sizes, 1.0)
    with lapack.threads_for_size(S.size):
        values, vectors = np.linalg.eigh(S / sizes / sizes[:, None])
    rank = int((values > len(S) * eps * values[-1]).sum())
    return Correlations(sizes, values, vectors, rank)


def largest_entry_positive(vectors: Floats) -> Floats:
    """Return the columns with signs such that the entry of largest absolute value is positive."""
    return np.asarray(vectors * signs_of_largest(vectors))


def signs_of_largest(vectors: Floats) -> Floats:
    """Return the sign, 1 or -1, of the entry of largest absolute value of each column."""
    if not vectors.size:
        return np.ones(vectors.shape[1])
    high, low = vectors.max(axis=0), -vectors.min(axis=0)
    negative = high < low
    for j in np.flatnonzero(high == low):  # the first among entries of equal absolute value
        negative[j] = vectors[np.abs(vectors[:, j]).argmax(), j] < 0
    return np.where(negative, -1.0, 1.0)
