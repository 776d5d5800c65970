"""The space in which a kernel is a function of an l_p distance.

Metrics and bandwidths that stretch or turn the space are linear maps x' = A x followed by an l_p
norm; a density of x is |det A| times that of x'.
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

    def back(self, steps: Floats) -> Floats:
        """Map differences of rows of the space to those of the data."""
        if self.map is None:
            return steps
        if self.map.ndim == 1:
            return steps / self.map
        return np.asarray(np.linalg.solve(self.map, steps.T).T)


def space_of_metric(
    owner: str, metric: str, metric_params: Mapping[str, Any] | None, X: Floats
) -> KernelSpace:
    """Return the space of a metric of scikit-learn's name."""
    d = X.shape[1]
    given = dict(metric_params or {})
    if metric == "seuclidean":
        V = np.asarray(given.pop("V", X.var(axis=0, ddof=1) if len(X) > 1 else np.ones(d)), float)
        _refuse(owner, metric, given)
        if V.shape != (d,) or not (np.isfinite(V).all() and (V > 0).all()):
            raise ParameterError(
                f"{owner}: metric_params['V'] must hold {d} variances > 0, one per column; got "
                f"{V.tolist()}. Drop constant columns."
            )
        return KernelSpace(map=1 / np.sqrt(V))
    if metric == "mahalanobis":
        if ("V" in given) == ("VI" in given):
            raise ParameterError(
                f"{owner}: metric='mahalanobis' needs metric_params with 'V', the covariance "
                "matrix, or 'VI', its inverse."
            )
        if "VI" in given:
            upper = factor(owner, "metric_params['VI']", given.pop("VI"), d).T
            _refuse(owner, metric, given)
            return KernelSpace(map=np.ascontiguousarray(upper))
        return ellipsoid(owner, "metric_params['V']", given["V"], d)
    if metric in ("minkowski", "p") and not minkowski_order(owner, given.get("p", 2.0)) >= 1:
        raise ParameterError(
            f"{owner}: metric_params['p'] must be at least 1; got {given['p']!r}. Below 1 "
            "distances are no norm, and kernels have no volume; give a greater p."
        )
    space = lp_space(owner, metric, 2.0, given)
    assert space is not None
    if space.scale is not None and (space.scale.shape != (d,) or not (space.scale > 0).all()):
        raise ParameterError(
            f"{owner}: metric_params['w'] must hold {d} weights > 0, one per column; a column "
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
        given = f"shape {S.shape}" if S.shape != (d, d) else "NaN or infinity"
        raise ParameterError(
            f"{owner}: {name} must be a symmetric matrix of finite numbers, of shape {(d, d)}; got "
            f"{given}. np.cov(X.T) has the right shape."
        )
    if not np.allclose(S, S.T, rtol=1e-8, atol=1e-8 * np.abs(S).max()):
        raise ParameterError(
            f"{owner}: {name} must be symmetric; it differs from its transpose by up to "
            f"{np.abs(S - S.T).max():.3g}. Give (S + S.T) / 2."
        )
    try:
        return np.asarray(np.linalg.cholesky(S))
    except np.linalg.LinAlgError:
        raise DataError(
            f"{owner}: {name} must be positive definite; it is singular or has a negative "
            "direction. Add a small multiple of the identity, or drop dependent columns."
        ) from None


def _refuse(owner: str, metric: str, given: Mapping[str, Any]) -> None:
    if given:
        raise ParameterError(
            f"{owner}: metric_params of metric={metric!r} has unknown keys {sorted(given)}; "
            "remove them."
        )
