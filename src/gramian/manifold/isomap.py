"""Isomap: classical scaling of geodesic distances."""

import warnings
from numbers import Real
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Function,
    Interval,
    Jobs,
    NonNegative,
    Positive,
    params,
)
from gramian.base.inputs.gate import check_fit, check_new, check_size, check_stored
from gramian.base.kinds import Tags, Transformer
from gramian.base.rows.table_products import times
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.manifold.double_centring import coordinates_of, double_centred
from gramian.manifold.geodesics import geodesic_distances
from gramian.neighbors import NearestNeighbors


@params
class Isomap(ClassNamePrefixFeaturesOutMixin, Transformer):
    r"""Isomap: classical scaling of geodesic distances (Tenenbaum, de Silva and Langford 2000).

    Rows are joined to their nearest neighbours; the shortest paths in that graph are the distances
    along the manifold on which the rows lie, and classical scaling unrolls it. Parts of the graph
    that are not connected are joined by their nearest rows, with a warning. A new row enters the
    graph by its neighbours. Costs n^2 log n for the paths and about 20 n^2 k for the coordinates.

    Parameters
    ----------
    n_neighbors
        Number of neighbours of each row; must be None if `radius` is set.
    radius
        Radius within which all rows are joined, instead of `n_neighbors`.
    n_components
        Number of coordinates, k.
    eigen_solver
        Ignored; present for scikit-learn compatibility.
    tol
        Ignored; present for scikit-learn compatibility.
    max_iter
        Ignored; present for scikit-learn compatibility.
    path_method
        Ignored; present for scikit-learn compatibility: Dijkstra's algorithm finds the paths.
    neighbors_algorithm
        See `NearestNeighbors`.
    n_jobs
        Number of threads.
    metric
        As for `NearestNeighbors`.
    p
        Order of the Minkowski metric.
    metric_params
        Arguments of the metric.

    Attributes
    ----------
    embedding_ : array (n, k)
        The points.
    dist_matrix_ : array (n, n)
        The geodesic distances.
    eigenvalues_ : array (k,)
        Largest eigenvalues of the inner products.
    nbrs_ : NearestNeighbors
        The neighbours of the training rows.

    Examples
    --------
    >>> from gramian.manifold import Isomap
    >>> angle = np.linspace(0, 5, 40)
    >>> arc = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> line = Isomap(n_neighbors=2, n_components=1).fit_transform(arc)[:, 0]
    >>> round(abs(float(np.corrcoef(line, angle)[0, 1])), 6)
    1.0
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False
    takes_sparse = True

    _: KW_ONLY
    n_neighbors: Count | None = 5
    radius: Positive | None = None
    n_components: Count = 2
    eigen_solver: Literal["auto", "arpack", "dense"] = "auto"
    tol: NonNegative = 0
    max_iter: Count | None = None
    path_method: Literal["auto", "FW", "D"] = "auto"
    neighbors_algorithm: Literal["auto", "brute", "kd_tree", "ball_tree"] = "auto"
    n_jobs: Jobs = None
    metric: str | Function = "minkowski"
    p: Annotated[float, Interval(Real, 1)] = 2
    metric_params: dict | None = None  # type: ignore[type-arg]

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the embedding of the rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d), or (n, n) if metric="precomputed"
            The rows, or their distances.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2)
        check_size(self, "X", table)
        n = table.shape[0]
        if (self.n_neighbors is None) == (self.radius is None):
            raise ParameterError(
                "Isomap: set either n_neighbors or radius, and the other to None; got "
                f"n_neighbors={self.n_neighbors!r} and radius={self.radius!r}."
            )
        k = int(self.n_components)
        if k > n:
            raise DataError(f"Isomap: n_components={k} must be at most n_samples={n}.")
        self._X = table
        search = self._search()
        graph = self._graph(search, None)
        with threads_for(self.n_jobs):
            geodesic = geodesic_distances(graph)
        inner = double_centred(geodesic)
        values, points = coordinates_of(inner.B, k)
        some = values > 1e-14 * max(float(values[0]), 0.0)
        self._means = inner.row_means
        self._directions = np.divide(points, values, out=np.zeros_like(points), where=some)
        self.dist_matrix_ = geodesic.astype(table.dtype)
        self.eigenvalues_ = np.maximum(values, 0.0).astype(table.dtype)
        self.embedding_ = np.ascontiguousarray(points, dtype=table.dtype)
        unit = float(np.abs(inner.B).max()) or 1.0  # squares of large products would overflow
        left = ((inner.B / unit) ** 2).sum() - (np.maximum(values / unit, 0.0) ** 2).sum()
        self._error = float(unit * np.sqrt(max(0.0, left)) / n)
        return self

    def fit_transform(self, X: Table, y: object = None) -> Matrix:
        """Compute the embedding of the rows, and return it.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d), or (n, n) if metric="precomputed"
            The rows, or their distances.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        points : array of shape (n, k)
        """
        return self.fit(X).embedding_

    def transform(self, X: Table) -> Matrix:
        """Embed new rows by the geodesic distances through their neighbours.

        Parameters
        ----------
        X : array, CSR or frame of shape (m, d), or (m, n) if metric="precomputed"
            The rows, or their distances from the training rows.

        Returns
        -------
        points : array of shape (m, k)
        """
        table = check_new(self, X)
        graph = self._graph(self._search(), table)
        squares = np.empty((table.shape[0], len(self.dist_matrix_)))
        for i in range(len(squares)):
            near = slice(graph.indptr[i], graph.indptr[i + 1])
            there = graph.indices[near]
            if not len(there):
                raise DataError(
                    f"Isomap: row {i} has no neighbour within radius={self.radius}; "
                    "increase radius, or "
                    "set n_neighbors."
                )
            paths = self.dist_matrix_[there] + graph.data[near][:, None]
            squares[i] = paths.min(axis=0).astype(np.float64) ** 2
        inner = -(squares - squares.mean(axis=1)[:, None] - self._means + self._means.mean()) / 2
        return np.asarray(times(inner, self._directions), dtype=table.dtype)

    @property
    def nbrs_(self) -> NearestNeighbors:
        """The search for neighbours among the training rows."""
        check_is_fitted(self)
        return self._search()

    def reconstruction_error(self) -> float:
        """Return the norm of the residual of the inner products, divided by n."""
        check_is_fitted(self)
        return self._error

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _check_loaded(self) -> None:
        check_stored(self, "_X", self._X, self.n_features_in_)
        n = self._X.shape[0]
        if self.dist_matrix_.shape != (n, n):
            raise DataError("Isomap: dist_matrix_ must have a row and a column per training row.")

    def _search(self) -> NearestNeighbors:
        n = self._X.shape[0]
        metric: Any = self.metric  # the search checks the metric
        return NearestNeighbors(
            n_neighbors=min(int(self.n_neighbors or 1), n - 1),
            radius=1.0 if self.radius is None else float(self.radius),
            algorithm=self.neighbors_algorithm,
            metric=metric,
            p=self.p,
            metric_params=self.metric_params,
            n_jobs=self.n_jobs,
        ).fit(self._X)

    def _graph(self, search: NearestNeighbors, table: Data | None) -> Any:
        """Return the distances to neighbours, of the training rows in one connected graph."""
        if self.radius is not None:
            found = search.radius_neighbors_graph(table, mode="distance")
        else:
            found = search.kneighbors_graph(table, mode="distance")
        graph = sp.csr_array(found).astype(np.float64)
        return graph if table is not None else self._joined(graph)

    def _joined(self, graph: Any) -> Any:
        """Connect every pair of components by their nearest rows."""
        count, part = connected_components(graph, directed=False)
        if count == 1:
            return graph
        if self.metric == "precomputed" and sp.issparse(self._X):
            raise DataError(
                "Isomap: a precomputed graph of neighbours must be connected, since the "
                "distances that "
                f"would join its parts are not stored; its number of connected components is "
                f"{count}. Store more neighbours of each row, or pass all distances."
            )
        warnings.warn(
            f"Isomap: the number of connected components of the neighbours' graph is {count}; they "
            "are joined by their nearest rows, and distances between them are those through these "
            "few rows. Increase n_neighbors or radius, or embed the components one by one.",
            UserWarning,
            stacklevel=caller_level(),
        )
        graph = graph.tolil()
        for a in range(count):
            for b in range(a + 1, count):
                i, j, distance = self._nearest_pair(part == a, part == b)
                graph[i, j] = max(distance, 1e-300)
        return sp.csr_array(graph.tocsr())

    def _nearest_pair(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> tuple[int, int, float]:
        first, second = np.flatnonzero(a), np.flatnonzero(b)
        if self.metric == "precomputed":
            between: Floats = np.asarray(self._X[np.ix_(first, second)], dtype=np.float64)
            i, j = np.unravel_index(int(between.argmin()), between.shape)
            return int(first[i]), int(second[j]), float(between[i, j])
        search = self._search().set_params(n_neighbors=1).fit(self._X[second])
        distances, indices = search.kneighbors(self._X[first])
        at = int(distances[:, 0].argmin())
        return int(first[at]), int(second[indices[at, 0]]), float(distances[at, 0])
