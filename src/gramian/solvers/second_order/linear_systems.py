"""Symmetric linear systems A x = b: the step of Newton's method, the normal equations.

The factorisations are SciPy's (LAPACK), or native code for few unknowns; this module chooses among
them, and adds the least-norm solution if A is singular, and conjugate gradients, which need only
products.
"""

import warnings
from collections.abc import Callable
from typing import Literal

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.runtime.interruptible import interruptible
from gramian.base.runtime.lapack import cholesky, solve_by_cholesky
from gramian.base.types import Floats
from gramian.objectives.inner_product import inner

Method = Literal["auto", "cholesky", "lu", "cg", "least-norm"]
_EPS = float(np.finfo(float).eps)
_FEW = 40  # unknowns up to which the overhead of LAPACK calls dominates


def solve_system(A: Floats, b: Floats, method: Method = "auto") -> Floats:
    """Solve A x = b for a symmetric A.

    Parameters
    ----------
    A
        The matrix, shape (d, d).
    b
        The right-hand side, shape (d,).
    method
        "cholesky" (A positive definite, d^3/3), "lu" (A regular, 2 d^3/3), "cg" (A positive
        semidefinite and b in its range; at most d products in exact arithmetic), "least-norm" (any
        A: the shortest least-squares solution, by eigenvalues); "auto" is Cholesky, or least-norm
        if A is not safely positive definite.

    Returns
    -------
    x
        The solution.

    Examples
    --------
    >>> A, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([3.0, 4.0])
    >>> [solve_system(A, b, m).round(12).tolist() for m in ("cholesky", "lu", "cg")]
    [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
    >>> solve_system(np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([2.0, 2.0])).round(12)
    array([1., 1.])
    """
    match method:
        case "auto":
            x = _cholesky(A, b)
            return _least_norm(A, b) if x is None else x
        case "cholesky":
            x = _cholesky(A, b)
            if x is None:
                raise DataError(
                    "solve_system: method='cholesky' needs a positive definite matrix; got one "
                    "that is not. Use method='least-norm'."
                )
            return x
        case "lu":
            return _lu(A, b)
        case "cg":
            return conjugate_gradients(lambda v: A @ v, b)[0]
        case "least-norm":
            return _least_norm(A, b)


def conjugate_gradients(
    product: Callable[[Floats], Floats],
    b: Floats,
    *,
    tol: float = 1e-12,
    max_iter: int | None = None,
) -> tuple[Floats, bool]:
    """Solve A x = b by products with A alone (Hestenes and Stiefel 1952).

    From x = 0, with residual r and direction p::

        a = r'r / p'Ap,    x <- x + a p,    r+ = r - a A p,    p <- r+ + (r+'r+ / r'r) p

    Stays in the range of A, so a singular consistent system gets its least-norm solution. Stops
    when `|r| <= tol |b|`, or at a direction p with p'Ap <= 0: then A is not positive definite.

    Parameters
    ----------
    product
        v -> A v.
    b
        The right-hand side.
    tol
        Tolerance of the residual, relative to b.
    max_iter
        Maximum number of products; 10 d by default.

    Returns
    -------
    x
        The solution, or the last iterate.
    positive
        False if a direction with p'Ap <= 0 was met; x is then the point before it (b itself if it
        was the first one, so that x is a direction of descent in Newton's method).

    Examples
    --------
    >>> A = np.diag([1.0, 10.0])
    >>> conjugate_gradients(lambda v: A @ v, np.array([1.0, 10.0]))[0].round(12)
    array([1., 1.])
    """
    x, r, p = np.zeros_like(b), b.copy(), b.copy()
    rr = inner(r, r)
    goal = tol**2 * rr
    for t in range(10 * len(b) if max_iter is None else max_iter):
        if rr <= goal:
            break
        Ap = product(p)
        pAp = inner(p, Ap)
        if pAp <= _EPS * inner(p, p):
            return (b.copy() if t == 0 else x), False
        a = rr / pAp
        x = x + a * p
        r = r - a * Ap
        rr, before = inner(r, r), rr
        p = r + (rr / before) * p
    return x, True


def _cholesky(A: Floats, b: Floats) -> Floats | None:
    """Solve, or return None if A is not safely positive definite.

    The matrix is scaled to a unit diagonal first, so that units of measurement do not make it look
    singular, and its condition number is then estimated from the factor.
    """
    plain = b.ndim == 1 and b.flags.c_contiguous and A.flags.c_contiguous
    if len(A) <= _FEW and plain and A.dtype == b.dtype == np.float64:
        x = np.empty_like(b)
        safe = _native.solve_small_system(A, b, x) > 10 * len(A) * _EPS
        return x if safe else None
    diagonal = A.diagonal()
    if not diagonal.min(initial=np.inf) > 0:
        return None
    scale = 1 / np.sqrt(diagonal)
    C = scale[:, None] * A * scale
    factor, failed = cholesky(C, lower=False)
    if failed:
        return None
    reciprocal_condition, _ = lapack.dpocon(factor, np.linalg.norm(C, 1))
    if not reciprocal_condition > 10 * len(A) * _EPS:
        return None
    return np.asarray(scale * solve_by_cholesky(factor, scale * b, lower=False))


def _lu(A: Floats, b: Floats) -> Floats:
    with warnings.catch_warnings():
        warnings.simplefilter("error", scipy.linalg.LinAlgWarning)
        try:
            return np.asarray(scipy.linalg.solve(A, b))
        except (scipy.linalg.LinAlgWarning, np.linalg.LinAlgError):
            raise DataError(
                "solve_system: method='lu' needs a regular matrix; got one that is singular to "
                "working precision. Use method='least-norm'."
            ) from None


def _least_norm(A: Floats, b: Floats) -> Floats:
    """Return the x of least norm that minimises |A x - b|, from the eigenvalues of A."""
    values, V = interruptible(9 * A.size * len(A), np.linalg.eigh, A)
    kept = np.abs(values) > len(A) * _EPS * np.abs(values).max(initial=0.0)
    return np.asarray(V[:, kept] @ ((V[:, kept].T @ b) / values[kept]))
