"""A tree as boxes and lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.plot.canvas import axes_or_new, colours, pale
from gramian.plot.trees.tree_layout import tree_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_tree(
    parent: ArrayLike,
    texts: Sequence[str],
    *,
    edges: Sequence[str] | None = None,
    probabilities: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a tree, leaves side by side and parents above them.

    Parameters
    ----------
    parent
        The parent of each node, -1 for the root, which is first; shape (n_nodes,).
    texts
        The text of each box; several lines are allowed.
    edges
        The label of the line above each node; the root's is ignored.
    probabilities
        Class probabilities of each node, shape (n_nodes, n_classes): a box has the colour of its
        most probable class, darker for a purer node, and a bar of the probabilities below.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on, without frame.

    Examples
    --------
    >>> ax = draw_tree([-1, 0, 0], ["x <= 1", "a", "b"], edges=["", "yes", "no"])
    >>> [text.get_text() for text in ax.texts]
    ['yes', 'no', 'x <= 1', 'a', 'b']
    """
    above = np.asarray(parent, dtype=np.intp)
    places = tree_layout(above) * (1, -1)
    node_probabilities = (
        None if probabilities is None else np.asarray(probabilities, dtype=np.float64)
    )
    if len(texts) != len(above) or (
        node_probabilities is not None and len(node_probabilities) != len(above)
    ):
        raise DataError(
            f"draw_tree: texts and probabilities must have one entry for each of {len(above)} "
            f"nodes; got {len(texts)} texts."
        )
    ax = axes_or_new(ax)
    for node in range(1, len(above)):
        line = places[[above[node], node]]
        ax.plot(*line.T, color="#9aa0a6", linewidth=1, zorder=1)
        if edges is not None:
            x, y = line[0] + 0.55 * (line[1] - line[0])
            white = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
            ax.text(x, y, edges[node], ha="center", va="center", fontsize=8, bbox=white)
    ink = colours(1 if node_probabilities is None else node_probabilities.shape[1])
    for node, (x, y) in enumerate(places):
        face = "white"
        if node_probabilities is not None:
            largest = int(node_probabilities[node].argmax())
            face = pale(ink[largest], 0.65 * float(node_probabilities[node, largest]) ** 2)  # type: ignore[assignment]
        box = {"boxstyle": "round,pad=0.4", "facecolor": face, "edgecolor": "#5f6368"}
        ax.text(x, y, texts[node], ha="center", va="center", fontsize=9, bbox=box, zorder=3)
        if node_probabilities is not None:
            left = x - 0.3
            for p, colour in zip(node_probabilities[node], ink, strict=True):
                ax.plot([left, left + 0.6 * p], [y - 0.27] * 2, color=colour, linewidth=4)
                left += 0.6 * p
    ax.set(xlim=(-0.6, places[:, 0].max() + 0.6), ylim=(places[:, 1].min() - 0.5, 0.5))
    ax.set_axis_off()
    return ax
