"""Plot a fitted tree with matplotlib."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gramian.plot import draw_tree
from gramian.tree.export.node_labels import NodeLabels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Sequence[str] | None = None,
    filled: bool = False,
    precision: int = 3,
    ax: "Axes | None" = None,
) -> "Axes":
    r"""Draw a fitted tree: the splits and weights of its nodes, the predictions of its leaves.

    Parameters
    ----------
    decision_tree
        A fitted tree.
    max_depth
        Maximum depth of the nodes drawn; None for all.
    feature_names
        Feature names; if None, those seen in `fit`, or x0, x1, ...
    filled
        Whether to colour each box by its majority class and show the class probabilities below.
    precision
        Number of decimals.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from gramian.tree import DecisionTreeClassifier, plot_tree
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> ax = plot_tree(model, feature_names=["age"])
    >>> ax.texts[2].get_text()
    'age <= 1.5\nn = 4'
    """
    labels = NodeLabels(decision_tree, feature_names, precision)
    tree = labels.tree
    depth = np.zeros(tree.node_count, dtype=np.intp)
    for node in range(1, tree.node_count):  # parents come before their children
        depth[node] = depth[tree.parent[node]] + 1
    last = depth.max() if max_depth is None else max_depth
    drawn = np.flatnonzero(depth <= last).tolist()
    place = np.cumsum(np.isin(np.arange(tree.node_count), drawn)) - 1
    texts = [
        f"{labels.test(node)}\nn = {labels.number(float(tree.weight[node]))}"
        if tree.n_children[node]
        else labels.leaf(node, weights=True)
        for node in drawn
    ]
    return draw_tree(
        [-1 if node == 0 else int(place[tree.parent[node]]) for node in drawn],
        texts,
        edges=["" if node == 0 else labels.edge(node) for node in drawn],
        probabilities=tree.value[drawn, 0] if filled and labels.classes is not None else None,
        ax=ax,
    )
