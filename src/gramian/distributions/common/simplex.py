"""Probabilities of categories, as a parameter or as an event."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats

TOLERANCE = 1e-8  # allowed distance of a sum of probabilities from 1


def check_probabilities(owner: str, name: str, values: Floats) -> Floats:
    """Return the probabilities, divided by their sum, which must be 1 up to rounding."""
    if values.ndim != 1 or not len(values):
        raise ParameterError(
            f"{owner}: {name} must contain one probability per category; got shape {values.shape}."
        )
    if (values < 0).any() or abs(values.sum() - 1) > TOLERANCE:
        raise ParameterError(
            f"{owner}: {name} must be >= 0 and sum to 1; got {values.tolist()}, whose sum is "
            f"{values.sum():.9g}. Divide them by their sum."
        )
    return np.asarray(values / values.sum())


def is_on_simplex(x: Any) -> npt.NDArray[np.bool_]:
    """Return which vectors, along the last axis, are positive and sum to 1."""
    sums = np.einsum("...k->...", x)  # faster than x.sum for short rows
    whole = np.abs(sums - 1) <= TOLERANCE
    positive = x > 0
    return np.asarray(whole if positive.all() else whole & positive.all(axis=-1))


def sum_minus_one(x: Any) -> Any:
    """Return the sum along the last axis minus 1, rounded only once.

    The rounding errors of the sum are added up, too (Knuth's two-sum).
    """
    total, lost = np.full(x.shape[:-1], -1.0), np.zeros(x.shape[:-1])
    for k in range(x.shape[-1]):
        new = total + x[..., k]
        part = new - total
        lost += (total - (new - part)) + (x[..., k] - part)
        total = new
    return total + lost


def sums_of_others(values: Floats) -> Floats:
    """Return the sum of all other values for each value >= 0, without cancellation."""
    before = np.concatenate([[0.0], values[:-1].cumsum()])
    after = np.concatenate([values[:0:-1].cumsum()[::-1], [0.0]])
    return np.asarray(before + after)


def multinomial_covariance(values: Floats) -> Floats:
    """Return diag(p) - p p' of p = values / their sum, without cancellation."""
    total: float = values.sum()
    p, rest = values / total, sums_of_others(values) / total
    covariance = -np.outer(p, p)
    np.fill_diagonal(covariance, p * rest)
    return np.asarray(covariance)


def likely_counts(mean: float, deviation: float, most: float = np.inf) -> tuple[Floats, float]:
    """Return counts within at least 40 standard deviations of the mean, and their spacing h.

    If the deviation is large, probabilities change so slowly from count to count that h times a sum
    over every h-th count equals the sum over all to all digits (as in the trapezoidal rule).
    """
    reach = 40 * deviation + 60
    low, high = np.floor(max(mean - reach, 0)), np.ceil(min(mean + reach, most))
    step = 1.0
    if deviation > 1000 and mean - reach > 0 and mean + reach < most:
        step = np.floor(deviation / 50)
    return np.arange(low, high + 1, step), float(step)


def entropy_of_logs(log_p: Floats) -> float:
    """Return -sum p log p from the logarithms, which are more accurate for p near 1."""
    possible = np.isfinite(log_p)
    return float(-(np.exp(log_p[possible]) @ log_p[possible]))
