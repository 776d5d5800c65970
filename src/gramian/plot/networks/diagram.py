"""A network as circles and lines, and as the boxes of its maps."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import COLOURS, axes_or_new, pale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_UNITS = 12  # maximum number of units drawn per layer


def plot_network(
    layer_sizes: Sequence[int],
    weights: Sequence[ArrayLike] | None = None,
    *,
    names: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the units of a layered network and the lines between them.

    Parameters
    ----------
    layer_sizes
        Number of units of each layer, inputs first; only some units of a large layer are drawn.
    weights
        Weights between two layers, shape (inputs, outputs) each: thick lines are large weights,
        orange ones negative. None draws all lines alike.
    names
        A name for each layer.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_network([2, 3, 1], names=["input", "hidden", "output"])
    >>> len(ax.collections[0].get_segments())  # 2 x 3 + 3 x 1 lines
    9
    """
    sizes = [int(size) for size in layer_sizes]
    if len(sizes) < 2 or min(sizes) < 1:
        raise DataError(
            f"plot_network: layer_sizes must be two or more counts; got {list(layer_sizes)}."
        )
    if weights is not None:
        shapes = [np.shape(w) for w in weights]
        if shapes != list(pairwise(sizes)):
            raise DataError(
                f"plot_network: weights must have the shapes {list(pairwise(sizes))}; got {shapes}."
            )
    ax = axes_or_new(ax)
    drawn = [min(size, MOST_UNITS) for size in sizes]
    places = [
        np.column_stack([np.full(m, float(k)), (m - 1) / 2 - np.arange(m)])
        for k, m in enumerate(drawn)
    ]
    segments, widths, inks = [], [], []
    for k, (left, right) in enumerate(pairwise(places)):
        table = None if weights is None else np.asarray(weights[k], dtype=np.float64)
        largest = 1.0 if table is None else max(float(np.abs(table).max()), 1e-300)
        for i, start in enumerate(left):
            for j, end in enumerate(right):
                weight = 0.3 if table is None else table[i, j] / largest
                segments.append([start, end])
                widths.append(0.2 + 2.3 * abs(weight))
                inks.append(COLOURS[1] if weight < 0 else COLOURS[0])
    lines = need("matplotlib.collections", extra="plot").LineCollection
    ax.add_collection(lines(segments, linewidths=widths, colors=inks, alpha=0.7, zorder=1))
    for k, points in enumerate(places):
        ax.scatter(points[:, 0], points[:, 1], s=260, color="white", edgecolors="#333333", zorder=2)
        label = "" if names is None else str(names[k])
        more = f"{drawn[k]} of {sizes[k]}" if drawn[k] < sizes[k] else ""
        text = "\n".join(part for part in (label, more) if part)
        ax.annotate(
            text,
            (k, points[-1, 1]),
            (0, -14),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize="small",
        )
    ax.margins(0.15, 0.25)
    ax.set_axis_off()
    return ax


def plot_architecture(
    shapes: Sequence[Sequence[int]],
    names: Sequence[str] | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the maps of a convolutional network as stacked squares, dense layers as bars.

    Parameters
    ----------
    shapes
        The shape of the input and of each layer's output: (height, width, channels),
        (length, channels) or (units,).
    names
        The name of each.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_architecture([(32, 32, 1), (28, 28, 6), (10,)], ["input", "Conv", "Dense"])
    >>> len(ax.patches)  # one sheet, six sheets, one bar
    8
    """
    if not len(shapes) or any(not 1 <= len(shape) <= 3 for shape in shapes):
        raise DataError(
            "plot_architecture: each shape must have one to three dimensions; got "
            f"{[tuple(s) for s in shapes]}."
        )
    box = need("matplotlib.patches", extra="plot").Rectangle
    ax = axes_or_new(ax)
    tallest = (
        max(shape[0] for shape in shapes if len(shape) > 1)
        if any(len(shape) > 1 for shape in shapes)
        else 1
    )
    left = 0.0
    for k, shape in enumerate(shapes):
        if len(shape) == 1:
            height, width, sheets = 0.25 + 0.75 * min(1.0, shape[0] / 120), 0.08, 1
        else:
            height = max(0.06, shape[0] / tallest)
            width = max(0.06, shape[1] / tallest) if len(shape) == 3 else 0.1
            sheets = min(int(shape[-1]), MOST_UNITS)
        for sheet in range(sheets):
            at = (left + 0.03 * sheet, -height / 2 - 0.03 * sheet)
            ink = COLOURS[k % len(COLOURS)]
            ax.add_patch(box(at, width, height, facecolor=pale(ink), edgecolor=ink, linewidth=0.8))
        reach = width + 0.03 * (sheets - 1)
        size = " x ".join(map(str, shape))
        label = size if names is None else f"{names[k]}\n{size}"
        ax.text(left + reach / 2, 0.62, label, ha="center", va="bottom", fontsize="small")
        left += max(reach, 0.45) + 0.25
    ax.set(xlim=(-0.15, left), ylim=(-1.0, 1.0), aspect="equal")
    ax.set_axis_off()
    return ax
