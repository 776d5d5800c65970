"""Reduced-error pruning: remove splits that do not lower the validation error."""

from typing import Any

import numpy.typing as npt
from sklearn.base import is_classifier

from gramian.base.kinds import Estimator
from gramian.base.types import Floats, Matrix, Table
from gramian.tree.pruning.curve import Pruned
from gramian.tree.pruning.replacement import (
    check_validation_rows,
    cut_useless_splits,
    errors_by_node,
    prunable_tree,
    removal_curve,
    training_errors,
    with_tree,
)
from gramian.tree.structure.tree import Tree


def prune_reduced_error(estimator: Estimator, X_val: Table, y_val: npt.ArrayLike) -> Pruned:
    """Prune a fitted tree by its errors on validation rows.

    From the leaves up, a node becomes a leaf if that does not increase the validation error of its
    pruned subtree. The result is the smallest of all subtrees with the least validation error
    (Quinlan 1987; Esposito, Malerba and Semeraro 1997). Costs one pass of the rows through the tree
    and O(nodes).

    Parameters
    ----------
    estimator
        A fitted tree; it is not modified.
    X_val : frame or array of shape (m, d)
        Validation rows.
    y_val : array of shape (m,)
        Targets of the validation rows.

    Returns
    -------
    pruned : Pruned
        ``pruned.estimator`` is a copy with a smaller tree, ``pruned.curve`` the errors as splits
        are removed one by one, starting with the removal that helps most.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, prune_reduced_error
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 1, 1, 0, 0]
    >>> model = C45Classifier(pruning=None, min_samples_leaf=1, mdl_correction=False).fit(X, y)
    >>> smaller, curve = prune_reduced_error(model, [[0.5], [2.5], [4.5]], [0, 0, 0])
    >>> model.get_n_leaves(), smaller.get_n_leaves(), curve.estimated_error.round(2).tolist()
    (3, 1, [0.33, 0.0, 0.0])
    """
    tree = prunable_tree("prune_reduced_error", estimator)
    rows, targets = check_validation_rows(estimator, X_val, y_val)
    classes = is_classifier(estimator)
    errors = errors_by_node(tree, rows, targets, classes)
    pruned = cut_useless_splits(tree, errors)
    train = training_errors(tree, classes) / tree.weight[0]
    curve = removal_curve(tree, train, errors / len(rows), pruned.n_leaves)
    return Pruned(with_tree(estimator, pruned), curve)


def cut_by_validation(
    tree: Tree, X: Matrix, codes: npt.NDArray[Any], weights: Floats | None = None
) -> Tree:
    """Prune a classification tree with checked validation rows and class codes."""
    return cut_useless_splits(tree, errors_by_node(tree, X, codes, True, weights))
