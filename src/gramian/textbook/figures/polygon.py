"""A two-dimensional program: the feasible polygon, the objective's contours, the active edges."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.plot.canvas import COLOURS, axes_or_new, frame, grid_over, plane

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes


def plot_program(
    corners: ArrayLike,
    objective: "Callable[[ArrayLike], float]",
    solution: ArrayLike,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a feasible polygon, contours of the objective, and the edges active at the solution.

    Parameters
    ----------
    corners
        The polygon's corners in order, shape (k, 2), as from
        `gramian.textbook.optimization.polygon_vertices`.
    objective
        The objective, a function of a point of shape (2,).
    solution
        The minimiser, shape (2,).
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; active edges are thick.

    Examples
    --------
    >>> ax = plot_program([[0, 0], [1, 0], [0, 1]], lambda x: -x[0] - 2 * x[1], [0, 1])
    >>> len([line for line in ax.lines if line.get_linewidth() > 3])        # two active edges
    2
    """
    vertices = plane("plot_program", "corners", corners)
    at = np.asarray(solution, dtype=np.float64)
    ax = axes_or_new(ax)
    left, right, bottom, top = frame(vertices, at[None], margin=0.25)
    cells = grid_over((left, right, bottom, top), 120)
    heights = cells.values([objective(point) for point in cells.points])
    least = objective(at)
    spread = float(heights.max()) - least
    levels = np.unique(np.r_[least + spread * np.array([-0.3, -0.15, 0, 0.15, 0.3, 0.5, 0.75])])
    ax.contour(cells.across, cells.up, heights, levels=levels, colors=COLOURS[0], linewidths=0.9)
    ax.fill(*vertices.T, color=COLOURS[2], alpha=0.18)
    size = float(np.abs(vertices).max()) + 1
    for start, end in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
        edge = end - start
        away = abs(edge[0] * (at - start)[1] - edge[1] * (at - start)[0]) / np.linalg.norm(edge)
        active = away <= 1e-7 * size
        ax.plot(
            [start[0], end[0]],
            [start[1], end[1]],
            color=COLOURS[1] if active else COLOURS[2],
            linewidth=3.5 if active else 1.5,
        )
    ax.plot(*at, "o", color="#222222", markeredgecolor="white", markersize=9, zorder=4)
    ax.set(xlim=(left, right), ylim=(bottom, top), xlabel="$x_1$", ylabel="$x_2$")
    return ax
