"""Divisive clustering, top-down, with any splitter."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Function, Learner, Seed, params
from gramian.base.inputs.gate import check_fit, check_rows, check_size
from gramian.base.kinds import Clusterer
from gramian.base.randomness import seed_of
from gramian.base.types import Matrix, Table
from gramian.cluster.kmeans import KMeans, warn_about_fewer_clusters


@params
class DivisiveClustering(Clusterer):
    """Divisive clustering: divides one cluster after another, starting with all rows.

    The splitter divides a cluster into two or more parts: 2-means by default, another clusterer, or
    a function such as a graph cut. The strategy chooses the cluster to divide next.

    Parameters
    ----------
    n_clusters
        Number of clusters.
    splitter
        A clusterer, which is cloned and fitted to the rows of each divided cluster; or a function
        of these rows that returns their labels. None for ``KMeans(2)``.
    strategy
        Cluster to divide next: "inertia" for the largest sum of squares about its mean; "size" for
        the most rows; "diameter" for the longest side of its bounding box.
    random_state
        Seed or generator for the random draws of a splitter that has this parameter.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row; clusters are numbered in the order of their first rows.
    n_clusters_ : int
        Number of clusters; fewer than requested if no cluster can be divided further.
    divisions_ : list of tuple
        Sizes of the parts of each division.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian.cluster import DivisiveClustering
    >>> X = [[0.0], [1.0], [5.0], [6.0], [20.0], [21.0]]
    >>> model = DivisiveClustering(3, random_state=0).fit(X)
    >>> model.labels_, model.divisions_
    (array([0, 0, 1, 1, 2, 2], dtype=int32), [(4, 2), (2, 2)])
    """

    parametric = False

    n_clusters: Count = 2
    _: KW_ONLY
    splitter: Learner | Function | None = None
    strategy: Literal["inertia", "size", "diameter"] = "inertia"
    random_state: Seed = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Divide until there are `n_clusters` clusters.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : DivisiveClustering
            The fitted model.
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        check_rows(self, len(table), self.n_clusters, "n_clusters")
        seed = seed_of(self.random_state)
        whole: list[npt.NDArray[np.int64]] = []  # clusters that cannot be divided
        clusters = [np.arange(len(table))]
        divisions: list[tuple[int, ...]] = []
        while clusters and len(clusters) + len(whole) < self.n_clusters:
            sizes = [_extent(table[rows], self.strategy) for rows in clusters]
            rows = clusters.pop(int(np.argmax(sizes)))
            most = self.n_clusters - len(clusters) - len(whole)
            number = (seed + len(divisions)) % 2**64
            parts = self._divide(table[rows], number) if len(rows) > 1 else [np.arange(1)]
            if len(parts) == 1 or len(parts) > most:
                whole.append(rows)
                continue
            divisions.append(tuple(sorted(map(len, parts), reverse=True)))
            clusters += [rows[part] for part in parts]

        found = sorted(clusters + whole, key=lambda rows: int(rows.min()))
        self.labels_ = np.empty(len(table), np.int32)
        for label, rows in enumerate(found):
            self.labels_[rows] = label
        self.n_clusters_ = len(found)
        self.divisions_ = divisions
        warn_about_fewer_clusters(
            "DivisiveClustering", len(np.unique(self.labels_)), self.n_clusters
        )
        return self

    def _divide(self, rows: Matrix, seed: int) -> list[npt.NDArray[np.int64]]:
        splitter: Any = KMeans(2) if self.splitter is None else self.splitter
        if np.ptp(rows, axis=0).max() == 0:
            return [np.arange(len(rows))]  # equal rows
        if not hasattr(splitter, "fit"):
            labels = np.asarray(splitter(rows))
        else:
            fresh = clone(splitter)
            if "random_state" in fresh.get_params():
                fresh.set_params(random_state=seed % 2**32)
            labels = np.asarray(fresh.fit_predict(rows))
        if labels.shape != (len(rows),):
            raise DataError(
                f"DivisiveClustering: splitter must return a label for each of {len(rows)} "
                "rows; got "
                f"an array of shape {labels.shape}."
            )
        return [np.flatnonzero(labels == label) for label in np.unique(labels)]


def _extent(rows: Matrix, strategy: str) -> float:
    if strategy == "size":
        return len(rows)
    if strategy == "diameter":
        return float(np.ptp(rows, axis=0).max())
    return float(((rows - rows.mean(axis=0, dtype=np.float64)) ** 2).sum())
