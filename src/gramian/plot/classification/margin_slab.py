"""The margin of a support vector machine, with its support vectors."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new, frame, grid_over, plane, scatter_labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_margin_slab(
    X: ArrayLike,
    y: ArrayLike,
    w: ArrayLike,
    b: float,
    *,
    support: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points, the line w . x + b = 0, and the margins w . x + b = -1 and 1.

    Parameters
    ----------
    X
        Points, shape (n, 2).
    y
        Classes of the points, shape (n,).
    w
        The weights, shape (2,).
    b
        The bias.
    support
        Indices of the support vectors, which are marked.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_margin_slab([[1, 1], [-1, -1]], [1, -1], [0.5, 0.5], 0.0, support=[0, 1])
    >>> ax.get_title()
    'slab 2.83 wide, 2 support vectors'
    """
    X = plane("plot_margin_slab", "X", X)
    normal = np.asarray(w, dtype=float)
    if normal.shape != (2,) or not normal.any():
        raise DataError(
            f"plot_margin_slab: w must be two numbers, not both 0; got {np.asarray(w).tolist()}."
        )
    ax = axes_or_new(ax)
    left, right, bottom, top = frame(X)
    cells = grid_over((left, right, bottom, top), 200)
    across, up = cells.across, cells.up
    f = cells.values(cells.points @ normal + b)
    ax.contourf(across, up, np.abs(f), levels=[0, 1], colors=["0.92"])
    ax.contour(across, up, f, levels=[-1, 0, 1], colors="0.25", linestyles=["--", "-", "--"])
    scatter_labelled(ax, X, y)
    marked = np.asarray([] if support is None else support, dtype=int)
    across, up = X[marked].T
    ax.scatter(across, up, s=130, facecolors="none", edgecolors="0.1", linewidths=1.2)
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    support_vectors = "" if support is None else f", {len(marked)} support vectors"
    ax.set_title(f"slab {2 / np.linalg.norm(normal):.2f} wide{support_vectors}")
    return ax
