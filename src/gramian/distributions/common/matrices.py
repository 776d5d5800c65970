"""Positive definite matrices, as a parameter or as an event."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import psi

from gramian.base.errors import ParameterError
from gramian.base.types import Floats


def check_scale_matrix(owner: str, name: str, S: Floats) -> Floats:
    """Return the Cholesky factor of a positive definite matrix, or raise."""
    if S.ndim != 2 or S.shape[0] != S.shape[1] or not len(S):
        raise ParameterError(f"{owner}: {name} must be a square matrix; got shape {S.shape}.")
    if not np.allclose(S, S.T, rtol=1e-8, atol=1e-8 * np.abs(S).max()):
        raise ParameterError(f"{owner}: {name} must be symmetric; got {S.tolist()}.")
    try:
        return np.asarray(np.linalg.cholesky((S + S.T) / 2), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise ParameterError(
            f"{owner}: {name} must be positive definite; got {S.tolist()}. Increase the diagonal."
        ) from None


def is_positive_definite(X: Any) -> npt.NDArray[np.bool_]:
    """Return which matrices, along the last two axes, are symmetric and positive definite."""
    size = np.abs(X).max(axis=(-2, -1), initial=0)
    finite = np.isfinite(X).all(axis=(-2, -1))
    safe = np.where(finite[..., None, None], X, np.eye(X.shape[-1]))
    away = np.abs(safe - np.swapaxes(safe, -1, -2)).max(axis=(-2, -1), initial=0)
    least = np.linalg.eigvalsh(safe)[..., 0]
    return np.asarray(finite & (away <= 1e-8 * size) & (least > 0))


def cholesky_where_possible(X: Any) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return which matrices are positive definite, and their Cholesky factors (I for others)."""
    inside = is_positive_definite(X)
    safe = np.where(inside[..., None, None], X, np.eye(X.shape[-1]))
    try:
        return inside, np.asarray(np.linalg.cholesky(safe), dtype=np.float64)
    except np.linalg.LinAlgError:  # rounding made one of them singular
        roots = np.empty_like(safe)
        for place in np.ndindex(safe.shape[:-2]):
            try:
                roots[place] = np.linalg.cholesky(safe[place])
            except np.linalg.LinAlgError:
                inside[place], roots[place] = False, np.eye(X.shape[-1])
        return inside, roots


def multivariate_digamma(a: float, d: int) -> float:
    """Return the derivative of log Gamma_d(a): sum_(i<d) digamma(a - i / 2)."""
    return float(psi(a - np.arange(d) / 2).sum())
