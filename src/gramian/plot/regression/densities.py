"""Estimates of a density of one variable, drawn over each other."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_densities(
    sample: ArrayLike,
    densities: Mapping[str, Callable[[Floats], ArrayLike]],
    *,
    truth: Callable[[Floats], ArrayLike] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw several estimates of a density, with the sample as ticks below.

    Parameters
    ----------
    sample
        The observed values.
    densities
        Functions by name, from rows, shape (m, 1), to densities, shape (m,).
    truth
        The true density, drawn in grey; None if it is not known.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_densities([0.2, 0.7], {"uniform": lambda X: 1.0 * (abs(X[:, 0] - 0.5) < 0.5)})
    >>> [line.get_label() for line in ax.lines][0]
    'uniform'
    """
    values = np.ravel(np.asarray(sample, dtype=np.float64))
    if not len(values) or not np.isfinite(values).all():
        raise DataError("plot_densities: sample must contain at least one number, all finite.")
    room = 0.15 * (np.ptp(values) or 1.0)
    grid = np.linspace(values.min() - room, values.max() + room, 1200)
    ax = axes_or_new(ax)
    if truth is not None:
        ax.fill_between(grid, np.asarray(truth(grid[:, None])), color="#d9d9d9", label="truth")
    for stroke, (name, density) in zip(strokes(len(densities)), densities.items(), strict=True):
        ax.plot(grid, density(grid[:, None]), linewidth=1.6, label=name, **stroke)
    ax.plot(values, np.zeros(len(values)), "|", color="#222222", markersize=9, clip_on=False)
    ax.set(xlim=(grid[0], grid[-1]), xlabel="x", ylabel="density")
    ax.set_ylim(bottom=0)
    ax.legend(framealpha=0.9)
    return ax
