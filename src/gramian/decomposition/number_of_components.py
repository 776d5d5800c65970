r"""The number of components: by variance, by evidence, or against noise.

variance     the smallest k with (l_1 + ... + l_k) / (l_1 + ... + l_d) above a fraction
evidence     the k of the largest Bayesian evidence of probabilistic PCA (Minka 2000)
parallel     the leading eigenvalues above those of independently shuffled columns (Horn 1965)
"""

from warnings import warn

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats, Matrix
from gramian.linalg.checks import check_numbers


def warn_above_rank(
    owner: str, values: Floats, shape: tuple[int, int], dtype: npt.DTypeLike, *, rows: str
) -> None:
    """Warn if more components were requested than the rank.

    Parameters
    ----------
    owner
        The estimator.
    values
        The singular values, as many as were requested.
    shape, dtype
        Shape and dtype of the rows.
    rows
        Description of the rows in the warning.
    """
    k = len(values)
    eps = float(np.finfo(dtype).eps)
    least = min(max(shape) * eps, eps**0.5)  # above this, sums of squares keep small values
    rank = int(np.sum(values > least * values.max(initial=0.0)))
    warn_of_rank(owner, k, rank, rows)


def warn_of_rank(owner: str, k: int, rank: int, rows: str) -> None:
    """Warn if the rank is less than k."""
    if rank < k:
        warn(
            f"{owner}: n_components={k} exceeds the rank of {rows}, which is {rank}; the last "
            f"{k - rank} components have no variance and arbitrary directions.",
            UserWarning,
            stacklevel=caller_level(),
        )


def components_for_variance(eigenvalues: npt.ArrayLike, fraction: float) -> int:
    """Return the smallest number of components whose proportion of variance exceeds a fraction.

    Parameters
    ----------
    eigenvalues
        All variances in decreasing order.
    fraction
        Between 0 and 1.

    Examples
    --------
    >>> components_for_variance([2.0, 0.5], 0.75), components_for_variance([2.0, 0.5], 0.81)
    (1, 2)
    """
    if not 0 < fraction <= 1:
        raise ParameterError(
            f"components_for_variance: fraction must be in (0, 1]; got {fraction!r}."
        )
    values = _spectrum("components_for_variance", eigenvalues)
    total: float = values.sum()
    if total == 0:
        return 1
    proportions = np.cumsum(values / total)
    above = int(np.searchsorted(proportions, fraction, side="right"))
    return min(above + 1, len(values))


def minka_mle(eigenvalues: npt.ArrayLike, n_samples: int) -> int:
    """Return the number of components with the largest evidence, by Laplace's approximation.

    Parameters
    ----------
    eigenvalues
        All variances, largest first.
    n_samples
        Number of rows.

    Examples
    --------
    >>> minka_mle([9.0, 7.0, 0.11, 0.1, 0.09], 200)
    2
    """
    values = _spectrum("minka_mle", eigenvalues)
    if n_samples < 1:
        raise ParameterError(f"minka_mle: n_samples must be at least 1; got {n_samples}.")
    if len(values) < 2:
        return len(values)
    evidence = [_log_evidence(values, k, n_samples) for k in range(1, len(values))]
    return int(np.argmax(evidence)) + 1


def _log_evidence(values: Floats, k: int, n: int) -> float:
    """Return log p(rows | k) of probabilistic PCA, equation 30 of Minka (2000)."""
    d = len(values)
    if values[k - 1] < 1e-15 * values[0] or values[0] <= 0:
        return -np.inf
    sides = np.arange(d, d - k, -1)
    log_p_axes = -k * np.log(2.0) + float((gammaln(sides / 2) - np.log(np.pi) * sides / 2).sum())
    noise = max(np.finfo(float).eps * values[0], float(values[k:].mean()))
    log_p_values = -np.log(values[:k]).sum() * n / 2 - np.log(noise) * n * (d - k) / 2
    m = d * k - k * (k + 1) / 2
    fitted = np.r_[values[:k], np.full(d - k, noise)]
    i, j = np.triu_indices(d, 1)
    i, j = i[i < k], j[i < k]
    with np.errstate(divide="ignore"):
        bends = np.log((values[i] - values[j]) * (1 / fitted[j] - 1 / fitted[i])) + np.log(n)
    finite = bends[np.isfinite(bends)]  # equal variances do not determine axes
    return float(
        log_p_axes
        + log_p_values
        + (m + k) / 2 * np.log(2 * np.pi)
        - finite.sum() / 2
        - k / 2 * np.log(n)
    )


def parallel_analysis(
    X: npt.ArrayLike,
    *,
    repeats: int = 20,
    quantile: float = 0.95,
    random_state: object = 0,
    eigenvalues: npt.ArrayLike | None = None,
) -> int:
    """Return the number of leading variances above those of shuffled columns, at least 1.

    Parameters
    ----------
    X
        Rows (n, d).
    repeats
        Number of times that each column is shuffled independently.
    quantile
        Quantile of the shuffled variances of each rank that the real one must exceed.
    random_state
        Seed or generator for the shuffles.
    eigenvalues
        Variances of X in decreasing order, if known.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 1)) * [3.0, 3.0, 0.0, 0.0] + rng.normal(size=(200, 4))
    >>> parallel_analysis(X)
    1
    """
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 2:
        raise DataError(
            f"parallel_analysis: X must be a table with at least 2 rows; got {rows.shape}."
        )
    if not 0 < quantile < 1 or repeats < 1:
        raise ParameterError(
            "parallel_analysis: quantile must be in (0, 1) and repeats at least 1; got "
            f"{quantile!r} and {repeats!r}."
        )
    centred = rows - rows.mean(axis=0)
    found = _variances(centred) if eigenvalues is None else np.asarray(eigenvalues)
    seed = seed_of(random_state)
    of_permuted = [_variances(stream(seed, r).permuted(centred, axis=0)) for r in range(repeats)]
    limits = np.quantile(of_permuted, quantile, axis=0)[: len(found)]
    below = np.flatnonzero(found[: len(limits)] <= limits)
    return int(max(1, below[0] if len(below) else len(found)))


def _variances(centred: Matrix) -> Floats:
    n, d = centred.shape
    products = centred.T @ centred if d <= n else centred @ centred.T
    return np.asarray(np.linalg.eigvalsh(products)[::-1] / (n - 1))


def _spectrum(owner: str, eigenvalues: npt.ArrayLike) -> Floats:
    values = check_numbers(owner, eigenvalues, name="eigenvalues")
    if values.ndim != 1 or not len(values) or (values < 0).any() or (np.diff(values) > 0).any():
        raise DataError(
            f"{owner}: eigenvalues must be nonnegative and in decreasing order; got "
            f"{eigenvalues!r}."
        )
    return values
