"""Bandwidth, number of bins and number of neighbours by leave-one-out likelihood.

Each candidate is scored by the mean over the rows of log p_(-i)(x_i), the log density at a row
estimated from the others; distances are computed once for the whole grid.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.neighbors.density.counting import one_column
from gramian.neighbors.density.kernel_sums import KernelSums
from gramian.neighbors.density.kernels import (
    KERNELS,
    KernelName,
    log_normaliser,
    log_unit_ball,
    rule_of_thumb,
)
from gramian.neighbors.structures.input_checks import check_points
from gramian.neighbors.structures.kdtree import build_tree, tree_nearest
from gramian.neighbors.structures.radius_results import without_self

_LEAST_PROPORTION = 2.0**-1020
_LEAF_SIZE = 40


@dataclass(frozen=True)
class WidthChoice:
    """Candidates and their leave-one-out scores.

    Attributes
    ----------
    values
        The candidates.
    log_likelihood
        Mean log density of a row estimated from the others, for each candidate.
    best
        The candidate with the highest score.
    """

    values: npt.NDArray[Any]
    log_likelihood: Floats

    @property
    def best(self) -> Any:
        """The candidate with the highest score."""
        return self.values[int(np.argmax(self.log_likelihood))].item()


def choose_bandwidth(
    X: npt.ArrayLike,
    bandwidths: npt.ArrayLike | None = None,
    *,
    kernel: KernelName = "gaussian",
    sample_weight: npt.ArrayLike | None = None,
) -> WidthChoice:
    """Score bandwidths of `KernelDensity` by leave-one-out likelihood, all at once.

    If rows are repeated, the likelihood of a Gaussian kernel grows without bound as the bandwidth
    tends to 0: use a grid that ends at the resolution of the data.

    Parameters
    ----------
    X
        The rows, (n, d).
    bandwidths
        Candidates > 0; None for 20 values from 0.1 to 3 times Scott's rule.
    kernel
        The kernel.
    sample_weight
        Weights >= 0 of the rows.

    Returns
    -------
    WidthChoice

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.neighbors import choose_bandwidth
    >>> X = np.random.default_rng(0).normal(size=(400, 1))
    >>> choose_bandwidth(X, [0.01, 0.3, 3.0]).best
    0.3
    """
    rows = check_points("choose_bandwidth", X, name="X")
    n, d = rows.shape
    if kernel not in KERNELS:
        raise ParameterError(
            f"choose_bandwidth: kernel must be one of {sorted(KERNELS)}; got {kernel!r}."
        )
    _need_two("choose_bandwidth", n)
    if bandwidths is None:
        spread = float(np.sqrt(rows.var(axis=0).mean())) or 1.0
        h = spread * rule_of_thumb("scott", n, d) * np.geomspace(0.1, 3.0, 20)
    else:
        h = _candidates("choose_bandwidth", "bandwidths", bandwidths)
    w = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if w.shape != (n,) or not (np.isfinite(w).all() and (w >= 0).all() and (w > 0).sum() > 1):
        raise DataError(
            f"choose_bandwidth: sample_weight must contain {n} weights >= 0, one per row, at least "
            "two of them positive."
        )
    # native code divides by the smallest positive weight
    least = np.where(w > 0, np.maximum(w, _LEAST_PROPORTION * w.sum()), 0.0)
    sums = KernelSums.of(rows, least, _LEAF_SIZE).at(None, KERNELS[kernel], h)
    counted = w > 0
    log_density = sums.log_weights[counted] + log_normaliser(kernel, d, h)
    log_density -= np.log(w.sum() - w[counted])[:, None]
    return _choice("choose_bandwidth", h, (w[counted] / w.sum()) @ log_density)


def choose_bins(x: npt.ArrayLike, bins: npt.ArrayLike | None = None) -> WidthChoice:
    """Score numbers of equal bins of a histogram by leave-one-out likelihood.

    With the other rows, a row in a bin of n_j of the n rows and width v has the density
    (n_j - 1) / ((n - 1) v); a bin with a single row makes the likelihood 0.

    Parameters
    ----------
    x
        The values of one column.
    bins
        Candidates; None for 1 to 2 sqrt(n).

    Returns
    -------
    WidthChoice

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.neighbors import choose_bins
    >>> choose_bins(np.random.default_rng(0).uniform(size=500), [1, 20, 200]).best
    1
    """
    column = one_column("choose_bins", "x", np.asarray(x, dtype=float))
    values = check_points("choose_bins", column[:, None], name="x")[:, 0]
    n = len(values)
    _need_two("choose_bins", n)
    counts_of = np.arange(1, max(2, int(2 * np.sqrt(n)) + 1)) if bins is None else np.asarray(bins)
    if counts_of.ndim != 1 or counts_of.dtype.kind not in "iu" or not (counts_of >= 1).all():
        raise ParameterError(f"choose_bins: bins must be integers >= 1; got {bins!r}.")
    width = np.ptp(values) or 1.0
    scores = np.empty(len(counts_of))
    for i, k in enumerate(counts_of):
        counts = np.histogram(values, bins=int(k))[0].astype(float)
        others = np.maximum(counts - 1, 0)
        scores[i] = xlogy(counts, others * k / ((n - 1) * width)).sum() / n
    return _choice("choose_bins", counts_of, scores)


def choose_neighbors(X: npt.ArrayLike, n_neighbors: npt.ArrayLike | None = None) -> WidthChoice:
    """Score numbers of neighbours of `KNeighborsDensity` by leave-one-out likelihood.

    The density at a row, estimated from the others, is (k - 1) / ((n - 1) V_k), with V_k the volume
    of the ball that contains its k nearest neighbours. With k - 1, the number inside the ball, it
    is unbiased; with k it would be too high by a factor of about 1 + 1 / k, which favours the
    smallest k.

    Parameters
    ----------
    X
        The rows, (n, d).
    n_neighbors
        Candidates k >= 2; None for 2 to 2 sqrt(n).

    Returns
    -------
    WidthChoice

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.neighbors import choose_neighbors
    >>> choose_neighbors(np.random.default_rng(0).normal(size=(200, 1)), [2, 25, 199]).best
    25
    """
    rows = check_points("choose_neighbors", X, name="X")
    n, d = rows.shape
    if n < 3:
        raise DataError(f"choose_neighbors: X must have at least three rows; got {n}.")
    most = min(n - 1, max(2, int(2 * np.sqrt(n))))
    k = np.arange(2, most + 1) if n_neighbors is None else np.asarray(n_neighbors)
    if k.ndim != 1 or k.dtype.kind not in "iu" or not ((k >= 2) & (k < n)).all():
        raise ParameterError(
            f"choose_neighbors: n_neighbors must be integers from 2 to {n - 1}, one less than the "
            f"number of rows; got {n_neighbors!r}."
        )
    found = tree_nearest(rows, build_tree(rows, _LEAF_SIZE), rows, int(k.max()) + 1, 2.0)
    radii = without_self(found[0], found[1])[0][:, k - 1]
    with np.errstate(divide="ignore"):
        log_density = np.log((k - 1) / (n - 1)) - log_unit_ball(d) - d * np.log(radii)
    return _choice("choose_neighbors", k, log_density.mean(axis=0))


def _need_two(owner: str, n: int) -> None:
    if n < 2:
        raise DataError(f"{owner}: X must have at least two rows for leave-one-out; got {n}.")


def _candidates(owner: str, name: str, values: npt.ArrayLike) -> Floats:
    found = np.atleast_1d(np.asarray(values, dtype=float))
    if found.ndim != 1 or not len(found) or not (np.isfinite(found).all() and (found > 0).all()):
        raise ParameterError(f"{owner}: {name} must contain finite numbers > 0; got {values!r}.")
    return found


def _choice(owner: str, values: npt.NDArray[Any], scores: Floats) -> WidthChoice:
    if not (scores > -np.inf).any():
        raise DataError(
            f"{owner}: for every candidate some row has density 0; use larger candidates."
        )
    if np.isposinf(scores).all():
        raise DataError(
            f"{owner}: the density is infinite for every candidate, because rows are repeated; "
            "use larger candidates, or drop duplicated rows."
        )
    return WidthChoice(values, scores)
