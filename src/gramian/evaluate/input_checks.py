"""Checks of arguments that several functions of this package share."""

from numbers import Real
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.evaluate.reference_distributions import Alternative, Side


def check_sample(owner: str, values: ArrayLike, *, at_least: int, name: str = "x") -> Floats:
    """Return the values as a finite one-dimensional float array."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) < at_least:
        raise DataError(
            f"{owner}: {name} must be one-dimensional with at least {at_least} values; "
            f"got shape {array.shape}; pass more splits or rows."
        )
    check_finite(owner, array, name)
    return array


def check_score_table(owner: str, scores: ArrayLike, *, rows: int, columns: int) -> Floats:
    """Return a finite table with a row per data set or split and a column per model."""
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] < rows or array.shape[1] < columns:
        raise DataError(
            f"{owner}: scores must have a row for each data set (at least {rows}) and a column "
            f"for each model (at least {columns}); got shape {array.shape}."
        )
    check_finite(owner, array, "scores")
    return array


def check_finite(owner: str, array: Floats, name: str) -> None:
    """Raise if the array contains NaN or infinity."""
    if not np.isfinite(array).all():
        raise DataError(
            f"{owner}: {name} contains NaN or inf; check the model or split that produced it."
        )


def check_option(owner: str, name: str, value: str, options: tuple[str, ...]) -> None:
    """Raise if a string is not one of the options."""
    if value not in options:
        listed = ", ".join(map(repr, options))
        raise ParameterError(f"{owner}: {name} must be one of {listed}; got {value!r}.")


def check_alternative(owner: str, alternative: str) -> None:
    """Raise if `alternative` is unknown."""
    check_option(owner, "alternative", alternative, get_args(Alternative))


def check_side(owner: str, side: str) -> None:
    """Raise if `side` is unknown."""
    check_option(owner, "side", side, get_args(Side))


def check_fraction(owner: str, name: str, value: float) -> float:
    """Return a number strictly between 0 and 1."""
    if not isinstance(value, Real) or not 0 < value < 1:
        raise ParameterError(
            f"{owner}: {name} must be between 0 and 1, both excluded; got {value!r}."
        )
    return float(value)


def check_positive(owner: str, name: str, value: float) -> float:
    """Return a finite number above 0."""
    if not (value > 0 and np.isfinite(value)):
        raise ParameterError(f"{owner}: {name} must be a finite number > 0; got {value!r}.")
    return float(value)


def check_rope(owner: str, rope: float) -> None:
    """Raise if the half-width of the region of practical equivalence is negative."""
    if not (rope >= 0 and np.isfinite(rope)):
        raise ParameterError(f"{owner}: rope must be a finite number >= 0; got {rope!r}.")


def check_counts(owner: str, errors: int, n: int) -> tuple[int, int]:
    """Return integers with 0 <= errors <= n and n >= 1."""
    if int(errors) != errors or int(n) != n or n < 1 or not 0 <= errors <= n:
        raise DataError(
            f"{owner}: counts must be integers with 0 <= errors <= n and n >= 1; "
            f"got errors={errors!r}, n={n!r}."
        )
    return int(errors), int(n)
