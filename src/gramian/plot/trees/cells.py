"""The cells into which a tree divides the plane, and the steps of a regression tree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import (
    axes_or_new,
    colours,
    frame,
    pale,
    plane,
    scatter_by_class,
    space_or_new,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_cells(
    cells: Sequence[ArrayLike],
    labels: ArrayLike,
    *,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Shade convex cells of the plane in the colours of their classes, with points on top.

    Parameters
    ----------
    cells
        Corners of each cell, shape (m, 2); empty cells are skipped.
    labels
        The class of each cell.
    X
        Points of the plane, shape (n, 2).
    y
        Classes of the points.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, limited to the cells.

    Examples
    --------
    >>> left, right = [[0, 0], [1, 0], [1, 1], [0, 1]], [[1, 0], [2, 0], [2, 1], [1, 1]]
    >>> len(plot_cells([left, right], ["a", "b"]).patches)
    2
    """
    corners = [np.asarray(cell, dtype=np.float64).reshape(-1, 2) for cell in cells]
    names = np.asarray(labels)
    drawn = [cell for cell in corners if len(cell) > 2]
    if len(names) != len(corners) or not drawn:
        raise DataError(
            f"plot_cells: there must be a label for each of {len(corners)} cells, and a cell with "
            f"three corners; got {len(names)} labels."
        )
    points = None if X is None or y is None else plane("plot_cells", "X", X)
    shown = names if points is None else np.concatenate([names, np.asarray(y)])
    classes = np.unique(shown)
    ink = colours(len(classes))
    ax = axes_or_new(ax)
    polygon = need("matplotlib.patches", extra="plot").Polygon
    for cell, name in zip(corners, names, strict=True):
        if len(cell) > 2:
            face = pale(ink[int(np.searchsorted(classes, name))], 0.3)
            ax.add_patch(polygon(cell, facecolor=face, edgecolor="#555555", linewidth=0.8))
    if points is not None:
        codes = np.searchsorted(classes, np.asarray(y))
        scatter_by_class(ax, points, codes, [str(c) for c in classes], ink)
        ax.legend(loc="best", fontsize=8)
    left, right, bottom, top = frame(*drawn, margin=0.0)
    ax.set(xlim=(left, right), ylim=(bottom, top), xlabel="$x_1$", ylabel="$x_2$")
    return ax


def plot_step_surface(
    lower: ArrayLike, upper: ArrayLike, values: ArrayLike, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw a piecewise constant function of two variables as a step surface.

    Parameters
    ----------
    lower, upper
        Finite corners of the boxes, shape (n_boxes, 2).
    values
        The value of each box.
    ax
        Axes to draw on, made with ``projection="3d"``; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_step_surface([[0, 0], [1, 0]], [[1, 1], [2, 1]], [3.0, 5.0])
    >>> ax.name, len(ax.collections)
    ('3d', 1)
    """
    low, high = (
        plane("plot_step_surface", "lower", lower),
        plane("plot_step_surface", "upper", upper),
    )
    heights = np.asarray(values, dtype=np.float64)
    if low.shape != high.shape or heights.shape != (len(low),) or not np.isfinite(high - low).all():
        raise DataError(
            "plot_step_surface: lower, upper and values must describe the same finite boxes; got "
            f"shapes {low.shape}, {high.shape} and {heights.shape}."
        )
    space = space_or_new(ax)
    base = float(heights.min()) - 0.05 * (float(np.ptp(heights)) or 1.0)
    shades = need("matplotlib", extra="plot").colormaps["viridis"]
    span = float(np.ptp(heights)) or 1.0
    width = (high - low).T
    space.bar3d(
        *low.T, base, *width, heights - base, color=shades((heights - heights.min()) / span)
    )
    space.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="y")
    return space  # type: ignore[no-any-return]
