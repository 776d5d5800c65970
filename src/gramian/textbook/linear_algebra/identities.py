r"""Identities of traces, determinants and inverses, with both sides computed.

    trace_cycle        tr(A B C) = tr(C A B) = tr(B C A)             not tr(C B A)
    product_rules      det(A B) = det A det B,  (A B)^-1 = B^-1 A^-1,  tr(A B) = tr(B A)
    spectral_rules     tr A = sum of the eigenvalues, det A = their product
    determinant_lemma  det(A + U V^T) = det(I + V^T A^-1 U) det A
    woodbury           (A + U C V)^-1 = A^-1 - A^-1 U (C^-1 + V A^-1 U)^-1 V A^-1

Every function computes the sides of an identity separately and returns all of them for comparison.
Reference: Petersen and Pedersen, The Matrix Cookbook, 2012.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.linalg.checks import check_matrix


class Sides(NamedTuple):
    """The two sides of an identity.

    Attributes
    ----------
    left, right
        Numbers or matrices, equal up to rounding.
    """

    left: Floats
    right: Floats

    @property
    def difference(self) -> float:
        """The largest difference of entries, relative to the largest entry (1 if both are 0)."""
        size = max(np.abs(self.left).max(), np.abs(self.right).max())
        return float(np.abs(self.left - self.right).max() / (size or 1.0))


class ProductRules(NamedTuple):
    """Both sides of the rules of a product A B.

    Attributes
    ----------
    trace
        tr(A B) and tr(B A).
    determinant
        det(A B) and det A det B.
    inverse
        (A B)^-1 and B^-1 A^-1.
    """

    trace: Sides
    determinant: Sides
    inverse: Sides


class SpectralRules(NamedTuple):
    """Both sides of the rules of eigenvalues.

    Attributes
    ----------
    trace
        tr A and the sum of the eigenvalues.
    determinant
        det A and the product of the eigenvalues.
    """

    trace: Sides
    determinant: Sides


def trace_cycle(*factors: ArrayLike) -> Floats:
    """Return the traces of all cyclic permutations of a product; they are equal.

    Other permutations of three or more factors have different traces: tr(A B C) is not tr(C B A).

    Parameters
    ----------
    *factors
        Matrices whose product is square: A (a, b), B (b, c), ..., Z (z, a).

    Returns
    -------
    traces : array with a trace per factor
        Traces of A B C, B C A and C A B.

    Examples
    --------
    >>> A, B, C = [[1.0, 2.0]], [[1.0], [0.0]], [[3.0]]
    >>> trace_cycle(A, B, C)
    array([3., 3., 3.])
    """
    owner = "trace_cycle"
    if not factors:
        raise DataError(f"{owner}: pass at least one matrix; got none.")
    matrices = [check_matrix(owner, each, name="a factor") for each in factors]
    shapes = [each.shape for each in matrices]
    if any(a[1] != b[0] for a, b in zip(shapes, [*shapes[1:], shapes[0]], strict=True)):
        raise DataError(
            f"{owner}: each factor must have as many columns as the next one has rows, and the "
            f"last as many as the first; got the shapes {', '.join(map(str, shapes))}."
        )
    orders = (matrices[k:] + matrices[:k] for k in range(len(matrices)))
    return np.array([np.trace(_product(order)) for order in orders])


def product_rules(A: ArrayLike, B: ArrayLike) -> ProductRules:
    """Return trace, determinant and inverse of a product, and the same from its factors.

    Parameters
    ----------
    A, B
        Invertible matrices of the same size.

    Examples
    --------
    >>> rules = product_rules([[2.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [0.0, 3.0]])
    >>> rules.trace.left, rules.determinant.left
    (array(5.), array(6.))
    >>> bool(rules.inverse.difference < 1e-12)
    True
    """
    owner = "product_rules"
    a, b = _square(owner, "A", A), _square(owner, "B", B)
    if a.shape != b.shape:
        raise DataError(f"{owner}: A and B must have the same size; got {a.shape} and {b.shape}.")
    return ProductRules(
        _sides(np.trace(a @ b), np.trace(b @ a)),
        _sides(np.linalg.det(a @ b), np.linalg.det(a) * np.linalg.det(b)),
        _sides(_inverse(owner, a @ b), _inverse(owner, b) @ _inverse(owner, a)),
    )


def spectral_rules(A: ArrayLike) -> SpectralRules:
    """Return trace and determinant of a matrix, and the sum and product of its eigenvalues.

    Complex eigenvalues come in conjugate pairs, so their sum and product are real.

    Parameters
    ----------
    A
        Square matrix.

    Examples
    --------
    >>> rules = spectral_rules([[2.0, 1.0], [1.0, 2.0]])     # eigenvalues 3 and 1
    >>> round(float(rules.trace.right), 6), round(float(rules.determinant.right), 6)
    (4.0, 3.0)
    """
    a = _square("spectral_rules", "A", A)
    values = np.linalg.eigvals(a)
    return SpectralRules(
        _sides(np.trace(a), values.sum().real), _sides(np.linalg.det(a), values.prod().real)
    )


def determinant_lemma(A: ArrayLike, U: ArrayLike, V: ArrayLike) -> Sides:
    """Return det(A + U V^T) and det(I + V^T A^-1 U) det A.

    If det A is known, the second form needs only a (k, k) determinant. With A = I it is Sylvester's
    det(I + U V^T) = det(I + V^T U).

    Parameters
    ----------
    A
        Invertible matrix (n, n).
    U, V
        Matrices (n, k).

    Examples
    --------
    >>> determinant_lemma([[2.0, 0.0], [0.0, 1.0]], [[1.0], [1.0]], [[1.0], [0.0]])
    Sides(left=array(3.), right=array(3.))
    """
    owner = "determinant_lemma"
    a = _square(owner, "A", A)
    u, v = check_matrix(owner, U, name="U"), check_matrix(owner, V, name="V")
    if u.shape != v.shape or len(u) != len(a):
        raise DataError(
            f"{owner}: U and V must have the same shape with {len(a)} rows, like A; got {u.shape} "
            "and "
            f"{v.shape}."
        )
    small = np.eye(u.shape[1]) + v.T @ _inverse(owner, a) @ u
    return _sides(np.linalg.det(a + u @ v.T), np.linalg.det(small) * np.linalg.det(a))


def woodbury(A: ArrayLike, U: ArrayLike, C: ArrayLike, V: ArrayLike) -> Sides:
    """Return (A + U C V)^-1 and A^-1 - A^-1 U (C^-1 + V A^-1 U)^-1 V A^-1.

    If A^-1 is known, the second form needs only (k, k) inverses; k = 1 is the Sherman-Morrison
    formula. It follows from the identity of `push_through`.

    Parameters
    ----------
    A
        Invertible matrix (n, n).
    U
        Matrix (n, k).
    C
        Invertible matrix (k, k).
    V
        Matrix (k, n).

    Examples
    --------
    >>> woodbury([[2.0]], [[1.0]], [[1.0]], [[2.0]])
    Sides(left=array([[0.25]]), right=array([[0.25]]))
    """
    owner = "woodbury"
    a, c = _square(owner, "A", A), _square(owner, "C", C)
    u, v = check_matrix(owner, U, name="U"), check_matrix(owner, V, name="V")
    if u.shape != (len(a), len(c)) or v.shape != (len(c), len(a)):
        raise DataError(
            f"{owner}: U must have shape ({len(a)}, {len(c)}) and V ({len(c)}, {len(a)}) to match "
            f"A and C; got {u.shape} and {v.shape}."
        )
    inverse = _inverse(owner, a)
    inner = _inverse(owner, _inverse(owner, c) + v @ inverse @ u)
    return _sides(_inverse(owner, a + u @ c @ v), inverse - inverse @ u @ inner @ v @ inverse)


def _square(owner: str, name: str, matrix: ArrayLike) -> Floats:
    table = check_matrix(owner, matrix, name=name)
    if table.shape[0] != table.shape[1]:
        raise DataError(f"{owner}: {name} must be square; got shape {table.shape}.")
    return table


def _inverse(owner: str, matrix: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError as error:
        raise DataError(f"{owner}: a matrix that must be inverted is singular.") from error


def _product(matrices: list[Floats]) -> Floats:
    return np.linalg.multi_dot(matrices) if len(matrices) > 1 else matrices[0]


def _sides(left: ArrayLike, right: ArrayLike) -> Sides:
    return Sides(np.asarray(left, dtype=float), np.asarray(right, dtype=float))
