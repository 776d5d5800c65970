"""Pessimistic estimates of a leaf's error on new rows, from its training errors alone.

A leaf that misclassifies e of its n training rows has the observed rate f = e/n. The estimate is
the upper limit of a one-sided confidence interval for the true rate, with confidence c; with z the
normal quantile of 1 - c,

    rate = (f + z^2/2n + z sqrt(f/n - f^2/n + z^2/4n^2)) / (1 + z^2/n).

Witten, Frank, Hall and Pal 2017, section 6.1; Quinlan 1993, chapter 4.
"""

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from gramian import _native
from gramian.base.errors import DataError, ParameterError

Formula: TypeAlias = Literal["normal", "weka", "quinlan"]
_FORMULAS: dict[str, int] = {"normal": 0, "weka": 1, "quinlan": 2}

# Quinlan's table of confidences and normal quantiles, interpolated linearly.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_QUANTILES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)


def pessimistic_error(
    errors: npt.ArrayLike,
    n: npt.ArrayLike,
    *,
    confidence: float = 0.25,
    z: float | None = None,
) -> Any:
    """Return the upper confidence limit of an error rate by the normal approximation.

    Parameters
    ----------
    errors
        Number of misclassified rows, at most n.
    n
        Number of rows, positive.
    confidence
        Probability that the true rate is above the limit, in (0, 0.5].
    z
        The normal quantile, given directly instead of the confidence.

    Returns
    -------
    rate : float or array

    Examples
    --------
    >>> pessimistic_error(2, 6, z=0.69).round(4), pessimistic_error(5, 14, z=0.69).round(4)
    (np.float64(0.474), np.float64(0.4489))
    """
    z = quantile(confidence) if z is None else z
    n, wrong = np.asarray(n, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if not ((n > 0) & (wrong >= 0) & (wrong <= n)).all():
        raise DataError(
            f"pessimistic_error: errors must be in [0, n] and n positive; got {errors!r} of {n!r}."
        )
    f = wrong / n
    spread = z * np.sqrt(f / n - f**2 / n + z**2 / (4 * n**2))
    return (f + z**2 / (2 * n) + spread) / (1 + z**2 / n)


class Estimate(NamedTuple):
    """A formula for error estimates, as passed to the native pruning."""

    formula: int
    confidence: float
    z: float

    @classmethod
    def of(cls, formula: Formula, confidence: float = 0.25, z: float | None = None) -> "Estimate":
        """Return the estimate by name; z overrides the quantile of the confidence."""
        if z is None:
            z = quinlan_quantile(confidence) if formula == "quinlan" else quantile(confidence)
        return cls(_FORMULAS[formula], confidence, z)

    def errors(self, n: float, wrong: float) -> float:
        """Return the expected errors of a leaf of n rows."""
        return _native.c45_estimate(n, wrong, *self)


def quantile(confidence: float) -> float:
    """Return the normal quantile of 1 - confidence."""
    if not 0 < confidence <= 0.5:
        raise ParameterError(
            f"confidence must be a number in (0, 0.5]; got {confidence!r}. Smaller prunes more."
        )
    return float(norm.isf(confidence))


def quinlan_quantile(confidence: float) -> float:
    """Return Quinlan's interpolated quantile: 0.6925 instead of 0.6745 for 25%."""
    quantile(confidence)
    return float(np.interp(confidence, _CONFIDENCES, _QUANTILES))
