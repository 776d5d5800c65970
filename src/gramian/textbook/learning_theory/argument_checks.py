"""Checks of arguments."""

import math
from numbers import Integral, Real

from gramian.base.errors import ParameterError
from gramian.evaluate.input_checks import check_fraction

_MOST_ROWS = 10**300  # more would overflow a float
_LEAST_EPSILON = 1e-150  # squares of smaller numbers underflow


def check_count(owner: str, name: str, value: float, *, at_least: int = 1) -> int:
    """Return the value as a Python integer, which cannot overflow; raise if it is too small."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ParameterError(
            f"{owner}: {name} must be an integer of at least {at_least}; got {value!r}."
        )
    return int(value)


def check_rows(owner: str, n: int) -> int:
    """Return a number of rows that fits into a float; raise otherwise."""
    rows = check_count(owner, "n", n)
    if rows > _MOST_ROWS:
        raise ParameterError(f"{owner}: n must be at most 1e300; got an integer above it.")
    return rows


def check_epsilon(owner: str, epsilon: float) -> float:
    """Return a number between 0 and 1 whose square is not 0."""
    value = check_fraction(owner, "epsilon", epsilon)
    if value < _LEAST_EPSILON:
        raise ParameterError(
            f"{owner}: epsilon must be at least {_LEAST_EPSILON:g}; got {epsilon!r}."
        )
    return value


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
    number = isinstance(value, Real)
    inside = number and (low <= value <= high if closed else low < value < high)
    if not inside:  # NaN is outside too
        ends = "[]" if closed else "()"
        raise ParameterError(
            f"{owner}: {name} must be in {ends[0]}{low:g}, {high:g}{ends[1]}; got {value!r}."
        )


def ceiling(value: float) -> int:
    """Return the value rounded up to an integer >= 1, ignoring an excess in the last bit.

    Examples
    --------
    >>> ceiling(99.03), ceiling(100.00000000000001)
    (100, 100)
    """
    nearest = round(value)
    return max(1, nearest if abs(value - nearest) <= 1e-12 * abs(value) else math.ceil(value))
