"""Dendrograms, and points with their medoids."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new, colours, plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_dendrogram(
    across: ArrayLike,
    up: ArrayLike,
    *,
    cut: float | None = None,
    names: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a tree of clusters, with a line where it is cut.

    Merges above the cut are grey; those below have the colour of their cluster. A merge that lies
    lower than one of its parts, an inversion, is dashed.

    Parameters
    ----------
    across
        The corners of each merge: up from its left part, over, down to its right part; shape (n -
        1, 4). Leaves are at 0 to n - 1. See ``gramian.cluster.Dendrogram.branches``.
    up
        The heights of these corners, shape (n - 1, 4).
    cut
        The height of a dashed line.
    names
        The names of the leaves from left to right.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_dendrogram([[0, 0, 1, 1], [0.5, 0.5, 2, 2]], [[0, 1, 1, 0], [1, 4, 4, 0]], cut=2)
    >>> ax.get_ylabel()
    'height'
    """
    x, y = np.asarray(across, dtype=float), np.asarray(up, dtype=float)
    if x.ndim != 2 or x.shape[1] != 4 or x.shape != y.shape:
        raise DataError(
            "plot_dendrogram: across and up must have shape (n - 1, 4), four corners per merge; "
            f"got {x.shape} and {y.shape}."
        )
    ax = axes_or_new(ax)
    below = y[:, 1] <= (-np.inf if cut is None else cut)
    cluster = _clusters(x, below)
    ink = colours(max(int(cluster.max(initial=-1)) + 1, 1))
    for i in range(len(x)):
        inverted = y[i, 1] < max(y[i, 0], y[i, 3])
        colour = ink[cluster[i]] if below[i] else "#666666"
        ax.plot(x[i], y[i], color=colour, linewidth=1.1, linestyle="--" if inverted else "-")
    if cut is not None:
        ax.axhline(cut, color="#b2182b", linestyle=(0, (4, 3)), linewidth=1.0)
    ax.set_ylim(bottom=0)
    ax.set_ylabel("height")
    if names is None:
        ax.set_xticks([])
    else:
        if len(names) != len(x) + 1:
            raise DataError(
                f"plot_dendrogram: names must name the {len(x) + 1} leaves; got {len(names)}."
            )
        ax.set_xticks(range(len(names)), names, rotation=90)
    for side in ("top", "right", "bottom"):
        ax.spines[side].set_visible(False)
    return ax


def _clusters(x: NDArray[np.float64], below: ArrayLike) -> NDArray[np.int64]:
    """Return the cluster of each merge below the cut, from left to right; -1 above it."""
    clusters = np.asarray(below)
    spans = np.sort(x[:, [0, 3]], axis=1)
    found = np.full(len(x), -1)
    # The merges of a cluster overlap; those of other clusters lie outside.
    right, number = -np.inf, -1
    for i in np.argsort(spans[:, 0], kind="stable"):
        if not clusters[i]:
            continue
        if spans[i, 0] > right:
            number += 1
        right = max(right, spans[i, 1])
        found[i] = number
    return found


def plot_medoids(
    X: ArrayLike, medoids: ArrayLike, labels: ArrayLike, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw points, each joined with the medoid of its cluster.

    Parameters
    ----------
    X
        Points of the plane, shape (n, 2).
    medoids
        The medoids, shape (k, 2).
    labels
        The cluster of each point, numbers from 0 to k - 1.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_medoids([[0, 0], [0, 2], [9, 0]], [[0, 0], [9, 0]], [0, 0, 1])
    >>> len(ax.lines)
    3
    """
    X, centers = plane("plot_medoids", "X", X), plane("plot_medoids", "medoids", medoids)
    own = np.asarray(labels)
    if own.shape != (len(X),) or not np.isin(own, np.arange(len(centers))).all():
        raise DataError(
            f"plot_medoids: labels must be numbers from 0 to {len(centers) - 1}, one for each of "
            f"the {len(X)} points."
        )
    ax = axes_or_new(ax)
    ink = colours(len(centers))
    for point, label in zip(X, own, strict=True):
        ends = np.array([point, centers[label]]).T
        ax.plot(*ends, color=ink[label], linewidth=0.6, alpha=0.6, zorder=1)
    ax.scatter(X[:, 0], X[:, 1], c=[ink[label] for label in own], s=14, zorder=2)
    across, up = centers.T
    ax.scatter(across, up, c=ink, s=110, marker="D", edgecolors="black", zorder=3)
    return ax
