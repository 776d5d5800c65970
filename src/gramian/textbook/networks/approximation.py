"""Functions approximated by sums of simple functions: steps, ramps, powers, waves.

A hidden layer of threshold units gives a piecewise constant function, one of ReLUs a piecewise
linear function; Taylor polynomials and Fourier sums have the same form, a weighted sum of fixed
functions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats

RealFunction: TypeAlias = Callable[[Floats], npt.ArrayLike]


@dataclass(frozen=True)
class UnitSum:
    """f(x) = b + sum_k v_k a(x - t_k), one hidden layer of one input.

    Attributes
    ----------
    unit
        "step": a(u) = (1 + sgn u) / 2, 1 from 0 on; "ramp": a(u) = max(0, u), a ReLU.
    thresholds
        The thresholds t_k.
    weights
        The weights v_k of the units.
    bias
        The bias b.
    """

    unit: Literal["step", "ramp"]
    thresholds: Floats
    weights: Floats
    bias: float

    def __call__(self, x: npt.ArrayLike) -> Floats:
        """Return f at each x."""
        away = np.asarray(x, dtype=np.float64)[..., None] - self.thresholds
        units = (away >= 0).astype(float) if self.unit == "step" else np.maximum(away, 0.0)
        return np.asarray(units @ self.weights + self.bias)


def step_approximation(f: RealFunction, low: float, high: float, units: int) -> UnitSum:
    """Return a sum of steps that equals f in the middle of `units` + 1 equal pieces.

    Parameters
    ----------
    f
        Function of an array.
    low, high
        The interval.
    units
        Number of threshold units.

    Examples
    --------
    >>> from gramian.textbook.networks import step_approximation
    >>> step_approximation(lambda x: x, 0.0, 1.0, 1)([0.1, 0.6]).tolist()
    [0.25, 0.75]
    """
    edges = _edges("step_approximation", low, high, units, pieces=units + 1)
    values = np.asarray(f((edges[:-1] + edges[1:]) / 2), dtype=np.float64)
    return UnitSum("step", edges[1:-1], np.diff(values), float(values[0]))


def ramp_approximation(f: RealFunction, low: float, high: float, units: int) -> UnitSum:
    """Return a sum of ReLUs, linear between `units` + 1 equally spaced points, where it equals f.

    Parameters
    ----------
    f
        Function of an array.
    low, high
        The interval.
    units
        Number of ReLU units.

    Examples
    --------
    >>> from gramian.textbook.networks import ramp_approximation
    >>> ramp_approximation(abs, -1.0, 1.0, 2)([-0.5, 0.0, 0.25]).tolist()
    [0.5, 0.0, 0.25]
    """
    edges = _edges("ramp_approximation", low, high, units, pieces=units)
    values = np.asarray(f(edges), dtype=np.float64)
    slopes = np.diff(values) / np.diff(edges)
    return UnitSum("ramp", edges[:-1], np.diff(slopes, prepend=0.0), float(values[0]))


def taylor_approximation(
    derivatives: Sequence[float], center: float
) -> Callable[[npt.ArrayLike], Floats]:
    """Return the Taylor polynomial sum_k f^(k)(c) (x - c)^k / k!.

    Parameters
    ----------
    derivatives
        f(c), f'(c), f''(c) and so on.
    center
        The centre c of the expansion.

    Examples
    --------
    >>> from gramian.textbook.networks import taylor_approximation
    >>> float(taylor_approximation([1.0, 1.0, 1.0], 0.0)(1.0))  # of exp
    2.5
    """
    factors = [float(d) / factorial(k) for k, d in enumerate(derivatives)]

    def polynomial(x: npt.ArrayLike) -> Floats:
        away = np.asarray(x, dtype=np.float64) - center
        return np.asarray(np.polynomial.polynomial.polyval(away, factors))

    return polynomial


def fourier_approximation(
    f: RealFunction, low: float, high: float, waves: int, *, points: int = 2048
) -> Callable[[npt.ArrayLike], Floats]:
    """Return the Fourier sum a_0/2 + sum_k a_k cos(k u) + b_k sin(k u), u = 2 pi (x - low)/length.

    Parameters
    ----------
    f
        Function of an array, of period high - low.
    low, high
        The interval.
    waves
        Number of frequencies besides the constant.
    points
        Number of points at which f is evaluated for the integrals.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.textbook.networks import fourier_approximation
    >>> found = fourier_approximation(np.cos, 0.0, 2 * np.pi, 1)
    >>> np.round(found([0.0, np.pi]), 12).tolist()
    [1.0, -1.0]
    """
    _edges("fourier_approximation", low, high, waves, pieces=1)
    if points <= 2 * waves:
        raise ParameterError(
            f"fourier_approximation: points must be more than twice waves={waves}; got {points}."
        )
    x = low + (high - low) * np.arange(points) / points
    spectrum = np.fft.rfft(np.asarray(f(x), dtype=np.float64)) / points
    factors = spectrum[: waves + 1] * np.where(np.arange(waves + 1) > 0, 2.0, 1.0)

    def waves_of(x: npt.ArrayLike) -> Floats:
        u = 2 * np.pi * (np.asarray(x, dtype=np.float64) - low) / (high - low)
        angles = u[..., None] * np.arange(waves + 1)
        return np.asarray((np.exp(1j * angles) @ factors).real)

    return waves_of


def _edges(owner: str, low: float, high: float, units: int, *, pieces: int) -> Floats:
    if not low < high:
        raise ParameterError(f"{owner}: low must be below high; got {low!r} and {high!r}.")
    if units < 1:
        raise ParameterError(f"{owner}: the number of units must be at least 1; got {units!r}.")
    return np.linspace(low, high, pieces + 1)
