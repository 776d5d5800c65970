"""DBSCAN."""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.fields import KW_ONLY, Count, Jobs, NonNegative, Positive, params
from gramian.base.gate import check_fit, check_size
from gramian.base.kinds import Clusterer, Tags
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Table
from gramian.base.weights import check_weights
from gramian.cluster.density.balls import row_balls
from gramian.cluster.dissimilarities import is_euclidean
from gramian.neighbors.structures.lp_space import MetricField, warn_of_two_orders
from gramian.neighbors.structures.search import Algorithm

Ints = npt.NDArray[np.int32]


@params
class DBSCAN(Clusterer):
    """Clusters as dense regions: core rows that are near each other, and the rows around them.

    A row with at least `min_samples` rows within the distance `eps`, itself among them, is a core
    row. Core rows within `eps` of each other, directly or through other core rows, are a cluster; a
    row within `eps` of a core row belongs to its cluster, to the first one if there are several;
    all others are noise. Ester, Kriegel, Sander and Xu, KDD 1996. Clusters are numbered in the
    order of their first core rows, as scikit-learn does. The neighbours come from a k-d tree, a
    chunk of rows at a time, so that memory is O(n d).

    Parameters
    ----------
    eps
        The radius of a neighbourhood.
    min_samples
        The number of rows, or their weight, that make a neighbourhood dense.
    metric
        The distance; see `NearestNeighbors`.
    metric_params
        Further parameters of the metric.
    algorithm
        How to search; see `NearestNeighbors`.
    leaf_size
        Maximum number of rows in a leaf of the tree; five times as many above four dimensions.
    p
        The order of the Minkowski metric; None is 2.
    n_jobs
        Number of threads; None and -1 mean the pool's size. Results do not depend on it.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row, -1 for noise.
    core_sample_indices_ : array of int
        The core rows.
    components_ : array of shape (number of core rows, d)
        The core rows themselves.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian.cluster import DBSCAN
    >>> DBSCAN(eps=1.5, min_samples=2).fit([[1.0], [2.0], [3.0], [8.0], [9.0], [50.0]]).labels_
    array([ 0,  0,  0,  1,  1, -1])
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False
    takes_sparse = True

    eps: Positive = 0.5
    _: KW_ONLY
    min_samples: Count = 5
    metric: MetricField = "euclidean"
    metric_params: dict[str, Any] | None = None
    algorithm: Algorithm = "auto"
    leaf_size: Count = 30
    p: NonNegative | None = None
    n_jobs: Jobs = None

    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array or CSR of shape (n, d), or (n, n) with ``metric="precomputed"``
            The rows, or their distances: row i of the matrix tells which rows are near row i, so
            that it need not be symmetric.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows; a row that weighs `min_samples` is a core row by itself.

        Returns
        -------
        self : DBSCAN
            The fitted model.
        """
        table = check_fit(self, X)
        n = table.shape[0]
        weights = check_weights(self, sample_weight, n)
        warn_of_two_orders("DBSCAN", self.p, self.metric_params)
        parameters = dict(self.metric_params or {})
        if is_euclidean(self.metric, self.metric_params):
            check_size(self, "X", table)
        order = parameters.pop("p", self.p) if self.metric == "minkowski" else self.p
        search = {
            "metric": self.metric,
            "metric_params": parameters,
            "algorithm": self.algorithm,
            "leaf_size": self.leaf_size,
            "p": 2 if order is None else order,
        }
        with threads_for(self.n_jobs):
            balls = row_balls("DBSCAN", table, self.eps, self.min_samples, search)
            mass: npt.NDArray[Any] = balls.counts()
            if weights is not None:
                mass = np.empty(n)
                for rows, offsets, neighbors in balls.lists(np.arange(n)):
                    mass[rows] = np.add.reduceat(weights[neighbors], offsets[:-1])
            core = mass >= self.min_samples
            parent = np.arange(n, dtype=np.int32)
            dense = core.astype(np.uint8)
            for rows, offsets, neighbors in balls.lists(np.flatnonzero(core)):
                _native.join_dense(rows, offsets, neighbors, dense, parent)
            _native.flatten_sets(parent)
            labels = np.full(n, -1, np.int64)
            labels[core] = np.unique(parent[core], return_inverse=True)[1]
            border = np.flatnonzero(~core & (balls.counts() > 1))
            for rows, offsets, neighbors in balls.lists(border):
                near = np.where(core[neighbors], labels[neighbors], n)
                first = np.minimum.reduceat(near, offsets[:-1])
                labels[rows] = np.where(first < n, first, -1)

        self.labels_ = labels
        self.core_sample_indices_ = np.flatnonzero(core)
        self.components_ = table[self.core_sample_indices_].copy()
        return self

    def fit_predict(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.int64]:
        """Find the clusters, and return them.

        Parameters
        ----------
        X : array or CSR of shape (n, d), or (n, n) with ``metric="precomputed"``
            The rows, or their distances.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        labels : array of shape (n,)
            The cluster of each row, -1 for noise.
        """
        return self.fit(X, y, sample_weight).labels_
