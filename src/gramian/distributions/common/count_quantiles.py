"""Quantiles of counts that agree with the distribution function to its last bit."""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from gramian.base.types import Floats


def normal_guess(mean: float, variance: float, q: Floats) -> Floats:
    """Return the quantiles of a normal distribution, a first guess for `smallest_count`."""
    return mean + np.sqrt(variance) * ndtri(np.clip(q, 1e-300, 1 - 2**-53))


def smallest_count(
    cdf: Callable[[Floats], Floats], q: Floats, guess: Floats, most: float = np.inf
) -> Floats:
    """Return the smallest count x with cdf(x) >= q, searching from a guess; `most` at q = 1.

    The search doubles its steps and then bisects, so a good guess costs two evaluations. SciPy's
    searches go wrong in some tails, and do not end for some counts beyond 1e12.

    Examples
    --------
    >>> uniform = lambda x: np.clip((x + 1) / 100, 0, 1)
    >>> q, guess = np.array([0.0, 0.305, 1.0]), np.array([7.0, 29.0, 50.0])
    >>> smallest_count(uniform, q, guess, 99).tolist()
    [0.0, 30.0, 99.0]
    """
    top = q == 1
    high = np.clip(np.floor(np.nan_to_num(guess, posinf=0.0)), 0.0, most)
    low, step = high - 1, 1.0
    while (rising := ~top & (high < most) & (cdf(high) < q)).any():
        low = np.where(rising, high, low)
        high = np.where(rising, np.minimum(high + step, most), high)
        step *= 2
    step = 1.0
    while (falling := ~top & (low >= 0) & (cdf(low) >= q)).any():
        high = np.where(falling, low, high)
        low = np.where(falling, np.maximum(low - step, -1.0), low)
        step *= 2
    while True:
        middle = np.floor(low + (high - low) / 2)
        if not (inside := ~top & (middle > low) & (middle < high)).any():
            return np.where(top, most, high)
        enough = cdf(middle) >= q
        high = np.where(inside & enough, middle, high)
        low = np.where(inside & ~enough, middle, low)
