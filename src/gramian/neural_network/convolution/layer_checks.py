"""Checks of layer parameters, in constructors and when a model file is loaded."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, get_args

from gramian.base.errors import ParameterError


def check_counts(layer: Any, *names: str) -> None:
    """Raise unless these fields are integers >= 1; sizes and strides may be tuples."""
    for name in names:
        value = getattr(layer, name)
        each = value if isinstance(value, tuple) and name in ("size", "stride") else (value,)
        counts = (isinstance(v, Integral) and not isinstance(v, bool) and int(v) >= 1 for v in each)
        if not each or not all(counts):
            raise ParameterError(
                f"{type(layer).__name__}: {name} must be an integer >= 1; got {value!r}."
            )


def check_choice(layer: Any, name: str, choices: Any) -> None:
    """Raise unless a value is one of a Literal."""
    value = getattr(layer, name)
    if value not in get_args(choices):
        raise ParameterError(
            f"{type(layer).__name__}: {name} must be one of "
            f"{', '.join(map(repr, get_args(choices)))}; got {value!r}."
        )


def check_real(layer: Any, name: str, rule: str, accepts: Callable[[float], bool]) -> None:
    """Raise unless a value is a number that a rule accepts."""
    value = getattr(layer, name)
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real or not accepts(float(value)):
        raise ParameterError(f"{type(layer).__name__}: {name} must be {rule}; got {value!r}.")
