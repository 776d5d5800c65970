"""Graphs and their cuts, Fiedler vectors, embeddings, segmented images."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, need
from gramian.plot.canvas import COLOURS, axes_or_new, colours, number_list, plane, scatter_by_class

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_graph_cut(
    points: ArrayLike,
    edges: ArrayLike,
    labels: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a graph in the plane, its parts in colours and the edges of the cut dashed.

    Parameters
    ----------
    points
        Positions of the vertices, shape (n, 2).
    edges
        Pairs of vertices, shape (m, 2).
    labels
        The part of each vertex.
    weights
        Weight of each edge, drawn as the width of the line and summed in the title; None means 1.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_graph_cut([[0, 0], [1, 0], [2, 0]], [[0, 1], [1, 2]], [0, 0, 1])
    >>> ax.get_title()
    'weight of the cut: 1'
    """
    owner = "plot_graph_cut"
    X = plane(owner, "points", points)
    pairs, parts = np.asarray(edges), np.unique(np.asarray(labels), return_inverse=True)[1]
    if parts.shape != (len(X),) or pairs.ndim != 2 or pairs.shape[1] != 2:
        raise DataError(
            f"{owner}: there must be a label for each of {len(X)} points, and pairs of points as "
            f"edges; got shapes {parts.shape} and {pairs.shape}."
        )
    sizes = np.ones(len(pairs)) if weights is None else number_list(owner, "weights", weights)
    if len(sizes) != len(pairs):
        raise DataError(f"{owner}: weights must be {len(pairs)} numbers; got {len(sizes)}.")
    ax = axes_or_new(ax)
    crossing = parts[pairs[:, 0]] != parts[pairs[:, 1]]
    lines = need("matplotlib.collections", extra="plot").LineCollection
    widths = 0.4 + 1.6 * sizes / max(sizes.max(initial=0.0), 1e-300)
    for chosen, colour, style in ((~crossing, "#bbbbbb", "-"), (crossing, COLOURS[4], "--")):
        drawn = lines(X[pairs[chosen]], linewidths=widths[chosen], colors=colour, linestyles=style)
        drawn.set_zorder(0.5)  # below the vertices, whose colours are the parts
        ax.add_collection(drawn)
    count = int(parts.max()) + 1
    scatter_by_class(ax, X, parts, [None] * count, colours(count))
    ax.autoscale_view()
    ax.set_title(f"weight of the cut: {sizes[crossing].sum():.4g}")
    return ax


def plot_fiedler_vector(
    vector: ArrayLike, labels: ArrayLike | None = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the entries of a Fiedler vector in ascending order, with the cut marked.

    Parameters
    ----------
    vector
        One number for each vertex.
    labels
        The two parts of a cut along the order, marked between them; None cuts at 0.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> plot_fiedler_vector([0.5, -0.5, 0.2]).get_legend().get_texts()[0].get_text()
    'cut: 1 | 2'
    """
    owner = "plot_fiedler_vector"
    values = number_list(owner, "vector", vector)
    order = np.argsort(values, kind="stable")
    if labels is None:
        low = int((values <= 0).sum())
    else:
        parts = np.asarray(labels)
        if parts.shape != values.shape or len(np.unique(parts)) != 2:
            raise DataError(f"{owner}: labels must name one of two parts for each entry.")
        low = int((parts == parts[order[0]]).sum())
    ax = axes_or_new(ax)
    place = np.arange(len(values))
    for chosen, colour in ((place < low, COLOURS[0]), (place >= low, COLOURS[1])):
        ax.scatter(place[chosen], values[order][chosen], s=14, color=colour)
    text = f"cut: {low} | {len(values) - low}"
    ax.axvline(low - 0.5, color="#444444", linestyle="--", linewidth=1, label=text)
    ax.set(xlabel="vertices in order", ylabel="entry of the Fiedler vector")
    ax.legend()
    return ax


def plot_spectral_embedding(
    embedding: ArrayLike, labels: ArrayLike | None = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the first two coordinates of an embedding, coloured by class or cluster.

    Parameters
    ----------
    embedding
        Coordinates, shape (n, 2) or more columns.
    labels
        The class or cluster of each row.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> ax = plot_spectral_embedding([[0, 0, 1], [1, 1, 1]], ["a", "b"])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    table = np.asarray(embedding, dtype=np.float64)
    X = plane("plot_spectral_embedding", "embedding", table[:, :2] if table.ndim == 2 else table)
    ax = axes_or_new(ax)
    if labels is None:
        ax.scatter(X[:, 0], X[:, 1], s=14, color=COLOURS[0])
    else:
        names, codes = np.unique(np.asarray(labels), return_inverse=True)
        scatter_by_class(ax, X, codes, [str(name) for name in names], colours(len(names)))
        ax.legend()
    ax.set(xlabel="coordinate 1", ylabel="coordinate 2")
    return ax


def plot_segmentation(image: ArrayLike, labels: ArrayLike, *, ax: "Axes | None" = None) -> "Axes":
    """Draw an image with the borders between its segments.

    Parameters
    ----------
    image
        Grey levels, shape (height, width), or colours, shape (height, width, 3).
    labels
        The segment of each pixel, shape (height, width) or flat.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> plot_segmentation([[0, 1], [0, 1]], [0, 1, 0, 1]).get_title()
    '2 segments'
    """
    pixels = np.asarray(image, dtype=np.float64)
    parts = np.asarray(labels)
    if pixels.ndim not in (2, 3) or parts.size != pixels.shape[0] * pixels.shape[1]:
        raise DataError(
            "plot_segmentation: there must be a label for each pixel; got shapes "
            f"{pixels.shape} and {parts.shape}."
        )
    codes = np.unique(parts, return_inverse=True)[1].reshape(pixels.shape[:2])
    ax = axes_or_new(ax)
    ax.imshow(pixels, cmap="gray")
    for part in range(int(codes.max()) + 1 if codes.max() > 0 else 0):
        inside = (codes == part).astype(np.float64)
        ax.contour(inside, levels=[0.5], colors=[colours(int(codes.max()) + 1)[part]])
    ax.set(xticks=[], yticks=[])
    ax.set_title(f"{codes.max() + 1} segments")
    return ax
