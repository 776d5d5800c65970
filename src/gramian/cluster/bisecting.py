"""Bisecting k-means."""

import warnings
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.callbacks import Task, with_callbacks
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Function,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.inputs.gate import check_fit, check_new, check_rows, check_size
from gramian.base.inputs.weights import check_weights
from gramian.base.randomness import seed_of
from gramian.base.types import Data, Matrix, Table
from gramian.cluster.centers import CenterModel, Labels
from gramian.cluster.kmeans import KMeans, warn_about_fewer_clusters
from gramian.cluster.rows import as_float64, rows_of


@params
class BisectingKMeans(CenterModel):
    """Bisecting k-means: repeatedly divides one cluster in two.

    Starts from one cluster of all rows and divides the chosen cluster by `KMeans` with two
    clusters, until there are k. `predict` goes down the tree of divisions, as the training rows
    did, so rows near a boundary may get a centre other than their nearest. Cost: O(n d log k) for
    balanced divisions.

    Parameters
    ----------
    init
        Initial centres of each division: "k-means++", "random", or a function of X, 2 and
        ``random_state=``.
    n_init
        Number of initialisations of each division.
    max_iter
        Maximum number of iterations of each initialisation.
    verbose
        Whether to print a line for each bisection.
    tol
        Stop when the squared movement of all centres is at most `tol` times the mean variance.
    copy_x
        Ignored; present for scikit-learn compatibility.
    algorithm
        Ignored; present for scikit-learn compatibility.
    bisecting_strategy
        Cluster to divide next: that of the largest sum of squares, or of the most rows.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row.
    inertia_ : float
        Sum of squared distances of the rows to their centres.

    Examples
    --------
    >>> from gramian.cluster import BisectingKMeans
    >>> X = [[0.0], [1.0], [10.0], [11.0], [30.0], [31.0]]
    >>> BisectingKMeans(3, random_state=0).fit(X).inertia_
    1.5
    """

    n_clusters: Count = 8
    _: KW_ONLY
    init: Literal["k-means++", "random"] | Function = "random"
    n_init: Count = 1
    random_state: Seed = None
    max_iter: Count = 300
    verbose: bool | NonNegativeInt = 0
    tol: NonNegative = 1e-4
    copy_x: bool = True
    algorithm: Literal["lloyd", "elkan"] = "lloyd"
    bisecting_strategy: Literal["biggest_inertia", "largest_cluster"] = "biggest_inertia"

    @with_callbacks
    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Divide until there are `n_clusters` clusters.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        self : BisectingKMeans
            The fitted model.
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        n = table.shape[0]
        check_rows(self, n, self.n_clusters, "n_clusters")
        weights = check_weights(self, sample_weight, n)
        seed = seed_of(self.random_state)
        task = Task.of(self, steps=self.n_clusters, X=table, verbose=self.verbose)

        means = [_mean(table, weights)]
        divisions: list[tuple[int, int]] = [(-1, -1)]
        rows = [np.arange(n)]
        spread = [_inertia(table, weights, rows[0], means[0])]
        leaves = [0]
        for number in range(self.n_clusters - 1):
            able = [leaf for leaf in leaves if len(rows[leaf]) > 1]
            by_size = self.bisecting_strategy == "largest_cluster"
            node = max(able, key=lambda leaf: len(rows[leaf]) if by_size else spread[leaf])
            own = None if weights is None else weights[rows[node]]
            if own is not None and np.count_nonzero(own) < 2:
                own = None  # no weights to divide by
            some = table[rows[node]]
            split = KMeans(
                2,
                init=self.init,
                n_init=self.n_init,
                max_iter=self.max_iter,
                tol=self.tol,
                random_state=(seed + number) % 2**64,
            )
            labels = _two_labels(split, some, own)
            leaves.remove(node)
            divisions[node] = (len(means), len(means) + 1)
            for side in (0, 1):
                part = rows[node][labels == side]
                leaves.append(len(means))
                means.append(split.cluster_centers_[side].astype(np.float64))
                divisions.append((-1, -1))
                rows.append(part)
                spread.append(_inertia(table, weights, part, means[-1]))
            if task.iteration(
                lambda: {"cluster_centers_": np.array([means[c] for c in leaves])},
                name="bisection",
            ):
                break

        leaves.sort()
        self.cluster_centers_ = np.array([means[leaf] for leaf in leaves]).astype(table.dtype)
        self.labels_ = np.empty(n, np.int32)
        for label, leaf in enumerate(leaves):
            self.labels_[rows[leaf]] = label
        self.inertia_ = float(sum(spread[leaf] for leaf in leaves))
        self._node_centers = np.array(means)
        self._divisions = np.array(divisions, dtype=np.int64)
        self._node_labels = np.full(len(means), -1, np.int32)
        self._node_labels[leaves] = np.arange(len(leaves), dtype=np.int32)
        self._n_features_out = len(leaves)
        task.done(lambda: {"cluster_centers_": self.cluster_centers_})
        warn_about_fewer_clusters("BisectingKMeans", len(np.unique(self.labels_)), self.n_clusters)
        return self

    def predict(self, X: Table) -> Labels:
        """Return the cluster of each row, by the nearer centre at each division.

        Parameters
        ----------
        X : array or CSR of shape (m, d)
            New rows.

        Returns
        -------
        labels : array of shape (m,)
            Indices of clusters.
        """
        table = check_new(self, X)
        labels = np.empty(table.shape[0], np.int32)
        queue = [(0, np.arange(table.shape[0]))]
        while queue:
            node, rows = queue.pop()
            if self._node_labels[node] >= 0:
                labels[rows] = self._node_labels[node]
            elif len(rows):
                side = np.empty(len(rows), np.int32)
                parts = self._divisions[node]
                some = table[rows]
                _native.kmeans_assign(
                    rows_of(some), as_float64(self._node_centers[parts]), None, side
                )
                queue += [(int(parts[s]), rows[side == s]) for s in (0, 1)]
        return labels

    def _check_loaded(self) -> None:
        """Raise unless the divisions form a tree, with parents before their children."""
        nodes = len(self._node_centers)
        inner = self._node_labels < 0
        parts = self._divisions[inner] if self._divisions.shape == (nodes, 2) else np.zeros((1, 2))
        own = np.flatnonzero(inner)[:, None]
        wrong = self._node_labels.shape != (nodes,) or self._node_centers.shape[1] != (
            self.n_features_in_
        )
        if wrong or (parts <= own).any() or (parts >= nodes).any():
            raise ValueError("BisectingKMeans: the divisions must form a tree")


def _two_labels(split: KMeans, X: Data, weights: npt.NDArray[np.float64] | None) -> Labels:
    """Divide rows in two; equal rows stay together."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning about fewer clusters comes at the end
        labels: Labels = split.fit(X, sample_weight=weights).labels_
    return labels


def _mean(X: Data, weights: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float64]:
    w = np.ones(X.shape[0]) if weights is None else weights
    total = np.asarray(X.T @ w, dtype=np.float64).ravel()
    return np.asarray(total / w.sum())


def _inertia(
    X: Data, weights: npt.NDArray[np.float64] | None, rows: npt.NDArray[np.int64], center: Matrix
) -> float:
    if not len(rows):
        return 0.0
    some = X[rows]
    own = None if weights is None else np.ascontiguousarray(weights[rows])
    labels = np.empty(len(rows), np.int32)
    return float(_native.kmeans_assign(rows_of(some), as_float64(center[None]), own, labels))
