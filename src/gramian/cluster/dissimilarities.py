"""Matrices of dissimilarities, computed or precomputed."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.metrics import pairwise_distances

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_finite
from gramian.base.rows.distances import distance_matrix
from gramian.base.types import Matrix
from gramian.linalg.checks import asymmetry

Dissimilarities: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Rows: TypeAlias = npt.NDArray[Any]

_FEW_FEATURES = 120  # above this, one large product is faster than differences
_PAIRS = 1 << 16  # pairs at a time
_ROWS = 256  # rows whose pairs are computed at a time
_ROUNDING_LIMIT = 1e-8  # relative asymmetry up to which it is rounding
EUCLIDEAN = ("euclidean", "l2", "minkowski", "p")


def is_euclidean(metric: object, parameters: Mapping[str, Any] | None = None) -> bool:
    """Return whether a metric is the Euclidean distance."""
    keywords = dict(parameters or {})
    if metric in ("minkowski", "p") and keywords.pop("p", 2) != 2:
        return False
    return isinstance(metric, str) and metric in EUCLIDEAN and not keywords


def dissimilarity_matrix(
    owner: str, X: Matrix, metric: object, parameters: Mapping[str, Any] | None = None
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
            as_float64 = np.ascontiguousarray(X, dtype=np.float64)
            distance_matrix(as_float64, as_float64, D)
            np.fill_diagonal(D, 0.0)
        return D
    return _measured(owner, X, None, metric, parameters)


def dissimilarities_between(
    owner: str, X: Matrix, some: Rows, others: Rows, metric: object
) -> Dissimilarities:
    """Return the dissimilarities between rows, (m, k); precomputed ones must be checked before."""
    if isinstance(metric, str) and metric == "precomputed":
        return np.asarray(X[np.ix_(some, others)], dtype=np.float64)
    if is_euclidean(metric):
        D = np.empty((len(some), len(others)))
        as_float64 = X.astype(np.float64, copy=False)
        distance_matrix(as_float64[some], as_float64[others], D)
        return D
    return _measured(owner, X[some], X[others], metric, None)


def dissimilarities_of_pairs(
    owner: str, X: Matrix, i: Rows, j: Rows, metric: object
) -> Dissimilarities:
    """Return the dissimilarities of the pairs (i, j), sorted by i, in memory of a few tiles."""
    if isinstance(metric, str) and metric == "precomputed":
        return np.asarray(X[i, j], dtype=np.float64)
    lengths = np.empty(len(i))
    if is_euclidean(metric):
        for at in range(0, len(i), _PAIRS):
            part = slice(at, at + _PAIRS)
            away = X[i[part]].astype(np.float64) - X[j[part]]
            lengths[part] = np.sqrt((away**2).sum(axis=1))
        return lengths
    bounds = np.searchsorted(i, np.arange(0, len(X) + _ROWS, _ROWS))
    for begin, end in pairwise(map(int, bounds)):
        if begin < end:
            some, own = np.unique(i[begin:end], return_inverse=True)
            others, their = np.unique(j[begin:end], return_inverse=True)
            D = _measured(owner, X[some], X[others], metric, None)
            lengths[begin:end] = D[own, their]
    return lengths


def _measured(
    owner: str, X: Matrix, Y: Matrix | None, metric: object, parameters: Mapping[str, Any] | None
) -> Dissimilarities:
    """Return the dissimilarities between the rows of X and of Y, or among those of X."""
    names = {"l1": "manhattan", "linf": "chebyshev", "infinity": "chebyshev", "p": "minkowski"}
    name = names.get(metric, metric) if isinstance(metric, str) else metric
    as_float64 = np.ascontiguousarray(X, dtype=np.float64)
    other = None if Y is None else np.ascontiguousarray(Y, dtype=np.float64)
    try:
        found: Matrix = pairwise_distances(as_float64, other, metric=name, **dict(parameters or {}))
        D = np.array(found, order="C")
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]  # SciPy's message continues with all of X
        reason = reason.partition(": incompatible function arguments")[0]
        if callable(metric):
            reason = "the function must return a number for two rows."
        raise ParameterError(
            f"{owner}: metric={metric!r} with metric_params={dict(parameters or {})} cannot "
            f"compute distances of X: {reason}"
        ) from None
    if not np.isfinite(D).all():
        raise DataError(
            f"{owner}: metric={metric!r} must return finite dissimilarities; it returned "
            f"{D[~np.isfinite(D)][0]}. Scale the columns, or choose another metric."
        )
    largest = float(D.max(initial=0.0))
    if float(D.min(initial=0.0)) < -_ROUNDING_LIMIT * largest:
        raise DataError(
            f"{owner}: metric={metric!r} must return dissimilarities >= 0; it returned "
            f"{D.min():g}. Choose another metric."
        )
    np.maximum(D, 0.0, out=D)
    return D


def check_dissimilarities(owner: str, D: Matrix) -> None:
    """Raise unless precomputed dissimilarities are square, symmetric and not negative."""
    if D.ndim != 2 or D.shape[0] != D.shape[1]:
        raise DataError(
            f"{owner}: with metric='precomputed' X must be square, with the dissimilarities of all "
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
    if apart > _ROUNDING_LIMIT * largest:
        raise DataError(
            f"{owner}: precomputed dissimilarities must be symmetric; got {D[i, j]:g} at "
            f"({i}, {j}) and {D[j, i]:g} at ({j}, {i}). Pass (D + D.T) / 2, for example."
        )
    diagonal = np.abs(np.diagonal(D))
    if diagonal.size and diagonal.max() > _ROUNDING_LIMIT * largest:
        raise DataError(
            f"{owner}: the diagonal of precomputed dissimilarities must be 0; got "
            f"{diagonal.max():g}. Pass dissimilarities, not similarities."
        )
