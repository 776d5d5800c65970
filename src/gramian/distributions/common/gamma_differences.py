r"""Differences of log Gamma and digamma functions that nearly cancel.

At large arguments they are taken of what is left after the leading terms,

    log Gamma(a) = (a - 1/2) log a - a + log(2 pi) / 2 + s(a),    digamma(a) = log a + e(a),

where s(a) and e(a) are small. Reference: Abramowitz and Stegun, 1964, 6.1.41 and 6.3.18.
"""

from typing import Any

import numpy as np
from scipy.special import gammaln, psi

from gramian.base.types import Floats
from gramian.distributions.common.saddle_point import stirling_error

# B_2k / (2k): digamma(a) = log a - 1 / (2 a) - sum_k B_2k / (2k a^2k).
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
_SERIES_FROM = 15.0


def digamma_error(a: Any) -> Any:
    """Return e(a) = digamma(a) - log(a), for a > 0."""
    a = np.asarray(a, dtype=np.float64)
    inverse = 1 / np.maximum(a, _SERIES_FROM)
    square = inverse * inverse
    series = np.zeros_like(a)
    for coefficient in reversed(_SERIES):
        series = series * square + coefficient
    small = np.minimum(a, _SERIES_FROM)
    return np.where(a > _SERIES_FROM, -inverse / 2 - square * series, psi(small) - np.log(small))


def log_gamma_step(a: Any, h: Any) -> Any:
    """Return log Gamma(a + h) - log Gamma(a), for a > 0 and h >= 0."""
    a, h = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(h, dtype=np.float64))
    large = np.maximum(a, _SERIES_FROM)
    leading = (large - 0.5) * np.log1p(h / large) + h * np.log(large + h) - h
    rest = stirling_error(large + h) - stirling_error(large)
    return np.where(a > _SERIES_FROM, leading + rest, gammaln(a + h) - gammaln(a))


def digamma_step(a: Any, h: Any) -> Any:
    """Return digamma(a + h) - digamma(a), for a > 0 and h >= 0."""
    a, h = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(h, dtype=np.float64))
    return np.log1p(h / a) + digamma_error(a + h) - digamma_error(a)


def dirichlet_entropy(alpha: Floats) -> float:
    """Return log B(alpha) + (alpha_0 - K) psi(alpha_0) - sum_k (alpha_k - 1) psi(alpha_k)."""
    K, total = len(alpha), alpha.sum()
    logs = 0.5 * np.log(alpha).sum() - (K - 0.5) * np.log(total)
    errors = stirling_error(alpha).sum() - stirling_error(total)
    slopes = (total - K) * digamma_error(total) - ((alpha - 1) * digamma_error(alpha)).sum()
    return float((K - 1) / 2 * np.log(2 * np.pi) + logs + errors + slopes)
