r"""Differences of log Gamma and digamma functions that nearly cancel.

At large arguments they are computed from the remainders after the leading terms,

    log Gamma(a) = (a - 1/2) log a - a + log(2 pi) / 2 + s(a),    digamma(a) = log a + e(a),

where s(a) and e(a) are small. Reference: Abramowitz and Stegun, 1964, 6.1.41 and 6.3.18.
"""

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, psi, xlogy

from gramian.base.types import Floats

_HALF_LOG_2PI = 0.91893853320467274178
# Stirling's series, B_2k / (2k (2k - 1)): s(a) = sum_k of them / a^(2k - 1).
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
# B_2k / (2k): digamma(a) = log a - 1 / (2 a) - sum_k B_2k / (2k a^2k).
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
_SERIES_FROM = 15.0


def stirling_error(n: npt.ArrayLike) -> Floats:
    """Return s(n), which is also log n! minus Stirling's formula, for real n > 0."""
    n = np.asarray(n, dtype=np.float64)
    small: Floats = np.minimum(n, _SERIES_FROM)
    direct: Floats = gammaln(small + 1) - (small + 0.5) * np.log(small) + small - _HALF_LOG_2PI
    return np.where(n > _SERIES_FROM, _stirling_series(n), direct)


def log_factorial_rest(n: npt.ArrayLike) -> Floats:
    """Return log Gamma(n + 1) - n log n + n, which is s(n) + log(2 pi n) / 2, for real n >= 0."""
    n = np.asarray(n, dtype=np.float64)
    large = n > _SERIES_FROM
    if large.all():
        sums: Floats = _stirling_series(n) + (0.5 * np.log(n) + _HALF_LOG_2PI)
        return sums
    small: Floats = np.minimum(n, _SERIES_FROM)
    direct: Floats = gammaln(small + 1) - xlogy(small, small) + small
    if not large.any():
        return direct
    rest: Floats = _stirling_series(n) + (0.5 * np.log(np.maximum(n, _SERIES_FROM)) + _HALF_LOG_2PI)
    return np.where(large, rest, direct)


def _stirling_series(n: Floats) -> Floats:
    inverse: Floats = 1 / np.maximum(n, _SERIES_FROM)
    square = inverse * inverse
    series = np.full_like(inverse, _STIRLING[-1])
    for coefficient in reversed(_STIRLING[:-1]):
        series = series * square + coefficient
    return series * inverse


def digamma_error(a: npt.ArrayLike) -> Floats:
    """Return e(a) = digamma(a) - log(a), for a > 0."""
    a = np.asarray(a, dtype=np.float64)
    inverse: Floats = 1 / np.maximum(a, _SERIES_FROM)
    square = inverse * inverse
    series = np.zeros_like(a)
    for coefficient in reversed(_DIGAMMA):
        series = series * square + coefficient
    small: Floats = np.minimum(a, _SERIES_FROM)
    direct: Floats = psi(small) - np.log(small)
    return np.where(a > _SERIES_FROM, -inverse / 2 - square * series, direct)


def log_gamma_step(a: npt.ArrayLike, h: npt.ArrayLike) -> Floats:
    """Return log Gamma(a + h) - log Gamma(a), for a > 0 and h >= 0."""
    a, h = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(h, dtype=np.float64))
    large: Floats = np.maximum(a, _SERIES_FROM)
    leading: Floats = (large - 0.5) * np.log1p(h / large) + h * np.log(large + h) - h
    rest = _stirling_series(large + h) - _stirling_series(large)
    below_1 = a < 1  # log Gamma(a) = log Gamma(a + 1) - log a
    shift = np.where(below_1, np.log(a), 0.0)
    direct = gammaln(a + h) - gammaln(np.where(below_1, a + 1, a)) + shift
    return np.where(a > _SERIES_FROM, leading + rest, np.where(h == 0, 0.0, direct))


def log_gamma_curvature(a: npt.ArrayLike, h: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return log Gamma(a + h + k) - log Gamma(a + h) - log Gamma(a + k) + log Gamma(a) >= 0.

    Even tiny results have full relative accuracy, for a > 0 and h, k >= 0. From a to a + 1 the
    result falls by log(1 + h k / (a (a + h + k))). At a >= 15 the second difference of Stirling's
    formula is computed term by term, so that terms cancel before anything is rounded.
    """
    a, h, k = np.broadcast_arrays(*(np.asarray(t, dtype=np.float64) for t in (a, h, k)))
    value = np.zeros(a.shape)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        while (low := a < _SERIES_FROM).any():
            ratio, share = h / a, k / (a + h + k)
            far = np.log(h) - np.log(a) + np.log(share)  # if the ratio overflows
            value += np.where(low, np.where(np.isinf(ratio), far, np.log1p(ratio * share)), 0.0)
            a = np.where(low, a + 1, a)
        share = k / (a + h + k)
        product = h / a * share
        ratio = np.where(product > 1e-17, np.log1p(product) / product, 1.0)
        logs = h * share * ratio  # a log(1 + product); the product may underflow
        leading: Floats = (
            h * np.log1p(k / (a + h)) + k * np.log1p(h / (a + k)) - (1 - 0.5 / a) * logs
        )
        return value + leading + _curvature_of_series(a, h, k)


def _curvature_of_series(a: Floats, h: Floats, k: Floats) -> Floats:
    """Return s(a + h + k) - s(a + h) - s(a + k) + s(a) by the product rule of differences.

    With f = 1 / z^2 and g = 1 / z^(2j - 1) at the four corners 00 (a), 10 (a + h), 01 (a + k) and
    11 (a + h + k), first differences along h and k and the second difference of f g follow from
    those of f and g as sums of positive terms.
    """
    z00, z10, z01, z11 = 1 / a, 1 / (a + h), 1 / (a + k), 1 / (a + h + k)
    along_h, along_k = h * z00 * z10, k * z00 * z01  # z00 - z10, z00 - z01
    far_h, far_k = h * z01 * z11, k * z10 * z11  # z01 - z11, z10 - z11
    both = along_h * (k * z01 * z11) * (2 * a + h + k)  # z00 - z10 - z01 + z11
    f_h, f_k = along_h * (z00 + z10), along_k * (z00 + z01)
    f_far_h, f_far_k = far_h * (z01 + z11), far_k * (z10 + z11)
    f_both = both * (z00 + z11) + far_h * along_k + far_k * along_h
    g, g_h, g_k, g_both = z00, along_h, along_k, both
    total = np.zeros_like(a)
    for coefficient in _STIRLING:
        total = total + coefficient * g_both
        g_both = f_both * g + f_far_h * g_k + f_far_k * g_h + z11 * z11 * g_both
        g_h, g_k = f_h * g + z10 * z10 * g_h, f_k * g + z01 * z01 * g_k
        g = g * z00 * z00
    return total


def digamma_step(a: npt.ArrayLike, h: npt.ArrayLike) -> Floats:
    """Return digamma(a + h) - digamma(a), for a > 0 and h >= 0."""
    a, h = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(h, dtype=np.float64))
    logs: Floats = np.log1p(h / a)
    return logs + digamma_error(a + h) - digamma_error(a)


def log_beta(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """Return log B(a, b) = log Gamma(a) + log Gamma(b) - log Gamma(a + b), for a, b > 0."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    small: Floats = np.minimum(a, b)
    large: Floats = np.maximum(a, b)
    total = small + large
    rests = log_factorial_rest(small) + log_factorial_rest(large) - log_factorial_rest(total)
    far = np.minimum(large / small, np.finfo(np.float64).max)
    powers: Floats = small * np.log1p(far) + large * np.log1p(small / large)
    value: Floats = rests - powers - np.log(small) + np.log1p(small / large)
    return value


def log_multivariate_beta(alpha: Floats) -> float:
    """Return sum_k log Gamma(alpha_k) - log Gamma(sum alpha), one against the sum of the later."""
    later = alpha[::-1].cumsum()[::-1]
    return float(log_beta(alpha[:-1], later[1:]).sum())


def dirichlet_entropy(alpha: Floats) -> float:
    """Return log B(alpha) + (alpha_0 - K) psi(alpha_0) - sum_k (alpha_k - 1) psi(alpha_k)."""
    K, total = len(alpha), alpha.sum()
    logs = 0.5 * np.log(alpha).sum() - (K - 0.5) * np.log(total)
    errors = stirling_error(alpha).sum() - stirling_error(total)
    slopes = (total - K) * digamma_error(total) - ((alpha - 1) * digamma_error(alpha)).sum()
    return float((K - 1) / 2 * np.log(2 * np.pi) + logs + errors + slopes)
