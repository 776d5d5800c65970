"""Class-conditional distributions of a single column, which may have missing values.

A model is a dict that a model file can store: its "kind", and arrays with one entry or row per
class. The `log_density` of a missing value is 0 for all classes.
"""

from collections.abc import Callable
from typing import Literal, Required, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.targets import Codes
from gramian.base.types import Floats, Matrix
from gramian.distributions.common.saddle_point import log_poisson
from gramian.neighbors import KernelDensity

ColumnKind: TypeAlias = Literal[
    "gaussian", "bernoulli", "categorical", "poisson", "kernel", "histogram"
]


class ColumnModel(TypedDict, total=False):
    """The densities of a column: what one of the functions below returns."""

    kind: Required[ColumnKind]
    means: Floats
    variances: Floats
    p: Floats
    rates: Floats
    edges: Floats
    densities: Floats
    outside: Floats
    points: Floats
    weights: Floats
    starts: Codes
    widths: Floats


class Column:
    """The non-missing values of a column with their classes and weights."""

    def __init__(
        self,
        place: str,
        values: npt.ArrayLike,
        codes: Codes,
        weights: Floats,
        n_classes: int,
    ) -> None:
        every = np.asarray(values, dtype=np.float64)
        present = ~np.isnan(every) & (weights > 0)
        self.place = place
        self.values, self.codes, self.weights = every[present], codes[present], weights[present]
        self.n_classes = n_classes
        self.totals = np.bincount(self.codes, self.weights, n_classes)

    def sums(self, of: Floats) -> Floats:
        """Return the weighted sum of values over the rows of each class."""
        return np.asarray(np.bincount(self.codes, self.weights * of, self.n_classes))


def gaussian(column: Column, epsilon: float) -> ColumnModel:
    """Fit means and variances; a class without values gets those of all rows."""
    x, w = column.values, column.weights
    centre = np.average(x, weights=w)
    some = np.where(column.totals > 0, column.totals, 1.0)
    means = np.where(column.totals > 0, centre + column.sums(x - centre) / some, centre)
    variances = column.sums((x - means[column.codes]) ** 2) / some
    overall = np.average((x - centre) ** 2, weights=w)
    variances = np.where(column.totals > 0, variances, overall) + epsilon
    least = np.finfo(np.float64).tiny
    return {"kind": "gaussian", "means": means, "variances": np.maximum(variances, least)}


def bernoulli(column: Column, alpha: float) -> ColumnModel:
    """Fit the probability of 1 for values 0 and 1."""
    check_support("bernoulli", column.place, column.values)
    p = _smoothed_ratio(column.sums(column.values) + alpha, column.totals + 2 * alpha, 0.5)
    return {"kind": "bernoulli", "p": p}


def categorical(column: Column, alpha: float, n_levels: int) -> ColumnModel:
    """Fit the probabilities of codes 0 .. n_levels - 1."""
    check_support("categorical", column.place, column.values)
    counts = np.bincount(
        column.codes * n_levels + column.values.astype(np.intp),
        column.weights,
        column.n_classes * n_levels,
    ).reshape(column.n_classes, n_levels)
    totals = column.totals[:, None] + n_levels * alpha
    return {"kind": "categorical", "p": _smoothed_ratio(counts + alpha, totals, 1 / n_levels)}


def poisson(column: Column, alpha: float) -> ColumnModel:
    """Fit the mean count."""
    check_support("poisson", column.place, column.values)
    mean = float(np.average(column.values, weights=column.weights))
    rates = _smoothed_ratio(column.sums(column.values) + alpha, column.totals + alpha, mean)
    return {"kind": "poisson", "rates": rates}


def histogram(column: Column, alpha: float, bins: int) -> ColumnModel:
    """Fit a histogram density with bins of equal width over the range of the values."""
    low, high = float(column.values.min()), float(column.values.max())
    if not high > low:
        # Adding 0.5 to a large value would have no effect.
        half = max(0.5, bins * float(np.spacing(abs(low))))
        low, high = low - half, high + half
    edges = np.linspace(low, high, bins + 1)
    place = _bins(edges, column.values)
    counts = np.bincount(
        column.codes * bins + place, column.weights, column.n_classes * bins
    ).reshape(column.n_classes, bins)
    width = (high - low) / bins
    totals = (column.totals[:, None] + bins * alpha) * width
    densities = _smoothed_ratio(counts + alpha, totals, 1 / (bins * width))
    outside = _smoothed_ratio(np.full(column.n_classes, alpha), totals[:, 0], 1 / (bins * width))
    return {"kind": "histogram", "edges": edges, "densities": densities, "outside": outside}


def kernel(column: Column, bandwidth: float | Literal["scott"]) -> ColumnModel:
    """Store the values for kernel density estimation; "scott" is s n^(-1/5), n the weight."""
    widths = np.full(column.n_classes, 1.0)
    for k in range(column.n_classes):
        present = column.codes == k if column.totals[k] > 0 else np.full(len(column.codes), True)
        x, w = column.values[present], column.weights[present]
        spread = np.sqrt(np.average((x - np.average(x, weights=w)) ** 2, weights=w))
        if bandwidth == "scott":
            widths[k] = spread * w.sum() ** -0.2
        else:
            widths[k] = bandwidth
    overall = float(np.ptp(column.values)) or 1.0
    widths = np.where(widths > 0, widths, 1e-3 * overall)  # all values of a class are equal
    order = np.argsort(column.codes, kind="stable")
    starts = np.searchsorted(column.codes[order], np.arange(column.n_classes + 1))
    return {
        "kind": "kernel",
        "points": column.values[order],
        "weights": column.weights[order],
        "starts": starts,
        "widths": widths,
    }


def log_density(model: ColumnModel, values: npt.ArrayLike, n_classes: int) -> Floats:
    """Return log p(x | C_k), (n, K); 0 if x is missing or a category unseen in `fit`."""
    x = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(x)
    out = np.zeros((len(x), n_classes))
    with np.errstate(divide="ignore"):  # log 0 rules out a class
        out[present] = _DENSITIES[model["kind"]](model, x[present])
    return out


def _log_gaussian(model: ColumnModel, x: Floats) -> Floats:
    variances = model["variances"]
    away = x[:, None] - model["means"]
    return np.asarray(-0.5 * (away**2 / variances + np.log(2 * np.pi * variances)))


def _log_bernoulli(model: ColumnModel, x: Floats) -> Floats:
    p = model["p"]
    return np.asarray(np.where(x[:, None] == 1, np.log(p), np.log1p(-p)))


def _log_categorical(model: ColumnModel, x: Floats) -> Floats:
    p = model["p"]
    seen = (x >= 0) & (x < p.shape[1])
    out = np.zeros((len(x), len(p)))
    out[seen] = np.log(p[:, x[seen].astype(np.intp)].T)
    return out


def _log_poisson(model: ColumnModel, x: Floats) -> Floats:
    return np.asarray(log_poisson(np.maximum(x[:, None], 0.0), model["rates"]))


def _log_histogram(model: ColumnModel, x: Floats) -> Floats:
    edges = model["edges"]
    inside = (x >= edges[0]) & (x <= edges[-1])
    densities = model["densities"][:, _bins(edges, x)].T
    return np.asarray(np.log(np.where(inside[:, None], densities, model["outside"])))


def _log_kernel(model: ColumnModel, x: Floats) -> Floats:
    starts, out = model["starts"], np.empty((len(x), len(model["widths"])))
    for k, h in enumerate(model["widths"]):
        part = slice(starts[k], starts[k + 1]) if starts[k + 1] > starts[k] else slice(None)
        density = KernelDensity(bandwidth=h).fit(
            model["points"][part, None], None, model["weights"][part]
        )
        out[:, k] = density.score_samples(x[:, None]) if len(x) else 0.0
    return out


_DENSITIES: dict[str, Callable[[ColumnModel, Floats], Floats]] = {
    "gaussian": _log_gaussian,
    "bernoulli": _log_bernoulli,
    "categorical": _log_categorical,
    "poisson": _log_poisson,
    "histogram": _log_histogram,
    "kernel": _log_kernel,
}


def _bins(edges: Floats, x: Floats) -> Codes:
    return np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)


def _smoothed_ratio(counts: Matrix, totals: Matrix, default: float) -> Floats:
    """Return counts / totals, or `default` without rows and pseudo-counts."""
    totals = np.broadcast_to(totals, counts.shape)
    found = np.divide(counts, totals, out=np.full(counts.shape, default), where=totals > 0)
    return np.asarray(found)


_SUPPORTS = {
    "bernoulli": "0 and 1 only",
    "poisson": "counts, integers >= 0",
    "categorical": "categories, or their codes 0, 1, 2, ...",
}


def check_support(kind: ColumnKind, place: str, values: npt.ArrayLike) -> None:
    """Raise if a non-missing value is outside the support of the distribution."""
    if kind not in _SUPPORTS:
        return
    x = np.asarray(values, dtype=np.float64)
    holds = (x >= 0) & (x == np.floor(x)) & ((x <= 1) | (kind != "bernoulli")) | np.isnan(x)
    if not holds.all():
        raise DataError(
            f"MixedNB: {place} must contain {_SUPPORTS[kind]}, for distribution {kind!r}; got "
            f"{x[~holds][0]:g}. Choose another distribution for it."
        )
