"""Contours of a decision function."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, frame, grid_over, plane, scatter_labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_score_contours(
    score: Callable[[Floats], ArrayLike],
    X: ArrayLike,
    y: ArrayLike,
    *,
    levels: Sequence[float] = (-2, -1, 0, 1, 2),
    resolution: int = 200,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw contours of a decision function, with a thick boundary, and the points.

    On axes made with ``projection="3d"`` the score is drawn as a surface instead.

    Parameters
    ----------
    score
        Function from points, shape (m, 2), to numbers: the `decision_function` of a classifier.
    X
        Points to draw, shape (n, 2).
    y
        Classes of the points, shape (n,).
    levels
        The contour levels; 0 is the boundary.
    resolution
        Grid points along each axis.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_score_contours(lambda Z: Z[:, 0], [[-1, 0], [1, 2]], [0, 1], levels=(0, 1))
    >>> len(ax.collections) > 0
    True
    """
    X = plane("plot_score_contours", "X", X)
    ax = axes_or_new(ax)
    left, right, bottom, top = frame(X)
    cells = grid_over((left, right, bottom, top), resolution)
    across, up = np.meshgrid(cells.across, cells.up)
    f = cells.values(score(cells.points))
    if ax.name == "3d":
        ax.plot_surface(across, up, f, cmap="coolwarm", alpha=0.7, linewidth=0)  # type: ignore[attr-defined]
        ax.contour(across, up, f, levels=[0], colors="0.1")
        ax.set(xlabel="$x_1$", ylabel="$x_2$")
        return ax
    ordered = sorted(levels)
    widths = [2.0 if level == 0 else 0.9 for level in ordered]
    lines = ax.contour(across, up, f, levels=ordered, colors="0.3", linewidths=widths)
    ax.clabel(lines, fontsize=8)
    scatter_labelled(ax, X, y)
    ax.set(xlim=(left, right), ylim=(bottom, top))
    return ax
