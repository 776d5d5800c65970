"""Dichotomies of a few points, and the growth of their number."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_dichotomies(
    points: ArrayLike, labellings: ArrayLike, *, axs: Any = None
) -> "np.ndarray[Any, Any]":
    """Draw the points once for each labelling; points inside are filled.

    Parameters
    ----------
    points
        Points of the plane, shape (n, 2).
    labellings
        Boolean array with a row per panel and a column per point.
    axs
        Axes to draw on, at least one for each labelling; a new grid if None.

    Returns
    -------
    axs
        The Axes, one-dimensional; those beyond the labellings are hidden.

    Examples
    --------
    >>> axs = plot_dichotomies([[0, 0], [1, 1]], [[False, False], [False, True]])
    >>> len(axs)
    2
    """
    import matplotlib.pyplot as plt

    place = np.asarray(points, dtype=np.float64)
    inside = np.asarray(labellings, dtype=bool)
    if place.ndim != 2 or place.shape[1] != 2 or inside.shape[1:] != place.shape[:1]:
        raise DataError(
            "plot_dichotomies: points must have shape (n, 2) and labellings n columns; got shapes "
            f"{place.shape} and {inside.shape}."
        )
    if axs is None:
        columns = min(8, max(1, len(inside)))
        rows = max(1, -(-len(inside) // columns))
        size = (1.2 * columns, 1.2 * rows)
        _, axs = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    panels = np.ravel(axs)
    if len(panels) < len(inside):
        raise DataError(
            f"plot_dichotomies: there are {len(inside)} labellings; got {len(panels)} Axes."
        )
    for ax, labels in zip(panels, inside, strict=False):
        ax.scatter(*place[labels].T, s=45, color=COLOURS[1])
        ax.scatter(*place[~labels].T, s=45, facecolor="none", edgecolor=COLOURS[0])
        ax.set(xticks=[], yticks=[], aspect="equal")
        ax.margins(0.3)
    for ax in panels[len(inside) :]:
        ax.set_axis_off()
    return panels


def plot_growth(
    n: ArrayLike,
    counts: ArrayLike,
    *,
    bound: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the number of subsets that a class picks out of n points, and 2^n, on a log scale.

    Parameters
    ----------
    n
        Numbers of points.
    counts
        Largest number of subsets found for each n.
    bound
        The polynomial bound of Sauer and Shelah, if known.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_growth([1, 2, 3, 4], [2, 4, 8, 14], bound=[2, 4, 8, 15])
    >>> [line.get_label() for line in ax.lines]
    ['all subsets, 2^n', 'bound of Sauer and Shelah', 'picked out']
    """
    sizes, found = np.asarray(n, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    if sizes.ndim != 1 or sizes.shape != found.shape:
        raise DataError(
            "plot_growth: n and counts must be one-dimensional and of the same length; got shapes "
            f"{sizes.shape} and {found.shape}."
        )
    ax = axes_or_new(ax)
    ax.plot(sizes, 2.0**sizes, color="grey", linestyle="--", label="all subsets, 2^n")
    if bound is not None:
        label = "bound of Sauer and Shelah"
        ax.plot(sizes, np.asarray(bound, dtype=np.float64), color=COLOURS[0], label=label)
    ax.plot(sizes, found, marker="o", markersize=4, color=COLOURS[1], label="picked out")
    ax.set(xlabel="number of points n", ylabel="subsets")
    ax.set_yscale("log", base=2)
    ax.legend()
    return ax
