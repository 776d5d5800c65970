"""HDBSCAN."""

from numbers import Integral
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.fields import Count, Interval, Jobs, NonNegative, Positive, params
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.kinds import Clusterer, Tags
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Matrix, Table
from gramian.cluster.density.condensed import CondensedTree, label_rows, select_clusters
from gramian.cluster.dissimilarities import Dissimilarities, dissimilarity_matrix, is_euclidean
from gramian.cluster.hierarchy.dendrogram import Dendrogram
from gramian.cluster.spanning import spanning_tree
from gramian.neighbors import NearestNeighbors
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.pairwise_search import measure_rows
from gramian.neighbors.structures.search import Algorithm

_ROUNDING = 1e-12  # distances whose relative difference is smaller are equal

TwoOrMore = Annotated[int, Interval(Integral, 2)]


@params
class HDBSCAN(Clusterer):
    r"""HDBSCAN: the most stable clusters in a hierarchy of densities.

    The core distance of a row is the distance of its `min_samples`-th nearest row, including
    itself. The tree is that of single linkage under the mutual reachability distance

    .. math:: \max(\text{core}_i, \text{core}_j, d(x_i, x_j) / \alpha),

    computed from a minimum spanning tree. As the distance falls, a cluster breaks into parts. Parts
    of fewer than `min_cluster_size` rows leave a cluster without splitting it. Of the remaining
    clusters, the most stable ones are selected. Campello, Moulavi and Sander, PAKDD 2013.

    **Ties.** With ``min_samples`` above 1 many mutual reachability distances are equal, namely to a
    core distance. A cluster splits at such a distance into all its parts at once, two or more, as
    in the definition, so the result does not depend on the order of the rows. scikit-learn splits
    in two repeatedly, in the order of its spanning tree; if a part of a split at one distance would
    itself split there, it may find further clusters. Without ties (``min_samples=1`` and no equal
    distances) both find the same clusters. Two further differences: a cluster of all n rows has the
    size n for `max_cluster_size`, where scikit-learn adds up its parts; and `alpha` divides
    distances but not core distances, as in scikit-learn's trees but not in its brute force.

    Parameters
    ----------
    min_cluster_size
        Minimum number of rows of a cluster.
    min_samples
        Number of neighbours of the core distance; None for `min_cluster_size`.
    cluster_selection_epsilon
        Height below which clusters are not split.
    max_cluster_size
        Maximum number of rows of a cluster, if method is "eom"; None for no limit.
    metric
        The distance; see `NearestNeighbors`.
    metric_params
        Further parameters of the metric.
    alpha
        Divisor of the distances.
    algorithm
        Search algorithm for neighbours; see `NearestNeighbors`.
    leaf_size
        Maximum number of rows in a leaf of the tree, where 1 means 2; five times `leaf_size` above
        four dimensions.
    n_jobs
        Number of threads; None and -1 mean the pool's size. Results do not depend on it.
    cluster_selection_method
        "eom" for the most stable clusters; "leaf" for those that are not split.
    allow_single_cluster
        Whether all rows may be one cluster.
    store_centers
        Whether to store the means ("centroid"), the medoids ("medoid") or "both", weighted by
        ``probabilities_``.
    copy
        Ignored; present for scikit-learn compatibility. X is never changed.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row, -1 for noise.
    probabilities_ : array of shape (n,)
        Strength of each row's membership in its cluster, from 0 to 1.
    linkage_matrix_ : array of shape (n - 1, 4)
        The tree under the mutual reachability distance, in the format of `linkage`.
    centroids_ : array of shape (k, d)
        Means of the clusters, if requested.
    medoids_ : array of shape (k, d)
        Medoids of the clusters, if requested.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.cluster import HDBSCAN
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(50, 2)), rng.normal(size=(50, 2)) * 0.1 + 9])
    >>> labels = HDBSCAN(min_cluster_size=20).fit(X).labels_
    >>> int(labels.max()) + 1, len(set(labels[50:]))
    (2, 1)
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False

    min_cluster_size: TwoOrMore = 5
    min_samples: Count | None = None
    cluster_selection_epsilon: NonNegative = 0.0
    max_cluster_size: Count | None = None
    metric: MetricField = "euclidean"
    metric_params: dict[str, Any] | None = None
    alpha: Positive = 1.0
    algorithm: Algorithm = "auto"
    leaf_size: Count = 40
    n_jobs: Jobs = None
    cluster_selection_method: Literal["eom", "leaf"] = "eom"
    allow_single_cluster: bool = False
    store_centers: Literal["centroid", "medoid", "both"] | None = None
    copy: bool | Literal["warn"] = "warn"

    def fit(self, X: Table, y: object = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array of shape (n, d), or (n, n) with ``metric="precomputed"``
            The rows, or their distances.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : HDBSCAN
            The fitted model.
        """
        table = check_fit(self, X, rows=2)
        n = len(table)
        wanted = self.min_cluster_size if self.min_samples is None else self.min_samples
        if wanted > n:
            raise ParameterError(
                f"HDBSCAN: min_samples={wanted} must be at most the number of rows; X has "
                f"n_samples={n}. Decrease min_samples or min_cluster_size."
            )
        if self.metric == "precomputed" and self.store_centers:
            raise ParameterError(
                f"HDBSCAN: store_centers={self.store_centers!r} needs rows, not precomputed "
                "distances; set it to None."
            )
        with threads_for(self.n_jobs):
            edges = self._edges(table, wanted)
        edges[:, 2] = _without_rounding(edges[:, 2])
        Z = np.empty((n - 1, 4))
        _native.tree_of_edges(edges, Z)
        tree = CondensedTree.of(Z, self.min_cluster_size)
        chosen = select_clusters(
            tree,
            self.cluster_selection_method,
            self.allow_single_cluster,
            self.cluster_selection_epsilon,
            self.max_cluster_size,
        )
        self.labels_, self.probabilities_ = label_rows(
            tree, chosen, self.allow_single_cluster, self.cluster_selection_epsilon
        )
        self.linkage_matrix_ = Z
        self._store_centers(table)
        return self

    def _edges(self, X: Matrix, k: int) -> Dissimilarities:
        """Return a minimum spanning tree under the mutual reachability distance."""
        if is_euclidean(self.metric, self.metric_params):
            check_size(self, "X", X)
            search = NearestNeighbors(algorithm=self.algorithm, leaf_size=self.leaf_size)
            core = np.zeros(len(X))
            if k > 1:
                # In double precision, like the distances of the spanning tree.
                rows = X.astype(np.float64, copy=False)
                core[:] = search.fit(rows).kneighbors(n_neighbors=k - 1)[0][:, -1]
            edges = spanning_tree(X, core * self.alpha)
            edges[:, 2] /= self.alpha
            return edges
        D = dissimilarity_matrix("HDBSCAN", X, self.metric, self.metric_params)
        core = np.partition(D, k - 1, axis=1)[:, k - 1]
        D /= self.alpha
        np.maximum(D, core, out=D)
        np.maximum(D, core[:, None], out=D)
        edges = np.empty((len(X) - 1, 3))
        _native.matrix_spanning_tree(D, edges)
        return edges

    def _store_centers(self, X: Matrix) -> None:
        for name in ("centroids_", "medoids_"):
            self.__dict__.pop(name, None)
        if self.store_centers is None:
            return
        count = int(self.labels_.max()) + 1
        centroids, medoids = np.empty((count, X.shape[1])), np.empty((count, X.shape[1]))
        for c in range(count):
            own = self.labels_ == c
            rows, strength = X[own], self.probabilities_[own]
            centroids[c] = np.average(rows, weights=strength, axis=0)
            if self.store_centers != "centroid":
                D = measure_rows("HDBSCAN", rows, None, self.metric, self.metric_params)
                medoids[c] = rows[int((D * strength).sum(axis=1).argmin())]
        if self.store_centers != "medoid":
            self.centroids_ = centroids
        if self.store_centers != "centroid":
            self.medoids_ = medoids

    def dbscan_clustering(
        self, cut_distance: float, min_cluster_size: int = 5
    ) -> npt.NDArray[np.int64]:
        """Return the clusters for one density, as DBSCAN would find them.

        These are the clusters of DBSCAN with ``eps=cut_distance``, without its border rows.

        Parameters
        ----------
        cut_distance : float
            The mutual reachability distance at which the tree is cut.
        min_cluster_size : int, default=5
            Smaller clusters are noise.

        Returns
        -------
        labels : array of shape (n,)
            The cluster of each row, -1 for noise.
        """
        check_is_fitted(self)
        codes = Dendrogram(self.linkage_matrix_).cut(height=cut_distance)
        large = np.bincount(codes) >= min_cluster_size
        numbers = np.where(large, np.cumsum(large) - 1, -1)
        return numbers[codes]


def _without_rounding(lengths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Set lengths that differ only by rounding to the smallest.

    A core distance and the same distance in the spanning tree can differ in the last bit.
    """
    order = np.argsort(lengths, kind="stable")
    ascending = lengths[order]
    larger = np.append(True, ascending[1:] > ascending[:-1] * (1 + _ROUNDING))
    equal = np.empty_like(lengths)
    equal[order] = ascending[larger][np.cumsum(larger) - 1]
    return equal
