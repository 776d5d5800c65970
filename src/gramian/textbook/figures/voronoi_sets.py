"""Voronoi diagrams of any order and norm, as an image."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import ParameterError, need
from gramian.plot.canvas import axes_or_new, frame, grid_over, pale, plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def nearest_sets(points: ArrayLike, grid: ArrayLike, k: int = 1, p: float = 2) -> NDArray[np.intp]:
    """Return for each grid point a number that identifies its set of k nearest points.

    Grid points with the same set of k nearest points, in any order, get the same number: these are
    the cells of the order-k Voronoi diagram under the norm of order p.

    Parameters
    ----------
    points
        Points of the plane, shape (n, 2).
    grid
        Grid points, shape (m, 2).
    k
        The order of the diagram.
    p
        The order of the norm, 1 to infinity.

    Returns
    -------
    numbers
        Shape (m,).

    Examples
    --------
    >>> nearest_sets([[0, 0], [4, 0], [9, 0]], [[0, 0], [1, 0], [8, 0]], k=2)
    array([0, 0, 1])
    """
    sites = plane("nearest_sets", "points", points)
    if not 1 <= k <= len(sites) or not p >= 1:
        raise ParameterError(
            f"nearest_sets: k must be between 1 and {len(sites)}, the number of points, and p in "
            f"[1, inf]; got k={k!r}, p={p!r}."
        )
    places = plane("nearest_sets", "grid", grid)
    distances = np.linalg.norm(places[:, None] - sites, ord=p, axis=2)
    nearest = np.sort(np.argsort(distances, axis=1, kind="stable")[:, :k], axis=1)
    return np.unique(nearest, axis=0, return_inverse=True)[1].reshape(-1)


def plot_voronoi_sets(
    points: ArrayLike,
    k: int = 1,
    p: float = 2,
    *,
    resolution: int = 250,
    ax: "Axes | None" = None,
) -> "Axes":
    """Shade the cells of the order-k Voronoi diagram of points, under any norm of order p.

    Parameters
    ----------
    points
        Points of the plane, shape (n, 2).
    k
        The order: points of a cell have the same k nearest points.
    p
        The order of the norm, 1 to infinity.
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
    >>> ax = plot_voronoi_sets([[0, 0], [1, 0], [0, 1]], k=2, p=1, resolution=20)
    >>> ax.get_title()
    'order 2, p = 1'
    """
    sites = plane("plot_voronoi_sets", "points", points)
    left, right, bottom, top = frame(sites, margin=0.3)
    across, up, everywhere = grid_over((left, right, bottom, top), resolution)
    cells = nearest_sets(sites, everywhere, k, p).reshape(resolution, resolution)

    ax = axes_or_new(ax)
    wheel = need("matplotlib", extra="plot").colormaps["hsv"]
    # Golden-ratio steps around the colour wheel give neighbouring numbers different colours.
    shades = [pale(wheel(number * 0.618034 % 1)) for number in range(int(cells.max()) + 1)]
    image = np.array(shades)[cells]
    ax.imshow(image, origin="lower", extent=(left, right, bottom, top), interpolation="nearest")
    border = np.zeros(cells.shape)
    border[:, 1:] += cells[:, 1:] != cells[:, :-1]
    border[1:] += cells[1:] != cells[:-1]
    if border.any():
        ax.contour(across, up, border, levels=[0.5], colors="#555555", linewidths=0.5)
    ax.scatter(sites[:, 0], sites[:, 1], s=12, color="black")
    ax.set(xlim=(left, right), ylim=(bottom, top), title=f"order {k}, p = {p:g}")
    return ax
