"""Mini-batch k-means."""

import sys
import warnings
from collections.abc import Iterable
from functools import partial
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

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
from gramian.base.inputs.gate import check_chunk, check_fit, check_rows, check_size
from gramian.base.inputs.weights import check_weights
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Table, Weights
from gramian.cluster.batches import BatchState, Convergence, learn_batches
from gramian.cluster.centers import CenterModel
from gramian.cluster.chunks import SAMPLE_ROWS, RunningVariance, quick_sample
from gramian.cluster.initialization import first_centers, n_starts, warn_about_given_centers
from gramian.cluster.rows import Centers, as_float64, dense_rows, rows_of


@params
class MiniBatchKMeans(CenterModel):
    r"""K-means clustering by running means over small random batches.

    Minimises the sum of squares of `KMeans` approximately: each step draws `batch_size` rows,
    assigns them to their nearest centres, and moves each centre to the mean of all rows assigned to
    it so far,

    .. math:: c_j \leftarrow c_j + \frac{1}{n_j} \sum_{i \in \text{batch}, j} w_i (x_i - c_j),

    where :math:`n_j` is their total weight. Centres with too few rows are moved to random rows of
    the batch. A step costs O(b k d), independent of the number of rows; `partial_fit` learns
    from a stream. Reference: Sculley, WWW 2010.

    Parameters
    ----------
    max_iter
        Maximum number of epochs; an epoch draws as many rows as X has.
    batch_size
        Number of rows per step.
    verbose
        Whether to print a line for each batch.
    compute_labels
        Whether to compute `labels_` and `inertia_` of all rows at the end.
    tol
        Stop when the squared movement of all centres in a step is at most `tol` times the mean
        variance of the features; 0 disables the test.
    max_no_improvement
        Steps without improvement of the smoothed objective before stopping; None for no limit.
    init_size
        Number of rows used to compute and compare initialisations; None for 3 batches.
    n_init
        Number of initialisations; "auto" is 1 for "k-means++" and given centres, 3 otherwise.
    reassignment_ratio
        Fraction of the largest weight below which a centre is moved to a random row.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row, if `compute_labels`.
    inertia_ : float
        Sum of squares over all rows if `compute_labels`, else over the last batch.
    n_iter_ : int
        Number of epochs; an epoch draws as many rows as X has.
    n_steps_ : int
        Number of batches processed.
    counts_ : array of shape (k,)
        Total weight of the rows assigned to each centre.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import MiniBatchKMeans
    >>> X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 50, axis=0)
    >>> model = MiniBatchKMeans(2, batch_size=20, random_state=0).fit(X)
    >>> sorted(model.cluster_centers_[:, 0].tolist())
    [0.0, 9.0]
    """

    n_clusters: Count = 8
    _: KW_ONLY
    init: Literal["k-means++", "random", "partition"] | Array | Function = "k-means++"
    max_iter: Count = 100
    batch_size: Count = 1024
    verbose: bool | NonNegativeInt = 0
    compute_labels: bool = True
    random_state: Seed = None
    tol: NonNegative = 0.0
    max_no_improvement: NonNegativeInt | None = 10
    init_size: Count | None = None
    n_init: Literal["auto"] | Count = "auto"
    reassignment_ratio: NonNegative = 0.01

    @with_callbacks
    def fit(self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Learn the centres from random batches of X.

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
        self : MiniBatchKMeans
            The fitted model.
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        n = table.shape[0]
        check_rows(self, n, self.n_clusters, "n_clusters")
        warn_about_given_centers("MiniBatchKMeans", self.init, self.n_init)
        weights = check_weights(self, sample_weight, n)
        seed = seed_of(self.random_state)
        rng = stream(seed, 1)
        batch = min(self.batch_size, n)
        steps = max(1, self.max_iter * n // batch)
        task = Task.of(self, steps=steps, X=table)

        self._start(table, weights, seed)
        tol = self.tol * _mean_variance(table) if self.tol > 0 else 0.0
        convergence = Convergence(tol, self.max_no_improvement, batch / n)
        for step in range(1, steps + 1):
            rows = rng.integers(n, size=batch)
            before = self._centers
            inertia = self._learn(table[rows], None if weights is None else weights[rows], rng)
            stop = task.iteration(lambda: self._outcome(table.dtype))
            moved = float(((self._centers - before) ** 2).sum())
            if self.verbose:
                sys.stdout.write(
                    f"Minibatch step {step}/{steps}: mean batch inertia: {inertia / batch:.6g}\n"
                )
            if convergence.reached(step, inertia / batch, moved):
                if self.verbose:
                    sys.stdout.write(f"Converged ({convergence.reason}) at step {step}/{steps}\n")
                break
            if stop:
                break
        self._finish(table, weights, step, inertia)
        self.n_iter_ = int(np.ceil(step * batch / n))
        task.done(lambda: self._outcome(table.dtype))
        return self

    @with_callbacks
    def fit_chunks(self, chunks: Iterable[Any] | Parts) -> Self:
        """Learn the centres from rows in chunks, a batch of consecutive rows at a time.

        Parameters
        ----------
        chunks
            An iterable of tables or of (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. The sample for the initial centres comes
            from a few positions if there are very many rows in random order, otherwise from a
            first pass; `max_iter` is the maximum number of passes after it. Sorted rows should be
            shuffled first. There are no `labels_`.

        Returns
        -------
        self

        Examples
        --------
        >>> import numpy as np
        >>> from gramian import MiniBatchKMeans
        >>> rows = np.array([[0.0, 0.0], [9.0, 9.0]])
        >>> model = MiniBatchKMeans(2, batch_size=20, random_state=0)
        >>> sorted(model.fit_chunks([np.tile(rows, (25, 1))] * 2).cluster_centers_[:, 0].tolist())
        [0.0, 9.0]
        """
        gate = Chunks.of(self, chunks)
        k, seed = self.n_clusters, seed_of(self.random_state)
        size = max(3 * self.batch_size if self.init_size is None else self.init_size, 3 * k)
        sample = quick_sample(gate, max(SAMPLE_ROWS, size), seed)
        n = sample.spread.n
        check_rows(self, n, k, "n_clusters")
        self._start(sample.X, sample.weights, seed)
        batch = min(self.batch_size, n)
        tol = self.tol * sample.spread.mean_over_columns() if self.tol > 0 else 0.0
        convergence = Convergence(tol, self.max_no_improvement, batch / n)
        task = Task.of(self, steps=self.max_iter, verbose=self.verbose)
        state = BatchState(self._centers, self.counts_, 0, 0, 0.0, convergence, False)
        self.n_iter_ = 0
        while self.n_iter_ < self.max_iter and not state.converged:
            self.n_iter_ += 1
            state = gate.fold(partial(learn_batches, gate.estimator, seed, batch), state)
            self._resume(state)
            if task.iteration(lambda: self._outcome(gate.dtype)):
                break
        self.cluster_centers_ = self._centers.astype(gate.dtype)
        self._n_features_out = k
        self.n_steps_, self.inertia_ = state.steps, state.inertia
        self.__dict__.pop("labels_", None)
        task.done(lambda: self._outcome(gate.dtype))
        return self

    def partial_fit(
        self, X: Table, y: object = None, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Update the centres with one batch; the first call initialises them from it.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            The batch.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        self : MiniBatchKMeans
            The updated model.
        """
        first = not hasattr(self, "cluster_centers_")
        table = check_chunk(self, X, first=first)
        check_size(self, "X", table)
        weights = check_weights(self, sample_weight, table.shape[0])
        if first:
            check_rows(self, table.shape[0], self.n_clusters, "n_clusters")
            self._seed = seed_of(self.random_state)
            self._start(table, weights, self._seed)
            self.n_steps_ = 0
        elif not hasattr(self, "_seed"):
            self._seed = seed_of(self.random_state)
        inertia = self._learn(table, weights, stream(self._seed, 2 + self.n_steps_))
        self._finish(table, weights, self.n_steps_ + 1, inertia)
        return self

    def _start(self, X: Data, weights: Weights | None, seed: int) -> None:
        """Compute initialisations on a sample; keep the best one on another sample."""
        n, k = X.shape[0], self.n_clusters
        self._centers: Centers = np.empty((k, X.shape[1]))
        self.counts_: npt.NDArray[np.float64] = np.zeros(k)
        size = 3 * self.batch_size if self.init_size is None else self.init_size
        if size < k:
            warnings.warn(
                f"MiniBatchKMeans: init_size={size} should be larger than n_clusters={k}; "
                f"{3 * k} rows are drawn.",
                RuntimeWarning,
                stacklevel=caller_level(),
            )
        size = min(n, max(size, 3 * k))
        rng = stream(seed)
        evaluation = np.sort(rng.choice(n, size=size, replace=False))
        judge_rows, judge_weights = (
            rows_of(X[evaluation]),
            None if weights is None else weights[evaluation],
        )
        best = np.inf
        for number in range(n_starts(self.init, self.n_init, 3)):
            some = np.sort(rng.choice(n, size=size, replace=False))
            some_weights = None if weights is None else weights[some]
            if some_weights is not None and not some_weights.any():
                some_weights = None
            start_seed = (seed + number) % 2**64
            centers = first_centers(
                "MiniBatchKMeans", X[some], some_weights, k, self.init, start_seed
            )
            labels = np.empty(size, dtype=np.int32)
            inertia = _native.kmeans_assign(judge_rows, centers, judge_weights, labels)
            if inertia < best:
                best, self._centers = inertia, centers
        self._since_reassigned = 0

    def _resume(self, state: BatchState) -> None:
        self._centers, self.counts_ = state.centers, state.counts
        self._since_reassigned = state.since_reassigned

    def _learn(self, X: Data, weights: Weights | None, rng: np.random.Generator) -> float:
        """Move the centres by one batch; return its sum of squares before the move."""
        rows, centers = rows_of(X), self._centers
        labels = np.empty(X.shape[0], dtype=np.int32)
        inertia = _native.kmeans_assign(rows, centers, weights, labels)
        sums, totals = np.zeros_like(centers), np.zeros(len(centers))
        _native.kmeans_sums(rows, weights, labels, sums, totals)
        counts = self.counts_ + totals
        step = (sums - totals[:, None] * centers) / np.where(counts > 0, counts, 1.0)[:, None]
        self._centers, self.counts_ = centers + step, counts
        self._reassign(X, weights, rng)
        return float(inertia)

    def _reassign(self, X: Data, weights: Weights | None, rng: np.random.Generator) -> None:
        """Move centres with too few rows to random rows of the batch."""
        self._since_reassigned += X.shape[0]
        due = self._since_reassigned >= 10 * self.n_clusters or bool((self.counts_ == 0).any())
        if not due or self.reassignment_ratio == 0:
            return
        self._since_reassigned = 0
        idle = np.flatnonzero(self.counts_ < self.reassignment_ratio * self.counts_.max())
        rows = np.arange(X.shape[0]) if weights is None else np.flatnonzero(weights)
        most = max(1, len(rows) // 2)
        idle = idle[np.argsort(self.counts_[idle], kind="stable")][:most]
        if len(idle) == 0 or len(rows) < len(idle):
            return
        busy = np.delete(self.counts_, idle)
        chosen_rows = rng.choice(rows, size=len(idle), replace=False)
        self._centers[idle] = dense_rows(X, chosen_rows)
        self.counts_[idle] = busy.min() if len(busy) else 1.0

    def _outcome(self, dtype: npt.DTypeLike) -> dict[str, Any]:
        return {
            "cluster_centers_": self._centers.astype(dtype),
            "n_features_in_": self._centers.shape[1],
            "_n_features_out": len(self._centers),
        }

    def _finish(self, X: Data, weights: Weights | None, steps: int, inertia: float) -> None:
        self.cluster_centers_ = self._centers.astype(X.dtype)
        self._n_features_out = self.n_clusters
        self.n_steps_ = steps
        self.inertia_ = inertia
        self.__dict__.pop("labels_", None)
        if self.compute_labels:
            self.labels_ = np.empty(X.shape[0], dtype=np.int32)
            centers = as_float64(self.cluster_centers_)
            self.inertia_ = _native.kmeans_assign(rows_of(X), centers, weights, self.labels_)


def _mean_variance(X: Data) -> float:
    spread = RunningVariance()
    spread.add(X)
    return spread.mean_over_columns()
