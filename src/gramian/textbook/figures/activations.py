"""Activation functions, where they saturate, and functions approximated by sums of units."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new, number_list, pale
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0.0),
    "identity": lambda x: x,
}
_RANGES = {"sigmoid": (0.0, 1.0), "tanh": (-1.0, 1.0)}


def plot_activations(
    names: Sequence[str] = ("sigmoid", "tanh", "relu"),
    *,
    margin: float = 0.05,
    reach: float = 6.0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw activation functions; saturated parts are broad and pale.

    Parameters
    ----------
    names
        Names among "sigmoid", "tanh", "relu" and "identity".
    margin
        Distance to an end of the range, as a fraction of it, that counts as saturated; a ReLU is
        saturated where it is 0.
    reach
        Curves are drawn from -reach to reach.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> [line.get_label() for line in plot_activations(["tanh"]).lines][-1]
    'tanh'
    """
    unknown = [name for name in names if name not in _FUNCTIONS]
    if unknown:
        raise DataError(
            f"plot_activations: names must be from {sorted(_FUNCTIONS)}; got {unknown[0]!r}."
        )
    ax = axes_or_new(ax)
    x = np.linspace(-reach, reach, 601)
    for k, name in enumerate(names):
        y, ink = _FUNCTIONS[name](x), COLOURS[k % len(COLOURS)]
        if name in _RANGES:
            low, high = _RANGES[name]
            room = margin * (high - low)
            flat = (y < low + room) | (y > high - room)
        else:
            flat = (y <= 0) & (name == "relu")
        ax.plot(x, np.where(flat, y, np.nan), color=pale(ink, 0.35), linewidth=7, label="_flat")
        ax.plot(x, y, color=ink, linewidth=1.7, label=name)
    ax.set(xlabel="input of a unit", ylabel="output", ylim=(-1.3, 2.2))
    ax.legend()
    return ax


def plot_approximations(
    x: ArrayLike,
    truth: ArrayLike,
    approximations: Mapping[str, ArrayLike],
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a function and its approximations.

    Parameters
    ----------
    x
        Points, in order.
    truth
        The function at each.
    approximations
        Values at the points, by name.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_approximations([0, 1, 2], [0, 1, 4], {"linear": [0, 2, 4]})
    >>> [line.get_label() for line in ax.lines]
    ['function', 'linear']
    """
    owner = "plot_approximations"
    points, values = number_list(owner, "x", x), number_list(owner, "truth", truth)
    ax = axes_or_new(ax)
    ax.plot(points, values, color="#bbbbbb", linewidth=5, label="function")
    for stroke, (name, heights) in zip(
        strokes(len(approximations)), approximations.items(), strict=True
    ):
        curve = number_list(owner, repr(name), heights)
        if len(curve) != len(points) or len(values) != len(points):
            raise DataError(
                f"{owner}: {name!r} must have a value for each of the {len(points)} points; got "
                f"{len(curve)}."
            )
        ax.plot(points, curve, linewidth=1.5, label=name, **stroke)
    room = 0.25 * max(float(np.ptp(values)), 1e-12)
    ax.set(xlabel="x", ylim=(values.min() - room, values.max() + room))
    ax.legend()
    return ax
