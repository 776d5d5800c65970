"""The nodes of a fitted tree as a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.base.kinds import Estimator
from gramian.tree.export.node_labels import NodeLabels


def node_table(
    estimator: Estimator, *, feature_names: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the nodes of a fitted tree as columns for a data frame, one row per node.

    Parameters
    ----------
    estimator
        A fitted tree of one output.
    feature_names
        Feature names; if None, those seen in `fit`, or x0, x1, ...

    Returns
    -------
    table : dict
        Columns with one entry per node: ``node``, ``parent`` (-1 for the root), ``depth``,
        ``branch`` (the condition that leads to the node), ``feature`` (the feature it splits on,
        empty for a leaf), ``threshold`` (NaN if there is none), ``impurity``, ``samples``,
        ``weight``, ``prediction`` (the majority class, or the value), and for classification a
        column ``weight of <class>`` for each class.

    Examples
    --------
    >>> from gramian.tree import DecisionTreeClassifier, node_table
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], ["a", "a", "b"])
    >>> table = node_table(model, feature_names=["width"])
    >>> table["branch"], table["prediction"], table["weight of a"].tolist()
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
        "prediction": [labels.prediction(node) for node in nodes],
    }
    if labels.classes is not None:
        for k, label in enumerate(labels.classes):
            table[f"weight of {label}"] = tree.weight * tree.value[:, 0, k]
    return table
