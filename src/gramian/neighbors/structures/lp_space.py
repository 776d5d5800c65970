"""The metrics of the neighbour searches, and those that reduce to an l_p search.

An l_p metric is searched directly. Some other metrics are l_p distances of mapped rows and are
searched in the mapped space (`LpSpace`):

    weighted Minkowski   (sum_j w_j |x_j - z_j|^p)^(1/p) = |x' - z'|_p,  x'_j = w_j^(1/p) x_j
    cosine               1 - <x, z> / (|x| |z|) = |x' - z'|_2^2 / 2,     x' = x / |x|
    squared Euclidean    |x - z|_2^2

The others (a user's function, or one of SciPy's metrics) are evaluated pair by pair.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, TypeAlias
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import Function
from gramian.base.types import Matrix

MetricName: TypeAlias = Literal[
    "minkowski",
    "p",
    "l1",
    "manhattan",
    "cityblock",
    "l2",
    "euclidean",
    "linf",
    "infinity",
    "chebyshev",
    "sqeuclidean",
    "cosine",
    "braycurtis",
    "canberra",
    "correlation",
    "dice",
    "hamming",
    "haversine",
    "jaccard",
    "mahalanobis",
    "rogerstanimoto",
    "russellrao",
    "seuclidean",
    "sokalsneath",
    "yule",
    "precomputed",
]
MetricField: TypeAlias = MetricName | Function

NORMS = {  # the order p of each norm
    "l1": 1.0,
    "manhattan": 1.0,
    "cityblock": 1.0,
    "l2": 2.0,
    "euclidean": 2.0,
    "linf": np.inf,
    "infinity": np.inf,
    "chebyshev": np.inf,
}
_ORDERS = {**NORMS, "sqeuclidean": 2.0, "cosine": 2.0}


@dataclass(frozen=True)
class LpSpace:
    """The space R^d with the norm |x|_p, which has the same neighbours as a metric."""

    p: float
    reading: Literal["distance", "square", "half square"] = "distance"
    scale: npt.NDArray[np.float64] | None = None  # factors of the columns
    unit: bool = False  # whether rows are scaled to unit vectors

    @property
    def is_identity(self) -> bool:
        """Return whether rows need no mapping."""
        return self.scale is None and not self.unit

    def rows(self, X: Any) -> Any:
        """Map rows into the space; CSR rows stay CSR."""
        if self.scale is not None:
            scale = self.scale.astype(X.dtype)
            with np.errstate(over="ignore"):
                rows = sp.csr_array(X @ sp.diags_array(scale)) if sp.issparse(X) else X * scale
            if not np.isfinite(rows.data if sp.issparse(rows) else rows).all():
                raise DataError(
                    "metric_params['w']: rows times weights must be finite; one is too large for "
                    f"{X.dtype}. Scale the columns or weights down."
                )
            return rows
        return _unit_rows(X) if self.unit else X

    def to_metric(self, distances: Matrix) -> Matrix:
        """Convert distances of the space to distances of the metric, in place."""
        if self.reading != "distance":
            np.square(distances, out=distances)
        if self.reading == "half square":
            distances *= 0.5
        return distances

    def radius(self, radius: float) -> float:
        """Convert a radius of the metric to one of the space."""
        if self.reading == "distance":
            return radius
        return float(np.sqrt(radius if self.reading == "square" else 2.0 * radius))


def row_lengths(X: Any) -> npt.NDArray[np.float64]:
    """Return the Euclidean lengths of rows."""
    if sp.issparse(X):
        return np.sqrt(X.multiply(X).sum(axis=1, dtype=np.float64))
    return np.sqrt(np.einsum("ij,ij->i", X, X, dtype=np.float64))


def _unit_rows(X: Any) -> Any:
    """Divide rows by their lengths; a row of zeros is unchanged."""
    lengths = row_lengths(X)
    lengths = np.where(lengths == 0, 1.0, lengths).astype(X.dtype)
    if not sp.issparse(X):
        return X / lengths[:, None]
    units = sp.csr_array(X, copy=True)
    units.data /= np.repeat(lengths, np.diff(units.indptr))
    return units


def lp_space(
    owner: str, metric: Any, p: float, metric_params: Mapping[str, Any] | None
) -> LpSpace | None:
    """Return the space in which to search for a metric's neighbours; None if there is none."""
    parameters = dict(metric_params or {})
    if metric in ("minkowski", "p"):
        order = minkowski_order(owner, parameters.pop("p", p))
        weights = parameters.pop("w", None)
        _reject_unknown(owner, metric, parameters)
        if not order >= 1:
            raise ParameterError(
                f"{owner}: p must be at least 1 for the Minkowski metric; got {order:g}. "
                "Below 1 it is not a metric; pass a function as metric instead."
            )
        return LpSpace(order, scale=None if weights is None else _scale(owner, weights, order))
    if isinstance(metric, str) and metric in _ORDERS:
        _reject_unknown(owner, metric, parameters)
        return LpSpace(
            _ORDERS[metric],
            {"sqeuclidean": "square", "cosine": "half square"}.get(metric, "distance"),  # type: ignore[arg-type]
            unit=metric == "cosine",
        )
    return None


def warn_about_two_orders(
    owner: str, p: float | None, metric_params: Mapping[str, Any] | None
) -> None:
    """Warn if both p and metric_params set the order of the Minkowski metric."""
    if p is not None and "p" in (metric_params or {}):
        warn(
            f"{owner}: Parameter p is found in metric_params. The corresponding parameter from "
            f"__init__ is ignored: p={p}.",
            SyntaxWarning,
            stacklevel=caller_level(),
        )


def minkowski_order(owner: str, p: object) -> float:
    """Return the order of a Minkowski metric as a float."""
    try:
        order = float(p) if isinstance(p, Real) else np.nan
    except OverflowError:
        order = np.nan
    if np.isnan(order):
        raise ParameterError(f"{owner}: p of the Minkowski metric must be a number; got {p!r:.60}.")
    return order


def check_width(owner: str, space: LpSpace, n_features: int) -> None:
    """Raise unless there is one weight per column, or no weights."""
    if space.scale is not None and space.scale.shape != (n_features,):
        raise ParameterError(
            f"{owner}: metric_params['w'] must have {n_features} weights, one per column of X; got "
            f"{len(space.scale)}."
        )


def _scale(owner: str, weights: npt.ArrayLike, p: float) -> npt.NDArray[np.float64]:
    w = parameter_array(owner, "metric_params['w']", weights)
    if w.ndim != 1 or not np.isfinite(w).all() or (w < 0).any():
        raise ParameterError(
            f"{owner}: metric_params['w'] must contain one finite weight >= 0 per column; "
            f"got {weights!r}."
        )
    # As p grows, (sum w |x|^p)^(1/p) tends to max |x| over the columns of positive weight.
    return np.where(w > 0, 1.0, 0.0) if np.isinf(p) else w ** (1.0 / p)


def _reject_unknown(owner: str, metric: str, parameters: Mapping[str, Any]) -> None:
    if parameters:
        raise ParameterError(
            f"{owner}: metric_params of metric={metric!r} has unknown keys {sorted(parameters)}; "
            "remove them."
        )
