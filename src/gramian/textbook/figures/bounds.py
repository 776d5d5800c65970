"""Bounds against the number of rows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bounds(
    n: ArrayLike,
    bounds: Mapping[str, ArrayLike],
    *,
    measured: ArrayLike | None = None,
    ylabel: str = "probability",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw bounds and measured values against the number of rows.

    Parameters
    ----------
    n
        Numbers of rows.
    bounds
        Values of each bound, by its name.
    measured
        Measured values, drawn as points.
    ylabel
        Name of the bounded quantity.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_bounds([10, 100], {"Hoeffding": [0.5, 0.1]}, measured=[0.2, 0.01])
    >>> [line.get_label() for line in ax.lines]
    ['Hoeffding', 'measured']
    """
    rows = np.asarray(n, dtype=np.float64)
    curves = {name: np.asarray(values, dtype=np.float64) for name, values in bounds.items()}
    if measured is not None:
        curves["measured"] = np.asarray(measured, dtype=np.float64)
    for name, values in curves.items():
        if values.shape != rows.shape:
            raise DataError(
                f"plot_bounds: {name!r} must have one value for each n; got shapes "
                f"{values.shape} and {rows.shape}."
            )
    ax = axes_or_new(ax)
    for k, (name, values) in enumerate(curves.items()):
        if measured is not None and name == "measured":
            ax.plot(rows, values, "o", color="black", label=name)
        else:
            ax.plot(rows, values, color=COLOURS[k % len(COLOURS)], label=name)
    ax.set(xlabel="number of rows n", ylabel=ylabel, xscale="log")
    ax.legend()
    return ax
