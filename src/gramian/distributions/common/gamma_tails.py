"""The gamma distribution function where SciPy's loses digits: near 0, and in tails of large shapes.

Near 0 the distribution function of Gamma(a, 1) is y^a / Gamma(a + 1) (1 + O(y)). With a < 1 it may
be large even if y is below the smallest float, so the logarithm of y is used there.

For a > 1e5 SciPy's sums stop too early in the tails. Temme's expansion is used there: with
m = y / a - 1 and e, of the sign of m, such that a e^2 / 2 = a log(a / y) + y - a,

    P(Y > y) = erfc(e sqrt(a / 2)) / 2 + exp(-a e^2 / 2) / sqrt(2 pi a) (c_0 + c_1 / a + O(1 / a^2))

with c_0 = 1 / m - 1 / e and c_1 = 1 / e^3 - 1 / m^3 - 1 / m^2 - 1 / (12 m). Reference: DLMF 8.12.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.types import Floats, Matrix
from gramian.distributions.common.saddle_point import deviance, log_poisson

LEAST = 1e-290  # smaller numbers may lose digits
_LARGE = 1e5  # the expansion is used for larger shapes
_TAIL = 4.0  # standard deviations from the mean at which the tail begins


def gamma_cdf(shape: float | Floats, y: npt.ArrayLike, log_y: Callable[[], Floats]) -> Floats:
    """Return P(Y <= y) of Y ~ Gamma(shape, 1); `log_y` returns log y where y underflows.

    Examples
    --------
    >>> round(float(gamma_cdf(0.01, np.float64(0.0), lambda: np.log(10) * -400)), 6)
    0.000101
    """
    y = np.asarray(y, dtype=np.float64)
    value, tiny = special.gammainc(shape, y), y < LEAST
    value = _with_tails(value, shape, y, upper=False)
    return np.where(tiny, np.exp(_log_near_0(shape, log_y())), value) if tiny.any() else value


def gamma_sf(shape: float | Floats, y: npt.ArrayLike, log_y: Callable[[], Floats]) -> Floats:
    """Return P(Y > y) of Y ~ Gamma(shape, 1); `log_y` returns log y where y underflows."""
    y = np.asarray(y, dtype=np.float64)
    value, tiny = special.gammaincc(shape, y), y < LEAST
    value = _with_tails(value, shape, y, upper=True)
    return np.where(tiny, -np.expm1(_log_near_0(shape, log_y())), value) if tiny.any() else value


def _log_near_0(shape: float | Floats, log_y: Floats) -> Floats:
    return shape * log_y - special.gammaln(shape + 1)


def _with_tails(value: Matrix, shape: float | Floats, y: Floats, upper: bool) -> Floats:
    """Replace the probabilities in the tails of large shapes."""
    value, a, y = np.broadcast_arrays(value, np.asarray(shape, dtype=np.float64), y)
    here = (a > _LARGE) & (np.abs(y - a) > _TAIL * np.sqrt(a)) & np.isfinite(y)
    if not here.any():
        return value
    a, y = a[here], y[here]
    distance, m = deviance(a, y), (y - a) / a
    e = np.copysign(np.sqrt(2 * distance / a), m)
    terms = 1 / m - 1 / e + (1 / e**3 - 1 / m**3 - 1 / m**2 - 1 / (12 * m)) / a
    terms = np.where(m > 0, terms, -terms) / np.sqrt(2 * np.pi * a)
    tail = np.exp(-distance) * (special.erfcx(np.sqrt(distance)) / 2 + terms)
    found = value.copy()
    found[here] = np.where((m > 0) == upper, tail, 1 - tail)
    return found


def gamma_quantile(shape: float, q: Floats) -> Floats:
    """Return y with P(Y <= y) = q of Y ~ Gamma(shape, 1)."""
    return _better(special.gammaincinv(shape, q), shape, q, upper=False)


def gamma_upper_quantile(shape: float, q: Floats) -> Floats:
    """Return y with P(Y > y) = q of Y ~ Gamma(shape, 1)."""
    return _better(special.gammainccinv(shape, q), shape, q, upper=True)


def _better(y: Matrix, shape: float, q: Floats, upper: bool) -> Floats:
    """Return quantiles of large shapes after Newton steps on the logarithm of the tail."""
    if not shape > _LARGE:
        return y
    low = q < 0.5
    for _ in range(4):
        below = _with_tails(special.gammainc(shape, y), shape, y, upper=False)
        above = _with_tails(special.gammaincc(shape, y), shape, y, upper=True)
        near, far = (above, below) if upper else (below, above)
        density = np.exp(log_poisson(shape - 1, y))
        lower, higher = np.log(near / q) * near, -np.log(far / (1 - q)) * far
        step = np.where(low, lower, higher) / density
        step = np.where(np.isfinite(step), step if not upper else -step, 0.0)
        y = np.maximum(y - step, 0.0)
    return y


def log_small_quantile(shape: float, q: npt.ArrayLike) -> Any:
    """Return log y with P(Y <= y) = q of Y ~ Gamma(shape, 1), where y is tiny.

    Examples
    --------
    >>> round(float(log_small_quantile(0.01, 1e-10)), 4)
    -2303.1541
    """
    return (np.log(q) + special.gammaln(shape + 1)) / shape
