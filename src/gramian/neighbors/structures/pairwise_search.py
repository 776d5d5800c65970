"""Neighbours by any metric, evaluated pair by pair, or from a precomputed distance matrix."""

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
from gramian.base.inputs.gate import check_finite
from gramian.base.types import Data, Matrix, is_sparse
from gramian.neighbors.structures.radius_results import Indices, NeighborLists

_BLOCK = 2**22  # entries in a block of distances or of dense rows: 32 MB

# Metrics as scikit-learn's neighbours define them; its pairwise distances differ in details (the
# sign of values in braycurtis, the parameter V of mahalanobis).
_NEIGHBOR_METRICS = (
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
    """Searches blocks of the distance matrix of any metric, including a user's function.

    CSR rows are converted to dense rows block by block.
    """

    owner: str
    X: Data
    metric: object
    parameters: Mapping[str, Any]

    def check(self) -> None:
        """Compute the distance of two rows, so that an invalid metric raises an error early."""
        few = dense(self.X[:2])
        self._distances(few, few.copy())  # for a single table, scikit-learn would invent parameters

    def _blocks(self, queries: Data | None) -> Iterator[tuple[int, Matrix]]:
        at = self.X if queries is None else queries
        for start, queries_block in row_slices(at, self.X.shape[0]):
            distances = [
                self._distances(dense(queries_block), rows) for _, rows in dense_blocks(self.X)
            ]
            yield start, np.hstack(distances).astype(self.X.dtype, copy=False)

    def _distances(self, queries_block: Matrix, rows: Matrix) -> Matrix:
        if self.metric in _NEIGHBOR_METRICS:

            def neighbor_metric() -> Any:
                metric = DistanceMetric.get_metric(self.metric, **self.parameters)
                return metric.pairwise(*(X.astype(np.float64) for X in (queries_block, rows)))

            return checked_distances(self.owner, self.metric, self.parameters, neighbor_metric)
        if (
            self.metric == "canberra"
            and float(max(np.abs(queries_block).max(), np.abs(rows).max())) > 1e300
        ):
            queries_block, rows = (
                queries_block / 4,
                rows / 4,
            )  # |x - y| / (|x| + |y|) is scale-free; sums stay finite
        if self.metric == "yule":
            queries_block, rows = queries_block != 0, rows != 0
        return measure_rows(self.owner, queries_block, rows, self.metric, self.parameters)

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        return _nearest_in_matrix(self._blocks(queries), k, own=queries is None)

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> NeighborLists:
        """Return the rows within a radius."""
        found = _within_in_matrix(self._blocks(queries), radius, own=queries is None)
        return found.sorted() if sort else found


@dataclass(frozen=True)
class PrecomputedSearch:
    """Searches a precomputed distance matrix; in a CSR matrix, only its stored entries."""

    owner: str
    X: Data

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        table, own = (self.X, True) if queries is None else (queries, False)
        if not is_sparse(table):
            return _nearest_in_matrix(
                ((s, b) for s, b in row_slices(table, table.shape[1])), k, own
            )
        graph = self._graph(table, own)
        stored = np.diff(graph.indptr)
        if len(stored) and stored.min() < k:
            raise DataError(
                f"{self.owner}: {k} neighbors per samples are required, but some samples have "
                f"only {stored.min()} neighbors in the precomputed graph; store more distances "
                "or decrease n_neighbors."
            )
        first = graph.indptr[:-1, None] + np.arange(k)
        return graph.data[first], graph.indices[first].astype(np.int64)

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> NeighborLists:
        """Return the rows within a radius."""
        table, own = (self.X, True) if queries is None else (queries, False)
        if not is_sparse(table):
            blocks = ((s, b) for s, b in row_slices(table, table.shape[1]))
            found = _within_in_matrix(blocks, radius, own)
            return found.sorted() if sort else found
        graph = self._graph(table, own)
        keep = graph.data <= radius
        offsets = np.concatenate([[0], np.cumsum(keep)])[graph.indptr].astype(np.int64)
        return NeighborLists(offsets, graph.indices[keep].astype(np.int64), graph.data[keep])

    def _graph(self, table: Any, own: bool) -> sp.csr_array:
        """Return the stored distances of each row in ascending order."""
        graph = sp.csr_array(table)
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
    owner: str, X: Data, Y: Data | None, metric: object, parameters: Mapping[str, Any] | None
) -> Matrix:
    """Return the distances between the rows of X and of Y by any metric of scikit-learn."""
    keywords = dict(parameters or {})
    return checked_distances(
        owner, metric, keywords, lambda: pairwise_distances(X, Y, metric=metric, **keywords)
    )


def checked_distances(
    owner: str, metric: object, parameters: Mapping[str, Any], measure: Callable[[], Any]
) -> Matrix:
    """Compute distances; errors of the metric name the owner."""
    try:
        found: Matrix = np.asarray(measure())
    except (AttributeError, TypeError, ValueError, LookupError, ArithmeticError) as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        if "incompatible function arguments" in reason or "has no attribute" in reason:
            reason = "these are not parameters of the metric"
        if callable(metric):
            reason = "the function must return a number for two rows"
        raise ParameterError(
            f"{owner}: metric={metric!r} with metric_params={dict(parameters)} cannot compute "
            f"distances of rows: {reason}. Choose another metric, or set metric_params to the "
            "parameters that it needs."
        ) from error
    if np.isnan(found).any():
        raise DataError(
            f"{owner}: metric={metric!r} must return numbers; it returned NaN. Scale the "
            "columns, or "
            "choose another metric."
        )
    return found


def check_precomputed(owner: str, X: Data) -> None:
    """Raise unless X is a square matrix of distances."""
    if X.shape[0] != X.shape[1]:
        raise DataError(
            f"{owner}: with metric='precomputed' X must be square, with the distances between all "
            f"rows of the training data; got shape {X.shape}."
        )
    check_not_negative(owner, X)


def check_distances(owner: str, X: npt.ArrayLike) -> Data:
    """Check the values of precomputed distances, before their shape."""
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
    """Raise if a precomputed distance is negative."""
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
    """Yield dense rows: a dense X as one block, a CSR matrix in several."""
    if not is_sparse(X):
        yield 0, X
        return
    for start, rows in row_slices(X, X.shape[1]):
        yield start, dense(rows)


def row_slices(X: Data, width: int) -> Iterator[tuple[int, Data]]:
    """Yield slices of rows whose size times `width` is limited."""
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
        rows, columns = np.nonzero(block <= kth)  # k per row, more if there are ties
        values = block[rows, columns]
        order = np.lexsort((columns, values, rows))
        first = np.searchsorted(rows, np.arange(len(block)))[:, None] + np.arange(k)
        chosen = order[first]
        parts.append((values[chosen], columns[chosen]))
    return np.vstack([v for v, _ in parts]), np.vstack([c for _, c in parts]).astype(np.int64)


def _within_in_matrix(
    blocks: Iterator[tuple[int, Matrix]], radius: float, own: bool
) -> NeighborLists:
    parts = []
    for start, block in blocks:
        inside = block <= radius
        if own:
            inside[np.arange(len(block)), np.arange(start, start + len(block))] = False
        rows, columns = np.nonzero(inside)
        offsets = np.searchsorted(rows, np.arange(len(block) + 1))
        parts.append(NeighborLists(offsets, columns.astype(np.int64), block[rows, columns]))
    return NeighborLists.stacked(parts)
