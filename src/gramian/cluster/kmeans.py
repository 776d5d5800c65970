"""K-means clustering."""

import sys
from collections.abc import Iterable
from typing import Any, Literal, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

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
from gramian.base.inputs.gate import check_fit, check_rows
from gramian.base.inputs.weights import check_weights
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Table, Weights
from gramian.cluster.centers import CenterModel
from gramian.cluster.chunks import fit_chunks
from gramian.cluster.initialization import first_centers, n_starts, warn_about_given_centers
from gramian.cluster.lloyd import RowsInMemory, RowSource, Run, is_better, lloyd
from gramian.cluster.parallel_start import PARALLEL, parallel_centers
from gramian.cluster.rows import Centers


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
        Number of initialisations; "auto" is 1 for "k-means++", "k-means||" and given centres, 10
        otherwise.
    max_iter
        Maximum number of iterations per initialisation; ``n_iter_`` equals it if it is reached.
    tol
        Stop when the squared movement of all centres is at most `tol` times the mean variance of
        the features, or when no row changes its cluster.
    verbose
        If above 0, print a line for every iteration. A progress bar is a callback:
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
        warn_about_given_centers("KMeans", self.init, self.n_init)
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warn(
                "KMeans: algorithm='elkan' doesn't make sense for a single cluster; 'lloyd' is the "
                "same.",
                RuntimeWarning,
                stacklevel=caller_level(),
            )
        weights = check_weights(self, sample_weight, table.shape[0])
        seed = seed_of(self.random_state)
        task = Task.of(self, steps=n_starts(self.init, self.n_init, 10), X=table)

        best: Run | None = None
        inertias: list[float] = []
        for number in range(n_starts(self.init, self.n_init, 10)):
            start_seed = (seed + number) % 2**64
            start = self._first_centers(table, weights, start_seed)
            run = self._run(RowsInMemory(table, weights, self.n_clusters), start, task)
            inertias.append(run.rows.inertia)
            if is_better(run, best):
                best = run
        assert best is not None

        self._set_fitted(best, inertias, table.dtype)
        task.done(lambda: self._fitted(best.centers, table.dtype))
        warn_about_fewer_clusters("KMeans", best.rows.n_found, self.n_clusters)
        return self

    def _set_fitted(self, best: Run, inertias: list[float], dtype: npt.DTypeLike) -> None:
        """Set the fitted attributes; on a cluster the run has no labels."""
        self.cluster_centers_ = best.centers.astype(dtype)
        self.__dict__.pop("labels_", None)
        if best.rows.labels is not None:
            self.labels_ = best.rows.labels
        self.inertia_ = best.rows.inertia
        self.n_iter_ = len(best.history)
        self.history_ = best.history
        self.inertias_ = np.array(inertias)
        self._n_features_out = self.n_clusters

    def _first_centers(self, table: Data, weights: Weights | None, seed: int) -> Centers:
        if isinstance(self.init, str) and self.init == PARALLEL:
            rows = Chunks.of(self, [(table, None, weights)])
            return parallel_centers(rows, self.n_clusters, seed)
        return first_centers("KMeans", table, weights, self.n_clusters, self.init, seed)

    def _run(self, source: RowSource, centers: Centers, task: Task) -> Run:
        """Iterate from one initialisation."""
        start = task.part("start", steps=self.max_iter)

        def after(centers: Centers) -> bool:
            return start.iteration(lambda: self._fitted(centers, source.dtype))

        say = self._say if self.verbose else None
        run = lloyd(source, centers, max_iter=self.max_iter, tol=self.tol, after=after, say=say)
        start.done(lambda: self._fitted(run.centers, source.dtype))
        return run

    def _say(self, text: str) -> None:
        sys.stdout.write(f"{text}\n")

    def _fitted(self, centers: Centers, dtype: npt.DTypeLike) -> dict[str, Any]:
        return {
            "cluster_centers_": centers.astype(dtype),
            "n_features_in_": centers.shape[1],
            "_n_features_out": len(centers),
        }

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Find the centres of data in chunks, which may be larger than memory.

        Each iteration is one pass over the chunks; the result does not depend on how the rows are
        divided into chunks. If `init` is a name and there are more than max(10,000, 50 k) rows, the
        initial centres are those of a sample of this size, which saves passes; except for
        "k-means||", which takes seven passes over all rows. On a cluster there are no `labels_`;
        see `gramian.scale.predict`.

        Parameters
        ----------
        chunks : iterable of X, (X, y) or (X, y, sample_weight)
            Chunks that can be iterated more than once; y is ignored.

        Returns
        -------
        self : KMeans
            The fitted model.
        """
        warn_about_given_centers("KMeans", self.init, self.n_init)
        best, inertias, dtype = fit_chunks(self, chunks)
        self._set_fitted(best, inertias, dtype)
        warn_about_fewer_clusters("KMeans", best.rows.n_found, self.n_clusters)
        return self


def warn_about_fewer_clusters(owner: str, found: int, k: int) -> None:
    """Warn if duplicate rows leave fewer than `n_clusters` clusters."""
    if found < k:
        warn(
            f"{owner}: Number of distinct clusters ({found}) found smaller than n_clusters ({k}). "
            "Possibly due to duplicate points in X.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
