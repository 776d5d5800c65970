"""Neighbours by any metric, evaluated pair by pair, and those in a given matrix of distances."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.metrics import DistanceMetric, pairwise_distances
from sklearn.utils.validation import check_array

from gramian.base.conversions import check_positions, refuse_masked, refuse_times, translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import check_finite
from gramian.base.types import Data, Matrix, is_sparse
from gramian.neighbors.structures.radius_results import Balls, Indices

_BLOCK = 2**22  # numbers of a block of a distance matrix, or of rows made dense: 32 MB

# Metrics as scikit-learn's neighbours define them; its pairwise distances differ from these in
# details (the sign of numbers in braycurtis, the parameter V of mahalanobis).
_OF_NEIGHBORS = (
    "braycurtis",
    "dice",
    "jaccard",
    "mahalanobis",
    "rogerstanimoto",
    "russellrao",
    "sokalsneath",
)


@dataclass(frozen=True)
class PairwiseSearch:
    """Blocks of the distance matrix of any metric, including a user's function.

    CSR rows are made dense a block at a time.
    """

    owner: str
    X: Data
    metric: Any
    parameters: Mapping[str, Any]

    def check(self) -> None:
        """Measure two rows, so that a metric that cannot do it is refused before it is needed."""
        few = dense(self.X[:2])
        self._distances(few, few.copy())  # of one table, scikit-learn would make up parameters

    def _blocks(self, queries: Data | None) -> Iterator[tuple[int, Matrix]]:
        at = self.X if queries is None else queries
        for start, some in row_slices(at, self.X.shape[0]):
            distances = [self._distances(dense(some), rows) for _, rows in dense_blocks(self.X)]
            yield start, np.hstack(distances).astype(self.X.dtype, copy=False)

    def _distances(self, some: Matrix, rows: Matrix) -> Matrix:
        if self.metric in _OF_NEIGHBORS:

            def of_neighbors() -> Any:
                metric = DistanceMetric.get_metric(self.metric, **self.parameters)
                return metric.pairwise(*(X.astype(np.float64) for X in (some, rows)))

            return measured(self.owner, self.metric, self.parameters, of_neighbors)
        if self.metric == "canberra" and float(max(np.abs(some).max(), np.abs(rows).max())) > 1e300:
            some, rows = some / 4, rows / 4  # |x - y| / (|x| + |y|) is scale-free; sums stay finite
        if self.metric == "yule":
            some, rows = some != 0, rows != 0
        return measure_rows(self.owner, some, rows, self.metric, self.parameters)

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        return _nearest_in_matrix(self._blocks(queries), k, own=queries is None)

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        found = _within_in_matrix(self._blocks(queries), radius, own=queries is None)
        return found.sorted() if sort else found


@dataclass(frozen=True)
class PrecomputedSearch:
    """Rows of a given distance matrix; in a CSR matrix only stored entries are neighbours."""

    owner: str
    X: Data

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        given, own = (self.X, True) if queries is None else (queries, False)
        if not is_sparse(given):
            return _nearest_in_matrix(
                ((s, b) for s, b in row_slices(given, given.shape[1])), k, own
            )
        graph = self._graph(given, own)
        stored = np.diff(graph.indptr)
        if len(stored) and stored.min() < k:
            raise DataError(
                f"{self.owner}: {k} neighbors per samples are required, but some samples have "
                f"only {stored.min()} neighbors in the precomputed graph; store more distances "
                "or lower n_neighbors."
            )
        first = graph.indptr[:-1, None] + np.arange(k)
        return graph.data[first], graph.indices[first].astype(np.int64)

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        given, own = (self.X, True) if queries is None else (queries, False)
        if not is_sparse(given):
            blocks = ((s, b) for s, b in row_slices(given, given.shape[1]))
            found = _within_in_matrix(blocks, radius, own)
            return found.sorted() if sort else found
        graph = self._graph(given, own)
        keep = graph.data <= radius
        offsets = np.concatenate([[0], np.cumsum(keep)])[graph.indptr].astype(np.int64)
        return Balls(offsets, graph.indices[keep].astype(np.int64), graph.data[keep])

    def _graph(self, given: Any, own: bool) -> sp.csr_array:
        """Return the stored distances of each row, the smallest first."""
        graph = sp.csr_array(given)
        rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
        data, indices, offsets = graph.data, graph.indices, graph.indptr
        if own:
            other = rows != indices
            offsets = np.concatenate([[0], np.cumsum(other)])[offsets]
            data, indices, rows = data[other], indices[other], rows[other]
        falls = (np.diff(data) < 0) & (np.diff(rows) == 0)
        if falls.any():
            order = np.lexsort((indices, data, rows))
            data, indices = data[order], indices[order]
        return sp.csr_array((data, indices, offsets), shape=graph.shape)


def measure_rows(
    owner: str, X: Data, Y: Data | None, metric: Any, parameters: Mapping[str, Any] | None
) -> Matrix:
    """Return the distances of the rows of X and those of Y by any metric of scikit-learn's."""
    given = dict(parameters or {})
    return measured(owner, metric, given, lambda: pairwise_distances(X, Y, metric=metric, **given))


def measured(
    owner: str, metric: Any, parameters: Mapping[str, Any], measure: Callable[[], Any]
) -> Matrix:
    """Measure distances; what the metric cannot do is an error that names the owner."""
    try:
        found: Matrix = np.asarray(measure())
    except (AttributeError, TypeError, ValueError, LookupError, ArithmeticError) as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        if "incompatible function arguments" in reason or "has no attribute" in reason:
            reason = "its parameters are not those of the metric"
        if callable(metric):
            reason = "the function must return a number for two rows"
        raise ParameterError(
            f"{owner}: metric={metric!r} with metric_params={dict(parameters)} cannot measure "
            f"distances of rows: {reason}. Choose another metric, or give the parameters that it "
            "needs as metric_params."
        ) from error
    if np.isnan(found).any():
        raise DataError(
            f"{owner}: metric={metric!r} must give numbers; it gave NaN. Scale the columns, or "
            "choose another metric."
        )
    return found


def check_precomputed(owner: str, X: Data) -> None:
    """Raise unless X is a square matrix of distances."""
    if X.shape[0] != X.shape[1]:
        raise DataError(
            f"{owner}: with metric='precomputed' X must be square, the distances between all "
            f"rows of the training data; got shape {X.shape}."
        )
    check_not_negative(owner, X)


def check_distances(owner: str, X: npt.ArrayLike) -> Data:
    """Check the values of given distances, before their shape."""
    if is_sparse(X):
        check_positions(owner, "X", X)
    refuse_masked(owner, "X", X)
    refuse_times(owner, "X", X)
    table = translated(
        owner,
        "X",
        lambda: check_array(
            X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_all_finite=False
        ),
        X,
    )
    values = table.data if is_sparse(table) else np.ascontiguousarray(table)
    check_finite(owner, "X", values)
    check_not_negative(owner, table)
    return X if hasattr(X, "columns") else table


def check_not_negative(owner: str, X: Data) -> None:
    """Raise if a given distance is negative."""
    values = X.data if is_sparse(X) else X
    if values.size and values.min() < 0:
        raise DataError(
            f"{owner}: Negative values in data passed to precomputed distance matrix; "
            f"got {values.min():g}. Distances are at least 0."
        )


def dense(X: Data) -> Matrix:
    """Return rows as a dense array."""
    rows: Matrix = X.toarray() if is_sparse(X) else X
    return rows


def dense_blocks(X: Data) -> Iterator[tuple[int, Matrix]]:
    """Yield dense rows; a dense X in one piece, a CSR one in blocks."""
    if not is_sparse(X):
        yield 0, X
        return
    for start, rows in row_slices(X, X.shape[1]):
        yield start, dense(rows)


def row_slices(X: Data, width: int) -> Iterator[tuple[int, Data]]:
    """Cut rows so that a block of them, times `width`, stays small."""
    size = max(_BLOCK // max(width, 1), 1)
    for start in range(0, X.shape[0], size):
        yield start, X[start : start + size]


def _nearest_in_matrix(
    blocks: Iterator[tuple[int, Matrix]], k: int, own: bool
) -> tuple[Matrix, Indices]:
    """Return the k smallest entries of each row of a matrix, by (value, column)."""
    parts = []
    for start, block in blocks:
        if own:
            block = block.copy()
            block[np.arange(len(block)), np.arange(start, start + len(block))] = np.inf
        kth = np.partition(block, k - 1, axis=1)[:, k - 1 : k]
        rows, columns = np.nonzero(block <= kth)  # k per row, more where the last ones are equal
        values = block[rows, columns]
        order = np.lexsort((columns, values, rows))
        first = np.searchsorted(rows, np.arange(len(block)))[:, None] + np.arange(k)
        chosen = order[first]
        parts.append((values[chosen], columns[chosen]))
    return np.vstack([v for v, _ in parts]), np.vstack([c for _, c in parts]).astype(np.int64)


def _within_in_matrix(blocks: Iterator[tuple[int, Matrix]], radius: float, own: bool) -> Balls:
    parts = []
    for start, block in blocks:
        inside = block <= radius
        if own:
            inside[np.arange(len(block)), np.arange(start, start + len(block))] = False
        rows, columns = np.nonzero(inside)
        offsets = np.searchsorted(rows, np.arange(len(block) + 1))
        parts.append(Balls(offsets, columns.astype(np.int64), block[rows, columns]))
    return Balls.stacked(parts)
