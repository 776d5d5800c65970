"""Balls of l_q norms, and the lasso as geometry."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new, colours
from gramian.textbook.figures.regression.ellipses import draw_ellipses, excess_rss

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def lq_circle(q: float, budget: float = 1.0, *, n_points: int = 400) -> Floats:
    """Return points of the curve |w_1|^q + |w_2|^q = budget; q may be infinity.

    Parameters
    ----------
    q
        The power, > 0.
    budget
        The sum of powers (for infinity: the largest entry).
    n_points
        Number of points; the last one repeats the first.

    Returns
    -------
    array (n_points, 2)

    Examples
    --------
    >>> lq_circle(1.0, n_points=5).round(6) + 0.0
    array([[ 1.,  0.],
           [ 0.,  1.],
           [-1.,  0.],
           [ 0., -1.],
           [ 1.,  0.]])
    """
    if not q > 0 or not budget > 0:
        raise DataError(f"lq_circle: q and budget must be > 0; got {q!r} and {budget!r}.")
    angle = np.linspace(0, 2 * np.pi, n_points)
    ray = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ray[np.abs(ray) < 1e-15] = 0.0
    if np.isinf(q):
        circle: Floats = budget * ray / np.abs(ray).max(axis=1, keepdims=True)
    else:
        sums = (np.abs(ray) ** q).sum(axis=1, keepdims=True)
        circle = ray * (budget / sums) ** (1 / q)
    return circle


def plot_lq_balls(qs: ArrayLike = (0.5, 1, 2, 4, np.inf), *, ax: "Axes | None" = None) -> "Axes":
    """Draw the unit balls |w_1|^q + |w_2|^q <= 1 of several powers.

    Parameters
    ----------
    qs
        The powers, > 0; infinity is the square.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, with equal scales.

    Examples
    --------
    >>> ax = plot_lq_balls([1, 2])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['$q=1$', '$q=2$']
    """
    ax = axes_or_new(ax)
    powers = np.atleast_1d(np.asarray(qs, dtype=np.float64))
    for q, colour in zip(powers, colours(len(powers)), strict=True):
        name = r"$q=\infty$" if np.isinf(q) else f"$q={q:g}$"
        ax.plot(*lq_circle(float(q)).T, color=colour, linewidth=1.8, label=name)
    ax.axhline(0, color="#bbbbbb", linewidth=0.7, zorder=0)
    ax.axvline(0, color="#bbbbbb", linewidth=0.7, zorder=0)
    ax.set(aspect="equal", xlabel="$w_1$", ylabel="$w_2$", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.legend(loc="center", fontsize="small", framealpha=0.9)
    return ax


def plot_lq_geometry(
    gram: ArrayLike,
    least_squares: ArrayLike,
    solution: ArrayLike,
    *,
    q: float = 1.0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the ellipse of equal error that touches the l_q ball through a penalised solution.

    With q = 1 the ball is a diamond, whose corners lie on the axes: an ellipse often touches it at
    a corner, where one weight is exactly 0.

    Parameters
    ----------
    gram
        G = X'X of centred columns, shape (2, 2).
    least_squares
        The minimiser without penalty, shape (2,).
    solution
        The minimiser with the penalty, shape (2,), not zero.
    q
        The power, > 0.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, with equal scales.

    Examples
    --------
    >>> ax = plot_lq_geometry([[4, 1], [1, 2]], [2, 1], [1.5, 0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['equal RSS', '$q=1$', 'solution']
    """
    G = np.asarray(gram, dtype=np.float64)
    best, at = (np.asarray(v, dtype=np.float64) for v in (least_squares, solution))
    if G.shape != (2, 2) or best.shape != (2,) or at.shape != (2,) or not at.any():
        raise DataError(
            "plot_lq_geometry: gram must have shape (2, 2), least_squares and solution shape (2,), "
            f"the last not zero; got {G.shape}, {best.shape} and {at}."
        )
    ax = axes_or_new(ax)
    ball = lq_circle(q, float((np.abs(at) ** q).sum()))
    reach = 1.15 * max(float(np.abs(ball).max()), float(np.abs(best).max()))
    touching = float(excess_rss(G, at - best))
    levels = [touching * factor for factor in (0.25, 1.0, 2.0)]
    draw_ellipses(ax, G, best, (-reach, reach, -reach, reach), levels)
    ax.fill(*ball.T, color=COLOURS[2], alpha=0.15)
    ax.plot(*ball.T, color=COLOURS[2], linewidth=1.5, label=f"$q={q:g}$")
    ax.plot(*at, "o", color=COLOURS[1], markeredgecolor="white", markersize=9, label="solution")
    ax.legend(framealpha=0.9)
    return ax
