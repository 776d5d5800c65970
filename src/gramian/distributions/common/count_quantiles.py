"""Quantiles of counts that agree with the distribution function to its last bit."""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from gramian.base.types import Floats

_MANY = 256  # numbers from which a table of counts may be faster
_EXACT = 2.0**53  # larger floats are farther apart than counts


def normal_guess(mean: float, variance: float, excess: float, q: Floats) -> Floats:
    """Return approximate quantiles, a first guess for `smallest_count`.

    They are those of a normal distribution with Cornish and Fisher's correction for skewness.

    Parameters
    ----------
    mean, variance
        Mean and variance of the counts.
    excess
        The third central moment divided by the variance.
    q
        The levels.
    """
    z = ndtri(np.clip(q, 1e-300, 1 - 2**-53))
    return np.asarray(mean + np.sqrt(variance) * z + excess * (z * z - 1) / 6)


def cdf_by_count(cdf: Callable[[Floats], Floats], x: Floats) -> Floats:
    """Return cdf(x), computed once for each count if there are many x in a small range.

    Examples
    --------
    >>> uniform = lambda x: np.clip((np.floor(x) + 1) / 100, 0, 1)
    >>> cdf_by_count(uniform, np.array([-1.0, 0.0, 49.0, 49.5, np.inf])).tolist()
    [0.0, 0.01, 0.5, 0.5, 1.0]
    """
    if x.size < _MANY:
        return cdf(x)
    inside = (x >= 0) & (x < _EXACT)
    first = float(np.floor(x.min(where=inside, initial=_EXACT)))
    last = float(np.floor(x.max(where=inside, initial=0.0)))
    if not 0 <= last - first < x.size / 2:
        return cdf(x)
    table = cdf(np.arange(first, last + 1))
    if inside.all():
        return np.asarray(table[(x - first).astype(np.intp)])
    found = table[np.where(inside, x - first, 0.0).astype(np.intp)]
    found[~inside] = cdf(x[~inside])
    return np.asarray(found)


def smallest_count(
    cdf: Callable[[Floats], Floats],
    q: Floats,
    guess: Callable[[Floats], Floats],
    most: float = np.inf,
) -> Floats:
    """Return the smallest count x with cdf(x) >= q; `most` at q = 1.

    If there are more levels than counts between the lowest and the highest quantile, a table of
    these counts is searched. Otherwise a search for each level starts from the guess, doubles its
    steps and then bisects, so a good guess costs two evaluations. SciPy's searches go wrong in some
    tails, and do not end for some counts beyond 1e12.

    Parameters
    ----------
    cdf
        The distribution function for an array of counts.
    q
        The levels.
    guess
        A function that returns approximate quantiles for a vector of levels.
    most
        The largest count.

    Examples
    --------
    >>> uniform = lambda x: np.clip((x + 1) / 100, 0, 1)
    >>> q = np.array([0.0, 0.305, 1.0])
    >>> smallest_count(uniform, q, lambda q: 50 + q, 99).tolist()
    [0.0, 30.0, 99.0]
    """
    found = np.where(q == 1, most, 0.0)
    inside = (q > 0) & (q < 1)
    levels = q[inside]
    if len(levels) >= _MANY:
        ends = np.array([levels.min(), levels.max()])
        first, last = _search(cdf, ends, guess(ends), most).tolist()
        if last - first < len(levels) and last < _EXACT:
            # rounding may make a distribution function fall by a bit
            table = np.maximum.accumulate(cdf(np.arange(first, last + 1)))
            found[inside] = np.minimum(first + np.searchsorted(table, levels), last)
            return np.asarray(found)
    found[inside] = _search(cdf, levels, guess(levels), most)
    return np.asarray(found)


def _search(cdf: Callable[[Floats], Floats], q: Floats, guess: Floats, most: float) -> Floats:
    """Return the smallest counts for levels between 0 and 1."""
    high = np.clip(np.floor(np.nan_to_num(guess, posinf=0.0)), 0.0, most)
    low = high - 1
    below = np.flatnonzero(high < most)
    below = below[cdf(high[below]) < q[below]]
    above = np.ones(len(q), dtype=bool)
    above[below] = False
    step = 1.0
    while len(below):
        low[below] = high[below]
        high[below] = np.minimum(high[below] + step, most)
        below = below[high[below] < most]
        below = below[cdf(high[below]) < q[below]]
        step *= 2
    falling, step = np.flatnonzero(above & (low >= 0)), 1.0
    while len(falling := falling[cdf(low[falling]) >= q[falling]]):
        high[falling] = low[falling]
        low[falling] = np.maximum(low[falling] - step, -1.0)
        falling = falling[low[falling] >= 0]
        step *= 2
    still_open = np.arange(len(q))
    while True:
        middle = np.floor(low[still_open] + (high[still_open] - low[still_open]) / 2)
        between = (middle > low[still_open]) & (middle < high[still_open])
        still_open, middle = still_open[between], middle[between]
        if not len(still_open):
            return np.asarray(high)
        enough = cdf(middle) >= q[still_open]
        high[still_open[enough]] = middle[enough]
        low[still_open[~enough]] = middle[~enough]
