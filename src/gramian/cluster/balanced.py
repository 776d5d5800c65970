"""k-means with clusters of equal size."""

import heapq
from typing import Literal, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, Array, Count, Function, Seed, params
from gramian.base.inputs.gate import check_fit, check_new, check_rows, check_size
from gramian.base.kinds import Clusterer
from gramian.base.randomness import seed_of
from gramian.base.rows.distances import distance_matrix
from gramian.base.types import Matrix, Table
from gramian.cluster.initialization import first_centers, n_starts
from gramian.cluster.rows import Centers, as_float64, rows_of

Labels = npt.NDArray[np.int32]


@params
class BalancedKMeans(CallbackSupportMixin, Clusterer):
    r"""k-means whose clusters have at most :math:`\lceil n / k \rceil` rows.

    Minimises the within-cluster sum of squares under this limit: rows are assigned to centres and
    centres move to the means of their rows, until the assignment no longer changes. With
    ``assignment="optimal"`` each assignment is the cheapest one within the limit, a transportation
    problem solved by shortest paths, so no iteration increases the objective. With "eviction" each
    row requests the centres in order of distance; a full cluster keeps its nearest rows and evicts
    the farthest, which requests its next centre. That is faster, but the objective is higher,
    sometimes much higher. The best iteration is kept. An empty cluster takes the row farthest from
    its centre, so no cluster is empty.

    Parameters
    ----------
    n_clusters
        Number of clusters, k.
    init
        Initial centres; see `KMeans`.
    n_init
        Number of initialisations; "auto" is 1 for "k-means++" and given centres, 10 otherwise.
    max_iter
        Maximum number of iterations.
    assignment
        Method that assigns rows within the limit.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    cluster_centers_ : array of shape (k, d)
        Means of the clusters.
    labels_ : array of shape (n,)
        The cluster of each row.
    inertia_ : float
        Sum of squared distances of the rows to the means of their clusters.
    n_iter_ : int
        Iterations of the best initialisation.
    history_ : list of float
        Objective after each assignment of the best initialisation.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian.cluster import BalancedKMeans
    >>> model = BalancedKMeans(2, random_state=0).fit([[0.0], [1.0], [2.0], [30.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 16.0]
    """

    parametric = True

    n_clusters: Count = 8
    _: KW_ONLY
    init: Literal["k-means++", "random", "partition"] | Array | Function = "k-means++"
    n_init: Literal["auto"] | Count = "auto"
    max_iter: Count = 100
    assignment: Literal["optimal", "eviction"] = "optimal"
    random_state: Seed = None

    @with_callbacks
    def fit(self, X: Table, y: object = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : BalancedKMeans
            The fitted model.
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        check_rows(self, len(table), self.n_clusters, "n_clusters")
        seed = seed_of(self.random_state)
        starts = n_starts(self.init, self.n_init, 10)
        task = Task.of(self, steps=starts, X=table)
        inertia = np.inf
        for number in range(starts):
            start_seed = (seed + number) % 2**64
            centers = first_centers(
                "BalancedKMeans", table, None, self.n_clusters, self.init, start_seed
            )
            labels, history, run_converged = self._alternate(table, centers, task)
            if min(history) < inertia * (1 - 1e-10):
                best, inertia, converged = (labels, history), min(history), run_converged
        if not converged:
            warn(
                f"BalancedKMeans: the assignment still changes after max_iter={self.max_iter} "
                "iterations; increase max_iter.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        labels, history = best
        means = _means(table, labels, self.n_clusters)
        self.cluster_centers_ = means.astype(table.dtype)
        self.labels_ = labels
        self.inertia_ = float(((table - means[labels]) ** 2).sum())
        self.n_iter_ = len(history)
        self.history_ = history
        task.done(lambda: {"cluster_centers_": self.cluster_centers_})
        return self

    def _alternate(
        self, X: Matrix, centers: Centers, task: Task
    ) -> tuple[Labels, list[float], bool]:
        """Alternate assignment and averaging; return the best labels and whether they converged."""
        k = self.n_clusters
        capacity = -(-len(X) // k)
        labels = np.full(len(X), -1, np.int32)
        best, least = labels, np.inf
        history: list[float] = []
        part = task.part("start", steps=self.max_iter)
        converged = False
        while not converged and len(history) < self.max_iter:
            squares = np.empty((len(X), k))
            distance_matrix(np.ascontiguousarray(X, dtype=np.float64), centers, squares)
            np.square(squares, out=squares)
            new = np.empty(len(X), np.int32)
            if self.assignment == "optimal":
                _native.balanced_assign(squares, capacity, new)
            else:
                new = evict(squares, capacity)
            _fill_empty(new, squares)
            centers = _means(X, new, k)
            objective = float(((X - centers[new]) ** 2).sum())
            history.append(objective)
            converged = bool((new == labels).all())
            converged |= len(history) > 1 and objective >= history[-2] * (1 - 1e-13)
            if objective < least:
                best, least = new, objective
            labels = new
            if part.iteration(lambda: {"cluster_centers_": centers}):  # noqa: B023
                converged = True
        part.done(lambda: {"cluster_centers_": centers})
        return best, history, converged

    def predict(self, X: Table) -> Labels:
        """Return the nearest centre of each row; cluster sizes are not limited.

        Parameters
        ----------
        X : array of shape (m, d)
            New rows.

        Returns
        -------
        labels : array of shape (m,)
            Indices of centres.
        """
        table = check_new(self, X)
        labels = np.empty(len(table), np.int32)
        _native.kmeans_assign(rows_of(table), as_float64(self.cluster_centers_), None, labels)
        return labels


def evict(costs: Matrix, capacity: int) -> Labels:
    """Assign rows by requests: a full cluster keeps the cheapest rows and evicts the costliest."""
    n, k = costs.shape
    preferences = np.argsort(costs, axis=1, kind="stable")
    asked = [0] * n
    members: list[list[tuple[float, int]]] = [[] for _ in range(k)]  # heaps, the costliest first
    waiting = list(range(n - 1, -1, -1))
    while waiting:
        row = waiting.pop()
        cluster = int(preferences[row, asked[row]])
        asked[row] += 1
        entry = (-float(costs[row, cluster]), -row)
        if len(members[cluster]) < capacity:
            heapq.heappush(members[cluster], entry)
        else:
            waiting.append(-heapq.heappushpop(members[cluster], entry)[1])
    labels = np.empty(n, np.int32)
    for cluster, own in enumerate(members):
        labels[[-row for _, row in own]] = cluster
    return labels


def _fill_empty(labels: Labels, costs: Matrix) -> None:
    """Give each empty cluster the costliest row of a cluster with several rows."""
    counts = np.bincount(labels, minlength=costs.shape[1])
    for cluster in np.flatnonzero(counts == 0):
        own = np.take_along_axis(costs, labels[:, None], axis=1)[:, 0]
        row = int(np.where(counts[labels] > 1, own, -1.0).argmax())
        counts[labels[row]] -= 1
        labels[row], counts[cluster] = cluster, 1


def _means(X: Matrix, labels: Labels, k: int) -> Centers:
    """Return the mean of each cluster."""
    sums, counts = np.zeros((k, X.shape[1])), np.zeros(k)
    _native.kmeans_sums(rows_of(X), None, labels, sums, counts)
    return sums / counts[:, None]
