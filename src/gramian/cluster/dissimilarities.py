"""Matrices of dissimilarities, measured or given."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.metrics import pairwise_distances

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import check_finite
from gramian.base.types import Matrix
from gramian.linalg.checks import asymmetry

Dissimilarities: TypeAlias = npt.NDArray[np.float64]

_FEW_FEATURES = 120  # beyond these one large product is faster than differences
_PROBABLE = 1e-8  # relative: what is less asymmetric is rounding
EUCLIDEAN = ("euclidean", "l2", "minkowski", "p")


def is_euclidean(metric: Any, parameters: Mapping[str, Any] | None = None) -> bool:
    """Tell whether a metric is the Euclidean distance."""
    given = dict(parameters or {})
    if metric in ("minkowski", "p") and given.pop("p", 2) != 2:
        return False
    return isinstance(metric, str) and metric in EUCLIDEAN and not given


def dissimilarity_matrix(
    owner: str, X: Matrix, metric: Any, parameters: Mapping[str, Any] | None = None
) -> Dissimilarities:
    """Return a new square matrix of the dissimilarities of all pairs of rows."""
    if isinstance(metric, str) and metric == "precomputed":
        check_dissimilarities(owner, X)
        return np.array(X, dtype=np.float64, order="C")
    n, d = X.shape
    if is_euclidean(metric, parameters):
        D = np.empty((n, n))
        if d <= _FEW_FEATURES:
            _native.all_distances(X, D)
        else:
            wide = np.ascontiguousarray(X, dtype=np.float64)
            _native.distance_matrix(wide, wide, D)
            np.fill_diagonal(D, 0.0)
        return D
    wide = np.ascontiguousarray(X, dtype=np.float64)
    names = {"l1": "manhattan", "linf": "chebyshev", "infinity": "chebyshev", "p": "minkowski"}
    name = names.get(metric, metric) if isinstance(metric, str) else metric
    try:
        D = np.array(pairwise_distances(wide, metric=name, **dict(parameters or {})), order="C")
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]  # SciPy goes on to print all of X
        raise ParameterError(
            f"{owner}: metric={metric!r} with metric_params={dict(parameters or {})} cannot "
            f"measure X: {reason}"
        ) from None
    if not np.isfinite(D).all():
        raise DataError(
            f"{owner}: metric={metric!r} must give finite dissimilarities; it gave "
            f"{D[~np.isfinite(D)][0]}. Scale the columns, or choose another metric."
        )
    return D


def check_dissimilarities(owner: str, D: Any) -> None:
    """Raise unless given dissimilarities are square, symmetric, finite and not negative."""
    if D.ndim != 2 or D.shape[0] != D.shape[1]:
        raise DataError(
            f"{owner}: with metric='precomputed' X must be square, the dissimilarities of all "
            f"pairs of rows; got shape {D.shape}."
        )
    check_finite(owner, "X", D)
    least = float(D.min()) if D.size else 0.0
    if least < 0:
        raise DataError(
            f"{owner}: Negative values in data passed to precomputed distance matrix; got "
            f"{least:g}. Dissimilarities are at least 0."
        )
    largest = float(D.max()) if D.size else 0.0
    apart, i, j = asymmetry(D)
    if apart > _PROBABLE * largest:
        raise DataError(
            f"{owner}: precomputed dissimilarities must be symmetric; got {D[i, j]:g} at "
            f"({i}, {j}) and {D[j, i]:g} at ({j}, {i}). Give (D + D.T) / 2, say."
        )
    diagonal = np.abs(np.diagonal(D))
    if diagonal.size and diagonal.max() > _PROBABLE * largest:
        raise DataError(
            f"{owner}: the diagonal of precomputed dissimilarities must be 0; got "
            f"{diagonal.max():g}. Give dissimilarities, not similarities."
        )
