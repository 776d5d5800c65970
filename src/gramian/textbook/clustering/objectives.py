"""The objective of k-means in other forms: over pairs, and by exhaustive search."""

from collections.abc import Iterator
from numbers import Integral

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from gramian.base.conversions import translated
from gramian.base.errors import DataError, ParameterError

_MOST_ROWS = 14  # Stirling numbers grow like k^n / k!; 14 rows in 3 parts are 788 970 partitions


def pairwise_objective(X: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    r"""Return the objective of a clustering in its pairwise form.

    .. math:: \sum_j \frac{1}{n_j} \sum_{i, m \in C_j} |x_i - x_m|^2

    which is twice the sum of squares about the means, ``2 * KMeans.inertia_`` at the means.

    Parameters
    ----------
    X : array of shape (n, d)
        The rows.
    labels : array of shape (n,)
        The cluster of each row.

    Returns
    -------
    objective : float
        The sum over ordered pairs.

    Examples
    --------
    >>> from gramian.textbook.clustering import pairwise_objective
    >>> pairwise_objective([[0.0], [2.0], [9.0]], [0, 0, 1])
    4.0
    """
    rows, names = _rows("pairwise_objective", X), np.asarray(labels)
    if names.shape != (len(rows),):
        raise DataError(
            f"pairwise_objective: labels must have one entry for each of {len(rows)} rows; got "
            f"shape {names.shape}."
        )
    total = 0.0
    for name in np.unique(names):
        own = rows[names == name]
        total += sum(float(((own - x) ** 2).sum()) for x in own) / len(own)
    return total


def best_partition(X: npt.ArrayLike, n_clusters: int) -> tuple[npt.NDArray[np.int32], float]:
    """Find the optimal clustering of a few rows by exhaustive search over partitions.

    A reference for the local minima of `KMeans`. The number of partitions of n rows into k parts is
    a Stirling number, so n is limited.

    Parameters
    ----------
    X : array of shape (n, d)
        At most 14 rows.
    n_clusters : int
        Number of clusters, none empty.

    Returns
    -------
    labels : array of shape (n,)
        The part of each row; parts are numbered in the order of their first rows.
    inertia : float
        The smallest sum of squares about the means.

    Examples
    --------
    >>> from gramian.textbook.clustering import best_partition
    >>> labels, inertia = best_partition([[0.0], [1.0], [10.0], [11.0]], 2)
    >>> labels.tolist(), inertia
    ([0, 0, 1, 1], 1.0)
    """
    rows = _rows("best_partition", X)
    n = len(rows)
    if not isinstance(n_clusters, Integral) or n_clusters < 1:
        raise ParameterError(
            f"best_partition: n_clusters must be an integer >= 1; got {n_clusters!r}."
        )
    if n > _MOST_ROWS or not 1 <= n_clusters <= n:
        raise DataError(
            "best_partition: the search is exhaustive, so X must have between n_clusters="
            f"{n_clusters} and {_MOST_ROWS} rows; got {n}. Use KMeans for more."
        )
    centred = rows - rows.mean(axis=0)
    best, least = np.zeros(n, dtype=np.int32), np.inf
    for labels in _partitions(n, n_clusters):
        inertia = _inertia(centred, labels, n_clusters)
        if inertia < least:
            best, least = labels.copy(), inertia
    return best, least


def _rows(owner: str, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
    checked = translated(owner, "X", lambda: check_array(X, dtype=np.float64, input_name="X"))
    return np.asarray(checked)


def _inertia(rows: npt.NDArray[np.float64], labels: npt.NDArray[np.int32], k: int) -> float:
    parts = (rows[labels == j] for j in range(k))
    return sum(float(((part - part.mean(axis=0)) ** 2).sum()) for part in parts)


def _partitions(n: int, k: int) -> Iterator[npt.NDArray[np.int32]]:
    """Yield the restricted growth strings of length n with k different letters."""
    labels = np.zeros(n, dtype=np.int32)

    def extend(row: int, used: int) -> Iterator[npt.NDArray[np.int32]]:
        if n - row < k - used:
            return
        if row == n:
            yield labels
            return
        for part in range(min(used + 1, k)):
            labels[row] = part
            yield from extend(row + 1, max(used, part + 1))

    yield from extend(0, 0)
