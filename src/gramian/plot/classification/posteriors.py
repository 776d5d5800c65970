"""Posterior probabilities of two classes: curves over one variable, contours over two."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError, need
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new, frame, grid_over, plane
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Posterior = Callable[[Floats], ArrayLike]


def plot_posterior_curves(
    x: ArrayLike,
    y: ArrayLike,
    posteriors: Mapping[str, Posterior],
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw P(second class | x) of one or more models over one variable, and the points.

    Points of the first class are drawn at the bottom, those of the second at the top. The dashed
    line at 1/2 is the decision threshold; a mark shows where each curve crosses it.

    Parameters
    ----------
    x
        The variable, shape (n,) or (n, 1).
    y
        Two classes, shape (n,); the second in order is the one whose probability is drawn.
    posteriors
        Functions by name, from rows, shape (m, 1), to probabilities of the second class, shape
        (m,): ``lambda X: model.predict_proba(X)[:, 1]``.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from scipy.special import expit
    >>> ax = plot_posterior_curves([-1, 1], ["a", "b"], {"steep": lambda X: expit(9 * X[:, 0])})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['steep', 'a', 'b']
    """
    xs = np.ravel(np.asarray(x, dtype=np.float64))
    codes, names = _two_classes("plot_posterior_curves", y, len(xs))
    room = 0.06 * (np.ptp(xs) or 1.0)
    grid = np.linspace(xs.min() - room, xs.max() + room, 500)
    ax = axes_or_new(ax)
    ax.axhline(0.5, color="#999999", linewidth=0.8, linestyle="--", zorder=0)
    lines = strokes(len(posteriors), skip=2)  # the first two colours are the classes'
    for stroke, (name, posterior) in zip(lines, posteriors.items(), strict=True):
        curve = np.asarray(posterior(grid[:, None]), dtype=np.float64)
        ax.plot(grid, curve, linewidth=2, label=name, **stroke)
        crossing = _crossings(grid, curve - 0.5)
        middle = np.full(len(crossing), 0.5)
        ax.plot(crossing, middle, "o", markersize=6, color=stroke["color"])
    for code, name in enumerate(names):
        at = xs[codes == code]
        height = np.full(len(at), -0.06 + 1.12 * code)
        ink = COLOURS[code]
        ax.scatter(at, height, marker="|", s=90, linewidths=1.1, color=ink, label=name)
    ax.set(ylim=(-0.14, 1.14), xlim=(grid[0], grid[-1]), xlabel="x")
    ax.set_ylabel(f"P({names[1]} | x)")
    ax.legend(framealpha=0.9, loc="best")
    return ax


def plot_posterior_contours(
    X: ArrayLike,
    y: ArrayLike,
    posteriors: Mapping[str, Posterior],
    *,
    levels: Sequence[float] = (0.1, 0.5, 0.9),
    resolution: int = 200,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw contours of P(second class | x) in the plane, of one or more models, and the points.

    Parameters
    ----------
    X
        Points, shape (n, 2).
    y
        Two classes, shape (n,); the second in order is the one whose probability is drawn.
    posteriors
        Functions by name, from rows, shape (m, 2), to probabilities of the second class, shape
        (m,); each has its own line style.
    levels
        Probabilities to draw, increasing; the boundary at 1/2 is drawn thicker.
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
    >>> from scipy.special import expit
    >>> X, y = [[-1, 0], [1, 1]], [0, 1]
    >>> ax = plot_posterior_contours(X, y, {"upright": lambda X: expit(X[:, 0])})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['upright', '0', '1']
    """
    rows = plane("plot_posterior_contours", "X", X)
    codes, names = _two_classes("plot_posterior_contours", y, len(rows))
    left, right, bottom, top = frame(rows)
    cells = grid_over((left, right, bottom, top), resolution)
    ax = axes_or_new(ax)
    Line2D = need("matplotlib.lines", extra="plot").Line2D
    handles = []
    size = float(np.clip(5000 / len(rows), 9, 26))
    for code, (name, marker) in enumerate(zip(names, "os", strict=True)):
        at = rows[codes == code]
        across_at, up_at = at.T
        handles.append(
            ax.scatter(
                across_at,
                up_at,
                s=size,
                marker=marker,
                color=COLOURS[code],
                alpha=0.75,
                edgecolors="white",
                linewidths=0.4,
                label=name,
            )
        )
    lines = []
    line_styles = strokes(len(posteriors), skip=2)
    for stroke, (name, posterior) in zip(line_styles, posteriors.items(), strict=True):
        values = cells.values(posterior(cells.points))
        lines.append(Line2D([], [], linewidth=1.8, label=name, **stroke))
        reached = [level for level in levels if values.min() < level < values.max()]
        if not reached:
            continue
        drawn = ax.contour(
            cells.across,
            cells.up,
            values,
            levels=reached,
            colors=[stroke["color"]],
            linestyles=stroke["linestyle"],
            linewidths=[2.2 if level == 0.5 else 1.0 for level in reached],
        )
        if len(levels) > 1:
            ax.clabel(drawn, fmt="%g", fontsize=8)
    ax.set(xlim=(left, right), ylim=(bottom, top), xlabel="$x_1$", ylabel="$x_2$")
    ax.legend(handles=[*lines, *handles], framealpha=0.9)
    return ax


def _crossings(x: Floats, values: Floats) -> Floats:
    """Return where a sampled curve crosses zero, by linear interpolation."""
    (i,) = np.nonzero(np.diff(np.signbit(values)))
    fraction = values[i] / (values[i] - values[i + 1])
    crossings: Floats = x[i] + fraction * (x[i + 1] - x[i])
    return crossings


def _two_classes(owner: str, y: ArrayLike, n: int) -> tuple[NDArray[np.intp], list[str]]:
    labels = np.asarray(y)
    classes, codes = np.unique(labels, return_inverse=True)
    if labels.shape != (n,) or len(classes) != 2:
        raise DataError(
            f"{owner}: y must assign each of the {n} points to one of two classes; "
            f"got shape {labels.shape} with {len(classes)} classes."
        )
    return codes, [str(name) for name in classes]
