"""Activations by name, and their derivatives as functions of their values."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit

Maps: TypeAlias = npt.NDArray[Any]


def activated(name: str, x: Maps) -> Maps:
    """Return an activation of x.

    Examples
    --------
    >>> activated("relu", np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    if name == "relu":
        return np.maximum(x, 0)
    if name == "tanh":
        return np.tanh(x)
    return np.asarray(expit(x)) if name == "sigmoid" else x


def times_derivative(name: str, slopes: Maps, value: Maps) -> Maps:
    """Multiply by the derivative of an activation: s (1 - s), 1 - tanh^2 or 1(s > 0).

    Examples
    --------
    >>> times_derivative("sigmoid", np.ones(1), np.array([0.5]))
    array([0.25])
    """
    if name == "relu":
        return np.asarray(slopes * (value > 0))
    if name == "tanh":
        return np.asarray(slopes * (1 - value * value))
    return np.asarray(slopes * (value * (1 - value))) if name == "sigmoid" else slopes
