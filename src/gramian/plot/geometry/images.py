"""Galleries of images, edge maps, and orientation histograms over their image."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import COLOURS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_edge_map(magnitude: ArrayLike, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the magnitudes of an image's gradients; edges are dark.

    Parameters
    ----------
    magnitude
        Gradient magnitude of each pixel, shape (height, width).
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> plot_edge_map([[0.0, 1.0], [0.0, 0.5]]).get_title()
    'edges'
    """
    lengths = np.asarray(magnitude, dtype=np.float64)
    if lengths.ndim != 2:
        raise DataError(
            f"plot_edge_map: magnitude must have shape (height, width); got {lengths.shape}."
        )
    ax = axes_or_new(ax)
    ax.imshow(lengths, cmap="gray_r")
    ax.set(xticks=[], yticks=[], title="edges")
    return ax


def plot_orientation_histograms(
    image: ArrayLike, histograms: ArrayLike, *, signed: bool = False, ax: "Axes | None" = None
) -> "Axes":
    """Draw a line for each bin of each cell, along the edges; its length is the value of the bin.

    Parameters
    ----------
    image
        Grey levels, shape (height, width).
    histograms
        Shape (rows of cells, columns of cells, bins); bins divide 180 degrees of the gradient's
        direction, or 360.
    signed
        Whether the bins divide 360 degrees.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_orientation_histograms([[0, 1], [0, 1]], [[[1.0, 0.0]]])
    >>> len(ax.collections[0].get_segments())
    1
    """
    pixels = np.asarray(image, dtype=np.float64)
    bins = np.asarray(histograms, dtype=np.float64)
    if pixels.ndim != 2 or bins.ndim != 3 or bins.size == 0:
        raise DataError(
            "plot_orientation_histograms: image must have shape (height, width) and histograms "
            f"(rows, columns, bins); got {pixels.shape} and {bins.shape}."
        )
    down, across, count = bins.shape
    height, width = pixels.shape[0] // down, pixels.shape[1] // across
    angles = (np.arange(count) + 0.5) * (2 if signed else 1) * np.pi / count
    step = np.stack([-np.sin(angles), np.cos(angles)], axis=1)  # along the edge: x, y
    reach = 0.5 * min(height, width) / max(bins.max(), 1e-300)
    rows, columns, which = np.nonzero(bins > 0)
    centers = np.stack([(columns + 0.5) * width - 0.5, (rows + 0.5) * height - 0.5], axis=1)
    arms = step[which] * (reach * bins[rows, columns, which])[:, None]
    lines = need("matplotlib.collections", extra="plot").LineCollection
    ax = axes_or_new(ax)
    ax.imshow(pixels, cmap="gray", alpha=0.6)
    segments = np.stack([centers - arms, centers + arms], axis=1)
    ax.add_collection(lines(list(segments), colors=COLOURS[1], linewidths=1.2))
    ax.set(xticks=[], yticks=[], title=f"{down} x {across} cells, {count} orientations")
    return ax


def plot_image_grid(
    images: ArrayLike,
    *,
    titles: Sequence[str] | None = None,
    columns: int = 6,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw grey images side by side, each with its own range from black to white.

    Parameters
    ----------
    images
        Shape (n, height, width).
    titles
        Title above each image.
    columns
        Number of images in a row.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> plot_image_grid(np.eye(4).reshape(4, 2, 2), columns=2).images[0].get_array().shape
    (6, 5)
    """
    batch = np.asarray(images, dtype=np.float64)
    if batch.ndim != 3 or not batch.size:
        raise DataError(
            f"plot_image_grid: images must have shape (n, height, width); got {batch.shape}."
        )
    if columns < 1:
        raise DataError(f"plot_image_grid: columns must be >= 1; got {columns!r}.")
    n, height, width = batch.shape
    if titles is not None and len(titles) != n:
        raise DataError(f"plot_image_grid: titles must contain {n} titles; got {len(titles)}.")
    gap = 1 if titles is None else 1 + height // 4  # above each row of images
    across = min(columns, n)
    lines = -(-n // across)
    canvas = np.full((lines * (height + gap), across * (width + 1) - 1), np.nan)
    ax = axes_or_new(ax)
    for k, image in enumerate(batch):
        top, left = gap + k // across * (height + gap), k % across * (width + 1)
        low, high = image.min(), image.max()
        canvas[top : top + height, left : left + width] = (image - low) / ((high - low) or 1.0)
        if titles is not None:
            ax.text(left + (width - 1) / 2, top - 0.6, titles[k], ha="center", va="bottom")
    ax.imshow(canvas, cmap="gray", vmin=0, vmax=1)
    ax.axis("off")
    return ax
