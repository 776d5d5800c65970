"""Derivatives by finite differences, and gradient checking.

    df/dx_j       ~ (f(x + h e_j) - f(x - h e_j)) / 2h                 error O(h^2 + eps/h)
    d2f/dx_i dx_j ~ (df/dx_i (x + h e_j) - df/dx_i (x - h e_j)) / 2h

h is eps^(1/3) times the size of x_j for first differences, and eps^(1/4) for second differences of
values alone: the sizes that balance the two errors. Nocedal and Wright 2006, 8.1.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats

_EPS = float(np.finfo(float).eps)


def numeric_gradient(f: Callable[[Any], float], x: npt.ArrayLike) -> Floats:
    """Return the gradient of f at x by central differences, 2 d calls.

    x may be a matrix; the gradient then has its shape, with entries df/dx_ij.

    Examples
    --------
    >>> numeric_gradient(lambda x: x[0] ** 2 + 3 * x[1], [1.0, 5.0]).round(6)
    array([2., 3.])
    >>> numeric_gradient(lambda A: A[0, 0] * A[1, 1], [[1.0, 2.0], [3.0, 4.0]]).round(6)
    array([[4., 0.],
           [0., 1.]])
    """
    x = np.atleast_1d(np.array(x, dtype=float))
    g = np.empty_like(x)
    steps = _steps(x, _EPS ** (1 / 3))
    for at in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[at] += steps[at]
        down[at] -= steps[at]
        g[at] = (f(up) - f(down)) / (up[at] - down[at])
    return g


def numeric_hessian(
    f: Callable[[Any], float],
    x: npt.ArrayLike,
    gradient: Callable[[Any], Any] | None = None,
) -> Floats:
    """Return the Hessian of f at x by differences of the gradient, or of f if none is given.

    Examples
    --------
    >>> numeric_hessian(lambda x: x[0] ** 2 * x[1], [1.0, 5.0]).round(4)
    array([[10.,  2.],
           [ 2.,  0.]])
    """
    x = np.array(x, dtype=float).reshape(-1)
    H = np.empty((len(x), len(x)))
    if gradient is not None:
        for j, h in enumerate(_steps(x, _EPS ** (1 / 3))):
            up, down = x.copy(), x.copy()
            up[j] += h
            down[j] -= h
            H[j] = (np.asarray(gradient(up)) - np.asarray(gradient(down))) / (up[j] - down[j])
        return (H + H.T) / 2
    h = _steps(x, _EPS ** (1 / 4))
    E = np.diag(h)
    for i in range(len(x)):
        for j in range(i + 1):
            corners = f(x + E[i] + E[j]) - f(x + E[i] - E[j])
            corners += f(x - E[i] - E[j]) - f(x - E[i] + E[j])
            H[i, j] = H[j, i] = corners / (4 * h[i] * h[j])
    return H


def directional_derivative(
    f: Callable[[Any], float], x: npt.ArrayLike, direction: npt.ArrayLike
) -> float:
    """Return D_u f = u . grad f, the slope of f at x along the unit vector u of a direction.

    Along a curve x(t) the chain rule reads df/dt = sum_j df/dx_j dx_j/dt: the slope along the
    velocity, times its length.

    Examples
    --------
    >>> round(directional_derivative(lambda x: x[0] * x[1], [1.0, 2.0], [3.0, 4.0]), 6)
    2.0
    """
    x = np.asarray(x, dtype=float).reshape(-1)
    u = np.asarray(direction, dtype=float).reshape(-1)
    u = u / np.linalg.norm(u)
    h = _EPS ** (1 / 3) * max(1.0, float(np.linalg.norm(x)))
    return float((f(x + h * u) - f(x - h * u)) / (2 * h))


def gradient_error(
    f: Callable[[Any], float], gradient: Callable[[Any], Any], x: npt.ArrayLike
) -> float:
    """Return the relative error of a gradient, compared with finite differences.

    Below about 1e-6 the gradient is correct; a wrong sign or factor gives 0.1 or more.
    x may be a matrix.

    Examples
    --------
    >>> f = lambda x: float(x @ x)
    >>> gradient_error(f, lambda x: 2 * x, [1.0, 2.0]) < 1e-8
    True
    >>> round(gradient_error(f, lambda x: x, [1.0, 2.0]), 6)      # forgot the factor 2
    0.333333
    """
    x = np.atleast_1d(np.asarray(x, dtype=float))
    numeric = numeric_gradient(f, x)
    analytic = np.asarray(gradient(x), dtype=float).reshape(x.shape)
    size = float(np.linalg.norm(numeric) + np.linalg.norm(analytic))
    return float(np.linalg.norm(numeric - analytic)) / size if size > 0 else 0.0


def _steps(x: Floats, relative: float) -> Floats:
    return relative * np.maximum(1.0, np.abs(x))
