"""Newton's method as parabolas that touch the function."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curve = Callable[[Floats], ArrayLike]


def plot_newton_steps(
    function: Curve,
    derivative: Curve,
    curvature: Curve,
    points: ArrayLike,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a function, the iterates of Newton's method, and the parabola of each step.

    At x_k the method replaces f by f(x_k) + f'(x_k) (x - x_k) + f''(x_k) (x - x_k)^2 / 2 and moves
    to the minimum of that parabola, or to its maximum if f'' < 0.

    Parameters
    ----------
    function, derivative, curvature
        f, f' and f'', elementwise functions of an array of shape (m,).
    points
        The iterates x_0, x_1, ..., shape (steps + 1,).
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> f, df, ddf = (lambda x: x**2, lambda x: 2 * x, lambda x: 2 + 0 * x)
    >>> ax = plot_newton_steps(f, df, ddf, [3.0, 0.0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['f', 'parabola at $x_{0}$']
    """
    xs = np.asarray(points, dtype=np.float64)
    if xs.ndim != 1 or len(xs) < 2:
        raise DataError(
            f"plot_newton_steps: points must be a list of 2 or more numbers; got shape {xs.shape}."
        )
    ax = axes_or_new(ax)
    heights, slopes, bends = (np.asarray(g(xs), float) for g in (function, derivative, curvature))
    room = 0.25 * np.ptp(xs) or 1.0
    grid = np.linspace(xs.min() - room, xs.max() + room, 400)
    curve = np.asarray(function(grid), float)
    ax.plot(grid, curve, color="#222222", linewidth=1.8, label="f", zorder=2)
    lowest = [curve.min()]
    for k, stroke in enumerate(strokes(len(xs) - 1)):
        step = grid - xs[k]
        parabola = heights[k] + slopes[k] * step + bends[k] * step**2 / 2
        move = xs[k + 1] - xs[k]
        vertex = heights[k] + slopes[k] * move + bends[k] * move**2 / 2
        lowest.append(vertex)
        ax.plot(grid, parabola, linewidth=1.3, label=f"parabola at $x_{{{k}}}$", **stroke)
        ink = stroke["color"]
        ax.plot([xs[k + 1]] * 2, [vertex, heights[k + 1]], color=ink, linewidth=0.8)
        ax.plot(xs[k + 1], vertex, marker="v", markersize=6, color=ink, zorder=3)
    ax.plot(xs, heights, "o", color="#222222", markersize=5, zorder=4)
    _name_points(ax, xs, heights)
    # Parabolas may be clipped; the function and the steps are not.
    low, high = min(lowest), max(curve.max(), heights.max())
    ax.set(ylim=(low - 0.1 * (high - low), high + 0.1 * (high - low)), xlabel="x", ylabel="f(x)")
    ax.set_xlim(grid[0], grid[-1])
    ax.legend(framealpha=0.9)
    return ax


def _name_points(ax: "Axes", xs: Floats, heights: Floats) -> None:
    """Write x_k above its point, unless it would overlap an earlier label."""
    width = np.ptp(xs) or 1.0
    for k, (x, height) in enumerate(zip(xs, heights, strict=True)):
        if all(abs(x - other) > 0.08 * width for other in xs[:k]):
            place: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "zorder": 5}
            ax.annotate(f"$x_{{{k}}}$", (x, height), (0, 8), **place)
