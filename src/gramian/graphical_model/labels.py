"""Checks of labels, counts and pseudo-counts."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Interval


def python_labels(labels: Iterable[Any]) -> list[Any]:
    """Return labels with NumPy scalars converted to Python values."""
    return [label.item() if isinstance(label, np.generic) else label for label in labels]


def check_labels_present(owner: str, what: str, labels: Iterable[Any]) -> list[Any]:
    """Return labels as Python values; raise if one is missing."""
    found = python_labels(labels)
    if any(x is None or x != x for x in found):
        raise DataError(f"{owner}: {what} has missing values; drop or fill them.")
    return found


def sorted_labels(owner: str, what: str, option: str, labels: Iterable[Any]) -> list[Any]:
    """Return the distinct labels, sorted."""
    different = set(labels)
    try:
        return sorted(different)
    except TypeError:
        types = sorted({type(label).__name__ for label in different})
        raise DataError(
            f"{owner}: {what} has labels of the types {', '.join(types)}, which cannot be sorted; "
            f"list them in {option}."
        ) from None


def check_nonnegative_integer(owner: str, name: str, value: object) -> int:
    """Return an integer >= 0, such as a number of samples."""
    if not Interval(Integral, 0).accepts(value):
        raise ParameterError(f"{owner}: {name} must be an integer >= 0; got {value!r}.")
    return int(value)  # type: ignore[call-overload,no-any-return]


def check_pseudo_count(owner: str, value: object) -> float:
    """Return a pseudo-count."""
    if not (isinstance(value, int | float | np.number) and np.isfinite(value) and value >= 0):
        raise ParameterError(f"{owner}: pseudo_count must be a number >= 0; got {value!r}.")
    return float(value)
