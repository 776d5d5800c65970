"""Probabilities of categories, as a parameter or as an event."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats

TOLERANCE = 1e-8  # how far from 1 a sum of given probabilities may be


def check_probabilities(owner: str, name: str, values: Floats) -> Floats:
    """Return the probabilities, divided by their sum, which must be 1 up to rounding."""
    if values.ndim != 1 or not len(values):
        raise ParameterError(
            f"{owner}: {name} must be one probability per category; got shape {values.shape}."
        )
    if (values < 0).any() or abs(values.sum() - 1) > TOLERANCE:
        raise ParameterError(
            f"{owner}: {name} must be >= 0 and sum to 1; got {values.tolist()}, whose sum is "
            f"{values.sum():.9g}. Divide them by their sum."
        )
    return np.asarray(values / values.sum())


def is_on_simplex(x: Any) -> npt.NDArray[np.bool_]:
    """Tell which vectors, along the last axis, are positive and sum to 1."""
    sums = np.einsum("...k->...", x)  # faster than x.sum for short rows
    whole = np.abs(sums - 1) <= TOLERANCE
    positive = x > 0
    return np.asarray(whole if positive.all() else whole & positive.all(axis=-1))


def entropy_of_logs(log_p: Floats) -> float:
    """Return -sum p log p from the logarithms, which keep digits that 1 - p loses."""
    possible = np.isfinite(log_p)
    return float(-(np.exp(log_p[possible]) @ log_p[possible]))
