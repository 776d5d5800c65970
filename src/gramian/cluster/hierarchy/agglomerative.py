"""Agglomerative clustering."""

from typing import Annotated, Any, ClassVar, Literal, Self

import joblib
import numpy as np
import scipy.sparse as sp

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, Count, Function, Instance, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_rows, check_size
from gramian.base.kinds import Clusterer, Tags
from gramian.base.types import Table
from gramian.cluster.hierarchy.connectivity import (
    check_connectivity,
    connected_tree,
    join_components,
)
from gramian.cluster.hierarchy.dendrogram import Dendrogram
from gramian.cluster.hierarchy.linkage import LinkageName, check_linkage, tree_of_rows
from gramian.neighbors.structures.lp_space import MetricField

Memory = Annotated[Any, Instance((joblib.Memory,), "a joblib.Memory")]
SparseMatrix = Annotated[Any, Instance((sp.sparray, sp.spmatrix), "a sparse matrix")]


@params
class AgglomerativeClustering(Clusterer):
    """Agglomerative clustering: repeatedly joins the two nearest clusters.

    The linkage defines which clusters are nearest; see `linkage` for the eight linkages and their
    algorithms. With `connectivity` only clusters that the graph connects are joined. The tree is
    always complete; `Dendrogram` of ``linkage_matrix_`` cuts it elsewhere and draws it.

    Parameters
    ----------
    n_clusters
        Number of clusters; must be None if `distance_threshold` is set.
    metric
        Dissimilarity of two rows, or "precomputed" for a matrix of dissimilarities. Ward, centroid
        and median linkage need the Euclidean distance.
    memory
        Ignored; present for scikit-learn compatibility.
    connectivity
        A matrix of shape (n, n), or a function of X that returns one: only clusters with connected
        rows are joined. With Ward, complete, average and single linkage.
    compute_full_tree
        Ignored; present for scikit-learn compatibility.
    linkage
        The distance between clusters: the two nearest are joined.
    distance_threshold
        Distance at or above which clusters are not joined; `n_clusters` must be None.
    compute_distances
        Ignored; present for scikit-learn compatibility. ``distances_`` is always computed.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row; clusters are numbered in the order of their first rows.
    n_clusters_ : int
        The number of clusters.
    children_ : array of shape (n - 1, 2)
        Clusters that each merge joins; those below n are rows, n + i is merge i.
    distances_ : array of shape (n - 1,)
        Heights of the merges.
    linkage_matrix_ : array of shape (n - 1, 4)
        The tree in the format of `linkage`.
    inversions_ : array of int
        Merges that are lower than one of their parts, possible with centroid, median and medoid
        linkage.
    n_leaves_ : int
        The number of rows.
    n_connected_components_ : int
        The number of components of the connectivity graph.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian.cluster import AgglomerativeClustering
    >>> model = AgglomerativeClustering(2, linkage="complete").fit([[0.0], [1.0], [5.0], [7.0]])
    >>> model.labels_
    array([0, 0, 1, 1], dtype=int32)
    >>> model.distances_
    array([1., 2., 7.])
    """

    tags: ClassVar[Tags] = {"input_tags.pairwise": lambda self: self.metric == "precomputed"}
    parametric = False

    n_clusters: Count | None = 2
    _: KW_ONLY
    metric: MetricField = "euclidean"
    memory: str | Memory | None = None
    connectivity: SparseMatrix | Array | Function | None = None
    compute_full_tree: Literal["auto"] | bool = "auto"
    linkage: LinkageName = "ward"
    distance_threshold: NonNegative | None = None
    compute_distances: bool = False

    def fit(self, X: Table, y: object = None) -> Self:
        """Compute the tree and cut it.

        Parameters
        ----------
        X : array of shape (n, d), or (n, n) with ``metric="precomputed"``
            The rows, or their dissimilarities.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : AgglomerativeClustering
            The fitted model.
        """
        table = check_fit(self, X, rows=2)
        check_linkage("AgglomerativeClustering", self.linkage, self.metric)
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ParameterError(
                "AgglomerativeClustering: exactly one of n_clusters and distance_threshold has to "
                f"be set, and the other must be None; got n_clusters={self.n_clusters} and "
                f"distance_threshold={self.distance_threshold}."
            )
        if self.n_clusters is not None:
            check_rows(self, len(table), self.n_clusters, "n_clusters")
        components = 1
        if self.connectivity is None:
            Z = tree_of_rows(self, table, self.linkage, self.metric).Z
        else:
            check_size(self, "X", table)
            owner = "AgglomerativeClustering"
            graph = check_connectivity(owner, self.connectivity, table, self.linkage, self.metric)
            graph, components = join_components(owner, table, graph, self.metric)
            Z = connected_tree(owner, table, graph, self.linkage, self.metric)

        tree = Dendrogram(Z)
        if self.n_clusters is not None:
            self.labels_ = tree.cut(n_clusters=self.n_clusters)
        else:
            assert self.distance_threshold is not None
            self.labels_ = tree.cut(height=np.nextafter(self.distance_threshold, -np.inf))
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.linkage_matrix_ = Z
        self.children_ = Z[:, :2].astype(np.int64)
        self.distances_ = Z[:, 2].copy()
        self.inversions_ = tree.inversions
        self.n_leaves_ = len(table)
        self.n_connected_components_ = components
        return self
