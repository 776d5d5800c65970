"""One assignment of rows in chunks to centres: the sums of each cluster, and the farthest rows."""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.rows.chunks import Chunk, Chunks
from gramian.base.types import Data, Floats
from gramian.cluster.lloyd import fill_empty_clusters
from gramian.cluster.rows import Centers, dense_rows, rows_of

MAX_KEPT_FRACTION = 0.05  # maximum fraction of the rows that is kept
MAX_KEPT_BYTES = 1 << 26  # maximum memory of the rows kept

Labels = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


class Pass(NamedTuple):
    """One assignment of all rows to the centres, and the sums of each cluster."""

    labels: list[npt.NDArray[np.int32]]  # of the blocks; empty unless requested
    sums: Centers
    totals: npt.NDArray[np.float64]
    inertia: float
    far: npt.NDArray[np.float64]  # squared distances of the farthest rows, largest first
    far_rows: Centers
    far_labels: npt.NDArray[np.int32]
    far_weights: npt.NDArray[np.float64]


@dataclass
class NearRows:
    """The rows of a pass whose cluster may change soon; none if there are too many."""

    centers: Centers
    gap: float  # distance margin below which rows are kept; 0 keeps none
    share: float  # expected fraction of rows; twice as many are too many
    n: int = 0  # rows of the pass, if known
    seen: int = 0
    kept: int = 0
    places: list[npt.NDArray[np.intp]] = field(default_factory=list)
    rows: list[Chunk] = field(default_factory=list)
    objective: float = 0.0

    @classmethod
    def of(cls, sample: Data, n: int, centers: Centers) -> Self:
        """Choose the margin with a sample of the n rows."""
        size = sample.data.nbytes if sp.issparse(sample) else sample.nbytes
        share = min(MAX_KEPT_FRACTION, MAX_KEPT_BYTES / max(size / sample.shape[0] * n, 1.0))
        gaps = np.empty(sample.shape[0], dtype=np.float32)
        labels = np.empty(sample.shape[0], dtype=np.int32)
        _native.kmeans_assign(rows_of(sample), centers, None, labels, None, gaps)
        gap = float(np.quantile(gaps, share, method="lower"))
        return cls(centers, gap, share, n)

    def add(
        self, chunk: Chunk, labels: Labels, squares: Floats, gaps: npt.NDArray[np.float32]
    ) -> None:
        """Keep the rows of a block whose margin is small."""
        if self.gap > 0:
            here = np.flatnonzero(gaps <= self.gap)
            weights = None if chunk.weights is None else chunk.weights[here]
            self.places.append(self.seen + here)
            self.rows.append(Chunk(chunk.X[here], labels[here], weights))
            self.objective += float(
                squares[here].sum() if weights is None else weights @ squares[here]
            )
            self.kept += len(here)
        self.seen += len(labels)
        if self.kept > 2 * self.share * max(self.n, self.seen) + 1000:
            self.gap = 0.0
            self.kept, self.places, self.rows = 0, [], []


def empty_pass(k: int, d: int) -> Pass:
    """Return the assignment of no rows."""
    return Pass(
        [],
        np.zeros((k, d)),
        np.zeros(k),
        0.0,
        np.empty(0),
        np.empty((0, d)),
        np.empty(0, np.int32),
        np.empty(0),
    )


def assign(centers: Centers, near: NearRows | None, chunks: Chunks) -> Pass:
    """Make a pass; with `near`, keep near rows and return labels."""
    k, d = centers.shape
    found = empty_pass(k, d)
    for block in chunks.blocks():
        X, _, weights = block
        rows = rows_of(X)
        labels = np.empty(X.shape[0], dtype=np.int32)
        squares = np.empty(X.shape[0])
        gaps = None if near is None else np.empty(X.shape[0], dtype=np.float32)
        inertia = _native.kmeans_assign(rows, centers, weights, labels, squares, gaps)
        if near is not None and gaps is not None:
            near.add(block, labels, squares, gaps)
        sums, totals = found.sums, found.totals
        _native.kmeans_sums(rows, weights, labels, sums, totals)
        if weights is not None:
            squares *= weights > 0
        here = _farthest(squares, k, found.far)
        part = Pass(
            [] if near is None else [labels],
            np.zeros((k, d)),
            np.zeros(k),
            inertia,
            squares[here],
            dense_rows(X, here).astype(np.float64),
            labels[here],
            np.ones(len(here)) if weights is None else weights[here],
        )
        found = merge_passes(found, part)
    return found


def _farthest(squares: Floats, k: int, before: Floats) -> npt.NDArray[np.intp]:
    """Return the k farthest rows, among those beyond the k found before.

    Empty clusters take far rows, so at most k are kept.
    """
    if len(before) == k:
        here = np.flatnonzero(squares > before[-1])
    else:
        here = np.argpartition(-squares, min(k, len(squares)) - 1)[:k]
    return here[np.lexsort([here, -squares[here]])][:k]


def merge_passes(left: Pass, right: Pass) -> Pass:
    """Merge the assignments of two sets of rows."""
    k = len(left.totals)
    far = np.concatenate([left.far, right.far])
    keep = np.argsort(-far, kind="stable")[:k]
    return Pass(
        [*left.labels, *right.labels],
        left.sums + right.sums,
        left.totals + right.totals,
        left.inertia + right.inertia,
        far[keep],
        np.concatenate([left.far_rows, right.far_rows])[keep],
        np.concatenate([left.far_labels, right.far_labels])[keep],
        np.concatenate([left.far_weights, right.far_weights])[keep],
    )


def means(iteration: Pass, centers: Centers) -> Centers:
    """Return the means of the clusters; an empty cluster takes the farthest remaining row."""
    some = iteration.totals > 0
    divisors = np.where(some, iteration.totals, 1.0)[:, None]
    found = np.where(some[:, None], iteration.sums / divisors, centers)
    if not some.all():
        far = iteration.far, iteration.far_rows, iteration.far_labels, iteration.far_weights
        fill_empty_clusters(found, iteration.totals.copy(), zip(*far, strict=True))
    return found


def objective_at_means(iteration: Pass, centers: Centers) -> float:
    """Return the objective about the means: sum |x - c|^2 - n_j |c_j - m_j|^2."""
    some = iteration.totals > 0
    n = iteration.totals[some]
    away = centers[some] - iteration.sums[some] / n[:, None]
    return max(iteration.inertia - float(n @ (away**2).sum(axis=1)), 0.0)


def mean_variance(iteration: Pass, centers: Centers) -> float:
    """Return the mean variance of the columns, from an assignment of all rows.

    About the mean m of all rows, with n_j rows of sum s_j about the centre c_j,

        sum |x - m|^2 = sum |x - c|^2 + sum_j 2 (c_j - m) . (s_j - n_j c_j) + n_j |c_j - m|^2
    """
    n = float(iteration.totals.sum())
    away = centers - iteration.sums.sum(axis=0) / n
    left = iteration.sums - iteration.totals[:, None] * centers
    moved = 2 * np.vdot(away, left) + iteration.totals @ (away**2).sum(axis=1)
    variance: float = max(iteration.inertia + float(moved), 0.0) / n / centers.shape[1]
    return variance
