"""DBSCAN."""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.fields import KW_ONLY, Count, Jobs, NonNegative, Positive, params
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Clusterer, Tags
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Table
from gramian.cluster.density.balls import radius_search
from gramian.cluster.dissimilarities import is_euclidean
from gramian.neighbors.structures.lp_space import MetricField, warn_about_two_orders
from gramian.neighbors.structures.search import Algorithm

Ints = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


@params
class DBSCAN(Clusterer):
    """DBSCAN: clusters are dense regions of core rows, with the rows around them.

    A row with at least `min_samples` rows within the distance `eps`, including itself, is a core
    row. Core rows within `eps` of each other, directly or through other core rows, form a cluster;
    a row within `eps` of a core row belongs to its cluster, to the first one if there are several;
    all others are noise. Ester, Kriegel, Sander and Xu, KDD 1996. Clusters are numbered in the
    order of their first core rows, as in scikit-learn. The neighbours come from a k-d tree, a chunk
    of rows at a time, so memory is O(n d).

    Parameters
    ----------
    eps
        Radius of a neighbourhood.
    min_samples
        Minimum number of rows, or weight, of a dense neighbourhood.
    metric
        The distance; see `NearestNeighbors`.
    metric_params
        Further parameters of the metric.
    algorithm
        Search algorithm; see `NearestNeighbors`.
    leaf_size
        Maximum number of rows in a leaf of the tree, where 1 means 2; five times `leaf_size` above
        four dimensions.
    p
        The order of the Minkowski metric; None means 2.
    n_jobs
        Number of threads; None and -1 use the whole pool. Results do not depend on it.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row, -1 for noise.
    core_sample_indices_ : array of int
        Indices of the core rows.
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
            The rows, or their distances: row i of the matrix has the distances from row i, so it
            need not be symmetric.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows; a row of weight `min_samples` is a core row by itself.

        Returns
        -------
        self : DBSCAN
            The fitted model.
        """
        table = check_fit(self, X)
        n = table.shape[0]
        weights = check_weights(self, sample_weight, n)
        warn_about_two_orders("DBSCAN", self.p, self.metric_params)
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
            balls = radius_search("DBSCAN", table, self.eps, self.min_samples, search)
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
        """Find the clusters, and return their labels.

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
