"""Logarithms of binomial and Poisson probabilities without cancellation.

Their terms log n! and n log n are large and almost cancel, so that a million trials cost six
digits. Loader's form adds only small terms: with the error of Stirling's formula,
s(n) = log n! - log(sqrt(2 pi n) (n / e)^n), and the deviance D(x, m) = x log(x / m) + m - x,

    log Poisson(x; m)     = -s(x) - D(x, m) - log(2 pi x) / 2
    log Binomial(x; n, p) = s(n) - s(x) - s(n - x) - D(x, n p) - D(n - x, n q)
                            - log(2 pi x (n - x) / n) / 2,            q = 1 - p.

x and n need not be integers, which gives the gamma and beta densities too. Reference: Loader,
Fast and accurate computation of binomial probabilities, 2000.
"""

from typing import Any

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

_HALF_LOG_2PI = 0.91893853320467274178
# Stirling's series, B_2k / (2k (2k - 1)).
_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_SERIES_FROM = 15.0


def stirling_error(n: Any) -> Any:
    """Return log n! minus Stirling's formula, for real n > 0."""
    n = np.asarray(n, dtype=np.float64)
    large = np.maximum(n, _SERIES_FROM)
    inverse = 1 / large
    square = inverse * inverse
    series = np.zeros_like(large)
    for coefficient in reversed(_SERIES):
        series = series * square + coefficient
    small = np.clip(n, 1e-300, _SERIES_FROM)
    direct = gammaln(small + 1) - (small + 0.5) * np.log(small) + small - _HALF_LOG_2PI
    return np.where(n > _SERIES_FROM, series * inverse, direct)


def deviance(x: Any, m: Any) -> Any:
    """Return x log(x / m) + m - x >= 0, to full relative accuracy where x is near m."""
    x, m = np.asarray(x, dtype=np.float64), np.asarray(m, dtype=np.float64)
    v = (x - m) / (x + m)
    near = np.abs(v) < 0.1
    w = np.where(near, v, 0.0)
    square = w * w
    tail = np.zeros_like(w)
    for j in range(10, 0, -1):  # v^2 < 0.01: ten terms of atanh's series
        tail = tail * square + 1 / (2 * j + 1)
    series = (x - m) * w + 2 * x * w * square * tail
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = x / m
        plain = np.where(np.isfinite(ratio) & (ratio > 0), xlogy(x, ratio), 0.0)
        extreme = ~(np.isfinite(ratio) & (ratio > 0))
        plain = np.where(extreme, xlogy(x, x) - xlogy(x, m), plain) + (m - x)
    return np.where(near, series, plain)


def log_poisson(x: Any, m: Any) -> Any:
    """Return log(exp(-m) m^x / Gamma(x + 1)) for real x >= 0 and m >= 0."""
    x, m = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(m, dtype=np.float64))
    inner = np.where((x > 0) & (m > 0), x, 1.0)
    mean = np.where((x > 0) & (m > 0), m, 1.0)
    value = -stirling_error(inner) - deviance(inner, mean) - _HALF_LOG_2PI - 0.5 * np.log(inner)
    tiny = (x > 0) & (x < 1e-3)  # Stirling's formula is of no use; nothing cancels
    if tiny.any():
        value = np.where(tiny, xlogy(x, m) - m - gammaln(x + 1), value)
    value = np.where(x == 0, -m, value)
    return np.where((m == 0) & (x > 0), -np.inf, value)


def log_binomial(x: Any, n: Any, p: Any, q: Any) -> Any:
    """Return log(C(n, x) p^x q^(n - x)) for real 0 <= x <= n and p + q = 1."""
    x, n, p, q = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (x, n, p, q)))
    y = n - x
    inside = (x > 0) & (y > 0) & (p > 0) & (q > 0)
    xi, yi = np.where(inside, x, 1.0), np.where(inside, y, 1.0)
    ni = np.where(inside, n, 2.0)
    pi, qi = np.where(inside, p, 0.5), np.where(inside, q, 0.5)
    value = (
        stirling_error(ni)
        - stirling_error(xi)
        - stirling_error(yi)
        - deviance(xi, ni * pi)
        - deviance(yi, ni * qi)
        - _HALF_LOG_2PI
        - 0.5 * (np.log(xi) + np.log(yi) - np.log(ni))
    )
    tiny = inside & (np.minimum(x, y) < 1e-3)
    if tiny.any():
        plain = gammaln(n + 1) - gammaln(x + 1) - gammaln(y + 1) + xlogy(x, p) + xlogy(y, q)
        value = np.where(tiny, plain, value)
    none = np.where(p <= 0.5, xlog1py(n, -p), xlogy(n, q))  # x = 0: q^n
    every = np.where(q <= 0.5, xlog1py(n, -q), xlogy(n, p))  # x = n: p^n
    value = np.where(x == 0, none, np.where(y == 0, every, value))
    impossible = ((p == 0) & (x > 0)) | ((q == 0) & (y > 0))
    return np.where(impossible, -np.inf, value)
