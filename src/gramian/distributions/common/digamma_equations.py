"""Newton's method for maximum-likelihood equations with digamma functions."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, polygamma, psi

from gramian.base.errors import DataError
from gramian.base.types import Floats

_ITERATIONS = 200
_EULER = 0.57721566490153286061


def inverse_digamma(y: npt.ArrayLike) -> Any:
    """Return x > 0 with digamma(x) = y, by Newton from Minka's starting point (2000).

    Examples
    --------
    >>> float(inverse_digamma(psi(3.25)).round(12))
    3.25
    """
    y = np.asarray(y, dtype=np.float64)
    with np.errstate(over="ignore", divide="ignore"):
        x = np.where(y >= -2.22, np.exp(y) + 0.5, -1 / (y + _EULER))
        for _ in range(6):
            x = x - (psi(x) - y) / polygamma(1, x)
    return x


def dirichlet_concentration(owner: str, mean_logs: Floats) -> Floats:
    """Solve digamma(alpha_k) - digamma(sum alpha) = mean_logs_k for alpha > 0.

    The solution is the maximum of the concave log-likelihood

        f(alpha) = log Gamma(sum alpha) - sum_k log Gamma(alpha_k) + sum_k alpha_k mean_logs_k,

    whose Hessian psi'(sum alpha) 1 1' - diag(psi'(alpha_k)) has an inverse in closed form
    (Minka, Estimating a Dirichlet distribution, 2000). Newton steps are halved until f rises.
    """
    geometric = np.exp(mean_logs)  # means, which sum to about 1 - (K - 1) / (2 sum alpha)
    missing = 1 - geometric.sum()
    if not missing > 1e-13:
        raise _no_maximum(owner, "rows")
    alpha = geometric / geometric.sum() * (len(mean_logs) - 1) / (2 * missing)
    for _ in range(5):  # fixed-point iterations, which correct values that are far too small
        alpha = inverse_digamma(psi(alpha.sum()) + mean_logs)
    for _ in range(_ITERATIONS):
        total = alpha.sum()
        gradient = psi(total) - psi(alpha) + mean_logs
        curvature = polygamma(1, alpha)
        shared = (gradient / curvature).sum() / (1 / polygamma(1, total) - (1 / curvature).sum())
        step = (gradient + shared) / curvature
        if not np.isfinite(step).all():
            break
        if (np.abs(step) <= 1e-8 * alpha).all():  # the next step would be about 1e-16
            return np.asarray(alpha + step)
        value, slope = _dirichlet_likelihood(alpha, mean_logs), float(gradient @ step)
        t = 1.0
        while t > 1e-15 and not _increases_likelihood(
            alpha + t * step, mean_logs, value, 1e-4 * t * slope
        ):
            t /= 2
        alpha = alpha + t * step
    raise _no_maximum(owner, "rows")


def _increases_likelihood(alpha: Floats, mean_logs: Floats, value: float, by: float) -> bool:
    if not (alpha > 0).all():
        return False
    rounding = 1e-13 * (1 + abs(float(gammaln(alpha.sum()))))
    return _dirichlet_likelihood(alpha, mean_logs) >= value + by - rounding


def _dirichlet_likelihood(alpha: Floats, mean_logs: Floats) -> float:
    return float(gammaln(alpha.sum()) - gammaln(alpha).sum() + alpha @ mean_logs)


def _no_maximum(owner: str, what: str) -> DataError:
    return DataError(
        f"{owner}: the likelihood is unbounded, because the {what} are equal or almost equal; "
        f"use {what} that differ, or a prior."
    )


def gamma_shape(owner: str, log_mean_minus_mean_log: float) -> float:
    """Solve log(a) - digamma(a) = s > 0 for the shape a of a gamma distribution.

    Newton on 1 / a (Minka, 2002), which converges from Thom's approximation in a few steps.
    """
    s = log_mean_minus_mean_log
    if not s > 1e-14:
        raise _no_maximum(owner, "events")
    a = (3 - s + np.sqrt((s - 3) ** 2 + 24 * s)) / (12 * s)
    for _ in range(20):
        top = np.log(a) - psi(a) - s
        inverse = 1 / a + top / (a * a * (1 / a - polygamma(1, a)))
        new = 1 / inverse if inverse > 0 else a / 2
        if abs(new - a) <= 1e-15 * a:
            break
        a = new
    return float(a)
