"""Training curves: a value per iteration."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import need
from gramian.plot.canvas import axes_or_new, number_list
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_training_curves(
    curves: Mapping[str, ArrayLike],
    *,
    least: float | None = None,
    xlabel: str = "iteration",
    ylabel: str = "objective",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the objective or the error of one or more runs against the iteration.

    Parameters
    ----------
    curves
        The values of each run by name, the initial one first; runs may differ in length.
    least
        The minimum, if known. If given, the distance of each run to it is drawn on a logarithmic
        axis, on which linear convergence is a straight line; a curve ends where the distance is 0.
    xlabel, ylabel
        Axis labels, such as "epoch" and "error".
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_training_curves({"fast": [8, 2, 1], "slow": [8, 6, 4, 3]}, least=1)
    >>> ax.get_ylabel()
    'objective above its least value'
    """
    ax = axes_or_new(ax)
    for stroke, (name, values) in zip(strokes(len(curves)), curves.items(), strict=True):
        run = number_list("plot_training_curves", repr(name), values)
        iterations = np.arange(len(run))
        if least is not None:
            above = run > least
            iterations, run = iterations[above], run[above] - least
        ax.plot(iterations, run, linewidth=1.7, label=name, **stroke)
    if least is not None:
        ax.set_yscale("log")
        ylabel = f"{ylabel} above its least value"
    ax.xaxis.set_major_locator(need("matplotlib.ticker", extra="plot").MaxNLocator(integer=True))
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.legend(framealpha=0.9)
    return ax
