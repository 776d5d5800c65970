"""Logarithms of binomial and Poisson probabilities without cancellation.

Their terms log n! and n log n are large and almost cancel, so a million trials would lose six
digits. Loader's form adds only small terms: with c(n) = log n! - n log n + n, which is about
log(2 pi n) / 2, and the deviance D(x, m) = x log(x / m) + m - x,

    log Poisson(x; m)     = -c(x) - D(x, m)
    log Binomial(x; n, p) = c(n) - c(x) - c(y) - D(x, n p) - D(y, n q),

where y = n - x and q = 1 - p. D is smallest where its arguments are equal, so the rounding of p, q
and n p changes it little. x and y need not be integers, which gives the gamma, beta and negative
binomial distributions too. Reference: Loader, Fast and accurate computation of binomial
probabilities, 2000.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlog1py, xlogy

from gramian.base.types import Floats
from gramian.distributions.common.gamma_differences import log_factorial_rest

_LEAST = 1e-290  # smaller numbers lose digits, or a product underflows to 0


def deviance(x: npt.ArrayLike, m: npt.ArrayLike) -> Floats:
    """Return x log(x / m) + m - x >= 0, to full relative accuracy where x is near m."""
    x, m = np.asarray(x, dtype=np.float64), np.asarray(m, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        away = x - m
        v = away / (x + m)
        near = np.abs(v) < 0.1
        ratio = x / m
        plain: Floats = xlogy(x, ratio) - away
        extreme = ~((ratio > _LEAST) & (ratio < 1 / _LEAST))
        if extreme.any():
            apart = np.where(x == 0, m, xlogy(x, x) - xlogy(x, m) - away)
            plain = np.where(extreme, apart, plain)
        if not near.any():
            return plain
        square = v * v
        tail = np.full_like(square, 1 / 21)
        for j in range(9, 0, -1):  # v^2 < 0.01: ten terms of atanh's series
            tail = tail * square + 1 / (2 * j + 1)
        return np.where(near, v * (away + 2 * x * square * tail), plain)


def log_ratio(top: npt.ArrayLike, bottom: npt.ArrayLike) -> Floats:
    """Return log(top / bottom) of numbers > 0, even if the ratio over- or underflows."""
    top, bottom = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        ratio = top / bottom
        extreme = ~((ratio > _LEAST) & (ratio < 1 / _LEAST))
        value: Floats = np.log(ratio)
        if extreme.any():
            value = np.where(extreme, np.log(top) - np.log(bottom), value)
        return value


def log_poisson(
    x: npt.ArrayLike, m: npt.ArrayLike, log_m: Callable[[], Floats | float] | None = None
) -> Floats:
    """Return log(exp(-m) m^x / Gamma(x + 1)) for real x >= 0 and m >= 0.

    Pass `log_m`, a function without arguments that returns log m, if m may have underflowed.
    """
    x, m = np.asarray(x, dtype=np.float64), np.asarray(m, dtype=np.float64)
    value = -log_factorial_rest(x) - deviance(x, m)
    tiny = (m < _LEAST) & (x > 0)
    if tiny.any():
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(m) if log_m is None else log_m()
            value = np.where(tiny, x * logs - gammaln(x + 1), value)
    return value


def log_binomial(x: npt.ArrayLike, y: npt.ArrayLike, p: npt.ArrayLike, q: npt.ArrayLike) -> Floats:
    """Return log(C(x + y, x) p^x q^y) for real x, y >= 0 and p + q = 1."""
    x, y, p, q = (np.asarray(a, dtype=np.float64) for a in (x, y, p, q))
    n = x + y
    with np.errstate(divide="ignore", invalid="ignore"):
        rests = log_factorial_rest(n) - log_factorial_rest(x) - log_factorial_rest(y)
        means = n * p, n * q
        value = rests - deviance(x, means[0]) - deviance(y, means[1])
        extreme = (np.minimum(*means) < _LEAST) | (n > 1 / _LEAST)
        if extreme.any():
            scaled = n * (deviance(x / n, p) + deviance(y / n, q))
            value = np.where(extreme, rests - scaled, value)
    return _at_ends(value, x, y, p, q)


def _at_ends(value: Floats, x: Floats, y: Floats, p: Floats, q: Floats) -> Floats:
    """Replace the values at x = 0 and y = 0, where the logarithm may be tiny, with q^y and p^x."""
    none, every = x == 0, y == 0
    if none.any():
        value = np.where(none, np.where(p <= 0.5, xlog1py(y, -p), xlogy(y, q)), value)
    if every.any():
        value = np.where(every, np.where(q <= 0.5, xlog1py(x, -q), xlogy(x, p)), value)
    return value


def log_negative_binomial(
    x: npt.ArrayLike, r: npt.ArrayLike, p: npt.ArrayLike, q: npt.ArrayLike
) -> Floats:
    """Return log(Gamma(x + r) / (Gamma(r) x!) p^r q^x) for x >= 0, r > 0 and p + q = 1."""
    x, r = np.asarray(x, dtype=np.float64), np.asarray(r, dtype=np.float64)
    return log_binomial(r, x, p, q) + log_ratio(r, x + r)


def log_choose(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Return log C(x + y, x) for real x, y >= 0."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    small: Floats = np.minimum(x, y)
    large: Floats = np.maximum(x, y)
    with np.errstate(divide="ignore", invalid="ignore"):
        rests = log_factorial_rest(small + large) - log_factorial_rest(large)
        powers = small * np.log1p(large / small) + large * np.log1p(small / large)
        value = rests - log_factorial_rest(small) + powers
    return np.where(small == 0, 0.0, value)


def log_multinomial_coefficient(counts: npt.ArrayLike) -> Floats:
    """Return log(n! / prod_k m_k!) of counts m along the last axis, n their sum."""
    counts = np.asarray(counts, dtype=np.float64)
    value, before = np.zeros(counts.shape[:-1]), np.array(counts[..., 0])
    for k in range(1, counts.shape[-1]):
        value = value + log_choose(counts[..., k], before)
        before = before + counts[..., k]
    return value
