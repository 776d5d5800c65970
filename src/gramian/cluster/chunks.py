"""K-means on data in chunks: an iteration is at most one pass over the chunks.

Memory is O(k d), plus a label for each row and the few rows whose cluster may change soon
(`stable_rows.py`): while centres move little, iterations need no pass.

The sample for an initialisation consists of the rows with the smallest keys. A key is a
counter-based random number of the row's index (for weighted rows: Efraimidis and Spirakis 2006), so
the sample does not depend on the division into chunks or parts.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import clone

from gramian import _native
from gramian.base.callbacks import Task
from gramian.base.inputs.gate import check_rows
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.chunks import BLOCK_ROWS, Chunk, Chunks, joined, rows_of_chunk
from gramian.base.rows.parts import Parts
from gramian.base.rows.strip_sample import sample_strips
from gramian.base.types import Data, Weights
from gramian.cluster.initialization import first_centers, n_starts
from gramian.cluster.lloyd import Assignment, Iteration, Run, is_better
from gramian.cluster.parallel_start import PARALLEL, parallel_centers
from gramian.cluster.passes import mean_variance, objective_at_means
from gramian.cluster.passes import means as means_of
from gramian.cluster.rows import Centers, as_float64, rows_of
from gramian.cluster.stable_rows import LocalAssigner, WorkerAssigner, assigner

if TYPE_CHECKING:
    from gramian.cluster.kmeans import KMeans

SAMPLE_ROWS = 10_000  # minimum; 50 per centre if that is more
_SAMPLE_STARTS = 10  # maximum
_ITERATIONS = 20  # approximate iterations of an initialisation on the sample


class Sample(NamedTuple):
    """Rows for the initialisation, their keys, and statistics of all rows from the first pass."""

    X: Data
    weights: Weights | None
    keys: npt.NDArray[np.float64]
    weighted: bool
    spread: "RunningVariance"


def fit_chunks(model: "KMeans", chunks: Iterable[Any] | Parts) -> tuple[Run, list[float], Any]:
    """Return the best run, all objectives, and the dtype of X; see `KMeans.fit_chunks`."""
    gate = Chunks.of(model, chunks)
    k, seed = model.n_clusters, seed_of(model.random_state)
    sample = quick_sample(gate, max(SAMPLE_ROWS, 50 * k), seed)
    check_rows(model, sample.spread.n, k, "n_clusters")
    starts = n_starts(model.init, model.n_init, 10)
    task = Task.of(model, steps=starts)
    best: Run | None = None
    inertias: list[float] = []
    for number in range(starts):
        start_seed = (seed + number) % 2**64
        if isinstance(model.init, str) and model.init == PARALLEL:
            centers = parallel_centers(gate, k, start_seed)
        elif isinstance(model.init, str) and len(sample.keys) < sample.spread.n:
            centers = _centers_of_sample(model, sample, start_seed)
        else:
            centers = first_centers("KMeans", sample.X, sample.weights, k, model.init, start_seed)
        with closing(assigner(gate, sample.X, sample.spread.n)) as rows:
            run = model._run(RowsInChunks(rows, sample.X.dtype), centers, task)
        inertias.append(run.rows.inertia)
        if is_better(run, best):
            best = run
    assert best is not None
    task.done(lambda: model._fitted(best.centers, sample.X.dtype))
    return best, inertias, sample.X.dtype


def _centers_of_sample(model: "KMeans", sample: Sample, seed: int) -> Centers:
    """Return the best centres of the sample, which saves passes over all rows.

    Uses as many initialisations as together cost about one pass, to avoid poor local optima.
    """
    passes = sample.spread.n // (_ITERATIONS * len(sample.keys))
    starts = min(max(passes, 1), _SAMPLE_STARTS)
    near = clone(model).set_params(n_init=starts, random_state=seed % 2**32)
    return as_float64(near.fit(sample.X).cluster_centers_)


class RowsInChunks:
    """Rows that are read in passes; an iteration needs one pass at most."""

    def __init__(self, rows: LocalAssigner | WorkerAssigner, dtype: Any) -> None:
        self.rows, self.dtype = rows, dtype
        self._variance: float | None = None

    def iterate(self, centers: Centers) -> Iteration:
        """Assign each row to its nearest centre and return the means."""
        found = self.rows.assign(centers)
        if self._variance is None:
            self._variance = mean_variance(found, centers)
        means = means_of(found, centers)
        # Changed rows are not counted, but if a row changed, so did a mean.
        shift = float(((means - centers) ** 2).sum())
        return Iteration(means, objective_at_means(found, centers), shift > 0, shift)

    def mean_variance(self) -> float:
        """Return the mean variance of the columns."""
        assert self._variance is not None
        return self._variance

    def finish(self, centers: Centers) -> Assignment:
        """Assign each row to its final centre."""
        last = self.rows.assign(centers)
        labels = np.concatenate(last.labels) if last.labels else None
        return Assignment(last.inertia, labels, int((last.totals > 0).sum()))


def quick_sample(chunks: Chunks, wanted: int, seed: int) -> Sample:
    """Return rows for the initialisation without a full pass, if rows are in random order."""
    found = sample_strips(chunks, wanted, seed)
    if found is None:
        return sample_of(chunks, wanted, seed)
    X, n = found
    spread = RunningVariance()
    spread.add(X)
    return Sample(X, None, np.zeros(X.shape[0]), False, spread.scaled_to(n))


def sample_of(chunks: Chunks, wanted: int, seed: int) -> Sample:
    """Return rows for the initialisation, the number of rows, the mean variance of the columns.

    This is the first pass. If the rows are in parts, they are counted first, so that few more rows
    than needed are sent, unless they have weights.
    """
    limit = np.inf
    if isinstance(chunks.source, Parts):
        n = chunks.source.n_rows()
        often = min(1.0, (wanted + 8 * wanted**0.5) / max(n, 1))
        limit = -np.log1p(-often) if often < 1 else np.inf
    merge = partial(_merged_samples, wanted=wanted)
    step = partial(_drawn, wanted=wanted, seed=seed, limit=limit)
    found: Sample | None = chunks.total(step, merge, numbered=True)
    if found is None or (np.isfinite(limit) and len(found.keys) < min(wanted, found.spread.n)):
        found = chunks.total(partial(step, limit=np.inf), merge, numbered=True)
    assert found is not None
    # The keys already favour rows of large weight, so the rows drawn have equal weights.
    if found.spread.n <= wanted:  # all rows, in their order
        return found if found.weighted else found._replace(weights=None)
    order = np.argsort(found.keys, kind="stable")
    return found._replace(X=found.X[order], keys=found.keys[order], weights=None)


def row_keys(chunks: Chunks, seed: int) -> Iterator[tuple[Chunk, npt.NDArray[np.float64]]]:
    """Yield blocks with an exponential random number for each row."""
    at = chunks.start
    for block in chunks.blocks():
        n = block.X.shape[0]
        number, offset = divmod(at, BLOCK_ROWS)
        yield block, -np.log1p(-stream(seed, 1 + number).random(offset + n)[offset:])
        at += n


def _drawn(chunks: Chunks, *, wanted: int, seed: int, limit: float) -> Sample | None:
    found: Sample | None = None
    waiting: list[Sample] = []  # drawn after `found`; merged when there are `wanted` of them
    spread, weighted, held = RunningVariance(), False, 0
    for block, keys in row_keys(chunks, seed):
        X, _, weights = block
        here = keys
        if weights is not None:
            here = np.divide(keys, weights, out=np.full(len(keys), np.inf), where=weights > 0)
        few = np.arange(len(here))
        if weights is None and np.isfinite(limit):
            few = np.flatnonzero(here <= limit)
        elif found is not None and len(found.keys) >= wanted:  # sorting all keys would take longest
            few = np.flatnonzero(here < found.keys.max())
        few = np.sort(few[np.argsort(here[few], kind="stable")[:wanted]])
        own = np.ones(len(few)) if weights is None else weights[few]
        weighted |= weights is not None
        spread.add(X)
        waiting.append(Sample(X[few], own, here[few], weighted, spread))
        held += len(few)
        if held >= wanted:
            found = _smallest([*([] if found is None else [found]), *waiting], wanted)
            waiting, held = [], 0
    rest = [*([] if found is None else [found]), *waiting]
    if not rest:
        return None
    return _smallest(rest, wanted)._replace(weighted=weighted, spread=spread)


def _merged_samples(left: Sample | None, right: Sample | None, *, wanted: int) -> Sample | None:
    if left is None or right is None:
        return right if left is None else left
    return _smallest([left, right], wanted)._replace(spread=left.spread.merge(right.spread))


def _smallest(samples: list[Sample], wanted: int) -> Sample:
    """Keep the rows with the smallest keys, in order, and the spread of the first sample."""
    keys = np.concatenate([one.keys for one in samples])
    rows = joined([Chunk(one.X, None, one.weights) for one in samples])
    best = np.sort(np.argsort(keys, kind="stable")[:wanted])
    kept = rows_of_chunk(rows, best)
    weighted = any(one.weighted for one in samples)
    return Sample(kept.X, kept.weights, keys[best], weighted, samples[0].spread)


class RunningVariance:
    """Sums of columns, and of squared distances to the first row (to the origin if sparse)."""

    def __init__(self) -> None:
        self.n = 0

    def add(self, X: Data) -> None:
        """Add rows."""
        n, d = X.shape
        if self.n == 0:
            self._origin = np.zeros((1, d)) if sp.issparse(X) else X[:1].astype(np.float64)
            self._sum, self._square = np.zeros((1, d)), 0.0
        rows, labels = rows_of(X), np.zeros(n, dtype=np.int32)
        self._square += _native.kmeans_assign(rows, self._origin, None, labels, np.empty(n))
        _native.kmeans_sums(rows, None, labels, self._sum, np.zeros(1))
        self.n += n

    def merge(self, other: "RunningVariance") -> "RunningVariance":
        """Return the merged sums, about the origin of this object."""
        if self.n == 0 or other.n == 0:
            return other if self.n == 0 else self
        both = RunningVariance()
        both._origin, both.n = self._origin, self.n + other.n
        both._sum = self._sum + other._sum
        move = other._origin - self._origin
        away = other._sum - other.n * other._origin
        moved = 2 * float(np.vdot(move, away)) + other.n * float(np.vdot(move, move))
        both._square = self._square + other._square + moved
        return both

    def scaled_to(self, n: int) -> "RunningVariance":
        """Return the sums of a sample, scaled to all n rows."""
        all_rows = RunningVariance()
        all_rows._origin, all_rows.n = self._origin, n
        all_rows._sum, all_rows._square = self._sum * (n / self.n), self._square * (n / self.n)
        return all_rows

    def mean_over_columns(self) -> float:
        """Return the mean variance of the columns."""
        away = self._sum / self.n - self._origin
        return max(self._square / self.n - float(np.vdot(away, away)), 0.0) / away.size
