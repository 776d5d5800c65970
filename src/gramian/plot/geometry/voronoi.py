"""Voronoi cells in the plane: the points nearer to one centre than to every other."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import need
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, colours, frame, pale, plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Box = tuple[float, float, float, float]


def voronoi_cells(centers: ArrayLike, box: Box) -> list[Floats]:
    """Return the Voronoi cells of a box as convex polygons.

    The cell of a centre is the box minus, for every other centre, the half-plane nearer to that
    one. Among equal centres only the first has a cell. Costs O(k^2) cuts for k centres, which is
    fast enough for a plot.

    Parameters
    ----------
    centers
        Points of the plane, shape (k, 2).
    box
        Left, right, bottom and top of the box.

    Returns
    -------
    cells
        One array of corners, shape (m, 2), for each centre; m is 0 for a cell outside the box.

    Examples
    --------
    >>> left_half, right_half = voronoi_cells([[1, 1], [3, 1]], box=(0, 4, 0, 2))
    >>> left_half[:, 0].max(), right_half[:, 0].min()
    (np.float64(2.0), np.float64(2.0))
    """
    points = plane("voronoi_cells", "centers", centers)
    left, right, bottom, top = box
    whole = np.array([(left, bottom), (right, bottom), (right, top), (left, top)], dtype=float)
    cells = []
    for i, own in enumerate(points):
        cell = whole
        for j, other in enumerate(points):
            if (own == other).all():
                cell = cell if i <= j else cell[:0]
            else:
                normal = other - own
                cell = cut(cell, normal, normal @ (own + other) / 2)
        cells.append(cell)
    return cells


def cut(polygon: Floats, normal: Floats, offset: float) -> Floats:
    """Keep the part of a convex polygon where normal.x <= offset."""
    outside = polygon @ normal - offset
    kept = []
    for corner, height, before, height_before in zip(
        polygon, outside, np.roll(polygon, 1, axis=0), np.roll(outside, 1), strict=True
    ):
        if (height > 0) != (height_before > 0):
            kept.append(before + (corner - before) * height_before / (height_before - height))
        if height <= 0:
            kept.append(corner)
    return np.array(kept).reshape(-1, 2)


def plot_voronoi_cells(
    centers: ArrayLike, *, box: Box | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw the Voronoi cells of the centres, each in a different pale colour.

    Parameters
    ----------
    centers
        Points of the plane, shape (k, 2).
    box
        Left, right, bottom and top of the part to draw; None for a box around the centres.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, limited to the box.

    Examples
    --------
    >>> ax = plot_voronoi_cells([[0, 0], [1, 0], [0, 1]])
    >>> len(ax.patches)
    3
    """
    points = plane("plot_voronoi_cells", "centers", centers)
    box = frame(points, margin=0.3) if box is None else box
    ax = axes_or_new(ax)
    polygon = need("matplotlib.patches", extra="plot").Polygon
    for cell, colour in zip(voronoi_cells(points, box), colours(len(points)), strict=True):
        if len(cell):
            ax.add_patch(polygon(cell, facecolor=pale(colour), edgecolor="#555555", linewidth=0.8))
    ax.set(xlim=box[:2], ylim=box[2:])
    return ax
