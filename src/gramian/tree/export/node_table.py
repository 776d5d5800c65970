"""The nodes of a fitted tree as a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.tree.export.node_labels import NodeLabels


def node_table(estimator: Any, *, feature_names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what is known of each node, a row per node, as columns that make a data frame.

    Parameters
    ----------
    estimator
        A fitted tree of one output.
    feature_names
        Names of the columns; those seen in fit, or x0, x1, ... if None.

    Returns
    -------
    table : dict
        By name, with an entry per node: ``node``, ``parent`` (-1 for the root), ``depth``,
        ``branch`` (the test that leads to the node, in words), ``feature`` (the name of what it
        asks for, empty for a leaf), ``threshold`` (NaN where there is none), ``impurity``,
        ``samples``, ``weight``, ``answer`` (the majority class, or the number), and for classes a
        column ``weight of <class>`` each.

    Examples
    --------
    >>> from gramian.tree import DecisionTreeClassifier, node_table
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], ["a", "a", "b"])
    >>> table = node_table(model, feature_names=["width"])
    >>> table["branch"], table["answer"], table["weight of a"].tolist()
    (['', 'width <= 1.5', 'width > 1.5'], ['a', 'a', 'b'], [2.0, 2.0, 0.0])
    """
    labels = NodeLabels(estimator, feature_names, decimals=4)
    tree = labels.tree
    nodes = range(tree.node_count)
    table: dict[str, Any] = {
        "node": np.arange(tree.node_count),
        "parent": tree.parent,
        "depth": tree.depth,
        "branch": ["", *(labels.branch(node) for node in nodes[1:])],
        "feature": [labels.names[j] if j >= 0 else "" for j in tree.feature.tolist()],
        "threshold": tree.threshold,
        "impurity": tree.impurity,
        "samples": tree.samples,
        "weight": tree.weight,
        "answer": [labels.answer(node) for node in nodes],
    }
    if labels.classes is not None:
        for k, label in enumerate(labels.classes):
            table[f"weight of {label}"] = tree.weight * tree.value[:, 0, k]
    return table
