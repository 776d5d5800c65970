"""Types of plain values that JSON supports."""

from collections.abc import Sequence
from math import isnan

Scalar = str | int | float | bool | None
Value = Scalar | Sequence[Scalar] | Sequence[Sequence[Scalar]]


def defined(value: float) -> float | None:
    """Return a number, or None for NaN (the end of an undefined interval).

    Examples
    --------
    >>> defined(0.5), defined(float("nan"))
    (0.5, None)
    """
    return None if isnan(value) else float(value)
