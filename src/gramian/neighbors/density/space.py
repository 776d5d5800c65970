"""The space in which a kernel is a function of an l_p distance.

Metrics and bandwidths that scale or rotate the space are linear maps x' = A x followed by an l_p
norm; the density of x is |det A| times that of x'.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.neighbors.structures.lp_space import lp_space, minkowski_order


@dataclass(frozen=True)
class KernelSpace:
    """An l_p norm of A x; A is a matrix, a vector for a diagonal one, or None for the identity."""

    p: float = 2.0
    map: Floats | None = None

    @property
    def log_det(self) -> float:
        """Return log |det A|."""
        if self.map is None:
            return 0.0
        if self.map.ndim == 1:
            return float(np.log(self.map).sum())
        return float(np.linalg.slogdet(self.map)[1])

    def rows(self, X: npt.NDArray[Any]) -> Floats:
        """Map rows, as float64 in C order."""
        rows = np.ascontiguousarray(X, dtype=np.float64)
        if self.map is None:
            return rows
        return rows * self.map if self.map.ndim == 1 else np.ascontiguousarray(rows @ self.map.T)

    def to_data(self, steps: Floats) -> Floats:
        """Map differences of rows back to the space of the data."""
        if self.map is None:
            return steps
        if self.map.ndim == 1:
            return steps / self.map
        return np.asarray(np.linalg.solve(self.map, steps.T).T)


def space_of_metric(
    owner: str, metric: str, metric_params: Mapping[str, Any] | None, X: Floats
) -> KernelSpace:
    """Return the space of a metric given by its scikit-learn name."""
    d = X.shape[1]
    params = dict(metric_params or {})
    if metric == "seuclidean":
        V = np.asarray(params.pop("V", X.var(axis=0, ddof=1) if len(X) > 1 else np.ones(d)), float)
        _reject_unknown(owner, metric, params)
        if V.shape != (d,) or not (np.isfinite(V).all() and (V > 0).all()):
            raise ParameterError(
                f"{owner}: metric_params['V'] must contain {d} variances > 0, one per column; got "
                f"{V.tolist()}. Drop constant columns."
            )
        return KernelSpace(map=1 / np.sqrt(V))
    if metric == "mahalanobis":
        if ("V" in params) == ("VI" in params):
            raise ParameterError(
                f"{owner}: metric='mahalanobis' needs metric_params with 'V', the covariance "
                "matrix, or 'VI', its inverse."
            )
        if "VI" in params:
            upper = factor(owner, "metric_params['VI']", params.pop("VI"), d).T
            _reject_unknown(owner, metric, params)
            return KernelSpace(map=np.ascontiguousarray(upper))
        return ellipsoid(owner, "metric_params['V']", params["V"], d)
    if metric in ("minkowski", "p") and not minkowski_order(owner, params.get("p", 2.0)) >= 1:
        raise ParameterError(
            f"{owner}: metric_params['p'] must be at least 1; got {params['p']!r}. Below 1 "
            "distances are not a norm, and kernels do not integrate to 1."
        )
    space = lp_space(owner, metric, 2.0, params)
    assert space is not None
    if space.scale is not None and (space.scale.shape != (d,) or not (space.scale > 0).all()):
        raise ParameterError(
            f"{owner}: metric_params['w'] must contain {d} weights > 0, one per column; a column "
            "without weight has no density."
        )
    return KernelSpace(space.p, space.scale)


def ellipsoid(owner: str, name: str, covariance: npt.ArrayLike, d: int) -> KernelSpace:
    """Return the space in which a covariance matrix is the identity."""
    lower = factor(owner, name, covariance, d)
    return KernelSpace(map=np.asarray(np.linalg.inv(lower)))


def factor(owner: str, name: str, matrix: npt.ArrayLike, d: int) -> Floats:
    """Return the lower Cholesky factor of a positive definite matrix."""
    S = np.asarray(matrix, dtype=float)
    if S.shape != (d, d) or not np.isfinite(S).all():
        params = f"shape {S.shape}" if S.shape != (d, d) else "NaN or infinity"
        raise ParameterError(
            f"{owner}: {name} must be a symmetric matrix of finite numbers, of shape {(d, d)}; got "
            f"{params}. np.cov(X.T) has the right shape."
        )
    if not np.allclose(S, S.T, rtol=1e-8, atol=1e-8 * np.abs(S).max()):
        raise ParameterError(
            f"{owner}: {name} must be symmetric; it differs from its transpose by up to "
            f"{np.abs(S - S.T).max():.3g}. Pass (S + S.T) / 2."
        )
    try:
        return np.asarray(np.linalg.cholesky(S))
    except np.linalg.LinAlgError:
        raise DataError(
            f"{owner}: {name} must be positive definite; it is singular or has a negative "
            "eigenvalue. Add a small multiple of the identity, or drop dependent columns."
        ) from None


def _reject_unknown(owner: str, metric: str, params: Mapping[str, Any]) -> None:
    if params:
        raise ParameterError(
            f"{owner}: metric_params of metric={metric!r} has unknown keys {sorted(params)}; "
            "remove them."
        )
