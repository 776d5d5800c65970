"""The gamma distribution function near 0, where its argument underflows but its value does not.

Near 0 the distribution function of Gamma(a, 1) is y^a / Gamma(a + 1) (1 + O(y)). With a < 1 it may
be large where y is below the smallest float, so that logarithms of y are taken there.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

LEAST = 1e-290  # below it, numbers may lose digits


def gamma_cdf(shape: float, y: Any, log_y: Callable[[], Any]) -> Any:
    """Return P(Y <= y) of Y ~ Gamma(shape, 1); `log_y` returns log y where y underflows.

    Examples
    --------
    >>> round(float(gamma_cdf(0.01, np.float64(0.0), lambda: np.log(10) * -400)), 6)
    0.000101
    """
    value, tiny = special.gammainc(shape, y), y < LEAST
    return np.where(tiny, np.exp(_log_near_0(shape, log_y())), value) if tiny.any() else value


def gamma_sf(shape: float, y: Any, log_y: Callable[[], Any]) -> Any:
    """Return P(Y > y) of Y ~ Gamma(shape, 1); `log_y` returns log y where y underflows."""
    value, tiny = special.gammaincc(shape, y), y < LEAST
    return np.where(tiny, -np.expm1(_log_near_0(shape, log_y())), value) if tiny.any() else value


def _log_near_0(shape: float, log_y: Any) -> Any:
    return shape * log_y - special.gammaln(shape + 1)


def log_small_quantile(shape: float, q: Any) -> Any:
    """Return log y with P(Y <= y) = q of Y ~ Gamma(shape, 1), where y is tiny.

    Examples
    --------
    >>> round(float(log_small_quantile(0.01, 1e-10)), 4)
    -2303.1577
    """
    return (np.log(q) + special.gammaln(shape + 1)) / shape
