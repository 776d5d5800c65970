"""Cost-complexity pruning: a leaf has a price, found by cross-validation.

A tree T costs R(T) + alpha |leaves of T|, R its training error; `gramian.tree.pruning.pruning_path`
finds the nested trees that are cheapest for all prices alpha (Breiman, Friedman, Olshen and Stone
1984, chapter 3).
"""

from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.tree.pruning.curve import Pruned, PruningCurve
from gramian.tree.pruning.pruning_path import pruning_path
from gramian.tree.pruning.replacement import (
    errors_by_node,
    held_out,
    training_errors,
    tree_to_prune,
    with_tree,
)
from gramian.tree.structure.tree import Tree


def prune_cost_complexity(
    estimator: Any,
    X: Any,
    y: npt.ArrayLike,
    *,
    cv: Any = 10,
    rule: Literal["one_standard_error", "least"] = "one_standard_error",
) -> Pruned:
    """Prune a fitted tree at the price of a leaf that cross-validation prefers.

    The nested trees of all prices are found once for the whole table and once for each training
    part; a price is judged by the held-out errors of the parts' trees at that price.

    Parameters
    ----------
    estimator
        A fitted tree, which is left as it is.
    X : frame or array of shape (n, d)
        The rows it was grown from.
    y : array of shape (n,)
        Their targets.
    cv
        Folds, or a splitter.
    rule
        "one_standard_error" for the smallest tree whose error is within one standard error of the
        least, "least" for the least.

    Returns
    -------
    pruned : Pruned
        A copy with a smaller tree, and the curve: leaves, errors, standard errors and prices.

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
    tree = tree_to_prune("prune_cost_complexity", estimator)
    classes = is_classifier(estimator)
    rows = held_out(estimator, X, y)[0]
    price = prices(tree, training_errors(tree, classes) / tree.weight[0])
    steps = np.unique(np.concatenate([[0.0], price[np.isfinite(price)]]))
    # Between two steps the tree is the same; the parts' trees are asked in the middle.
    asked = np.sqrt(steps * np.append(steps[1:], np.inf))
    asked[-1] = np.inf
    labels = np.asarray(y)
    folds = []
    for kept, held in check_cv(cv, labels, classifier=classes).split(rows, labels):
        part = clone(estimator).fit(_rows(X, kept), labels[kept])
        folds.append(_held_out_errors(part, _rows(X, held), labels[held], asked, classes))
    error = np.mean(folds, axis=0)
    spread = np.std(folds, axis=0, ddof=1) / np.sqrt(len(folds))
    chosen = int(len(error) - 1 - np.argmin(error[::-1]))
    if rule == "one_standard_error":
        chosen = int(np.flatnonzero(error <= error[chosen] + spread[chosen])[-1])
    train = training_errors(tree, classes) / tree.weight[0]
    at = [_leaves_at(tree, price, alpha) for alpha in steps]
    curve = PruningCurve(
        np.array([int(leaf.sum()) for leaf in at]),
        np.array([train[leaf].sum() for leaf in at]),
        error,
        chosen,
        standard_error=spread,
        alpha=steps,
    )
    return Pruned(with_tree(estimator, tree.cut(price <= steps[chosen])), curve)


def prices(tree: Tree, risk: Floats) -> Floats:
    """Return the price of a leaf at which each node becomes one; infinite for leaves.

    The tree for a price alpha is the one cut at all nodes whose price is at most alpha.
    """
    price = np.full(tree.node_count, np.inf)
    path = pruning_path(tree, risk)
    price[path.cut] = path.ccp_alphas[1:]
    return price


def _leaves_at(tree: Tree, price: Floats, alpha: float) -> npt.NDArray[np.bool_]:
    """Which nodes are leaves of the tree for a price."""
    stop = (price <= alpha) | (tree.n_children == 0)
    reached = np.zeros(tree.node_count, dtype=bool)
    reached[0] = True
    for node in range(1, tree.node_count):
        above = tree.parent[node]
        reached[node] = reached[above] and not stop[above]
    leaves: npt.NDArray[np.bool_] = reached & stop
    return leaves


def _held_out_errors(
    part: Any, X: Any, y: npt.NDArray[Any], alphas: Floats, classes: bool
) -> Floats:
    rows, targets = held_out(part, X, y)
    tree = part.tree_
    price = prices(tree, training_errors(tree, classes) / tree.weight[0])
    errors = errors_by_node(tree, rows, targets, classes) / len(rows)
    return np.array([errors[_leaves_at(tree, price, alpha)].sum() for alpha in alphas])


def _rows(X: Any, chosen: npt.NDArray[np.intp]) -> Any:
    """Return some rows of an array, a frame or a list."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return frame[chosen.tolist()].to_native()
    return [X[i] for i in chosen] if isinstance(X, list | tuple) else X[chosen]
