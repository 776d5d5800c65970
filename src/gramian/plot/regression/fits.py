"""Fits of different flexibility, inside and outside the range of the training data."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_fits(
    x: ArrayLike,
    y: ArrayLike,
    fits: Mapping[str, Callable[[Floats], ArrayLike]],
    *,
    seen: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points and the curves of several fits, with the range of extrapolation shaded.

    Parameters
    ----------
    x
        The variable, shape (n,) or (n, 1).
    y
        The targets, shape (n,).
    fits
        Functions by name, from rows, shape (m, 1), to predictions, shape (m,).
    seen
        Mask of the training points, shape (n,); the others are drawn hollow. None for all.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on; its y limits fit the points, so curves may be clipped.

    Examples
    --------
    >>> ax = plot_fits([0, 1, 2], [0, 1, 4], {"line": lambda X: 2 * X[:, 0]}, seen=[1, 1, 0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['line', 'seen', 'not seen', 'beyond the data']
    """
    xs, ys = np.ravel(np.asarray(x, dtype=np.float64)), np.asarray(y, dtype=np.float64)
    known = np.ones(len(xs), dtype=bool) if seen is None else np.asarray(seen, dtype=bool)
    if len(xs) == 0 or ys.shape != xs.shape or known.shape != xs.shape or not known.any():
        raise DataError(
            "plot_fits: y and seen must have one entry for each x, and seen at least one True; "
            f"got shapes {xs.shape}, {ys.shape} and {known.shape}."
        )
    room = 0.04 * (np.ptp(xs) or 1.0)
    grid = np.linspace(xs.min() - room, xs.max() + room, 800)
    ax = axes_or_new(ax)
    for stroke, (name, predict) in zip(strokes(len(fits)), fits.items(), strict=True):
        ax.plot(grid, predict(grid[:, None]), linewidth=1.8, label=name, **stroke)
    dots: dict[str, Any] = {"s": 28, "edgecolors": "#222222", "linewidths": 1.0, "zorder": 3}
    label = None if known.all() else "seen"
    ax.scatter(xs[known], ys[known], facecolors="#222222", label=label, **dots)
    if not known.all():
        ax.scatter(xs[~known], ys[~known], facecolors="white", label="not seen", **dots)
        low, high = xs[known].min(), xs[known].max()
        outside_range = [(grid[0], low)] if low > xs.min() else []
        outside_range += [(high, grid[-1])] if high < xs.max() else []
        for k, (a, b) in enumerate(outside_range):
            label_text = "beyond the data" if k == 0 else None
            ax.axvspan(a, b, color="#d9d9d9", alpha=0.5, linewidth=0, zorder=0, label=label_text)
    height = 0.15 * (np.ptp(ys) or 1.0)
    ax.set(xlim=(grid[0], grid[-1]), ylim=(ys.min() - height, ys.max() + height))
    ax.set(xlabel="x", ylabel="y")
    ax.legend(framealpha=0.9)
    return ax


def plot_extrapolation_errors(
    degrees: ArrayLike,
    training: ArrayLike,
    inside: ArrayLike,
    outside: ArrayLike,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw training, interpolation and extrapolation errors against the degree.

    Parameters
    ----------
    degrees
        Degrees, or another measure of flexibility, increasing, shape (m,).
    training, inside, outside
        Errors, each of shape (m,), as returned by `gramian.evaluate.extrapolation_errors`.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, with errors on a logarithmic axis.

    Examples
    --------
    >>> ax = plot_extrapolation_errors([1, 2], [0.2, 0.1], [0.3, 0.2], [1.0, 9.0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['on the training data', 'inside their range', 'beyond their range']
    """
    at = np.asarray(degrees)
    ax = axes_or_new(ax)
    curves = {
        "on the training data": (training, "s", "--"),
        "inside their range": (inside, "o", "-"),
        "beyond their range": (outside, "^", "-."),
    }
    for colour, (name, (errors, marker, style)) in zip(COLOURS, curves.items(), strict=False):
        values = np.asarray(errors, dtype=np.float64)
        if at.ndim != 1 or values.shape != at.shape:
            raise DataError(
                "plot_extrapolation_errors: there must be one error for each degree; "
                f"got shapes {at.shape} and {values.shape}."
            )
        ax.plot(at, values, color=colour, marker=marker, linestyle=style, markersize=5, label=name)
    ax.set_yscale("log")
    ax.xaxis.set_major_locator(need("matplotlib.ticker", extra="plot").MaxNLocator(integer=True))
    ax.set(xlabel="degree", ylabel="root mean squared error")
    ax.legend(framealpha=0.9)
    return ax
