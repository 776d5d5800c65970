"""Histograms of the classes, with the densities fitted to them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.plot.canvas import axes_or_new, colours, number_list, pale

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_class_histograms(
    x: ArrayLike,
    y: ArrayLike,
    densities: Mapping[Any, Callable[[Floats], ArrayLike]] | None = None,
    *,
    bins: int = 25,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a histogram of each class, and the density fitted to it.

    Parameters
    ----------
    x
        The variable, shape (n,).
    y
        Labels, shape (n,).
    densities
        Functions by label, from numbers to densities, such as `prob` of a fitted distribution.
    bins
        Number of bins, the same for all classes.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from gramian.distributions import Gaussian
    >>> x, y = np.array([0.0, 1.0, 2.0, 5.0, 6.0, 8.0]), np.array(list("aaabbb"))
    >>> fits = {label: Gaussian.fit(x[y == label]).prob for label in "ab"}
    >>> ax = plot_class_histograms(x, y, fits, bins=6)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    owner = "plot_class_histograms"
    values, labels = number_list(owner, "x", x), np.asarray(y)
    if labels.shape != values.shape:
        raise DataError(
            f"{owner}: y must have a label for each of the {len(values)} values of x; got shape "
            f"{labels.shape}."
        )
    classes = np.unique(labels)
    fitted = {} if densities is None else dict(densities)
    unknown = [label for label in fitted if label not in classes]
    if unknown:
        raise DataError(f"{owner}: densities has {unknown[0]!r}, which is not in y.")
    ax = axes_or_new(ax)
    edges = np.histogram_bin_edges(values, bins)
    room = 0.05 * (edges[-1] - edges[0])
    grid = np.linspace(edges[0] - room, edges[-1] + room, 500)
    for label, ink in zip(classes.tolist(), colours(len(classes)), strict=True):
        members = values[labels == label]
        ax.hist(members, bins=edges.tolist(), density=True, color=pale(ink, 0.4), alpha=0.7)
        ax.plot([], [], color=ink, linewidth=2, label=str(label))
        if label in fitted:
            ax.plot(grid, np.asarray(fitted[label](grid)), color=ink, linewidth=2)
    ax.set(xlabel="x", ylabel="density")
    ax.legend(framealpha=0.9)
    return ax
