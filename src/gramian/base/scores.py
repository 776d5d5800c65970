"""The scores that all classifiers and regressors share; errors name the estimator."""

from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.conversions import (
    EntryError,
    array_of,
    refuse_masked,
    refuse_times,
    translated,
)
from gramian.base.errors import ParameterError

_ORDINARY = (
    1e60  # numbers up to this size, or not below its inverse, have squares far from overflow
)


def accuracy(
    owner: str, y: npt.ArrayLike, predicted: Any, sample_weight: npt.ArrayLike | None
) -> float:
    """Return the fraction of labels predicted correctly, by scikit-learn's function."""
    from sklearn.metrics import accuracy_score

    refuse_masked(owner, "y", y)
    try:
        weights = _ordinary_weights(sample_weight)
        found = translated(owner, "y", lambda: accuracy_score(y, predicted, sample_weight=weights))
    except EntryError:
        kinds = sorted({type(label).__name__ for label in array_of(owner, "y", y).ravel().tolist()})
        raise EntryError(
            f"{owner}: y must contain labels of one type, as in fit; got {', '.join(kinds)}."
        ) from None
    return float(found)


def r_squared(owner: str, y: Any, predicted: Any, sample_weight: Any) -> float:
    """Return R² by scikit-learn's function, for finite numbers of any size.

    Targets whose squares would overflow or vanish are first divided by a constant, which changes
    no ratio.

    Examples
    --------
    >>> r_squared("Ridge", [1e300, 3e300], [1e300, 2e300], None)
    0.5
    """
    from sklearn.metrics import r2_score

    refuse_masked(owner, "y", y)
    refuse_times(owner, "y", y)

    def measure() -> float:
        targets, answers = _in_units(y, predicted)
        weights = _ordinary_weights(sample_weight)
        with np.errstate(over="ignore"):  # predictions so far away have the score minus infinity
            return float(r2_score(targets, answers, sample_weight=weights))

    return translated(owner, "y", measure, y)


def score_number(owner: str, parameter: str, score: Any) -> float:
    """Return the score that a function given by the user computed, if it is a number.

    Examples
    --------
    >>> score_number("RidgeCV", "scoring", 0.5)
    0.5
    """
    value = score.item() if isinstance(score, np.ndarray) and score.ndim == 0 else score
    if not isinstance(value, Real):
        raise ParameterError(
            f"{owner}: {parameter} must be a function that returns a number; it returned an object "
            f"of type {type(value).__name__}."
        )
    return float(value)


def _in_units(y: npt.ArrayLike, predicted: Any) -> tuple[Any, Any]:
    """Return targets and answers in units of the targets' size, where that is extreme."""
    answers = np.asarray(predicted)
    targets = np.asarray(y)
    if targets.dtype.kind not in "fiubO" or targets.ndim == 0 or not targets.size:
        return y, predicted  # the metric reports what is wrong
    targets = targets.astype(np.float64)
    sizes = np.abs(targets).max(axis=0)
    largest = max(float(sizes.max()), float(np.abs(answers).max(initial=0.0)))
    small = (sizes > 0) & (sizes < 1 / _ORDINARY)
    if not np.isfinite(largest) or (largest < _ORDINARY and not small.any()):
        return y, predicted
    unit = -np.frexp(sizes)[1]
    with np.errstate(over="ignore"):
        scaled = np.ldexp(answers.astype(np.float64), unit)
    return np.ldexp(targets, unit), np.clip(scaled, -1e150, 1e150)


def _ordinary_weights(sample_weight: npt.ArrayLike | None) -> Any:
    """Return weights whose sums are finite; their scale changes no mean."""
    if sample_weight is None:
        return None
    weights: npt.NDArray[Any] = np.asarray(sample_weight)
    if weights.dtype.kind != "f" or not weights.size:
        return sample_weight
    largest = float(weights.max())
    if not np.isfinite(largest) or 1 / _ORDINARY < largest < _ORDINARY:
        return sample_weight
    return np.ldexp(weights.astype(np.float64), -int(np.frexp(largest)[1]))
