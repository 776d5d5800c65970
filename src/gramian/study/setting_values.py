"""Check the values of settings and convert them to the types that a study uses.

Every function takes the name of the setting, for the error, and the value.
"""

import math
import re
from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from gramian.base.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_BYTES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def seconds(name: str, value: float | str | None) -> float | None:
    """Return a time in seconds, also from a text such as 90s, 5m or 1.5h; "none" gives None.

    Examples
    --------
    >>> seconds("budget", "5m"), seconds("budget", 30), seconds("budget", "none")
    (300.0, 30.0, None)
    """
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return None
    number: object = value
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", value.strip().lower())
        number = float(found[1]) * _SECONDS[found[2] or "s"] if found else math.nan
    if not _is_real(number) or not number > 0:
        raise ParameterError(
            f"{name} must be a time above 0, such as 90s, 5m or 1h, or none; got {value!r}."
        )
    return float(number)


def number_of_bytes(name: str, value: int | str | None) -> int | None:
    """Return an amount of memory in bytes, also from a text such as 500MB or 4GB.

    Examples
    --------
    >>> number_of_bytes("memory", "4GB")
    4000000000
    """
    if value is None:
        return None
    number: object = value
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", value.strip().lower())
        number = float(found[1]) * _BYTES[found[2]] if found else math.nan
    if not _is_real(number) or not 1 <= number < math.inf:
        raise ParameterError(f"{name} must be an amount such as 500MB or 4GB; got {value!r}.")
    return int(number)


def integer(name: str, value: object, least: int) -> int:
    """Return an integer that is at least `least`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name} must be an integer of at least {least}; got {value!r}.")
    return int(value)


def fraction(name: str, value: object) -> float:
    """Return a number between 0 and 1, both excluded."""
    if not _is_real(value) or not 0 < value < 1:
        raise ParameterError(f"{name} must be between 0 and 1; got {value!r}.")
    return float(value)


def cost(name: str, value: object) -> float | None:
    """Return a finite number that is not negative, or None."""
    if value is None:
        return None
    if not _is_real(value) or not 0 <= value < math.inf:
        raise ParameterError(f"{name} must be a finite number >= 0; got {value!r}.")
    return float(value)


def cost_table(name: str, value: object) -> tuple[tuple[float, ...], ...] | None:
    """Return a square table of finite costs as tuples, or None."""
    if value is None:
        return None
    rows: Any = value.tolist() if hasattr(value, "tolist") else value
    square = _is_list(rows) and all(_is_list(row) and len(row) == len(rows) for row in rows)
    if not square or not all(_is_real(v) and math.isfinite(v) for row in rows for v in row):
        raise ParameterError(
            f"{name} must be a square table of numbers, one row per decision and one column per "
            f"true class; got {value!r}."
        )
    return tuple(tuple(float(v) for v in row) for row in rows)


def text(name: str, value: object) -> str | None:
    """Return a string, or None."""
    if value is not None and not isinstance(value, str):
        raise ParameterError(f"{name} must be a string; got {value!r}.")
    return value


def texts(name: str, value: object) -> tuple[str, ...]:
    """Return several strings as a tuple; a single string counts as one.

    Examples
    --------
    >>> texts("models", "Ridge"), texts("models", ["Ridge", "Lasso"])
    (('Ridge',), ('Ridge', 'Lasso'))
    """
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Sequence) or not all(isinstance(each, str) for each in value):
        raise ParameterError(f"{name} must be a list of strings; got {value!r}.")
    return tuple(value)


def _is_real(value: object) -> "TypeIs[float]":
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_list(value: object) -> "TypeIs[Sequence[object]]":
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0
