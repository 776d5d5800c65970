"""Principal components and factors: scree plot, biplot, loadings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS, axes_or_new, plane, scatter_labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_LINE = 0.045  # height of a line of small text, as a fraction of the height of the axes


def plot_scree(
    variances: ArrayLike, *, kept: int | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw the variance of each component as a bar, and the cumulative proportion as a line.

    Parameters
    ----------
    variances
        Variances of all components, largest first; the proportions need all of them.
    kept
        Number of components kept; a dashed line is drawn after the last of them.
    ax
        Axes to draw on; new axes if None. The proportion has its own axis at the right.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_scree([2.0, 0.5])
    >>> [float(bar.get_height()) for bar in ax.patches]
    [2.0, 0.5]
    """
    heights = np.asarray(variances, dtype=np.float64)
    if heights.ndim != 1 or not len(heights) or not (heights >= 0).all() or not heights.any():
        raise DataError(
            f"plot_scree: variances must be a list of numbers >= 0, not all 0; got {variances!r}."
        )
    ax = axes_or_new(ax)
    number = np.arange(1, len(heights) + 1)
    ax.bar(number, heights, color="lightgrey")
    ax.set(xlabel="component", ylabel="variance")
    if kept is not None:
        ax.axvline(kept + 0.5, linestyle="--", color="grey")
    right = ax.twinx()
    right.plot(number, np.cumsum(heights) / heights.sum(), marker="o", color=COLOURS[0])
    right.set(ylabel="proportion of variance", ylim=(0, 1.05))
    return ax


def plot_biplot(
    points: ArrayLike,
    arrows: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw rows by two coordinates, and an arrow for the contribution of each column.

    Parameters
    ----------
    points
        Coordinates of the rows, shape (n, 2), such as the first two of `PCA.transform`.
    arrows
        Weights of the columns in the coordinates, shape (d, 2), as ``PCA.components_[:2].T``. They
        are scaled by one factor to reach nearly as far as the points.
    labels
        Classes of the rows, shown by colours.
    names
        Names of the columns; None means their numbers.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_biplot([[3.0, 0.0], [-3.0, 1.0]], [[1.0, 0.0]], names=["height"])
    >>> [text.get_text() for text in ax.texts if text.get_text()]
    ['height']
    """
    rows, ends = plane("plot_biplot", "points", points), plane("plot_biplot", "arrows", arrows)
    written = [str(j) for j in range(len(ends))] if names is None else list(names)
    if len(written) != len(ends):
        raise DataError(
            f"plot_biplot: names must contain one name per arrow, {len(ends)}; got {len(written)}."
        )
    if labels is not None and np.shape(labels) != (len(rows),):
        raise DataError(
            f"plot_biplot: labels must contain one label per point, {len(rows)}; got shape "
            f"{np.shape(labels)}."
        )
    ax = axes_or_new(ax)
    if labels is None:
        ax.scatter(rows[:, 0], rows[:, 1], s=12, color=COLOURS[0])
    else:
        scatter_labelled(ax, rows, labels)
    reach, most = np.abs(ends).max(axis=0), np.abs(rows).max(axis=0)
    scale = float(np.min(most[reach > 0] / reach[reach > 0], initial=np.inf))
    heads = 0.9 * (scale if 0 < scale < np.inf else 1.0) * ends
    for end in heads:
        ax.annotate("", end, (0.0, 0.0), arrowprops={"arrowstyle": "->", "color": "black"})
    ax.margins(x=0.2)  # space for the names
    low, high = ax.get_ylim()
    layout = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5}
    for right in (True, False):
        own = np.flatnonzero((heads[:, 0] >= 0) == right)
        levels = _spread_out(heads[own, 1], (high - low) * _LINE)
        for j, level in zip(own.tolist(), levels.tolist(), strict=True):
            ax.text(
                heads[j, 0], level, written[j], fontsize="x-small", va="center", bbox=layout,
                ha="left" if right else "right",
            )  # fmt: skip
    ax.set(xlabel="first component", ylabel="second component")
    return ax


def _spread_out(levels: Floats, gap: float) -> Floats:
    """Return the closest levels that are in the same order and at least `gap` apart.

    Examples
    --------
    >>> _spread_out(np.array([1.0, 0.0, 0.0]), 0.5).tolist()
    [1.0, 0.0, 0.5]
    """
    order = np.argsort(levels, kind="stable")
    steps = gap * np.arange(len(levels))
    separated = np.empty(len(levels))
    separated[order] = np.maximum.accumulate(levels[order] - steps) + steps
    return separated


def plot_loadings(
    loadings: ArrayLike, *, names: Sequence[str] | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw the loadings of columns on factors as a table of colours, with a scale; white is 0.

    Parameters
    ----------
    loadings
        Shape (d, k), as ``FactorAnalysis.components_.T``.
    names
        Names of the columns; None means their numbers.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> plot_loadings([[0.9, 0.0], [-0.2, 0.8]]).images[0].get_array().shape
    (2, 2)
    """
    table = np.asarray(loadings, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise DataError(f"plot_loadings: loadings must have shape (d, k); got {table.shape}.")
    written = [str(j) for j in range(len(table))] if names is None else list(names)
    if len(written) != len(table):
        raise DataError(
            f"plot_loadings: names must contain one name per row, {len(table)}; got {len(written)}."
        )
    ax = axes_or_new(ax)
    most = float(np.abs(table).max()) or 1.0
    image = ax.imshow(table, cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="loading")
    ax.set_xticks(range(table.shape[1]), [str(j + 1) for j in range(table.shape[1])])
    ax.set_yticks(range(len(table)), written)
    ax.set(xlabel="factor")
    return ax
