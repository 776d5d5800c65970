"""Paths of optimisers over the contours of the objective."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, colours, frame, grid_over, plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Box = tuple[float, float, float, float]


def plot_trajectory(
    function: Callable[[Floats], ArrayLike],
    paths: ArrayLike | Mapping[str, ArrayLike],
    *,
    box: Box | None = None,
    levels: int = 14,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the iterates of one or more optimisers over contours of the function.

    Parameters
    ----------
    function
        Function from points of the plane, shape (m, 2), to values, shape (m,).
    paths
        The iterates including the start, shape (steps + 1, 2); a dict for several paths.
    box
        Left, right, bottom and top of the plot; None for a box around all iterates. Set it if a
        path diverges.
    levels
        Number of contours; they are denser near the minimum.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_trajectory(lambda w: (w**2).sum(axis=1), [[2, 1], [1, 0.5], [0.5, 0.25]])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['2 steps']
    """
    path_by_name = paths if isinstance(paths, Mapping) else {"": paths}
    named_paths = {
        name: plane("plot_trajectory", "paths", path) for name, path in path_by_name.items()
    }
    left, right, bottom, top = frame(*named_paths.values(), margin=0.12) if box is None else box
    ax = axes_or_new(ax)
    _contours(ax, function, (left, right, bottom, top), levels)
    for colour, (name, iterates) in zip(
        colours(len(named_paths)), named_paths.items(), strict=True
    ):
        steps = f"{len(iterates) - 1} step{'' if len(iterates) == 2 else 's'}"
        ax.plot(
            *iterates.T,
            color=colour,
            marker="o",
            markersize=3.2,
            linewidth=1.5,
            label=f"{name}: {steps}" if name else steps,
        )
        ax.plot(*iterates[0], marker="o", markersize=8, color="white", markeredgecolor=colour)
        ax.plot(*iterates[-1], marker="X", markersize=8, color=colour, markeredgecolor="white")
    ax.set(xlim=(left, right), ylim=(bottom, top), xlabel="$w_1$", ylabel="$w_2$")
    ax.legend(framealpha=0.9)
    return ax


def _contours(ax: "Axes", function: Callable[[Floats], ArrayLike], box: Box, count: int) -> None:
    """Draw contours whose levels grow quadratically, so that those of a bowl are evenly spaced."""
    cells = grid_over(box, 200)
    values = cells.values(function(cells.points))
    low, high = float(values.min()), float(values.max())
    if low == high:
        return  # a constant function has no contours
    heights = low + (high - low) * np.linspace(0, 1, count + 1)[1:] ** 2
    ax.contourf(cells.across, cells.up, values, levels=[low, *heights], cmap="Greys", alpha=0.35)
    ax.contour(cells.across, cells.up, values, levels=heights, colors="#8a8a8a", linewidths=0.6)
