"""Trees as indented text and as lists of rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian.base.kinds import Estimator
from gramian.tree.export.node_labels import NodeLabels, tree_children
from gramian.tree.structure.tree import NUMERIC


def export_text(
    estimator: Estimator,
    *,
    feature_names: Sequence[str] | None = None,
    decimals: int = 2,
    max_depth: int | None = None,
    show_weights: bool = True,
) -> str:
    """Return a fitted tree as indented text, one branch per line.

    The prediction of a leaf is followed, in brackets, by its training weight and, after a slash, by
    the misclassified weight, or for regression by the mean squared error.

    Parameters
    ----------
    estimator
        A fitted tree.
    feature_names
        Feature names; if None, those seen in `fit`, or x0, x1, ...
    decimals
        Number of decimals.
    max_depth
        Maximum depth shown; None for all.
    show_weights
        Whether to show the weights in brackets.

    Returns
    -------
    text : str

    Examples
    --------
    >>> from gramian.tree import C45Classifier, export_text
    >>> model = C45Classifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> print(export_text(model))
    x0 <= 1: a (2)
    x0 > 1: b (2)
    """
    labels = NodeLabels(estimator, feature_names, decimals)
    tree = labels.tree
    if tree.n_children[0] == 0:
        return labels.leaf(0, show_weights)
    lines: list[str] = []
    waiting = [(child, 0) for child in reversed(tree_children(tree, 0))]
    while waiting:
        node, depth = waiting.pop()
        line = "|   " * depth + labels.branch(node)
        below = tree_children(tree, node)
        if not below:
            line += f": {labels.leaf(node, show_weights)}"
        elif max_depth is not None and depth + 1 >= max_depth:
            line += ": ..."
        else:
            waiting += [(child, depth + 1) for child in reversed(below)]
        lines.append(line)
    return "\n".join(lines)


@dataclass(frozen=True)
class Rule:
    """One leaf as a rule: if all conditions hold, then the prediction.

    Parameters
    ----------
    conditions
        The conditions as text; at most one lower and one upper bound per numeric feature.
    prediction
        The class or value predicted.
    support
        Fraction of the training weight that satisfies the conditions.
    accuracy
        Fraction of it that is predicted correctly; the mean squared error for regression.
    leaf
        The node.
    """

    conditions: tuple[str, ...]
    prediction: Any
    support: float
    accuracy: float
    leaf: int

    def __str__(self) -> str:
        condition = " and ".join(self.conditions) or "always"
        prediction = (
            f"{self.prediction:.4g}" if isinstance(self.prediction, float) else str(self.prediction)
        )
        return f"if {condition} then {prediction} [{self.support:.1%}, {self.accuracy:.4g}]"


def export_rules(
    estimator: Estimator, *, feature_names: Sequence[str] | None = None, decimals: int = 2
) -> list[Rule]:
    """Return a fitted tree as rules, one per leaf that training rows reached, largest first.

    Parameters
    ----------
    estimator
        A fitted tree.
    feature_names
        Feature names; if None, those seen in `fit`, or x0, x1, ...
    decimals
        Number of decimals.

    Returns
    -------
    rules : list of Rule

    Examples
    --------
    >>> from gramian.tree import C45Classifier, export_rules
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b", "b"]
    >>> for rule in export_rules(C45Classifier().fit(X, y)):
    ...     print(rule)
    if x0 > 1 then b [60.0%, 1]
    if x0 <= 1 then a [40.0%, 1]
    """
    labels = NodeLabels(estimator, feature_names, decimals)
    tree = labels.tree
    rules = []
    for leaf in np.flatnonzero((tree.n_children == 0) & (tree.weight > 0)).tolist():
        path = [leaf]
        while tree.parent[path[-1]] >= 0:
            path.append(int(tree.parent[path[-1]]))
        accuracy = tree.value[leaf, 0].max() if labels.classes is not None else tree.impurity[leaf]
        rules.append(
            Rule(
                tuple(_path_conditions(labels, path[-2::-1])),
                labels.prediction(leaf),
                float(tree.weight[leaf] / tree.weight[0]),
                float(accuracy),
                leaf,
            )
        )
    return sorted(rules, key=lambda rule: -rule.support)


def _path_conditions(labels: NodeLabels, path: list[int]) -> list[str]:
    """Return the conditions of a path, with at most one lower and one upper bound per column."""
    conditions: dict[Any, str] = {}
    for node in path:
        parent = int(labels.tree.parent[node])
        which = node - int(labels.tree.first_child[parent])
        number = labels.tree.kind[parent] == NUMERIC
        key = (int(labels.tree.feature[parent]), which) if number else node
        conditions.pop(key, None)
        conditions[key] = labels.branch(node)
    return list(conditions.values())
