"""k-medoids clustering."""

from typing import Any, ClassVar, Literal, NamedTuple, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Array, Count, Seed, params
from gramian.base.inputs.gate import check_fit, check_new, check_rows, check_size
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Clusterer, Tags
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.distances import distance_matrix
from gramian.base.types import Matrix, Table, Weights
from gramian.cluster.dissimilarities import (
    check_dissimilarities,
    dissimilarity_matrix,
    is_euclidean,
)
from gramian.cluster.kmeans import warn_about_fewer_clusters
from gramian.cluster.rows import as_float64, rows_of
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.pairwise_search import measure_rows

Ints = np.ndarray[tuple[int, ...], np.dtype[np.int32]]

_MATRIX_ROWS = 8000  # maximum rows whose distances are kept: 512 MB
_FEW_FEATURES = 32  # features up to which FasterPAM computes distances faster than it reads them
_BLOCK = 2**22  # distances at a time, 32 MB


class _Run(NamedTuple):
    medoids: Ints
    objective: float
    n_iter: int
    n_swaps: int
    silhouette: float
    converged: bool


@params
class KMedoids(ClassNamePrefixFeaturesOutMixin, TransformerMixin, CallbackSupportMixin, Clusterer):
    r"""k-medoids: the centres of the clusters are rows, under any dissimilarity.

    Finds k rows :math:`m_1 \ldots m_k` that locally minimise

    .. math:: J = \sum_i w_i \min_j d(x_i, m_j).

    ``method="fasterpam"`` swaps a medoid with another row as soon as that lowers J, until no swap
    does (Schubert and Rousseeuw, Information Systems 101, 2021): O(n) for each candidate row,
    including all k swaps with it. ``method="alternate"`` alternately assigns rows to their nearest
    medoid and chooses the row of minimum sum in each cluster; its local optima are worse. Euclidean
    distances of more than 8000 rows, or of few features, are computed on demand, in O(n (d + k))
    memory; all others are kept in a matrix.

    Parameters
    ----------
    n_clusters
        The number of clusters, k.
    metric
        Dissimilarity of two rows: a name, a function of two rows, or "precomputed".
    metric_params
        Further parameters of the metric.
    method
        Algorithm that minimises the objective.
    init
        Initial medoids: "build" (PAM's greedy start, O(n^2 k)), "lab" (the same among small
        samples, O(n k)), "random" (k rows), or the indices of k rows.
    max_iter
        Maximum number of passes over the rows.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    medoid_indices_ : array of shape (k,)
        Indices of the medoids.
    cluster_centers_ : array of shape (k, d)
        The medoids; not with precomputed dissimilarities.
    labels_ : array of shape (n,)
        The cluster of each row.
    inertia_ : float
        J at the end.
    silhouette_ : float
        Weighted mean of 1 - a / b for the dissimilarities a and b of a row to its nearest and
        second nearest medoid; 0 with one cluster. Near 1, the clusters are well separated.
    n_iter_ : int
        Number of passes over the rows.
    n_swaps_ : int
        Number of medoids replaced.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian.cluster import KMedoids
    >>> model = KMedoids(2, init="build").fit([[0.0], [1.0], [2.0], [9.0], [10.0], [17.0]])
    >>> model.cluster_centers_.ravel().tolist(), model.inertia_
    ([1.0, 10.0], 10.0)
    >>> model.predict([[4.0], [7.0]])
    array([0, 1], dtype=int32)
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False

    n_clusters: Count = 8
    _: KW_ONLY
    metric: MetricField = "euclidean"
    metric_params: dict[str, Any] | None = None
    method: Literal["fasterpam", "alternate"] = "fasterpam"
    init: Literal["lab", "build", "random"] | Array = "lab"
    max_iter: Count = 100
    random_state: Seed = None

    @with_callbacks
    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Find the medoids.

        Parameters
        ----------
        X : array of shape (n, d), or (n, n) with ``metric="precomputed"``
            The rows, or their dissimilarities.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows; weight 2 counts as the row repeated twice.

        Returns
        -------
        self : KMedoids
            The fitted model.
        """
        table = check_fit(self, X)
        weights = check_weights(self, sample_weight, len(table))
        precomputed = self.metric == "precomputed"
        self._check_metric()
        if is_euclidean(self.metric, self.metric_params):
            check_size(self, "X", table)
        counted = np.arange(len(table)) if weights is None else np.flatnonzero(weights)
        check_rows(self, len(counted), self.n_clusters, "n_clusters")
        some = table
        if len(counted) < len(table):  # rows of weight 0 cannot be medoids
            some = np.ascontiguousarray(
                table[np.ix_(counted, counted)] if precomputed else table[counted]
            )
        weights = None if weights is None else np.ascontiguousarray(weights[counted])
        run = self._run(some, counted, weights, seed_of(self.random_state))
        if not run.converged:
            warn(
                f"KMedoids: medoids still change after max_iter={self.max_iter} passes; increase "
                "max_iter.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )

        self.medoid_indices_ = counted[run.medoids].astype(np.int64)
        if not precomputed:
            self.cluster_centers_ = table[self.medoid_indices_]
        self.inertia_ = run.objective
        self.silhouette_ = run.silhouette
        self.n_iter_, self.n_swaps_ = run.n_iter, run.n_swaps
        self._n_features_out = self.n_clusters
        self.labels_ = self._nearest(table)
        warn_about_fewer_clusters("KMedoids", len(np.unique(self.labels_)), self.n_clusters)
        return self

    def _check_metric(self) -> None:
        """Raise if parameters of the metric would be estimated from rows in `predict`."""
        name = {"mahalanobis": "VI", "seuclidean": "V"}.get(str(self.metric))
        if name is not None and name not in (self.metric_params or {}):
            value = {"VI": "np.linalg.inv(np.cov(X.T))", "V": "np.var(X, axis=0, ddof=1)"}[name]
            raise ParameterError(
                f"KMedoids: metric={self.metric!r} needs the parameter {name}; got metric_params="
                f"{self.metric_params}. Pass metric_params={{{name!r}: {value}}}, for example."
            )

    def _run(
        self, X: Matrix, counted: npt.NDArray[np.int64], weights: Weights | None, seed: int
    ) -> _Run:
        n, k = len(X), self.n_clusters
        D = None
        swaps_only = self.method == "fasterpam" and not (
            isinstance(self.init, str) and self.init == "build"
        )
        if self.metric == "precomputed":
            check_dissimilarities("KMedoids", X)
            D = np.ascontiguousarray(X, dtype=np.float64)
        elif not is_euclidean(self.metric, self.metric_params) or (
            n <= _MATRIX_ROWS and not (swaps_only and X.shape[1] <= _FEW_FEATURES)
        ):
            D = dissimilarity_matrix("KMedoids", X, self.metric, self.metric_params)
        objects = _native.Objects.of_rows(X) if D is None else _native.Objects.of_matrix(D)
        medoids = self._start(objects, counted, weights, seed)
        places, distances = np.empty((2, n), np.int32), np.empty((2, n))
        task = Task.of(self, steps=self.max_iter, X=X)
        n_swaps, n_iter, converged = 0, 0, False
        if self.method == "alternate":
            while not converged and n_iter < self.max_iter:
                _native.Medoids(objects, weights, medoids, places, distances)
                better = _members_of_least_sum(X, D, weights, places[0], medoids)
                moved = int((better != medoids).sum())
                n_iter, n_swaps, converged = n_iter + 1, n_swaps + moved, moved == 0
                medoids = better
                if task.iteration(lambda: {"medoid_indices_": counted[medoids]}):  # noqa: B023
                    break
            objective = _native.Medoids(objects, weights, medoids, places, distances).objective
        else:
            state = _native.Medoids(objects, weights, medoids, places, distances)
            objective, at, quiet = state.objective, 0, 0
            while not converged and n_iter < self.max_iter:
                swaps, at, quiet, objective = state.sweep(at, n, quiet)
                n_iter, n_swaps, converged = n_iter + 1, n_swaps + swaps, quiet >= n
                if task.iteration(lambda: {"medoid_indices_": counted[medoids]}):
                    break
        task.done(lambda: {"medoid_indices_": counted[medoids]})
        stopped = n_iter < self.max_iter
        return _Run(
            medoids,
            float(objective),
            n_iter,
            n_swaps,
            _silhouette(distances, weights) if k > 1 else 0.0,
            converged or stopped,
        )

    def _start(
        self,
        objects: _native.Objects,
        counted: npt.NDArray[np.int64],
        weights: Weights | None,
        seed: int,
    ) -> Ints:
        n, k = len(counted), self.n_clusters
        medoids = np.empty(k, np.int32)
        if not isinstance(self.init, str):
            return _checked_start(self.init, k, counted)
        if self.init == "build":
            objects.build(weights, medoids)
        elif self.init == "lab":
            size = min(n, 10 + int(np.ceil(np.sqrt(n))))
            rng = stream(seed)
            samples = np.array([rng.choice(n, size, replace=False) for _ in range(k)], np.int32)
            objects.build_from_samples(weights, samples, medoids)
        else:
            medoids[:] = stream(seed).choice(n, k, replace=False)
        return medoids

    def predict(self, X: Table) -> Ints:
        """Return the nearest medoid of each row; the first in a tie.

        Parameters
        ----------
        X : array of shape (m, d), or (m, n) with ``metric="precomputed"``
            New rows, or their dissimilarities to the training rows.

        Returns
        -------
        labels : array of shape (m,)
            Numbers of clusters.
        """
        return self._nearest(check_new(self, X))

    def _nearest(self, X: Matrix) -> Ints:
        labels = np.empty(len(X), np.int32)
        if is_euclidean(self.metric, self.metric_params):
            _native.kmeans_assign(rows_of(X), as_float64(self.cluster_centers_), None, labels)
            return labels
        labels[:] = self._distances(X).argmin(axis=1)
        return labels

    def transform(self, X: Table) -> Matrix:
        """Return the dissimilarity of each row to each medoid.

        Parameters
        ----------
        X : array of shape (m, d), or (m, n) with ``metric="precomputed"``
            New rows, or their dissimilarities to the training rows.

        Returns
        -------
        distances : array of shape (m, k)
            The dissimilarities.
        """
        return self._distances(check_new(self, X))

    def _distances(self, X: Matrix) -> Matrix:
        if self.metric == "precomputed":
            return X[:, self.medoid_indices_]
        if is_euclidean(self.metric, self.metric_params):
            distances = np.empty((len(X), len(self.cluster_centers_)), X.dtype)
            distance_matrix(X, as_float64(self.cluster_centers_), distances)
            return distances
        parameters = self.metric_params or {}
        names = {"linf": "chebyshev", "infinity": "chebyshev", "p": "minkowski"}
        metric = (
            names.get(self.metric, self.metric) if isinstance(self.metric, str) else self.metric
        )
        owner = type(self).__name__
        found = measure_rows(owner, X, self.cluster_centers_, metric, parameters)
        return found.astype(X.dtype, copy=False)

    def fit_predict(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> Ints:
        """Fit, and return the cluster of each row.

        Parameters
        ----------
        X : array of shape (n, d), or (n, n) with ``metric="precomputed"``
            The rows, or their dissimilarities.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        labels : array of shape (n,)
            Numbers of clusters.
        """
        labels: Ints = self.fit(X, y, sample_weight).labels_
        return labels

    def _check_loaded(self) -> None:
        """Raise unless the medoids are training rows with as many columns."""
        k, rows = self.n_clusters, getattr(self, "medoid_indices_", np.zeros(0, np.int64))
        if rows.shape != (k,) or (rows < 0).any():
            raise ValueError("KMedoids: medoid_indices_ must be the indices of n_clusters rows")
        if self.metric == "precomputed":
            if (rows >= self.n_features_in_).any():
                raise ValueError("KMedoids: medoid_indices_ must be indices of training rows")
        elif self.cluster_centers_.shape != (k, self.n_features_in_):
            raise ValueError("KMedoids: cluster_centers_ must have n_clusters rows")


def _members_of_least_sum(
    X: Matrix, D: Any, weights: Weights | None, labels: Ints, medoids: Ints
) -> Ints:
    """Return each cluster's member of minimum weighted sum; the old medoid in a tie."""
    better = medoids.copy()
    for k in range(len(medoids)):
        members = np.flatnonzero(labels == k)
        if not len(members):
            continue
        own = 1.0 if weights is None else weights[members]
        step = max(_BLOCK // len(members), 1)
        sums = []
        for start in range(0, len(members), step):
            some = members[start : start + step]
            if D is not None:
                block = D[np.ix_(some, members)]
            else:
                block = np.empty((len(some), len(members)), X.dtype)
                distance_matrix(X[some], as_float64(X[members]), block)
            sums.append((block * own).sum(axis=1))
        total = np.concatenate(sums)
        best = members[int(total.argmin())]
        at = np.flatnonzero(members == medoids[k])
        if not len(at) or total.min() < total[at[0]]:
            better[k] = best
    return better


def _silhouette(distances: Matrix, weights: Weights | None) -> float:
    """Return the mean of 1 - nearest / second nearest; a term is 0 if both are 0."""
    nearest, second = distances
    ratio = np.divide(nearest, second, out=np.ones_like(second), where=second > 0)
    return float(np.average(1 - ratio, weights=weights))


def _checked_start(init: Any, k: int, counted: npt.NDArray[np.int64]) -> Ints:
    rows = parameter_array("KMedoids", "init", init, None)
    if rows.shape != (k,) or rows.dtype.kind not in "iu" or len(np.unique(rows)) < k:
        raise ParameterError(
            f"KMedoids: init must be the indices of n_clusters={k} different rows; got {init!r}."
        )
    places = np.searchsorted(counted, rows)
    if (places >= len(counted)).any() or (
        counted[np.minimum(places, len(counted) - 1)] != rows
    ).any():
        raise DataError(
            f"KMedoids: init must be indices >= 0 of rows of positive weight; got {init!r}."
        )
    return places.astype(np.int32)
