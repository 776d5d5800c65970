"""Plots of a partition of the plane into boxes, marking the boxes that a query visits."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import COLOURS, axes_or_new, frame, pale, plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_boxes(
    low: ArrayLike,
    high: ArrayLike,
    points: ArrayLike,
    *,
    visited: ArrayLike | None = None,
    query: ArrayLike | None = None,
    radius: float | None = None,
    found: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a partition into boxes, the boxes that a query visited, and its circle.

    Parameters
    ----------
    low, high
        Corners of the boxes, shape (m, 2); infinite ones reach the edge of the plot.
    points
        The points in them, shape (n, 2).
    visited
        Mask of the boxes that the query visited, shape (m,); they are shaded.
    query
        The query, shape (2,).
    radius
        Radius of the circle around the query.
    found
        Points found, shape (k, 2), marked by rings.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> inf = float("inf")
    >>> low, high = [[-inf, -inf], [1, -inf]], [[1, inf], [inf, inf]]
    >>> ax = plot_boxes(low, high, [[0, 0], [2, 1]], visited=[True, False], query=[0.2, 0.5])
    >>> len(ax.patches)
    2
    """
    corners = plane("plot_boxes", "low", low), plane("plot_boxes", "high", high)
    dots = plane("plot_boxes", "points", points)
    visited_mask = np.zeros(len(corners[0]), bool) if visited is None else np.asarray(visited, bool)
    if not len(corners[0]) == len(corners[1]) == len(visited_mask):
        raise DataError(
            "plot_boxes: low, high and visited must have one entry per box; got "
            f"{len(corners[0])}, {len(corners[1])} and {len(visited_mask)}."
        )
    at = (
        None
        if query is None
        else plane("plot_boxes", "query", np.atleast_2d(np.asarray(query, float)))
    )
    left, right, bottom, top = frame(dots) if at is None else frame(dots, at)

    ax = axes_or_new(ax)
    patches = need("matplotlib.patches", extra="plot")
    lows = np.maximum(corners[0], (left, bottom))
    highs = np.minimum(corners[1], (right, top))
    for (x, y), (x_end, y_end), shaded in zip(lows, highs, visited_mask, strict=True):
        face = pale(COLOURS[1], 0.35) if shaded else "white"
        box = (x, y), x_end - x, y_end - y
        ax.add_patch(patches.Rectangle(*box, facecolor=face, edgecolor="#777777", linewidth=0.7))
    ax.scatter(dots[:, 0], dots[:, 1], s=14, color=COLOURS[0], zorder=2)
    if found is not None:
        rings = plane("plot_boxes", "found", found)
        ax.scatter(
            rings[:, 0], rings[:, 1], s=90, facecolors="none", edgecolors=COLOURS[4], linewidths=1.5
        )
    if at is not None:
        ax.scatter(at[:, 0], at[:, 1], marker="x", s=50, color=COLOURS[4], zorder=3)
        if radius is not None:
            circle = patches.Circle(at[0], radius, fill=False, edgecolor=COLOURS[4], linewidth=1.2)
            ax.add_patch(circle)
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    return ax
