"""Checks of arguments that the functions of this package share."""

import math
from numbers import Integral

from gramian.base.errors import ParameterError


def check_count(owner: str, name: str, value: float, *, at_least: int = 1) -> None:
    """Raise unless the value is an integer that is large enough."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ParameterError(
            f"{owner}: {name} must be an integer of at least {at_least}; got {value!r}."
        )


def check_between(
    owner: str,
    name: str,
    value: float,
    low: float,
    high: float,
    *,
    closed: bool = False,
) -> None:
    """Raise unless low < value < high, or low <= value <= high where the ends are `closed`."""
    inside = low <= value <= high if closed else low < value < high
    if not inside:  # NaN is outside too
        ends = "[]" if closed else "()"
        raise ParameterError(
            f"{owner}: {name} must be in {ends[0]}{low:g}, {high:g}{ends[1]}; got {value!r}."
        )


def ceiling(value: float) -> int:
    """Return the least integer not below the value, 1 at least; a last-bit excess is rounding.

    Examples
    --------
    >>> ceiling(99.03), ceiling(100.00000000000001)
    (100, 100)
    """
    nearest = round(value)
    return max(1, nearest if abs(value - nearest) <= 1e-12 * abs(value) else math.ceil(value))
