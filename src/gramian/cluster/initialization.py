"""Initial centres for k-means, and the function `kmeans_plusplus`."""

import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import Count, Seed, params
from gramian.base.inputs.gate import check_fit, check_rows
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Matrix, Weights
from gramian.cluster.rows import Centers, as_float64, dense_rows, rows_of

Start: TypeAlias = str | npt.ArrayLike | Callable[..., Any]


def first_centers(
    owner: str, X: Data, weights: Weights | None, k: int, init: Start, seed: int
) -> Centers:
    """Choose k initial centres by `init`; the result depends only on the seed and `init`."""
    if callable(init):
        state = np.random.RandomState(seed % 2**32)
        return _checked(owner, init(X, k, random_state=state), k, X.shape[1])
    if not isinstance(init, str):
        return _checked(owner, init, k, X.shape[1])
    if init == "k-means++":
        return as_float64(dense_rows(X, plusplus_rows(X, weights, k, seed)))
    if init == "random":
        return as_float64(dense_rows(X, _random_rows(owner, X, weights, k, seed)))
    return _means_of_random_parts(X, weights, k, seed)


def warn_about_given_centers(owner: str, init: Any, n_init: str | int) -> None:
    """Warn that n_init is ignored if `init` is an array of centres."""
    if isinstance(init, str) or callable(init) or n_init in ("auto", 1):
        return
    warnings.warn(
        f"{owner}: Explicit initial center position passed: performing only one init in {owner} "
        f"instead of n_init={n_init}.",
        RuntimeWarning,
        stacklevel=caller_level(),
    )


def n_starts(init: Any, n_init: str | int, default: int) -> int:
    """Return the number of initialisations; 1 if `init` is an array of centres."""
    if not isinstance(init, str) and not callable(init):
        return 1
    if n_init == "auto":
        return 1 if init in ("k-means++", "k-means||") else default
    return int(n_init)


def plusplus_rows(
    X: Data, weights: Weights | None, k: int, seed: int, trials: int | None = None
) -> npt.NDArray[np.int64]:
    """Return the rows that greedy k-means++ chooses."""
    chosen_rows = np.empty(k, dtype=np.int64)
    trials = 2 + int(np.log(k)) if trials is None else trials
    _native.kmeans_plusplus(rows_of(X), weights, trials, seed, chosen_rows)
    return chosen_rows


def _random_rows(
    owner: str, X: Data, weights: Weights | None, k: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return k different rows, drawn in proportion to their weights (Forgy's method)."""
    chances = None if weights is None else weights / weights.sum()
    if chances is not None and np.count_nonzero(chances) < k:
        raise DataError(
            f"{owner}: only {np.count_nonzero(chances)} rows have a positive sample_weight, "
            f"fewer than n_clusters={k}; decrease n_clusters or give more rows a positive weight."
        )
    return stream(seed).choice(X.shape[0], size=k, replace=False, p=chances)


def _means_of_random_parts(X: Data, weights: Weights | None, k: int, seed: int) -> Centers:
    """Return the means of a random partition, in which each label occurs at least once."""
    rng = stream(seed)
    n, d = X.shape
    positive = np.arange(n) if weights is None else np.flatnonzero(weights)
    labels = rng.integers(k, size=n, dtype=np.int32)
    some = rng.permutation(positive)[:k]
    labels[some] = np.arange(len(some), dtype=np.int32)
    sums, totals = np.zeros((k, d)), np.zeros(k)
    _native.kmeans_sums(rows_of(X), weights, labels, sums, totals)
    return sums / np.where(totals > 0, totals, 1.0)[:, None]


def _checked(owner: str, init: Any, k: int, d: int) -> Centers:
    try:
        centers = np.asarray(init.toarray() if sp.issparse(init) else init, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{owner}: init must be an array of numbers; {error}.") from None
    if centers.shape != (k, d):
        raise ParameterError(
            f"{owner}: init must have shape (n_clusters, n_features) = {(k, d)}; "
            f"got shape {centers.shape}."
        )
    if not np.isfinite(centers).all():
        raise ParameterError(f"{owner}: init must be finite; it contains NaN or infinity.")
    return np.array(centers, order="C")


@params
class _PlusPlus(Estimator):
    """Parameters of `kmeans_plusplus`, for validation."""

    takes_sparse = True

    n_clusters: Count = 8
    random_state: Seed = None
    n_local_trials: Count | None = None


_PlusPlus.__name__ = "kmeans_plusplus"  # the name in error messages


def kmeans_plusplus(
    X: npt.ArrayLike,
    n_clusters: int,
    *,
    sample_weight: npt.ArrayLike | None = None,
    random_state: Any = None,
    n_local_trials: int | None = None,
) -> tuple[Matrix, npt.NDArray[np.int64]]:
    r"""Choose initial centres by greedy k-means++.

    The first centre is a row drawn in proportion to its weight; each further centre is a row drawn
    with probability proportional to

    .. math:: w_i \, \min_j |x_i - c_j|^2,

    the best of several draws, which lowers the objective most. With one draw per centre
    (``n_local_trials=1``) the expected objective is at most 8 (ln k + 2) times the optimum (Arthur
    and Vassilvitskii, SODA 2007). The greedy choice among l draws usually gives a lower objective,
    but its guarantee is weaker: a factor O(l^3 log^3 k), attained on some data up to a factor of
    log^2(l log k) (Grunau, Ozudogru, Rozhon and Tetek, SODA 2023). Cost: O(n k d) times the number
    of draws.

    Parameters
    ----------
    X : array or CSR of shape (n, d)
        The rows.
    n_clusters : int
        Number of centres, k.
    sample_weight : array of shape (n,), optional
        Weights of the rows.
    random_state : int, RandomState, Generator or None
        Seed or generator for the random draws.
    n_local_trials : int, optional
        Draws per centre; None for 2 + floor(ln k).

    Returns
    -------
    centers : array of shape (k, d)
        The rows chosen.
    indices : array of shape (k,)
        Indices of the chosen rows in X.

    Examples
    --------
    >>> from gramian.cluster import kmeans_plusplus
    >>> X = [[0.0], [1.0], [100.0], [101.0]]
    >>> centers, indices = kmeans_plusplus(X, 2, random_state=0)
    >>> sorted(int(i) // 2 for i in indices)
    [0, 1]
    """
    call = _PlusPlus(n_clusters, random_state, n_local_trials)
    table = check_fit(call, X)
    check_rows(call, table.shape[0], n_clusters, "n_clusters")
    weights = check_weights(call, sample_weight, table.shape[0])
    chosen_rows = plusplus_rows(table, weights, n_clusters, seed_of(random_state), n_local_trials)
    return dense_rows(table, chosen_rows), chosen_rows
