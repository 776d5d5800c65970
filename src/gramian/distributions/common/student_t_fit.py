"""Maximum likelihood of Student's t, in one or several dimensions.

A t variable is normal with a variance divided by a random u ~ Gamma(df / 2, df / 2). EM treats u as
missing: with q_i the squared Mahalanobis distance of x_i for the scale matrix S, the expected u_i
is

    u_i = (df + d) / (df + q_i),

location and scale are the mean and covariance with weights w_i u_i, where S is divided by
sum w_i u_i rather than sum w_i, which converges faster (Kent, Tyler and Vardi, 1994; Liu and
Rubin, 1995). If df is estimated, a Newton step on the likelihood follows each iteration.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular
from scipy.special import polygamma, psi

from gramian.base.errors import DataError
from gramian.base.types import Floats

_ITERATIONS = 2000
_LEAST_DF, _MOST_DF = 0.05, 1e6  # above, the distribution is normal to six digits


class StudentTFit(NamedTuple):
    """The maximum likelihood estimate."""

    df: float
    location: Floats
    scale: Floats  # (d, d)


def fit_student_t(owner: str, X: Floats, weights: Floats, df: float | None) -> StudentTFit:
    """Return the maximum likelihood estimate; df is estimated if it is None."""
    d = X.shape[1]
    keep = weights > 0
    X, weights = X[keep], weights[keep] / weights[keep].sum()
    location = np.median(X, axis=0)
    scale = _covariance(X, weights, location)
    known = df is not None
    degrees, grown = (5.0, 1.0) if df is None else (df, 0.0)
    for _ in range(_ITERATIONS):
        try:
            root = np.asarray(np.linalg.cholesky(scale), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise _no_maximum(owner) from None
        q = _distances(X, location, root)
        if not known:
            before, degrees = degrees, _better_degrees(degrees, q, weights, d)
            grown = abs(math.log(degrees / before))
        u = weights * (degrees + d) / (degrees + q)
        new = (u @ X) / u.sum()
        S = _covariance(X, u / u.sum(), new)
        moved = np.abs(new - location).max() / math.sqrt(np.diag(S).max() or 1.0)
        change = np.abs(S - scale).max() / (np.abs(S).max() or 1.0)
        location, scale = new, S
        if max(moved, change, grown) < 1e-10:
            return StudentTFit(float(degrees), location, scale)
        if np.diag(S).min() < 1e-200:
            break
    else:
        return StudentTFit(float(degrees), location, scale)
    raise _no_maximum(owner)


def _covariance(X: Floats, weights: Floats, center: Floats) -> Floats:
    away = X - center
    return np.asarray((away * weights[:, None]).T @ away)


def _distances(X: Floats, location: Floats, root: Floats) -> npt.NDArray[np.float64]:
    z = solve_triangular(root, (X - location).T, lower=True, check_finite=False)
    return np.asarray((z * z).sum(axis=0))


def _better_degrees(df: float, q: Floats, weights: Floats, d: int) -> float:
    """Return df after one Newton step on log df, which changes df by a factor of at most 4."""
    r = q / (df + q)
    digammas = float(psi((df + d) / 2) - psi(df / 2)) - d / df
    slope = digammas + float(weights @ ((df + d) / df * r - np.log1p(q / df)))
    trigammas = float(polygamma(1, (df + d) / 2) - polygamma(1, df / 2)) / 2 + d / df**2
    bend = trigammas + float(weights @ (r / df - d * r / df**2 - (df + d) / df * r / (df + q)))
    log_bend = slope + df * bend  # of df slope(df), the slope along log df
    step = -slope / log_bend if log_bend < 0 else math.copysign(math.inf, slope)
    new = df * math.exp(min(max(step, -math.log(4)), math.log(4)))
    return min(max(new, _LEAST_DF), _MOST_DF)


def _no_maximum(owner: str) -> DataError:
    return DataError(
        f"{owner}: the likelihood has no maximum, because the events lie on a plane, are too few "
        "or too similar; use more events, or fit a normal distribution."
    )
