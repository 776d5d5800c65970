"""Weight space: rows become lines, and separating lines become points."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.plot.canvas import COLOURS, axes_or_new, grid_over, plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_weight_space(
    X: ArrayLike,
    y: ArrayLike,
    *,
    path: ArrayLike | None = None,
    reach: float = 3.0,
    resolution: int = 200,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the perceptron's risk over the weights, with a line for each row and the cone.

    A row x with the label y = -1 or 1 is the line x . w = 0 of this space; the weights on one side
    classify the row correctly. The weights that classify all rows correctly form a cone, on which
    the risk R(w) = sum over the misclassified rows of -y w . x is 0.

    Parameters
    ----------
    X
        Points, shape (n, 2); the separating lines pass through the origin.
    y
        Labels -1 or 1.
    path
        Iterates of the weights, shape (m, 2), joined by a line.
    reach
        Both axes run from -reach to reach.
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
    >>> ax = plot_weight_space([[1, 0], [0, 1]], [1, 1], path=[[-1, -1], [0, 0], [1, 1]])
    >>> ax.get_xlabel(), len(ax.lines)
    ('$w_1$', 3)
    """
    X = plane("plot_weight_space", "X", X)
    signed = X * np.asarray(y, dtype=float)[:, None]
    ax = axes_or_new(ax)
    cells = grid_over((-reach, reach, -reach, reach), resolution)
    across, up, W = cells
    risk = cells.values(np.maximum(0, -(W @ signed.T)).sum(axis=1))
    ax.contourf(across, up, risk, levels=[0, 1e-9], colors=["#d8ecd8"])
    ax.contour(across, up, risk, levels=12, colors="0.6", linewidths=0.7)
    for x in X:  # the line of weights orthogonal to x
        along = np.array([-x[1], x[0]]) / max(float(np.hypot(*x)), 1e-300)
        ends = 2 * reach * np.array([-along, along])
        ax.plot(*ends.T, "-", color="0.25", linewidth=0.8)
    if path is not None:
        steps = plane("plot_weight_space", "path", path)
        ax.plot(*steps.T, ".-", color=COLOURS[1])
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.set(xlabel="$w_1$", ylabel="$w_2$")
    return ax
