"""Ridge regression as geometry: ellipses of equal error, circles of equal norm."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new
from gramian.textbook.figures.regression.ellipses import draw_ellipses, excess_rss

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_ridge_geometry(
    gram: ArrayLike,
    least_squares: ArrayLike,
    alphas: ArrayLike,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    r"""Draw where ellipses of equal error touch circles of equal norm, and the path between.

    The residual sum of squares is RSS(w*) + (w - w*)' G (w - w*), with G = X'X and w* the
    least-squares solution. For each alpha the ridge weights w = (G + alpha I)^{-1} G w* are the
    point at which an ellipse of equal RSS touches a circle around the origin; as alpha grows they
    follow the path from w* to the origin.

    Parameters
    ----------
    gram
        G = X'X of centred columns, shape (2, 2).
    least_squares
        w*, shape (2,).
    alphas
        The penalties alpha > 0 whose points are drawn.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, with equal scales.

    Examples
    --------
    >>> ax = plot_ridge_geometry([[4, 1], [1, 2]], [2, 1], [1, 5])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['equal RSS', 'equal $|w|$', '$w(\\alpha)$']
    """
    G, best = np.asarray(gram, dtype=np.float64), np.asarray(least_squares, dtype=np.float64)
    penalties = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
    if G.shape != (2, 2) or best.shape != (2,) or not (penalties > 0).all() or not best.any():
        raise DataError(
            "plot_ridge_geometry: gram must have shape (2, 2), least_squares shape (2,) and not be "
            f"zero, and all alphas must be positive; got {G.shape}, {best} and {penalties}."
        )
    ax = axes_or_new(ax)
    largest = float(np.linalg.eigvalsh(G)[-1])
    path = _ridge(G, best, np.r_[0, np.geomspace(1e-6, 1e6, 400) * largest])
    points = _ridge(G, best, penalties)
    # All ellipses and circles fit into the figure.
    radius, reach = np.linalg.norm(points, axis=1), _reach(G, best, points)
    low = np.minimum(-radius.max(), best - reach)
    high = np.maximum(radius.max(), best + reach)
    room = 0.06 * (high - low).max()
    (left, bottom), (right, top) = low - room, high + room
    draw_ellipses(ax, G, best, (left, right, bottom, top), np.unique(excess_rss(G, points - best)))
    angle = np.linspace(0, 2 * np.pi, 200)
    for r in radius:
        ax.plot(r * np.cos(angle), r * np.sin(angle), "--", color=COLOURS[2], linewidth=1.3)
    ax.plot([], [], "--", color=COLOURS[2], linewidth=1.3, label="equal $|w|$")
    ax.plot(*path.T, color=COLOURS[1], linewidth=2, label=r"$w(\alpha)$", zorder=2)
    ax.plot(*points.T, "o", color=COLOURS[1], markeredgecolor="white", markersize=7, zorder=3)
    paper = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    style: dict[str, Any] = {"textcoords": "offset points", "zorder": 5, "bbox": paper}
    ax.annotate("least squares", (best[0], best[1]), (9, 7), fontsize=9, **style)
    for alpha, r in zip(penalties, radius, strict=True):  # below the path
        ax.annotate(rf"$\alpha={alpha:g}$", (0, -r), (0, -3), fontsize=9, ha="center", **style)
    ax.set(xlim=(left, right), ylim=(bottom, top))
    ax.legend(framealpha=0.9)
    return ax


def _ridge(G: Floats, best: Floats, alphas: Floats) -> Floats:
    """Return (G + alpha I)^{-1} G w* for each alpha; least squares itself at 0."""
    values, vectors = np.linalg.eigh(G)
    free = alphas[:, None] == 0
    kept = np.where(free, 1.0, values / np.where(free, 1.0, values + alphas[:, None]))
    weights: Floats = (kept * (vectors.T @ best)) @ vectors.T
    return weights


def _reach(G: Floats, best: Floats, points: Floats) -> Floats:
    """Return the extent of the largest ellipse along each axis: sqrt(height (G^{-1})_kk)."""
    height = float(excess_rss(G, points - best).max())
    reach: Floats = np.sqrt(height * np.diag(np.linalg.pinv(G)))
    return reach
