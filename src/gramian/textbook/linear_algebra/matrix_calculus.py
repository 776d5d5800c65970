"""Identities of matrix calculus: gradients with respect to a matrix, and differentials.

    grad_x  x'a         = a                        d (AB)      = dA B + A dB
    grad_A  tr(AB)      = B'                       d A^-1      = -A^-1 dA A^-1
    grad_A  tr(ABA')    = A (B + B')               d ln|det A| = tr(A^-1 dA)
    grad_A  ln|det A|   = A^-T

The gradient of a number f(A) is the matrix of df/dA_ij; a differential is the change along a
direction dA. `numeric_gradient` accepts matrices, so each identity can be checked. Petersen and
Pedersen, The Matrix Cookbook, 2012, chapter 2; Bishop 2006, appendix C.
"""

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


def dot_gradient(a: npt.ArrayLike) -> Floats:
    """Return the gradient of x'a with respect to x: a, for any x.

    Examples
    --------
    >>> dot_gradient([1.0, 2.0])
    array([1., 2.])
    """
    return np.array(a, dtype=float)


def trace_gradient(B: npt.ArrayLike) -> Floats:
    """Return the gradient of tr(AB) with respect to A: B', for any A.

    Examples
    --------
    >>> trace_gradient([[1.0, 2.0], [3.0, 4.0]])
    array([[1., 3.],
           [2., 4.]])
    """
    return np.array(B, dtype=float).T


def quadratic_trace_gradient(A: npt.ArrayLike, B: npt.ArrayLike) -> Floats:
    """Return the gradient of tr(ABA') with respect to A: A (B + B').

    Examples
    --------
    >>> quadratic_trace_gradient([[1.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]])
    array([[2., 2.]])
    """
    B = np.asarray(B, dtype=float)
    return np.asarray(np.asarray(A, dtype=float) @ (B + B.T))


def log_det_gradient(A: npt.ArrayLike) -> Floats:
    """Return the gradient of ln|det A| with respect to A: the transposed inverse.

    Examples
    --------
    >>> log_det_gradient([[2.0, 0.0], [0.0, 4.0]])
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return _inverse("log_det_gradient", A).T


def product_differential(
    A: npt.ArrayLike, B: npt.ArrayLike, dA: npt.ArrayLike, dB: npt.ArrayLike
) -> Floats:
    """Return d(AB) = dA B + A dB, the change of a product along dA and dB.

    Examples
    --------
    >>> product_differential([[1.0]], [[2.0]], [[10.0]], [[100.0]])
    array([[120.]])
    """
    A, B, dA, dB = (np.asarray(M, dtype=float) for M in (A, B, dA, dB))
    return np.asarray(dA @ B + A @ dB)


def inverse_differential(A: npt.ArrayLike, dA: npt.ArrayLike) -> Floats:
    """Return d(A^-1) = -A^-1 dA A^-1, the change of the inverse along dA.

    Examples
    --------
    >>> inverse_differential([[2.0]], [[1.0]])
    array([[-0.25]])
    """
    inverse = _inverse("inverse_differential", A)
    return np.asarray(-inverse @ np.asarray(dA, dtype=float) @ inverse)


def log_det_differential(A: npt.ArrayLike, dA: npt.ArrayLike) -> float:
    """Return d ln|det A| = tr(A^-1 dA), the change of the log determinant along dA.

    Examples
    --------
    >>> log_det_differential([[2.0, 0.0], [0.0, 4.0]], [[1.0, 7.0], [7.0, 1.0]])
    0.75
    """
    return float(np.trace(_inverse("log_det_differential", A) @ np.asarray(dA, dtype=float)))


def _inverse(owner: str, A: npt.ArrayLike) -> Floats:
    matrix = np.asarray(A, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"{owner}: A must be a square matrix; got shape {matrix.shape}.")
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        raise DataError(
            f"{owner}: A must be invertible; got a singular matrix, whose determinant is 0."
        ) from None
