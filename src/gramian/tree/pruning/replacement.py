"""Subtree replacement: from the leaves up, nodes become leaves unless that raises the error."""

import heapq
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.inputs.targets import check_targets
from gramian.base.kinds import Estimator
from gramian.base.types import Floats, Matrix, Table
from gramian.tree.pruning.curve import Pruned, PruningCurve
from gramian.tree.structure.descent import visits
from gramian.tree.structure.tree import Tree


def node_errors(estimator: Estimator, X: Table, y: npt.ArrayLike) -> Floats:
    """Return the error of each node on validation rows, as if it were a leaf.

    The error is that of the node's prediction on the rows that reach it: the misclassified weight,
    or the sum of squared errors for regression.

    Parameters
    ----------
    estimator
        A fitted tree.
    X : frame or array of shape (n, d)
        Validation rows.
    y : array of shape (n,)
        Targets of the validation rows.

    Returns
    -------
    errors : array of shape (n_nodes,)

    Examples
    --------
    >>> from gramian.tree import C45Classifier, node_errors
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> tree = C45Classifier(pruning=None).fit(X, y)
    >>> node_errors(tree, [[0.5], [0.7], [2.5]], [0, 1, 1])
    array([2., 1., 0.])
    """
    tree = prunable_tree("node_errors", estimator)
    rows, targets = check_validation_rows(estimator, X, y)
    return errors_by_node(tree, rows, targets, is_classifier(estimator))


def replace_subtrees(estimator: Estimator, errors: npt.ArrayLike, *, slack: float = 0.0) -> Pruned:
    """Prune a fitted tree by any estimate of its nodes' errors, from the leaves up.

    A node becomes a leaf if its error is at most that of its pruned subtree.

    Parameters
    ----------
    estimator
        A fitted tree; it is not modified.
    errors : array of shape (n_nodes,)
        Estimated error of each node as a leaf: a sum over rows, as from `node_errors`.
    slack
        Amount by which the error of a leaf may exceed that of its subtree.

    Returns
    -------
    pruned : Pruned
        A copy with a smaller tree, and the curve of errors per unit of training weight.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, replace_subtrees
    >>> model = C45Classifier(pruning=None).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> replace_subtrees(model, [2.0, 0.0, 1.0]).estimator.get_n_leaves()
    2
    >>> replace_subtrees(model, [1.0, 0.0, 1.0]).estimator.get_n_leaves()
    1
    """
    tree = prunable_tree("replace_subtrees", estimator)
    node_error = np.asarray(errors, dtype=np.float64)
    if node_error.shape != (tree.node_count,) or not np.isfinite(node_error).all():
        raise DataError(
            "replace_subtrees: errors must contain one finite number for each of "
            f"{tree.node_count} "
            f"nodes; got shape {node_error.shape}."
        )
    pruned = cut_useless_splits(tree, node_error, slack=slack)
    total = tree.weight[0]
    train = training_errors(tree, is_classifier(estimator)) / total
    curve = removal_curve(tree, train, node_error / total, pruned.n_leaves)
    return Pruned(with_tree(estimator, pruned), curve)


def cut_useless_splits(tree: Tree, errors: Floats, *, slack: float = 0.0) -> Tree:
    """Turn every node whose error is at most its subtree's into a leaf."""
    least = errors.copy()
    cut = np.zeros(tree.node_count, dtype=bool)
    for node in np.flatnonzero(tree.n_children)[::-1]:  # children come after their parents
        first = tree.first_child[node]
        below: float = least[first : first + tree.n_children[node]].sum()
        cut[node] = errors[node] <= below + slack
        least[node] = errors[node] if cut[node] else below
    return tree.cut(cut)


def errors_by_node(
    tree: Tree,
    X: Matrix,
    y: npt.NDArray[Any],
    classes: bool,
    weights: Floats | None = None,
) -> Floats:
    """Compare the rows that reach each node with the node's prediction.

    The rows are sent down the tree once.
    """
    errors = np.zeros(tree.node_count)
    targets = y[:, np.newaxis] if y.ndim == 1 else y
    weights = np.ones(len(y)) if weights is None else weights
    for node, rows, fraction in visits(tree, X):
        answer = tree.value[node].argmax(axis=1) if classes else tree.value[node, :, 0]
        wrong = targets[rows] != answer if classes else (targets[rows] - answer) ** 2
        errors[node] = (fraction * weights[rows]) @ wrong.mean(axis=1)
    return errors


def training_errors(tree: Tree, classes: bool) -> Floats:
    """Return the training error of each node as a leaf, from its class probabilities."""
    if classes:
        wrong: Floats = (1 - tree.value.max(axis=2)).mean(axis=1)
        return tree.weight * wrong
    return tree.weight * tree.impurity


def removal_curve(
    tree: Tree, train: Floats, estimated: Floats, n_pruned_leaves: int
) -> PruningCurve:
    """Return the curve of removing splits one by one, starting with the most helpful removal.

    Only nodes whose children are all leaves are candidates, so each step removes one split.
    """
    inner = tree.n_children > 0
    leaf = ~inner
    at_leaves = [train[leaf].sum(), estimated[leaf].sum()]
    curve = [(int(leaf.sum()), *at_leaves)]
    below = np.bincount(tree.parent[1:][inner[1:]], minlength=tree.node_count)  # inner children

    def change(node: int, errors: Floats) -> float:
        first = tree.first_child[node]
        return float(errors[node] - errors[first : first + tree.n_children[node]].sum())

    candidates = [(change(n, estimated), n) for n in np.flatnonzero(inner & (below == 0)).tolist()]
    heapq.heapify(candidates)
    while candidates:
        change_of_error, node = heapq.heappop(candidates)
        at_leaves = [at_leaves[0] + change(node, train), at_leaves[1] + change_of_error]
        curve.append((curve[-1][0] - int(tree.n_children[node]) + 1, *at_leaves))
        parent = int(tree.parent[node])
        if parent >= 0:
            below[parent] -= 1
            if below[parent] == 0:
                heapq.heappush(candidates, (change(parent, estimated), parent))
    n_leaves, trained, expected = (np.array(column) for column in zip(*curve, strict=True))
    chosen = int(np.argmin(np.abs(n_leaves - n_pruned_leaves)))
    return PruningCurve(n_leaves, trained, expected, chosen)


def prunable_tree(caller: str, estimator: Estimator, *, classes: bool = False) -> Tree:
    """Return the tree of a fitted estimator; raise if it cannot be pruned."""
    check_is_fitted(estimator, "tree_")
    owner = type(estimator).__name__
    if not isinstance(estimator.tree_, Tree):
        raise DataError(
            f"{caller}: the tree must be an estimator of gramian.tree; got a {owner} of "
            f"{type(estimator).__module__.partition('.')[0]}."
        )
    if hasattr(estimator, "coef_"):
        raise DataError(
            f"{caller}: a {owner} has a linear model in every node and prunes itself; increase "
            "min_samples_leaf or decrease max_depth for a smaller tree."
        )
    if classes and not is_classifier(estimator):
        raise DataError(
            f"{caller}: the tree must be a classifier; got a {owner}. "
            "Use prune_reduced_error or prune_cost_complexity for regression."
        )
    return estimator.tree_


def check_validation_rows(
    estimator: Estimator, X: Table, y: npt.ArrayLike | None
) -> tuple[Matrix, npt.NDArray[Any]]:
    """Check rows and targets for a fitted tree; return targets as class codes or values.

    A class not seen in fit has the code -1, which no leaf predicts.
    """
    check_is_fitted(estimator, "tree_")
    rows: Matrix = estimator._new_table(X)
    owner = type(estimator).__name__
    n_outputs = estimator.tree_.n_outputs
    if not is_classifier(estimator):
        numbers = check_targets(estimator, y, len(rows), columns=n_outputs > 1)
        return rows, numbers.reshape(len(rows), -1).astype(np.float64)
    targets = np.asarray(y)
    shape = (len(rows),) if n_outputs == 1 else (len(rows), n_outputs)
    if targets.shape != shape:
        raise DataError(
            f"{owner}: y must have shape {shape}, one target per row of X; got {targets.shape}."
        )
    known = [estimator.classes_] if n_outputs == 1 else estimator.classes_
    columns = targets.reshape(len(rows), -1).T
    codes = [_codes(column, classes) for column, classes in zip(columns, known, strict=True)]
    return rows, np.column_stack(codes)


def _codes(labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    code = {label: i for i, label in enumerate(classes.tolist())}
    return np.array([code.get(label, -1) for label in labels.tolist()], dtype=np.intp)


def with_tree(estimator: Estimator, tree: Tree) -> Any:
    """Return a copy of a fitted estimator with another tree."""
    other = copy(estimator)
    other.tree_ = tree
    return other
