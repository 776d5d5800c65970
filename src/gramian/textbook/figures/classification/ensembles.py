"""Figures of boosting rounds, votes, and averaging."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, colours, frame, grid_over, plane
from gramian.plot.strokes import strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_weighted_points(
    X: ArrayLike,
    y: ArrayLike,
    weights: ArrayLike,
    *,
    predict: Callable[[Floats], ArrayLike] | None = None,
    resolution: int = 200,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw points with areas proportional to their weights, as in a round of boosting.

    Parameters
    ----------
    X
        Points, shape (n, 2).
    y
        Classes of the points, shape (n,).
    weights
        Weights of the points, >= 0, shape (n,).
    predict
        Function from points to classes; its decision regions are shaded.
    resolution
        Grid points along each axis, for `predict`.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_weighted_points([[0, 0], [1, 1]], [0, 1], [0.1, 0.9])
    >>> small, large = ax.collections[0].get_sizes()[0], ax.collections[1].get_sizes()[0]
    >>> round(float(large / small))
    9
    """
    ax = axes_or_new(ax)
    points = plane("plot_weighted_points", "X", X)
    weight = np.asarray(weights, dtype=np.float64)
    if weight.shape != (len(points),) or (weight < 0).any() or not weight.sum() > 0:
        raise DataError(
            "plot_weighted_points: weights must be >= 0, one per point and not all 0; got shape "
            f"{weight.shape}."
        )
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    ink = colours(len(classes))
    if predict is not None:
        across, up, everywhere = grid_over(frame(points), resolution)
        decided = np.searchsorted(classes, np.asarray(predict(everywhere)))
        levels = np.arange(len(classes) + 1) - 0.5
        shade = decided.reshape(resolution, resolution)
        ax.contourf(across, up, shade, levels=levels, colors=ink, alpha=0.18)
    size = 40.0 * len(points) * weight / weight.sum()
    for code, colour in enumerate(ink):
        rows = codes == code
        right_of, above = points[rows].T
        ax.scatter(
            right_of, above, s=size[rows], color=colour, edgecolors="white", linewidths=0.4,
            label=str(classes[code]),
        )  # fmt: skip
    return ax


def plot_votes(
    errors: ArrayLike, votes: ArrayLike, *, seen: Sequence[float] = (), ax: "Axes | None" = None
) -> "Axes":
    """Draw the vote of a learner against its weighted error.

    Parameters
    ----------
    errors
        Weighted errors, increasing.
    votes
        The vote of each, as from `gramian.ensemble.vote_weight`.
    seen
        Errors to mark on the curve, for example those of a model's learners.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_votes([0.1, 0.5, 0.9], [1.1, 0.0, -1.1], seen=[0.3])
    >>> ax.get_xlabel()
    'weighted error'
    """
    ax = axes_or_new(ax)
    across, up = np.asarray(errors, dtype=np.float64), np.asarray(votes, dtype=np.float64)
    if across.shape != up.shape or across.ndim != 1:
        raise DataError(
            "plot_votes: errors and votes must have the same length; got shapes "
            f"{across.shape} and {up.shape}."
        )
    (ink,) = colours(1)
    ax.axhline(0, color="0.7", linewidth=0.8)
    ax.axvline(0.5, color="0.7", linewidth=0.8)
    ax.plot(across, up, color=ink)
    if len(seen):
        ax.plot(seen, np.interp(seen, across, up), "o", color=ink, markersize=4, alpha=0.6)
    ax.set(xlabel="weighted error", ylabel="vote")
    return ax


def plot_average_variance(
    n_members: ArrayLike,
    variances: dict[str, ArrayLike],
    *,
    measured: dict[str, ArrayLike] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the variance of an average against the number of members, one line per correlation.

    Parameters
    ----------
    n_members
        Numbers of members.
    variances
        Theoretical variances at each number of members, by name, as from
        `gramian.textbook.ensembles.average_variance`.
    measured
        Measured variances by name, drawn as points.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_average_variance([1, 2, 4], {"r = 0": [1, 0.5, 0.25], "r = 1": [1, 1, 1]})
    >>> len(ax.lines)
    2
    """
    ax = axes_or_new(ax)
    across = np.asarray(n_members, dtype=np.float64)
    for stroke, (name, values) in zip(strokes(len(variances)), variances.items(), strict=True):
        line = ax.plot(across, np.asarray(values, dtype=np.float64), label=name, **stroke)[0]
        if measured is not None and name in measured:
            points = np.asarray(measured[name], dtype=np.float64)
            ax.plot(across, points, "o", color=line.get_color(), markersize=4)
    ax.set(xlabel="members", ylabel="variance of the average", ylim=(0, None), xscale="log")
    ax.legend()
    return ax
