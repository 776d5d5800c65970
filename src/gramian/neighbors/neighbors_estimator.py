"""Base classes of the neighbour estimators, which build a search and query it."""

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_fit, check_new, check_stored
from gramian.base.kinds import DeclaredTags, Estimator, Tags
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Data, Matrix, Table
from gramian.neighbors.structures.cosine import CosineSearch, has_zero_rows
from gramian.neighbors.structures.kdtree import build_tree
from gramian.neighbors.structures.lp_space import (
    LpSpace,
    check_width,
    lp_space,
    warn_about_two_orders,
)
from gramian.neighbors.structures.pairwise_search import (
    PairwiseSearch,
    PrecomputedSearch,
    check_distances,
    check_precomputed,
)
from gramian.neighbors.structures.radius_results import Indices, NeighborLists, split
from gramian.neighbors.structures.search import (
    Algorithm,
    ExhaustiveSearch,
    Search,
    TreeSearch,
    check_tree_metric,
    choose_method,
)


class NeighborsEstimator(DeclaredTags, Estimator):
    """Builds a neighbour search on the fitted rows."""

    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: self.metric == "precomputed",
        "input_tags.positive_only": lambda self: self.metric == "precomputed",
    }

    if TYPE_CHECKING:  # parameters of the derived classes
        algorithm: Algorithm
        leaf_size: int
        metric: Any
        p: float
        metric_params: dict[str, Any] | None
        n_jobs: int | None

    takes_sparse = True
    parametric = False
    derived_attributes = ("_tree",)

    @property
    def algorithm_(self) -> str:
        """Search algorithm in use: "kd_tree" or "brute"."""
        check_is_fitted(self)
        return str(self._fit_method)

    def _fit_search(self, X: npt.ArrayLike | sp.csr_array | sp.csr_matrix) -> Data:
        """Check the rows, choose the search algorithm, and build its structure."""
        name = type(self).__name__
        table = check_fit(self, X)
        space = lp_space(name, self.metric, self.p, self.metric_params)
        warn_about_two_orders(name, self.p, self.metric_params)
        if self.metric == "precomputed":
            check_precomputed(name, table)
        if space is not None and space.unit and has_zero_rows(table):
            space = None
        if space is None:
            check_tree_metric(name, self.algorithm, self.metric)
            if self.metric != "precomputed":
                self._pairwise(table).check()
        else:
            check_width(name, space, table.shape[1])
        self._fit_X = table
        self._tree = None
        self._points = None
        self._fit_method = "brute"
        if space is not None:
            # The mapped rows are stored only if they differ from X.
            points = space.rows(table)
            self._points = None if space.is_identity else points
            if not sp.issparse(points):
                k = getattr(self, "n_neighbors", None) or 1
                with threads_for(self.n_jobs):
                    self._fit_method, self._tree = choose_method(
                        points, k, space.p, self.algorithm, self.leaf_size
                    )
        self.n_samples_fit_ = table.shape[0]
        self._name_metric(space)
        return table

    def _check_loaded(self) -> None:
        check_stored(self, "_fit_X", self._fit_X, self.n_features_in_)
        n = self._fit_X.shape[0]
        points = getattr(self, "_points", None)
        if points is not None:
            check_stored(self, "_points", points, self.n_features_in_)
        lengths = {
            "n_samples_fit_": self.n_samples_fit_,
            "_points": n if points is None else points.shape[0],
            "_y": len(self._y) if hasattr(self, "_y") else n,
        }
        for name, length in lengths.items():
            if length != n:
                raise DataError(
                    f"{type(self).__name__}: {name} has {length!r} rows, but _fit_X has {n}."
                )

    def _name_metric(self, space: LpSpace | None) -> None:
        """Set the metric in use and its parameters, with scikit-learn's names."""
        self.effective_metric_ = self.metric
        self.effective_metric_params_ = dict(self.metric_params or {})
        if self.metric in ("minkowski", "p") and space is not None:
            named = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}.get(space.p)
            if space.scale is None and named is not None:
                self.effective_metric_ = named
                self.effective_metric_params_.pop("p", None)
            else:
                self.effective_metric_params_["p"] = space.p

    def _pairwise(self, table: Data) -> PairwiseSearch:
        return PairwiseSearch(type(self).__name__, table, self.metric, self.metric_params or {})

    def _search(self) -> Search:
        space = lp_space(type(self).__name__, self.metric, self.p, self.metric_params)
        if self.metric == "precomputed":
            return PrecomputedSearch(type(self).__name__, self._fit_X)
        pairwise = self._pairwise(self._fit_X)
        if space is None or (space.unit and self._points is None):
            return pairwise
        points = self._fit_X if self._points is None else self._points
        if self._tree is None and self._fit_method == "kd_tree":  # read from a model file
            self._tree = build_tree(points, self.leaf_size)
        found: Search = (
            ExhaustiveSearch(points, space)
            if self._tree is None
            else TreeSearch(points, self._tree, space)
        )
        return CosineSearch(found, pairwise) if space.unit else found

    def _queries(self, X: npt.ArrayLike | None) -> Data | None:
        """Check queries; None stays None and means the fitted rows."""
        check_is_fitted(self)
        if X is None:
            return None
        if self.metric == "precomputed":
            X = check_distances(type(self).__name__, X)
        return check_new(self, X, dtype=self._fit_X.dtype)


class KNeighbors(NeighborsEstimator):
    """Adds queries for the k nearest rows.

    Parameters
    ----------
    n_neighbors
        Number k of neighbours.
    """

    n_neighbors: int

    def kneighbors(
        self,
        X: Table | None = None,
        n_neighbors: int | None = None,
        return_distance: bool = True,
    ) -> Any:
        """Find the k nearest fitted rows of each row of X.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", default=None
            The queries. None means the neighbours of the fitted rows, each without itself.
        n_neighbors : int, default=None
            Number k of neighbours; None means the estimator's value.
        return_distance : bool, default=True
            Whether to return the distances too.

        Returns
        -------
        distances : array of shape (m, k)
            Distances in ascending order, ties by index; only if return_distance is True.
        indices : array of shape (m, k)
        """
        distances, indices = self._nearest(self._queries(X), n_neighbors)
        return (distances, indices) if return_distance else indices

    def _nearest(
        self, queries: Data | None, n_neighbors: int | None = None
    ) -> tuple[Matrix, Indices]:
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        name = type(self).__name__
        if not isinstance(k, Integral) or isinstance(k, bool):
            raise TypeError(f"{name}: n_neighbors must be an integer >= 1; got {k!r}.")
        if k < 1:
            raise ParameterError(f"{name}: n_neighbors must be an integer >= 1; got {k}.")
        available = self.n_samples_fit_ - (queries is None)
        if k > available:
            asked = (
                "n_neighbors < n_samples_fit" if queries is None else "n_neighbors <= n_samples_fit"
            )
            raise DataError(
                f"{name}: Expected {asked}, but n_neighbors = {k}, n_samples_fit = "
                f"{self.n_samples_fit_}; decrease n_neighbors or fit more rows."
            )
        with threads_for(self.n_jobs):
            return self._search().nearest(queries, int(k))

    def kneighbors_graph(
        self,
        X: Table | None = None,
        n_neighbors: int | None = None,
        mode: Literal["connectivity", "distance"] = "connectivity",
    ) -> sp.csr_matrix:
        """Return the graph that joins each row of X with its k nearest fitted rows.

        Parameters
        ----------
        X : array of shape (m, d), default=None
            The queries. None joins the fitted rows, each without itself.
        n_neighbors : int, default=None
            k; None means the estimator's.
        mode : "connectivity" or "distance", default="connectivity"
            Value of an edge: 1, or the distance.

        Returns
        -------
        graph : CSR matrix of shape (m, n)
        """
        distances, indices = self._nearest(self._queries(X), n_neighbors)
        m, k = indices.shape
        values = edge_values(type(self).__name__, mode, distances.ravel())
        offsets = np.arange(0, m * k + 1, k)
        return sp.csr_matrix((values, indices.ravel(), offsets), shape=(m, self.n_samples_fit_))


class RadiusNeighbors(NeighborsEstimator):
    """Adds queries for the rows within a radius.

    Parameters
    ----------
    radius
        Radius r; a row at distance r counts.
    """

    radius: float

    def radius_neighbors(
        self,
        X: Table | None = None,
        radius: float | npt.ArrayLike | None = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Any:
        """Find the fitted rows within a radius of each row of X.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", default=None
            The queries. None means the neighbours of the fitted rows, each without itself.
        radius : float or array (m,), default=None
            Radius, or an array with one radius per query; rows at this distance are included.
            None means the estimator's value.
        return_distance : bool, default=True
            Whether to return the distances too.
        sort_results : bool, default=False
            Sort by distance, then by index.

        Returns
        -------
        distances : array of m arrays
            Distances; only if return_distance is True.
        indices : array of m arrays
        """
        if sort_results and not return_distance:
            raise ParameterError(
                f"{type(self).__name__}: return_distance must be True if sort_results is True."
            )
        queries = self._queries(X)
        if radius is None or np.ndim(radius) == 0:
            found = self._within(queries, radius, sort=sort_results)
        else:
            found = self._within_each(queries, np.asarray(radius), sort=sort_results)
        indices = split(found.indices, found.offsets)
        return (split(found.distances, found.offsets), indices) if return_distance else indices

    def _within_each(self, queries: Data | None, radii: Matrix, *, sort: bool) -> NeighborLists:
        """Return the neighbours of queries with one radius each."""
        m = self.n_samples_fit_ if queries is None else queries.shape[0]
        if radii.shape != (m,):
            raise ParameterError(
                f"{type(self).__name__}: radius must be a number or an array of {m}, one for each "
                f"row of X; got shape {radii.shape}."
            )
        found = self._within(queries, radii.max(), sort=sort)
        return found.where(found.distances <= np.repeat(radii, np.diff(found.offsets)))

    def _within(
        self, queries: Data | None, radius: Any = None, *, sort: bool = False
    ) -> NeighborLists:
        radius = self.radius if radius is None else radius
        if not radius >= 0:
            raise ParameterError(
                f"{type(self).__name__}: radius must be a number >= 0; got {radius!r}."
            )
        with threads_for(self.n_jobs):
            return self._search().within(queries, float(radius), sort=sort)

    def radius_neighbors_graph(
        self,
        X: Table | None = None,
        radius: float | None = None,
        mode: Literal["connectivity", "distance"] = "connectivity",
        sort_results: bool = False,
    ) -> sp.csr_matrix:
        """Return the graph that joins each row of X with the fitted rows within a radius.

        Parameters
        ----------
        X : array of shape (m, d), default=None
            The queries. None joins the fitted rows, each without itself.
        radius : float, default=None
            Radius; None means the estimator's value.
        mode : "connectivity" or "distance", default="connectivity"
            Whether the value of an edge is 1 or the distance.
        sort_results : bool, default=False
            Sort the entries of a row by distance.

        Returns
        -------
        graph : CSR matrix of shape (m, n)
        """
        found = self._within(self._queries(X), radius, sort=sort_results)
        values = edge_values(type(self).__name__, mode, found.distances)
        shape = (len(found.offsets) - 1, self.n_samples_fit_)
        return sp.csr_matrix((values, found.indices, found.offsets), shape=shape)


def edge_values(owner: str, mode: str, distances: Matrix) -> Matrix:
    """Return the values of the edges of a graph."""
    if mode not in ("connectivity", "distance"):
        raise ParameterError(
            f'{owner}: Unsupported mode, must be one of "connectivity", or "distance" but got '
            f'"{mode}" instead.'
        )
    return distances if mode == "distance" else np.ones(len(distances))
