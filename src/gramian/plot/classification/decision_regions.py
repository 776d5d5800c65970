"""Decision regions of a classifier in the plane."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.base.types import Floats
from gramian.plot.canvas import (
    axes_or_new,
    colours,
    frame,
    grid_over,
    pale,
    plane,
    scatter_by_class,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_decision_regions(
    predict: Callable[[Floats], ArrayLike],
    X: ArrayLike,
    y: ArrayLike,
    *,
    resolution: int = 300,
    ax: "Axes | None" = None,
) -> "Axes":
    """Shade the plane by the class predicted there, with the boundaries and the points.

    Parameters
    ----------
    predict
        Function from points, shape (m, 2), to their classes: the `predict` of any classifier.
    X
        Points to draw, shape (n, 2).
    y
        Classes of the points, shape (n,).
    resolution
        Grid points along each axis; `predict` is called once, with resolution^2 rows.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = draw_decision_regions(lambda Z: Z[:, 0] > 0, [[-1, 0], [1, 2]], [False, True])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['False', 'True']
    """
    X, y = plane("draw_decision_regions", "X", X), np.asarray(y)
    if y.shape != (len(X),):
        raise DataError(
            f"draw_decision_regions: y must have one class for each of the {len(X)} rows of X; "
            f"got shape {y.shape}."
        )
    left, right, bottom, top = frame(X)
    across, up, everywhere = grid_over((left, right, bottom, top), resolution)
    predicted = np.asarray(predict(everywhere))

    classes, codes = np.unique(np.concatenate([y, predicted]), return_inverse=True)
    regions = codes[len(y) :].reshape(resolution, resolution)
    ink = colours(len(classes))

    ax = axes_or_new(ax)
    shades = need("matplotlib.colors", extra="plot").ListedColormap([pale(c) for c in ink])
    ax.pcolormesh(
        across, up, regions, cmap=shades, vmin=-0.5, vmax=len(classes) - 0.5, rasterized=True
    )
    for code in np.unique(regions)[1:]:
        ax.contour(across, up, regions >= code, levels=[0.5], colors="#333333", linewidths=0.8)
    scatter_by_class(ax, X, codes[: len(y)], [str(name) for name in classes], ink)
    for code in np.setdiff1d(regions, codes[: len(y)]):  # predicted, but without a point
        ax.fill([], [], color=pale(ink[code]), label=str(classes[code]))
    ax.set(xlim=(left, right), ylim=(bottom, top))
    ax.legend(loc="best", framealpha=0.9)
    return ax
