"""Lloyd's algorithm over rows in memory, in chunks or on a cluster.

From centres c_1 .. c_k, an iteration assigns each row to its nearest centre (Bishop 2006, 9.2) and
moves each centre to the mean of its rows (9.4); an empty cluster takes the row that is farthest
from its centre. The iterations end when no row changes its cluster, or when the centres move by
less than the tolerance times the mean variance of the columns.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from gramian import _native
from gramian.base.types import Data, Floats, Weights
from gramian.cluster.rows import Centers, as_float64, dense_rows, rows_of

Labels: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
FarRow: TypeAlias = tuple[float, Floats, int, float]  # squared distance, row, cluster, weight


class Iteration(NamedTuple):
    """The means of the clusters, and their difference from the previous centres."""

    means: Centers
    objective: float  # about the means
    moved: bool  # whether a row changed its cluster
    shift: float  # sum of the squared moves of the centres


class Assignment(NamedTuple):
    """The assignment of the rows to the final centres."""

    inertia: float
    labels: Labels | None  # None if the rows are on several workers
    n_found: int  # clusters that have rows


class RowSource(Protocol):
    """Rows that can be assigned to their nearest centres repeatedly."""

    dtype: Any

    def iterate(self, centers: Centers) -> Iteration:
        """Assign each row to its nearest centre and return the means."""
        ...

    def mean_variance(self) -> float:
        """Return the mean variance of the columns; available after an iteration."""
        ...

    def finish(self, centers: Centers) -> Assignment:
        """Assign each row to its final centre."""
        ...


class Run(NamedTuple):
    """The result of one initialisation."""

    centers: Centers
    rows: Assignment
    history: list[float]


def lloyd(
    source: RowSource,
    centers: Centers,
    *,
    max_iter: int,
    tol: float,
    after: Callable[[Centers], bool],
    say: Callable[[str], None] | None = None,
) -> Run:
    """Iterate until the clusters no longer change, at most `max_iter` times.

    `after` is called with the centres after each iteration; True stops the run. `say` prints lines
    on the progress.
    """
    history: list[float] = []
    if say is not None:
        say("Initialization complete")
    for number in range(max_iter):
        found = source.iterate(centers)
        history.append(found.objective)
        centers = found.means
        stop, limit = after(centers), tol * source.mean_variance()
        if say is not None:
            say(f"Iteration {number}, inertia {found.objective:.6g}.")
            if not found.moved:
                say(f"Converged at iteration {number}: strict convergence.")
            elif found.shift <= limit:
                say(
                    f"Converged at iteration {number}: center shift {found.shift:.6g} within "
                    f"tolerance {limit:.6g}."
                )
        if stop or not found.moved or found.shift <= limit:
            break
    centers = as_float64(centers.astype(source.dtype))  # the precision of the fitted attribute
    return Run(centers, source.finish(centers), history)


def is_better(run: Run, best: Run | None) -> bool:
    """Return whether a run is better than the best so far by more than rounding."""
    return best is None or run.rows.inertia < best.rows.inertia * (1 - 1e-10)


def fill_empty_clusters(means: Centers, totals: Floats, farthest: Iterable[FarRow]) -> None:
    """Give each empty cluster the farthest remaining row, which leaves its old cluster.

    `means` and `totals`, the weights of the clusters, are changed in place.
    """
    for cluster, (square, point, old, weight) in zip(np.flatnonzero(totals <= 0), farthest):  # noqa: B905 - there may be fewer rows
        if square == 0:
            return  # every row equals a centre
        means[cluster], totals[cluster] = point, weight
        if totals[old] > weight:
            means[old] += (means[old] - point) * (weight / (totals[old] - weight))
            totals[old] -= weight


class RowsInMemory:
    """A dense or CSR table, with bounds on distances that are kept between iterations."""

    def __init__(self, X: Data, weights: Weights | None, n_clusters: int) -> None:
        self.X, self.weights, self.dtype = X, weights, X.dtype
        self.rows = rows_of(X)
        self.labels = np.full(X.shape[0], -1, dtype=np.int32)
        self.totals = np.empty(n_clusters)
        sums = np.empty((n_clusters, X.shape[1]))
        self.steps = _native.Lloyd(self.rows, weights, self.labels, sums, self.totals)

    def iterate(self, centers: Centers) -> Iteration:
        """Assign each row to its nearest centre and return the means."""
        means = np.empty_like(centers)
        moved, empty, shift, objective, _ = self.steps.iterate(centers, means)
        if empty:
            fill_empty_clusters(means, self.totals.copy(), self._farthest(centers))
            shift = float(((means - centers) ** 2).sum())
        return Iteration(means, objective, moved > 0, shift)

    def mean_variance(self) -> float:
        """Return the mean over the columns of the variances."""
        return float(self.steps.mean_variance)

    def finish(self, centers: Centers) -> Assignment:
        """Assign each row to its final centre."""
        inertia = self.steps.finish(centers)
        return Assignment(inertia, self.labels, int(np.count_nonzero(np.bincount(self.labels))))

    def _farthest(self, centers: Centers) -> Iterable[FarRow]:
        """Yield rows in order of decreasing distance to their centres."""
        squares = np.empty(len(self.labels))
        _native.kmeans_assign(self.rows, centers, None, np.empty_like(self.labels), squares)
        squares *= 1.0 if self.weights is None else self.weights > 0
        empty = int((self.totals <= 0).sum())
        for row in np.argsort(-squares, kind="stable")[:empty]:
            point = dense_rows(self.X, [row])[0].astype(np.float64)
            weight = 1.0 if self.weights is None else float(self.weights[row])
            yield float(squares[row]), point, int(self.labels[row]), weight
