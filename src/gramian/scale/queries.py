"""Queries to rows in parts: nearest neighbours and kernel densities.

The queries are sent to every part, and the results are merged: the k smallest of m k distances, or
the sum of m kernel sums.
"""

from functools import partial
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import clone

from gramian.base.errors import DataError, ParameterError
from gramian.neighbors import KernelDensity, NearestNeighbors
from gramian.scale.fitting import chunks_of, current_client
from gramian.scale.table_chunks import TableChunks


def kneighbors(
    queries: Any, X: Any, n_neighbors: int = 5, *, client: Any = None, **settings: Any
) -> tuple[Any, Any]:
    """Find the nearest rows of a table that is larger than memory, or on a cluster.

    Parameters
    ----------
    queries : array of shape (m, d)
        New rows, in memory.
    X
        A Dask array or frame, or the result of `chunks`.
    n_neighbors : int
        Number of neighbours.
    client
        As for `fit`.
    settings
        Parameters of `gramian.NearestNeighbors`: metric, algorithm, ...

    Returns
    -------
    distances : array of shape (m, n_neighbors)
        In ascending order.
    indices : array of shape (m, n_neighbors)
        Row indices; ties in distance are ordered by index.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import scale
    >>> pieces = scale.chunks(np.arange(8.0)[:, None], rows=3)
    >>> scale.kneighbors([[2.6]], pieces, 2)[1].tolist()
    [[3, 2]]
    """
    if n_neighbors < 1:
        raise ParameterError(f"scale.kneighbors: n_neighbors must be >= 1; got {n_neighbors!r}.")
    asked = np.asarray(queries)
    step = partial(_nearest, NearestNeighbors(**settings), asked, n_neighbors)
    distances, indices, n = _pass(X, client, step, partial(_merge_nearest, k=n_neighbors))
    if n < n_neighbors:
        raise DataError(f"scale.kneighbors: n_neighbors={n_neighbors} exceeds the {n} rows of X.")
    return distances, indices


def log_density(queries: Any, X: Any, density: KernelDensity, *, client: Any = None) -> Any:
    """Return the log of a kernel density over rows in parts, at the queries.

    Parameters
    ----------
    queries : array of shape (m, d)
        New rows, in memory.
    X
        A Dask array or frame, or the result of `chunks`: the training rows, and their weights.
    density
        An unfitted `gramian.KernelDensity` whose bandwidth is a number.
    client
        As for `fit`.

    Returns
    -------
    log_density : array of shape (m,)

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import KernelDensity, scale
    >>> X = np.arange(8.0)[:, None]
    >>> density = KernelDensity(bandwidth=0.5)
    >>> whole = density.fit(X).score_samples([[2.5]])
    >>> parts = scale.log_density([[2.5]], scale.chunks(X, rows=3), density)
    >>> bool(np.allclose(whole, parts))
    True
    """
    if not np.isscalar(density.bandwidth) or isinstance(density.bandwidth, str):
        raise ParameterError(
            "scale.log_density: bandwidth must be a number, because bandwidth rules need all rows "
            f"in memory; got {density.bandwidth!r}."
        )
    logs, weight = _pass(X, client, partial(_kernel_sums, density, np.asarray(queries)), _log_sum)
    return logs - np.log(weight)


def _pass(X: Any, client: Any, step: Any, merge: Any) -> Any:
    chunks = chunks_of(X, None, None, current_client() if client is None else client)
    if not isinstance(chunks, TableChunks):
        return chunks.total(step, merge, numbered=True)
    found, at = None, 0
    for part, chunk in enumerate(chunks):
        here = step([chunk], part, at)
        found = here if found is None else merge(found, here)
        at += len(chunk[0])
    return found


def _nearest(
    model: NearestNeighbors, queries: Any, k: int, chunks: list[Any], part: int, start: int
) -> tuple[Any, Any, int]:
    del part
    ((X, _, _),) = chunks
    n = len(X)
    if n == 0:
        m = len(queries)
        return np.empty((m, 0)), np.empty((m, 0), dtype=np.int64), 0
    fitted = clone(model).fit(X)
    distances, indices = fitted.kneighbors(queries, n_neighbors=min(k, n))
    return distances, np.asarray(indices, dtype=np.int64) + start, n


def _merge_nearest(left: Any, right: Any, *, k: int) -> tuple[Any, Any, int]:
    distances = np.concatenate([left[0], right[0]], axis=1)
    indices = np.concatenate([left[1], right[1]], axis=1)
    best = np.lexsort([indices, distances], axis=1)[:, :k]
    return (
        np.take_along_axis(distances, best, axis=1),
        np.take_along_axis(indices, best, axis=1),
        left[2] + right[2],
    )


def _kernel_sums(
    density: KernelDensity, queries: Any, chunks: list[Any], part: int, start: int
) -> tuple[Any, float]:
    """Return the logarithm of the sum of kernels at each query, and the weight of the rows."""
    del part, start
    ((X, _, weights),) = chunks
    weight = float(len(X) if weights is None else np.sum(weights))
    if not weight > 0:
        return np.full(len(queries), -np.inf), 0.0
    fitted = clone(density).fit(X, sample_weight=weights)
    return np.asarray(fitted.score_samples(queries), dtype=float) + np.log(weight), weight


def _log_sum(left: Any, right: Any) -> tuple[Any, float]:
    return logsumexp([left[0], right[0]], axis=0), left[1] + right[1]
