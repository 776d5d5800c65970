"""Graphs of images: neighbouring pixels are joined, with weights by similarity."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.graph.graph import Graph, Masses


def image_graph(
    image: npt.ArrayLike,
    *,
    sigma: float | None = None,
    neighbors: Literal[4, 8] = 4,
    masses: Masses = "degree",
) -> Graph:
    r"""Join neighbouring pixels with weights :math:`\exp(-|I_i - I_j|^2 / 2 \sigma^2)`.

    Its cuts are segmentations of the image; pixel (row, column) is vertex row * width + column.

    Parameters
    ----------
    image
        Grey levels, shape (height, width), or colours, shape (height, width, channels).
    sigma
        Scale of the differences of neighbours that are edges of the image; None uses the standard
        deviation of the differences.
    neighbors
        4, or 8 with the diagonals.
    masses
        See `Graph`; "degree" gives normalised cuts.

    Examples
    --------
    >>> from gramian.graph import image_graph, sweep_cut
    >>> image = [[0.0, 0.1, 0.9], [0.0, 0.1, 1.0]]
    >>> labels = sweep_cut(image_graph(image)).labels.reshape(2, 3)
    >>> (labels == labels[0, 2]).astype(int).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    try:
        pixels = np.asarray(image, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"image_graph: image must be an array of numbers; {error}.") from None
    if pixels.ndim not in (2, 3) or pixels.size == 0:
        raise DataError(
            "image_graph: image must have shape (height, width) or (height, width, channels); got "
            f"{pixels.shape}."
        )
    if not np.isfinite(pixels).all():
        raise DataError("image_graph: image contains NaN or infinity; impute these pixels first.")
    if neighbors not in (4, 8):
        raise ParameterError(f"image_graph: neighbors must be 4 or 8; got {neighbors!r}.")
    if sigma is not None and not (np.isfinite(sigma) and sigma > 0):
        raise ParameterError(f"image_graph: sigma must be a positive number; got {sigma!r}.")
    height, width = pixels.shape[:2]
    # Differences are squared; scaling by a power of two is exact.
    unit = np.ldexp(1.0, int(np.frexp(np.abs(pixels).max())[1]) - 1)
    levels = pixels.reshape(height, width, -1) / unit
    numbers = np.arange(height * width).reshape(height, width)
    steps = [(0, 1), (1, 0), (1, 1), (1, -1)][: 2 if neighbors == 4 else 4]
    pairs, squares = [], []
    for step in steps:
        here, there = _shifted(step)
        pairs.append(np.stack([numbers[here].ravel(), numbers[there].ravel()], axis=1))
        squares.append(((levels[here] - levels[there]) ** 2).sum(axis=2).ravel())
    joined, every = np.concatenate(pairs), np.concatenate(squares)
    spread = np.sqrt(every.mean()) if every.size else 0.0
    scale = sigma / unit if sigma is not None else (float(spread) if spread > 0 else 1.0)
    weights = np.exp(-every / (2 * scale**2))
    return Graph.from_edges(joined, weights, n_vertices=height * width, masses=masses)


def _shifted(step: tuple[int, int]) -> tuple[Any, Any]:
    """Return the slices of pixels with a neighbour one step away, and of those neighbours."""
    down, right = step
    rows = slice(0, -1) if down else slice(None), slice(1, None) if down else slice(None)
    columns = {
        0: (slice(None), slice(None)),
        1: (slice(0, -1), slice(1, None)),
        -1: (slice(1, None), slice(0, -1)),
    }[right]
    return (rows[0], columns[0]), (rows[1], columns[1])
