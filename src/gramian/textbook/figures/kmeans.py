"""k-means step by step, and the objectives of its restarts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError, need
from gramian.plot.canvas import (
    COLOURS,
    axes_or_new,
    colours,
    frame,
    number_list,
    plane,
    scatter_by_class,
)
from gramian.plot.geometry.voronoi import plot_voronoi_cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gramian.base.types import Floats


def plot_kmeans_step(
    X: ArrayLike,
    centers: ArrayLike,
    *,
    previous: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw one step of k-means: points, centres with their Voronoi cells, and moves.

    A point has the colour of its nearest centre; the title is the sum of squared distances.

    Parameters
    ----------
    X
        Points of the plane, shape (n, 2).
    centers
        The centres, shape (k, 2).
    previous
        The centres of the previous step, shape (k, 2); each move is drawn as an arrow.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> plot_kmeans_step([[0, 0], [0, 2], [9, 0], [9, 2]], [[0, 1], [9, 1]]).get_title()
    'J = 4'
    """
    X = plane("plot_kmeans_step", "X", X)
    centers = plane("plot_kmeans_step", "centers", centers)
    box = frame(X, centers)
    ax = plot_voronoi_cells(centers, box=box, ax=ax)
    squares: Floats = ((X[:, None] - centers) ** 2).sum(axis=2)
    ink = colours(len(centers))
    scatter_by_class(ax, X, squares.argmin(axis=1), [None] * len(centers), ink)
    if previous is not None:
        before = plane("plot_kmeans_step", "previous", previous)
        if before.shape != centers.shape:
            raise DataError(
                f"plot_kmeans_step: previous must have the shape of centers, {centers.shape}; "
                f"got {before.shape}."
            )
        arrow = {"arrowstyle": "->", "color": "#222222", "linewidth": 1.4}
        for start, end in zip(before, centers, strict=True):
            ax.annotate("", end, start, arrowprops=arrow)
    across, up = centers.T
    ax.scatter(across, up, s=90, c=ink, marker="X", edgecolors="black", linewidths=1.2, zorder=3)
    ax.set_title(f"J = {squares.min(axis=1).sum():.4g}")
    return ax


def plot_kmeans_steps(
    X: ArrayLike,
    centers_per_step: Sequence[ArrayLike],
    *,
    axes: "NDArray[Any] | Sequence[Axes] | None" = None,
) -> "NDArray[Any]":
    """Draw one panel for each step of k-means: cells, points, and the moves of the centres.

    Parameters
    ----------
    X
        Points of the plane, shape (n, 2).
    centers_per_step
        The centres before the first step and after every step, each of shape (k, 2).
    axes
        One Axes per step; a new figure with four per row if None.

    Returns
    -------
    axes
        The Axes drawn on, shape (steps,).

    Examples
    --------
    >>> X = [[0, 0], [0, 2], [9, 0], [9, 2]]
    >>> axes = plot_kmeans_steps(X, [[[0, 0], [0, 2]], [[4.5, 0], [4.5, 2]]])
    >>> [ax.get_title() for ax in axes]
    ['start: J = 162', 'step 1: J = 81']
    """
    steps = [plane("plot_kmeans_steps", "centers_per_step", c) for c in centers_per_step]
    if not steps:
        raise DataError(
            "plot_kmeans_steps: centers_per_step must have at least one step; got none."
        )
    panels = new_panels(len(steps)) if axes is None else np.asarray(axes).ravel()
    if len(panels) != len(steps):
        raise DataError(
            f"plot_kmeans_steps: axes must have one entry per step, {len(steps)}; "
            f"got {len(panels)}."
        )
    for number, (ax, centers) in enumerate(zip(panels, steps, strict=True)):
        plot_kmeans_step(X, centers, previous=steps[number - 1] if number else None, ax=ax)
        ax.set_title(f"{f'step {number}' if number else 'start'}: {ax.get_title()}")
        ax.set(xticks=[], yticks=[])
    return panels


def new_panels(count: int) -> "NDArray[Any]":
    """Return `count` Axes, four per row; the remaining ones are blank."""
    columns = min(count, 4)
    rows = -(-count // columns)
    plt = need("matplotlib.pyplot", extra="plot")
    size = (3.0 * columns, 3.0 * rows)
    _, grid = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    panels: NDArray[Any] = grid.ravel()
    for ax in panels[count:]:
        ax.set_axis_off()
    return panels[:count]


def plot_objectives(objectives: ArrayLike, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the objective of every restart, with the best one marked.

    Parameters
    ----------
    objectives
        One value per restart, lower is better; for k-means the sum of squared distances.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_objectives([5.0, 3.0, 4.0])
    >>> ax.get_legend().get_texts()[0].get_text()
    'best: 3, restart 2'
    """
    values = number_list("plot_objectives", "objectives", objectives)
    ax = axes_or_new(ax)
    restart, best = np.arange(1, len(values) + 1), int(values.argmin())
    ax.axhline(values[best], color=COLOURS[1], linewidth=0.9, linestyle="--", zorder=1)
    ax.vlines(restart, values[best], values, color="#bbbbbb", linewidth=1.2, zorder=1)
    ax.scatter(restart, values, s=36, color=COLOURS[0], zorder=2)
    label = f"best: {values[best]:.6g}, restart {best + 1}"
    ax.scatter(best + 1, values[best], s=80, color=COLOURS[1], zorder=3, label=label)
    ax.xaxis.set_major_locator(need("matplotlib.ticker", extra="plot").MaxNLocator(integer=True))
    ax.set(xlabel="restart", ylabel="objective J")
    ax.legend()
    return ax
