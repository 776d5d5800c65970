"""Quantiles far out in the tails of beta and t distributions, where SciPy's are NaN or inaccurate.

Near 0 the beta distribution function is x^a / (a B(a, b)) (1 + O(b x)), so below 1e-17 its inverse
is a power of q; the tail of Student's t is that of the beta variable df / (df + t^2).
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special


def log_small_beta_quantile(a: float, b: float, q: npt.ArrayLike) -> Any:
    """Return the logarithm of the q-quantile of Beta(a, b) if it is tiny, otherwise NaN."""
    logs = (np.log(q) + math.log(a) + special.betaln(a, b)) / a
    return np.where(logs + math.log1p(b) < math.log(1e-17), logs, np.nan)


def beta_quantile(a: float, b: float, q: npt.ArrayLike) -> Any:
    """Return the q-quantile of Beta(a, b).

    Examples
    --------
    >>> f"{beta_quantile(2.0, 1.0, 1e-300):.6e}"
    '1.000000e-150'
    """
    with np.errstate(divide="ignore", under="ignore"):
        small = log_small_beta_quantile(a, b, q)
        tiny = ~np.isnan(small)
        return np.where(tiny, np.exp(small), special.betaincinv(a, b, np.where(tiny, 0.5, q)))


def student_t_quantile(df: float, q: npt.ArrayLike) -> Any:
    """Return the q-quantile of Student's t.

    Examples
    --------
    >>> round(float(student_t_quantile(1.0, 1e-300) / (-1e300 / np.pi)), 9)
    1.0
    """
    with np.errstate(divide="ignore", over="ignore"):
        small = log_small_beta_quantile(df / 2, 0.5, 2 * np.asarray(q))
        tiny = ~np.isnan(small)
        near = special.stdtrit(df, np.where(tiny, 0.5, q))
        return np.where(tiny, -math.sqrt(df) * np.exp(-small / 2), near)
