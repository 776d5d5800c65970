"""Rows of small images under each other: filters, maps, inputs and reconstructions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_image_rows(
    rows: Mapping[str, ArrayLike], *, cmap: str = "gray_r", ax: "Axes | None" = None
) -> "Axes":
    """Draw rows of images, each image with its own range of greys.

    Parameters
    ----------
    rows
        Images of one shape (n, height, width) for each row, by name; rows may differ in shape.
    cmap
        Name of a matplotlib colour map.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> import numpy as np
    >>> ax = plot_image_rows({"input": np.eye(3)[None], "output": np.ones((1, 3, 3))})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['input', 'output']
    """
    if not rows:
        raise DataError("plot_image_rows: pass at least one row of images.")
    ax = axes_or_new(ax)
    widest = 1
    for k, (name, arrays) in enumerate(rows.items()):
        images = np.asarray(arrays, dtype=np.float64)
        if images.ndim != 3 or not images.size:
            raise DataError(
                f"plot_image_rows: {name!r} must be images (n, height, width); got shape "
                f"{images.shape}."
            )
        widest = max(widest, len(images))
        for j, image in enumerate(images):
            extent = (j - 0.47, j + 0.47, k + 0.47, k - 0.47)
            ax.imshow(image, cmap=cmap, extent=extent, interpolation="nearest")
    ax.set(xlim=(-0.6, widest - 0.4), ylim=(len(rows) - 0.4, -0.6), xticks=[])
    ax.set_yticks(range(len(rows)), list(rows))
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    return ax
