"""Choosing the number of clusters: four criteria in one call."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import (
    calinski_harabasz_score,
    davies_bouldin_score,
    silhouette_score,
)

from gramian.base.errors import ParameterError
from gramian.base.fields import Count, Learner, Seed, params
from gramian.base.inputs.gate import check_fit, check_rows, check_size
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Matrix, Table
from gramian.cluster.kmeans import KMeans

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class ClusterCounts(NamedTuple):
    """Criteria for several numbers of clusters, and the number that each criterion prefers.

    A criterion is NaN for one cluster, or for one cluster per row, if it is undefined there.
    """

    n_clusters: npt.NDArray[np.int64]
    inertia: Floats
    silhouette: Floats
    calinski_harabasz: Floats
    davies_bouldin: Floats
    gap: Floats
    gap_error: Floats
    best: dict[str, int]


@params
class _Call(Estimator):
    """Parameters of `choose_n_clusters`, for validation."""

    estimator: Learner | None = None
    n_references: Count = 10
    random_state: Seed = None


_Call.__name__ = "choose_n_clusters"  # the name in error messages


def choose_n_clusters(
    X: Table,
    n_clusters: Iterable[int] = range(1, 11),
    *,
    estimator: Any = None,
    n_references: int = 10,
    random_state: Any = None,
) -> ClusterCounts:
    r"""Compare numbers of clusters by the gap statistic and three indices.

    - The gap statistic, :math:`E^*[\log W_k] - \log W_k`, where W is the within-cluster sum of
      squares and the expectation is over rows uniform in the bounding box of X. Preferred: the
      smallest k with :math:`\text{gap}_k \ge \text{gap}_{k+1} - s_{k+1}` (Tibshirani, Walther and
      Hastie 2001).
    - The mean silhouette, (b - a) / max(a, b), where a and b are a row's mean distances to its own
      cluster and to the nearest other cluster. Preferred: the highest.
    - The Calinski-Harabasz index: the ratio of between-cluster to within-cluster dispersion.
      Preferred: the highest.
    - The Davies-Bouldin index: the mean similarity of each cluster to its most similar cluster.
      Preferred: the lowest.

    Parameters
    ----------
    X : array of shape (n, d)
        The rows.
    n_clusters : iterable of int, default=range(1, 11)
        Numbers of clusters to evaluate.
    estimator : clusterer, optional
        Clusterer that is cloned and fitted with each ``n_clusters``; ``KMeans()`` by default.
    n_references : int, default=10
        Number of random reference data sets for the gap statistic.
    random_state : int, RandomState, Generator or None
        Seed or generator for the random draws.

    Returns
    -------
    counts : ClusterCounts
        The criteria, and the number that each prefers in ``counts.best``.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from gramian.cluster import choose_n_clusters
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> sorted(set(choose_n_clusters(X, range(1, 6), random_state=0).best.values()))
    [3]
    """
    call = _Call(estimator, n_references, random_state)
    table = check_fit(call, X, rows=2)
    check_size(call, "X", table)
    candidates = list(n_clusters) if np.iterable(n_clusters) else []
    if not candidates or not all(isinstance(k, Integral) and k >= 1 for k in candidates):
        raise ParameterError(
            "choose_n_clusters: n_clusters must contain integers >= 1, such as range(1, 11); got "
            f"{n_clusters!r}."
        )
    ks = np.array(sorted(set(candidates)), dtype=np.int64)
    check_rows(call, len(table), int(ks[-1]), "n_clusters")
    seed = seed_of(random_state)
    model = KMeans() if estimator is None else estimator
    if "n_clusters" not in model.get_params():
        raise ParameterError(
            "choose_n_clusters: estimator must have the parameter n_clusters, like KMeans, "
            "KMedoids "
            f"or AgglomerativeClustering; got {model!r}."
        )

    fits = [_labels(model, table, int(k), seed) for k in ks]
    inertia = np.array([_within(table, labels) for labels in fits])
    indices = np.full((3, len(ks)), np.nan)
    for i, labels in enumerate(fits):
        if 2 <= len(np.unique(labels)) < len(table):
            scores = (silhouette_score, calinski_harabasz_score, davies_bouldin_score)
            indices[:, i] = [score(table, labels) for score in scores]
    logs = np.empty((n_references, len(ks)))
    low, high = table.min(axis=0), table.max(axis=0)
    for b in range(n_references):
        drawn = stream(seed, b + 1).uniform(low, high, size=table.shape)
        with catch_warnings():  # warnings about the random tables
            simplefilter("ignore", ConvergenceWarning)
            logs[b] = [_log(_within(drawn, _labels(model, drawn, int(k), seed))) for k in ks]
    gap = logs.mean(axis=0) - np.array([_log(w) for w in inertia])
    error = logs.std(axis=0) * np.sqrt(1 + 1 / n_references)
    shape, ratio, similarity = indices
    best = _best(ks, indices, gap, error)
    return ClusterCounts(ks, inertia, shape, ratio, similarity, gap, error, best)


def _best(ks: npt.NDArray[np.int64], indices: Floats, gap: Floats, error: Floats) -> dict[str, int]:
    enough = gap[:-1] >= gap[1:] - error[1:]
    best = {"gap": int(ks[int(enough.argmax())] if enough.any() else ks[-1])}
    names = ("silhouette", "calinski_harabasz", "davies_bouldin")
    for name, values in zip(names, indices * [[1], [1], [-1]], strict=True):
        if not np.isnan(values).all():
            best[name] = int(ks[int(np.nanargmax(values))])
    return best


def _labels(model: Any, X: Matrix, k: int, seed: int) -> npt.NDArray[Any]:
    fresh = clone(model).set_params(n_clusters=k)
    if "random_state" in fresh.get_params():
        fresh.set_params(random_state=seed % 2**32)
    labels: npt.NDArray[Any] = np.asarray(fresh.fit_predict(X))
    return labels


def _within(X: Matrix, labels: npt.NDArray[Any]) -> float:
    """Return the sum of squares about the means of the clusters."""
    total = 0.0
    for label in np.unique(labels):
        own = X[labels == label].astype(np.float64)
        total += float(((own - own.mean(axis=0)) ** 2).sum())
    return total


def _log(w: float) -> float:
    """Return the logarithm of a sum of squares; the sum is 0 if every row is a cluster."""
    return float(np.log(max(w, np.finfo(float).tiny)))
