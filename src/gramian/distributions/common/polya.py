"""Counts whose probabilities have a Dirichlet distribution: likelihood, moments, estimation."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.distributions.common.gamma_differences import log_gamma_curvature
from gramian.distributions.common.saddle_point import log_negative_binomial, log_poisson

_ITERATIONS = 500


def log_beta_binomial(x: npt.ArrayLike, n: npt.ArrayLike, a: Any, b: Any) -> Floats:
    """Return log(C(n, x) B(x + a, n - x + b) / B(a, b)) without cancellation.

    It is the probability of x given the sum n of two negative binomial counts x and n - x with a
    and b successes, for any probability of success p. With p = (a + b) / (n + a + b), n is the mean
    of the sum, so its probability is not small. At x = 0 and x = n, where the probability may be
    near 1, its logarithm is a second difference of log Gamma.
    """
    x, n = np.asarray(x, dtype=np.float64), np.asarray(n, dtype=np.float64)
    y, whole = n - x, a + b
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q = whole / (n + whole), n / (n + whole)
        value = log_negative_binomial(x, a, p, q) + log_negative_binomial(y, b, p, q)
        value = np.asarray(value - log_negative_binomial(n, whole, p, q))
    value = np.where(x == 0, _log_none(value, x == 0, b, a, n), value)
    return np.where(y == 0, _log_none(value, y == 0, a, b, n), value)


def _log_none(shape: Any, here: Any, a: Any, b: Any, n: Any) -> Any:
    """Return the logarithm of the probability of n trials that all have the outcome of a."""
    if n.ndim == 0:
        return -log_gamma_curvature(a, b, n) if here.any() else 0.0
    found = np.zeros(np.shape(shape))
    found[here] = -log_gamma_curvature(a, b, np.broadcast_to(n, found.shape)[here])
    return found


def mixed_moments(u: npt.ArrayLike, alpha: Floats, n: int) -> Floats:
    """Return E (m'u)^j for j = 0, ..., n, m ~ Dirichlet(alpha), u in [0, 1] along the last axis.

    It is j! / (alpha_0)_j times the coefficient of s^j in prod_k (1 - s u_k)^(-alpha_k), whose
    logarithmic derivative gives the recurrence j c_j = sum_i p_i c_(j-i) with
    p_i = sum_k alpha_k u_k^i.
    All terms are positive, so nothing cancels; cost O(n^2).
    """
    u = np.asarray(u, dtype=np.float64)
    total: float = alpha.sum()
    powers = np.empty((n, *u.shape[:-1]))
    for j in range(n):
        powers[j] = u ** (j + 1) @ alpha
    moments = np.ones((n + 1, *u.shape[:-1]))
    for j in range(1, n + 1):
        i = np.arange(1, j + 1)
        factor = np.cumprod((j - i + 1) / (total + j - i)) / j
        moments[j] = np.einsum("i,i...,i...->...", factor, powers[:j], moments[j - 1 :: -1][:j])
    return moments


def generating_function(u: Floats, alpha: Floats, n: int) -> Floats:
    """Return E (sum_k m_k u_k)^n for m ~ Dirichlet(alpha) and u >= 0 along the last axis."""
    largest: Floats = np.maximum(np.max(u, axis=-1), np.finfo(np.float64).tiny)
    scaled = np.where(np.isinf(u), 1.0, u / largest[..., None])
    value: Floats = mixed_moments(scaled, alpha, n)[n] * largest**n
    return value


def dirichlet_mgf(t: Any, alpha: Floats) -> Floats:
    """Return E exp(m't) for m ~ Dirichlet(alpha): a Poisson mixture of the moments of t >= 0."""
    finite = np.isfinite(t).all(axis=-1)
    t = np.where(finite[..., None], t, 0.0)
    low: Floats = t.min(axis=-1)
    shifted = t - low[..., None]
    largest: Floats = shifted.max(axis=-1)
    n = int(np.max(largest + 12 * np.sqrt(largest) + 40, initial=0))
    scaled = shifted / np.where(largest > 0, largest, 1.0)[..., None]
    j = np.arange(n + 1.0).reshape(-1, *(1,) * largest.ndim)
    weights: Floats = np.exp(log_poisson(j, largest))
    value = np.exp(low + largest) * (weights * mixed_moments(scaled, alpha, n)).sum(axis=0)
    return np.where(finite, value, np.nan)


def polya_concentration(owner: str, proportions: Floats, n: int) -> Floats:
    """Return the alpha that maximizes the likelihood of counts.

    `proportions[k, c]` is the proportion of events with count c of category k. With P_kj the
    proportion with a count above j, the mean log-likelihood and its gradient are

        f(alpha) = sum_kj P_kj log(alpha_k + j) - sum_(j<n) log(alpha_0 + j) + constant
        f'_k = sum_j P_kj / (alpha_k + j) - sum_(j<n) 1 / (alpha_0 + j);

    The steps are Newton steps with the diagonal-plus-constant Hessian, halved until f rises; where
    the Hessian is not negative definite, they are those of the fixed-point iteration (Minka, 2000).
    """
    j = np.arange(n)
    above = proportions[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]  # P_kj, (K, n)
    mean: Floats = above.sum(axis=1) / max(n, 1)
    if n < 2 or (mean <= 0).any():
        raise DataError(
            f"{owner}: the likelihood has no maximum; every category must occur, and n must be at "
            f"least 2; got mean counts {(n * mean).tolist()} with n={n}."
        )

    def value(alpha: Floats) -> float:
        gains = (above * np.log(alpha[:, None] + j)).sum()
        return float(gains - np.log(alpha.sum() + j).sum())

    alpha = mean * _starting_total(proportions, mean, n)
    for _ in range(_ITERATIONS):
        total: float = alpha.sum()
        inverse, shared = 1 / (alpha[:, None] + j), 1 / (total + j)
        gains: Floats = (above * inverse).sum(axis=1)
        gradient = gains - shared.sum()
        bend: Floats = (above * inverse**2).sum(axis=1)
        common: float = (shared**2).sum()
        denominator: float = 1 / common - (1 / bend).sum()
        new: Floats = alpha * gains / shared.sum()
        if denominator > 0:  # concave here
            step: Floats = (gradient + (gradient / bend).sum() / denominator) / bend
            newton = alpha + step
            if (newton > 0).all() and value(newton) >= value(alpha) - 1e-13 * abs(value(alpha)):
                if (np.abs(step) <= 1e-8 * alpha).all():
                    return np.asarray(newton)
                new = newton
        if new.sum() > 1e10:
            break
        alpha = new
    raise DataError(
        f"{owner}: the likelihood seems to have no maximum, because the events vary no more "
        "than multinomial events; fit a multinomial distribution instead."
    )


def _starting_total(proportions: Floats, mean: Floats, n: int) -> float:
    """Return the sum of alpha that matches the total variance, or 1e4 if none does."""
    counts = np.arange(proportions.shape[1])
    variance = float((proportions * (counts - n * mean[:, None]) ** 2).sum())
    plain = float(n * (mean * (1 - mean)).sum())
    excess = variance / plain  # (total + n) / (total + 1)
    return float(np.clip((n - excess) / (excess - 1), 0.01, 1e4)) if excess > 1 else 1e4
