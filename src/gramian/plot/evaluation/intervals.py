"""Confidence intervals of several models or samples."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_intervals(
    estimates: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    names: Sequence[str] | None = None,
    *,
    truth: float | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw point estimates with their intervals, one below the other.

    Parameters
    ----------
    estimates
        Shape (m,); the first is drawn on top.
    lows, highs
        Limits of the intervals; infinite ones reach the edge of the plot.
    names
        Name of each interval; None for no names.
    truth
        True value, drawn as a line; intervals that do not contain it have another colour.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_intervals([0.9, 0.8], [0.85, 0.7], [0.95, 0.9], ["forest", "tree"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['forest', 'tree']
    """
    points, low, high = (np.asarray(a, dtype=np.float64) for a in (estimates, lows, highs))
    if points.ndim != 1 or len(points) == 0 or not points.shape == low.shape == high.shape:
        raise DataError(
            "plot_intervals: estimates, lows and highs must have one number for each interval; "
            f"got shapes {points.shape}, {low.shape} and {high.shape}."
        )
    if names is not None and len(names) != len(points):
        raise DataError(
            f"plot_intervals: names must have one name for each of {len(points)} intervals; got "
            f"{len(names)}."
        )
    every = np.concatenate([points, low, high, [] if truth is None else [truth]])
    every = every[np.isfinite(every)]
    room = 0.05 * (every.max() - every.min()) or 1.0
    left, right = every.min() - room, every.max() + room
    place = np.arange(len(points))
    misses_truth = np.zeros(len(points), dtype=bool)
    if truth is not None:
        misses_truth = (low > truth) | (high < truth)
    ax = axes_or_new(ax)
    for rows, colour in ((~misses_truth, COLOURS[0]), (misses_truth, COLOURS[1])):
        ends = np.clip(low[rows], left, right), np.clip(high[rows], left, right)
        ax.hlines(place[rows], *ends, color=colour, lw=2)
        ax.plot(points[rows], place[rows], "o", color=colour, ms=4.5)
    if truth is not None:
        ax.axvline(truth, color="black", lw=1)
    ax.set_xlim(float(left), float(right))
    ax.set_ylim(len(points) - 0.5, -0.5)
    ax.set_yticks([] if names is None else place, [] if names is None else names)
    return ax
