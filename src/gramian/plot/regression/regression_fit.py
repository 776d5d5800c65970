"""Regression with its residuals: a curve over one variable, a surface over two."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new, frame, grid_over, plane, space_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_regression_line(
    x: ArrayLike,
    y: ArrayLike,
    predict: Callable[[Floats], ArrayLike],
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points, the fitted line or curve, and the residuals as vertical lines.

    Parameters
    ----------
    x
        The variable, shape (n,) or (n, 1).
    y
        The targets, shape (n,).
    predict
        Function from rows, shape (m, 1), to predictions, shape (m,): any `predict`.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; the title is the residual sum of squares.

    Examples
    --------
    >>> plot_regression_line([0, 1, 2], [1, 1, 4], lambda X: 1 + X[:, 0]).get_title()
    'RSS = 2'
    """
    xs, ys = np.ravel(np.asarray(x, dtype=np.float64)), np.asarray(y, dtype=np.float64)
    _check("plot_regression_line", xs, ys)
    fitted = np.asarray(predict(xs[:, None]), dtype=np.float64)
    room = 0.05 * (np.ptp(xs) or 1.0)
    grid = np.linspace(xs.min() - room, xs.max() + room, 300)
    ax = axes_or_new(ax)
    ax.vlines(xs, fitted, ys, color=COLOURS[1], linewidth=1.3, label="residual", zorder=1)
    ax.plot(grid, predict(grid[:, None]), color=COLOURS[0], linewidth=2, label="fit", zorder=2)
    ax.scatter(xs, ys, s=26, color="#222222", edgecolors="white", linewidths=0.5, zorder=3)
    ax.set(xlabel="x", ylabel="y", title=f"RSS = {((ys - fitted) ** 2).sum():.4g}")
    ax.legend(framealpha=0.9)
    return ax


def plot_regression_plane(
    X: ArrayLike,
    y: ArrayLike,
    predict: Callable[[Floats], ArrayLike],
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points in space, the fitted plane or surface, and the residuals as vertical lines.

    Parameters
    ----------
    X
        The two variables, shape (n, 2).
    y
        The targets, shape (n,).
    predict
        Function from rows, shape (m, 2), to predictions, shape (m,): any `predict`.
    ax
        Axes to draw on, made with ``projection="3d"``; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; the title is the residual sum of squares.

    Examples
    --------
    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> plot_regression_plane(corners, [0, 1, 1, 3], lambda X: X.sum(axis=1)).get_title()
    'RSS = 1'
    """
    rows, ys = plane("plot_regression_plane", "X", X), np.asarray(y, dtype=np.float64)
    _check("plot_regression_plane", rows, ys)
    fitted = np.asarray(predict(rows), dtype=np.float64)
    space = space_or_new(ax)
    cells = grid_over(frame(rows), 30)
    across, up = np.meshgrid(cells.across, cells.up)
    surface = cells.values(predict(cells.points))
    space.plot_surface(
        across, up, surface, color=COLOURS[0], alpha=0.3, linewidth=0, rstride=1, cstride=1
    )
    space.plot_wireframe(
        across, up, surface, color=COLOURS[0], alpha=0.35, linewidth=0.5, rcount=8, ccount=8
    )
    for (a, b), low, high in zip(rows, fitted, ys, strict=True):
        space.plot([a, a], [b, b], [low, high], color=COLOURS[1], linewidth=1.3)
    space.scatter(*rows.T, ys, s=22, color="#222222", depthshade=False)
    space.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="y")
    space.locator_params(nbins=5)  # seen from the side, the numbers are close together
    space.set_title(f"RSS = {((ys - fitted) ** 2).sum():.4g}")
    return space  # type: ignore[no-any-return]


def _check(owner: str, rows: Floats, y: Floats) -> None:
    if len(rows) == 0 or y.shape != (len(rows),):
        raise DataError(
            f"{owner}: y must have one number for each of the {len(rows)} points, at least one; "
            f"got shape {y.shape}."
        )
