"""Cost-complexity pruning with the cost per leaf chosen by cross-validation.

A tree T costs R(T) + alpha |leaves of T|, R its training error; `gramian.tree.pruning.pruning_path`
finds the nested subtrees that are optimal for all alpha (Breiman, Friedman, Olshen and Stone 1984,
chapter 3).
"""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier

from gramian.base.errors import ParameterError
from gramian.base.folds import check_splits
from gramian.base.kinds import Estimator
from gramian.base.rows.taking import take
from gramian.base.types import Floats, Table
from gramian.tree.pruning.curve import Pruned, PruningCurve
from gramian.tree.pruning.pruning_path import pruning_path
from gramian.tree.pruning.replacement import (
    check_validation_rows,
    errors_by_node,
    prunable_tree,
    training_errors,
    with_tree,
)
from gramian.tree.structure.tree import Tree


def prune_cost_complexity(
    estimator: Estimator,
    X: Table,
    y: npt.ArrayLike,
    *,
    cv: Any = 10,
    rule: Literal["one_standard_error", "least"] = "one_standard_error",
) -> Pruned:
    """Prune a fitted tree with the cost per leaf chosen by cross-validation.

    The nested subtrees for all costs are computed once for the whole table and once for each
    training fold; each cost is evaluated by the held-out errors of the folds' trees at that cost.

    Parameters
    ----------
    estimator
        A fitted tree; it is not modified.
    X : frame or array of shape (n, d)
        The rows that the tree was grown on.
    y : array of shape (n,)
        Targets of the rows.
    cv
        Number of folds, a splitter, or an iterable of (train, test).
    rule
        "one_standard_error" for the smallest tree whose error is within one standard error of the
        minimum, "least" for the minimum error.

    Returns
    -------
    pruned : Pruned
        A copy with a smaller tree, and the curve: leaves, errors, standard errors and costs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gramian.tree import C45Classifier, prune_cost_complexity
    >>> X, y = load_iris(return_X_y=True)
    >>> grown = C45Classifier(pruning=None).fit(X, y)
    >>> smaller, curve = prune_cost_complexity(grown, X, y, cv=5)
    >>> smaller.get_n_leaves() < grown.get_n_leaves(), curve.n_leaves.tolist()[-1]
    (True, 1)
    """
    if rule not in ("one_standard_error", "least"):
        raise ParameterError(
            f"prune_cost_complexity: rule must be 'one_standard_error' or 'least'; got {rule!r}."
        )
    tree = prunable_tree("prune_cost_complexity", estimator)
    classes = is_classifier(estimator)
    rows = check_validation_rows(estimator, X, y)[0]
    cost = leaf_costs(tree, training_errors(tree, classes) / tree.weight[0])
    steps = np.unique(np.concatenate([[0.0], cost[np.isfinite(cost)]]))
    # Between two alphas the tree is the same; the folds' trees are evaluated in the middle.
    alphas_tested = np.sqrt(steps * np.append(steps[1:], np.inf))
    alphas_tested[-1] = np.inf
    labels = np.asarray(y)
    folds = []
    splits = check_splits("prune_cost_complexity", cv, rows, labels, classifier=classes)
    for train_rows, test_rows in splits:
        fold_tree = clone(estimator).fit(take(X, train_rows), labels[train_rows])
        folds.append(
            _held_out_errors(
                fold_tree, take(X, test_rows), labels[test_rows], alphas_tested, classes
            )
        )
    error = np.mean(folds, axis=0)
    spread = np.std(folds, axis=0, ddof=1) / np.sqrt(len(folds))
    chosen = int(len(error) - 1 - np.argmin(error[::-1]))
    if rule == "one_standard_error":
        chosen = int(np.flatnonzero(error <= error[chosen] + spread[chosen])[-1])
    train = training_errors(tree, classes) / tree.weight[0]
    at = [_leaves_at(tree, cost, alpha) for alpha in steps]
    curve = PruningCurve(
        np.array([int(leaf.sum()) for leaf in at]),
        np.array([train[leaf].sum() for leaf in at]),
        error,
        chosen,
        standard_error=spread,
        alpha=steps,
    )
    return Pruned(with_tree(estimator, tree.cut(cost <= steps[chosen])), curve)


def leaf_costs(tree: Tree, risk: Floats) -> Floats:
    """Return the cost per leaf at which each node becomes a leaf; infinite for leaves.

    The tree for a cost alpha is cut at all nodes whose cost is at most alpha.
    """
    cost = np.full(tree.node_count, np.inf)
    path = pruning_path(tree, risk)
    cost[path.cut] = path.ccp_alphas[1:]
    return cost


def _leaves_at(tree: Tree, cost: Floats, alpha: float) -> npt.NDArray[np.bool_]:
    """Return a mask of the leaves of the tree for a cost per leaf."""
    stop = (cost <= alpha) | (tree.n_children == 0)
    reached = np.zeros(tree.node_count, dtype=bool)
    reached[0] = True
    for node in range(1, tree.node_count):
        above = tree.parent[node]
        reached[node] = reached[above] and not stop[above]
    leaves: npt.NDArray[np.bool_] = reached & stop
    return leaves


def _held_out_errors(
    part: Estimator, X: Table, y: npt.NDArray[Any], alphas: Floats, classes: bool
) -> Floats:
    rows, targets = check_validation_rows(part, X, y)
    tree = part.tree_
    cost = leaf_costs(tree, training_errors(tree, classes) / tree.weight[0])
    errors = errors_by_node(tree, rows, targets, classes) / len(rows)
    return np.array([errors[_leaves_at(tree, cost, alpha)].sum() for alpha in alphas])
