"""K-means on data in chunks: an iteration is one pass over the chunks, in O(k d) memory.

The sample for an initialisation holds the rows with the smallest keys. A key is a counter-based
random number of the row's index (for weighted rows: Efraimidis and Spirakis 2006), so the sample
does not depend on the chunks either.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.callbacks import Task
from gramian.base.chunks import Chunk, Chunks, joined, rows_of_chunk
from gramian.base.gate import check_rows
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Matrix, Weights
from gramian.cluster.initialization import first_centers, starts_of
from gramian.cluster.rows import Centers, dense_rows, rows_of, wide

if TYPE_CHECKING:
    from gramian.cluster.kmeans import KMeans

SAMPLE_ROWS = 10_000  # at least; 50 a centre where that is more


class Result(NamedTuple):
    """The best initialisation, and the objectives of all of them."""

    centers: Matrix
    labels: npt.NDArray[np.int32]
    history: list[float]
    inertias: list[float]
    best: int


class Sample(NamedTuple):
    """Rows for the initialisation, and statistics of all rows from the first pass."""

    X: Data
    weights: Weights | None
    n_samples: int
    mean_variance: float


class Pass(NamedTuple):
    """One assignment of all rows to the centres, and the sums of each cluster."""

    labels: npt.NDArray[np.int32]
    sums: Centers
    totals: npt.NDArray[np.float64]
    inertia: float
    far: npt.NDArray[np.float64]  # squared distances of the farthest rows, largest first
    far_rows: Centers
    far_labels: npt.NDArray[np.int32]
    far_weights: npt.NDArray[np.float64]


def fit_chunks(model: "KMeans", chunks: Iterable[Any]) -> Result:
    """Run Lloyd's algorithm from every initialisation; see `KMeans.fit_chunks`."""
    gate = Chunks.of(model, chunks)
    k, seed = model.n_clusters, seed_of(model.random_state)
    sample = _sample(model, gate, seed)
    check_rows(model, sample.n_samples, k, "n_clusters")
    tol = model.tol * sample.mean_variance
    starts = starts_of(model.init, model.n_init, 10)
    task = Task.of(model, steps=starts)
    runs = []
    for number in range(starts):
        start_seed = (seed + number) % 2**64
        centers = first_centers("KMeans", sample.X, sample.weights, k, model.init, start_seed)
        runs.append(_lloyd(model, gate, centers, sample.X.dtype, tol, task))
    best = int(np.argmin([inertia for _, _, inertia, _ in runs]))
    centers, labels, _, history = runs[best]
    task.done(lambda: model._fitted(centers, sample.X.dtype))
    return Result(centers.astype(sample.X.dtype), labels, history, [r[2] for r in runs], best)


def _lloyd(
    model: "KMeans", chunks: Chunks, centers: Centers, dtype: Any, tol: float, task: Task
) -> tuple[Centers, npt.NDArray[np.int32], float, list[float]]:
    labels = None
    history: list[float] = []
    start = task.part("start", steps=model.max_iter)
    for _ in range(model.max_iter):
        iteration = _assign(chunks, centers)
        if labels is not None and np.array_equal(iteration.labels, labels):
            break
        history.append(iteration.inertia)
        labels = iteration.labels
        means = _means(iteration, centers)
        shift = float(((means - centers) ** 2).sum())
        centers = means
        if start.iteration(lambda: model._fitted(centers, dtype)) or shift <= tol:  # noqa: B023
            break
    start.done(lambda: model._fitted(centers, dtype))
    centers = wide(centers.astype(dtype))
    last = _assign(chunks, centers)
    return centers, last.labels, last.inertia, history


def _assign(chunks: Chunks, centers: Centers) -> Pass:
    k, d = centers.shape
    sums, totals, inertia = np.zeros((k, d)), np.zeros(k), 0.0
    all_labels = []
    far = np.empty(0)
    far_rows, far_labels, far_weights = np.empty((0, d)), np.empty(0, np.int32), np.empty(0)
    for X, _, weights in chunks.blocks():
        rows = rows_of(X)
        labels = np.empty(X.shape[0], dtype=np.int32)
        squares = np.empty(X.shape[0])
        inertia += _native.kmeans_assign(rows, centers, weights, labels, squares)
        _native.kmeans_sums(rows, weights, labels, sums, totals)
        all_labels.append(labels)
        # Only as many far rows as there could be empty clusters are kept.
        squares *= 1.0 if weights is None else weights > 0
        here = np.argsort(-squares, kind="stable")[:k]
        far = np.concatenate([far, squares[here]])
        far_rows = np.concatenate([far_rows, dense_rows(X, here).astype(np.float64)])
        far_labels = np.concatenate([far_labels, labels[here]])
        ones = np.ones(len(here)) if weights is None else weights[here]
        far_weights = np.concatenate([far_weights, ones])
        keep = np.argsort(-far, kind="stable")[:k]
        far, far_rows = far[keep], far_rows[keep]
        far_labels, far_weights = far_labels[keep], far_weights[keep]
    return Pass(
        np.concatenate(all_labels), sums, totals, inertia, far, far_rows, far_labels, far_weights
    )


def _means(iteration: Pass, centers: Centers) -> Centers:
    """Return the means of the clusters; an empty cluster takes the farthest remaining row."""
    sums, totals = iteration.sums.copy(), iteration.totals.copy()
    far = iter(
        zip(
            iteration.far,
            iteration.far_rows,
            iteration.far_labels,
            iteration.far_weights,
            strict=True,
        )
    )
    for cluster in np.flatnonzero(iteration.totals <= 0):
        square, point, old, weight = next(far)
        if square == 0:
            break
        sums[old] -= weight * point
        totals[old] -= weight
        sums[cluster], totals[cluster] = weight * point, weight
    some = totals > 0
    return np.where(some[:, None], sums / np.where(some, totals, 1.0)[:, None], centers)


def _sample(model: "KMeans", chunks: Chunks, seed: int) -> Sample:
    """First pass: rows for the initialisation, their number, the mean variance of the columns."""
    wanted = max(SAMPLE_ROWS, 50 * model.n_clusters)
    weighted = False
    kept: Chunk | None = None
    keys, spread = np.empty(0), RunningVariance()
    for number, block in enumerate(chunks.blocks()):
        X, _, weights = block
        here = -np.log1p(-stream(seed, 1 + number).random(X.shape[0]))
        if weights is not None:
            weighted = True
            here = np.divide(here, weights, out=np.full(len(here), np.inf), where=weights > 0)
        few = np.argsort(here, kind="stable")[:wanted]
        ones = np.ones(X.shape[0]) if weights is None else weights
        taken = Chunk(X[few], None, ones[few])
        kept = taken if kept is None else joined([kept, taken])
        keys = np.concatenate([keys, here[few]])
        best = np.argsort(keys, kind="stable")[:wanted]
        kept, keys = rows_of_chunk(kept, best), keys[best]
        spread.add(X)
    assert kept is not None
    # The keys already favour rows of large weight, so the rows drawn have equal weights.
    everything = spread.n <= wanted
    weights = kept.weights if weighted and everything else None
    return Sample(kept.X, weights, spread.n, spread.mean_over_columns())


class RunningVariance:
    """Sums and sums of squares of the columns, about the first row if the rows are dense."""

    def __init__(self) -> None:
        self.n = 0

    def add(self, X: Data) -> None:
        """Add rows."""
        if self.n == 0:
            self._origin = 0 if sp.issparse(X) else X[0].astype(np.float64)
            self._sum, self._square = np.zeros(X.shape[1]), np.zeros(X.shape[1])
        if sp.issparse(X):
            self._sum += X.sum(axis=0)
            self._square += X.multiply(X).sum(axis=0)
        else:
            away = X - self._origin
            self._sum += away.sum(axis=0)
            self._square += np.einsum("ij,ij->j", away, away)
        self.n += X.shape[0]

    def mean_over_columns(self) -> float:
        """Return the mean over the columns of their variances."""
        variance = self._square / self.n - (self._sum / self.n) ** 2
        return float(np.maximum(variance, 0.0).mean())
