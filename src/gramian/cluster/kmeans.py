"""K-means clustering."""

import sys
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.callbacks import Task, with_callbacks
from gramian.base.errors import caller_level
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Function,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.gate import check_fit, check_rows
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Table, Weights
from gramian.base.weights import check_weights
from gramian.cluster.centers import CenterModel, Labels
from gramian.cluster.chunks import fit_chunks
from gramian.cluster.initialization import first_centers, starts_of, warn_of_given_centers
from gramian.cluster.parallel_start import PARALLEL, parallel_centers
from gramian.cluster.rows import Centers, dense_rows, rows_of, wide


class Run(NamedTuple):
    """The result of one initialisation."""

    centers: Centers
    labels: Labels
    inertia: float
    history: list[float]


@params
class KMeans(CenterModel):
    r"""K-means clustering by Lloyd's algorithm.

    Finds k centres :math:`c_1 \ldots c_k` that locally minimise the within-cluster sum of squares

    .. math:: J = \sum_i w_i \min_j |x_i - c_j|^2

    Each iteration assigns each row to its nearest centre (9.2) and moves each centre to the mean of
    its rows (9.4). No iteration increases J, so the algorithm ends at a local minimum; the best of
    `n_init` initialisations is kept. An iteration costs O(n k d) at most; rows whose distance
    bounds (Hamerly 2010) show that they do not change cluster cost O(1). Distances are exact to
    float64: a row moves only to a strictly nearer centre, and at the end ties go to the centre of
    lowest index, so that ``labels_`` equals ``predict(X)``. An empty cluster takes the row farthest
    from its centre. Equations: Bishop 2006, 9.1.

    Parameters
    ----------
    n_init
        Number of initialisations; "auto" is 1 for "k-means++" and given centres, 10 otherwise.
    max_iter
        Maximum number of iterations per initialisation; ``n_iter_`` equals it if it is reached.
    tol
        Stop when the squared movement of all centres is at most `tol` times the mean variance of
        the features, or when no row changes its cluster.
    verbose
        If above 0, print a line for every initialisation. A progress bar is a callback:
        ``set_callbacks(sklearn.callback.ProgressBar())``.
    copy_x
        Ignored; present for scikit-learn compatibility.
    algorithm
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row.
    inertia_ : float
        J at the end (a sum, not a mean; no factor 1/2).
    n_iter_ : int
        Iterations of the best initialisation.
    inertias_ : array of shape (n_init,)
        J of every initialisation.
    history_ : list of float
        J after each iteration of the best initialisation.

    Examples
    --------
    >>> from gramian import KMeans
    >>> model = KMeans(2, random_state=0).fit([[0.0, 0], [0, 2], [9, 0], [9, 2]])
    >>> model.inertia_
    4.0
    >>> [int(k) for k in model.predict([[1, 1], [8, 1]]) == model.labels_[[0, 2]]]
    [1, 1]
    """

    n_clusters: Count = 8
    _: KW_ONLY
    init: Literal["k-means++", "k-means||", "random", "partition"] | Array | Function = "k-means++"
    n_init: Literal["auto"] | Count = "auto"
    max_iter: Count = 300
    tol: NonNegative = 1e-4
    verbose: bool | NonNegativeInt = 0
    random_state: Seed = None
    copy_x: bool = True
    algorithm: Literal["lloyd", "elkan"] = "lloyd"

    @with_callbacks
    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Find the centres.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows; weight 2 counts as the row repeated twice.

        Returns
        -------
        self : KMeans
            The fitted model.
        """
        table = check_fit(self, X)
        check_rows(self, table.shape[0], self.n_clusters, "n_clusters")
        warn_of_given_centers("KMeans", self.init, self.n_init)
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warn(
                "KMeans: algorithm='elkan' doesn't make sense for a single cluster; 'lloyd' is the "
                "same.",
                RuntimeWarning,
                stacklevel=caller_level(),
            )
        weights = check_weights(self, sample_weight, table.shape[0])
        seed = seed_of(self.random_state)
        rows = rows_of(table)
        task = Task.of(self, steps=starts_of(self.init, self.n_init, 10), X=table)

        best: Run | None = None
        inertias: list[float] = []
        for number in range(starts_of(self.init, self.n_init, 10)):
            start_seed = (seed + number) % 2**64
            start = self._first_centers(table, weights, start_seed)
            run = self._lloyd(table, rows, weights, start, task)
            inertias.append(run.inertia)
            # A run that reaches the same minimum, up to rounding, does not replace the first.
            if best is None or run.inertia < best.inertia * (1 - 1e-10):
                best = run
        assert best is not None

        self.cluster_centers_ = best.centers.astype(table.dtype)
        self.labels_ = best.labels
        self.inertia_ = best.inertia
        self.n_iter_ = len(best.history)
        self.history_ = best.history
        self.inertias_ = np.array(inertias)
        self._n_features_out = self.n_clusters
        task.done(lambda: self._fitted(best.centers, table.dtype))
        warn_of_fewer_clusters("KMeans", len(np.unique(self.labels_)), self.n_clusters)
        return self

    def _first_centers(self, table: Data, weights: Weights | None, seed: int) -> Centers:
        if isinstance(self.init, str) and self.init == PARALLEL:
            rows = Chunks.of(self, [(table, None, weights)])
            return parallel_centers(rows, self.n_clusters, seed)
        return first_centers("KMeans", table, weights, self.n_clusters, self.init, seed)

    def _lloyd(
        self,
        X: Data,
        rows: _native.Rows,
        weights: Weights | None,
        centers: Centers,
        task: Task,
    ) -> Run:
        """Alternate the two steps until convergence."""
        n, k, d = X.shape[0], self.n_clusters, X.shape[1]
        labels = np.full(n, -1, dtype=np.int32)
        means, totals = np.empty((k, d)), np.empty(k)
        steps = _native.Lloyd(rows, weights, labels, np.empty((k, d)), totals)
        start = task.part("start", steps=self.max_iter)
        history: list[float] = []
        self._say("Initialization complete")
        for number in range(self.max_iter):
            moved, empty, shift, objective, _ = steps.iterate(centers, means)  # (9.2) and (9.4)
            history.append(objective)
            self._say(f"Iteration {number}, inertia {objective:.6g}.")
            if empty:
                revive(X, rows, weights, centers, labels, means, totals.copy())
                shift = float(((means - centers) ** 2).sum())
            centers, means = means, centers
            stop = start.iteration(lambda: self._fitted(centers, X.dtype))  # noqa: B023
            tol = self.tol * steps.mean_variance
            if moved == 0:
                self._say(f"Converged at iteration {number}: strict convergence.")
            elif shift <= tol:
                self._say(
                    f"Converged at iteration {number}: center shift {shift:.6g} within tolerance "
                    f"{tol:.6g}."
                )
            if stop or moved == 0 or shift <= tol:
                break
        start.done(lambda: self._fitted(centers, X.dtype))
        centers = wide(centers.astype(X.dtype))  # those that will be kept
        return Run(centers, labels, steps.finish(centers), history)

    def _say(self, text: str) -> None:
        if self.verbose:
            sys.stdout.write(f"{text}\n")

    def _fitted(self, centers: Centers, dtype: Any) -> dict[str, Any]:
        return {
            "cluster_centers_": centers.astype(dtype),
            "n_features_in_": centers.shape[1],
            "_n_features_out": len(centers),
        }

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Find the centres of data in chunks, which need not fit in memory.

        Each iteration is one pass over the chunks; the result does not depend on how the rows are
        divided into chunks. If `init` is a name and there are more than max(10,000, 50 k) rows, the
        initial centres are those found in a sample of so many, which leaves few passes; except for
        "k-means||", which takes seven passes over all rows.
        Where the rows lie in several places there are no `labels_`; see `gramian.scale.predict`.

        Parameters
        ----------
        chunks : iterable of X, (X, y) or (X, y, sample_weight)
            Can be iterated more than once; y is ignored.

        Returns
        -------
        self : KMeans
            The fitted model.
        """
        result = fit_chunks(self, chunks)
        self.cluster_centers_ = result.centers
        self.__dict__.pop("labels_", None)
        if result.labels is not None:
            self.labels_ = result.labels
        self.inertia_ = result.inertias[result.best]
        self.n_iter_ = len(result.history)
        self.history_ = result.history
        self.inertias_ = np.array(result.inertias)
        self._n_features_out = self.n_clusters
        warn_of_fewer_clusters("KMeans", result.found, self.n_clusters)
        return self


def revive(
    X: Data,
    rows: _native.Rows,
    weights: Weights | None,
    centers: Centers,
    labels: Labels,
    means: Centers,
    totals: npt.NDArray[np.float64],
) -> None:
    """Give each empty cluster the row farthest from its own centre, as scikit-learn does.

    The row leaves the mean of its old cluster.
    """
    squares = np.empty(len(labels))
    _native.kmeans_assign(rows, centers, None, np.empty_like(labels), squares)
    squares *= 1.0 if weights is None else weights > 0
    empty = np.flatnonzero(totals <= 0)
    farthest = np.argsort(-squares, kind="stable")[: len(empty)]
    for cluster, row in zip(empty, farthest, strict=True):
        if squares[row] == 0:
            return  # every row lies on a centre
        point = dense_rows(X, [row])[0].astype(np.float64)
        weight = 1.0 if weights is None else weights[row]
        old = labels[row]
        means[cluster] = point
        totals[cluster] = weight
        if totals[old] > weight:
            means[old] += (means[old] - point) * (weight / (totals[old] - weight))
            totals[old] -= weight


def warn_of_fewer_clusters(owner: str, found: int, k: int) -> None:
    """Warn if duplicate rows leave fewer than `n_clusters` clusters."""
    if found < k:
        warn(
            f"{owner}: Number of distinct clusters ({found}) found smaller than n_clusters ({k}). "
            "Possibly due to duplicate points in X.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
