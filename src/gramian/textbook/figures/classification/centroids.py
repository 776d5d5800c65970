"""The centroid method: two class means and their bisector."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new, frame, plane, scatter_labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_centroids(
    X: ArrayLike, y: ArrayLike, centroids: ArrayLike, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw points, the means of two classes, the line between them and its bisector.

    Parameters
    ----------
    X
        Points, shape (n, 2).
    y
        Classes of the points, shape (n,).
    centroids
        The two means, shape (2, 2).
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_centroids([[0, 0], [2, 0]], ["a", "b"], [[0, 0], [2, 0]])
    >>> [float(x) for x in ax.lines[-1].get_xdata()]        # the bisector x = 1
    [1.0, 1.0]
    """
    X, C = plane("plot_centroids", "X", X), plane("plot_centroids", "centroids", centroids)
    if len(C) != 2 or np.array_equal(C[0], C[1]):
        raise DataError(
            f"plot_centroids: centroids must be two different points; got {C.tolist()}."
        )
    ax = axes_or_new(ax)
    left, right, bottom, top = frame(X)
    scatter_labelled(ax, X, y)
    ax.plot(*C.T, "--", color="0.4", linewidth=1)
    ax.plot(*C.T, "X", color="0.1", markersize=10)
    middle, between = C.mean(axis=0), C[1] - C[0]
    ax.plot(*middle, "o", color="0.1", markersize=4)
    along = np.array([-between[1], between[0]]) / np.linalg.norm(between)
    reach = np.hypot(right - left, top - bottom)
    ends = np.array([middle - reach * along, middle + reach * along])
    ax.plot(*ends.T, "-", color="0.1")
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    return ax
