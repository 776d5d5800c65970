"""Subtree raising: a node gives way to its largest branch, and its rows travel again."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.weights import check_weights
from gramian.tree.growth.native_nodes import from_native, to_native
from gramian.tree.growth.rank_table import ranked
from gramian.tree.pruning.curve import Pruned, PruningCurve
from gramian.tree.pruning.pessimistic import expected_errors
from gramian.tree.pruning.pessimistic_error import Estimate, Formula
from gramian.tree.pruning.replacement import held_out, tree_to_prune, undoing_curve, with_tree
from gramian.tree.structure.tree import Tree


def raise_subtrees(
    estimator: Any,
    X: Any,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    confidence: float = 0.25,
    z: float | None = None,
    formula: Formula = "weka",
    raising: bool = True,
) -> Pruned:
    """Prune a fitted classification tree as C4.5 does, with subtree raising.

    From the leaves up, three things are compared by their expected errors: the subtree, a leaf,
    and the largest branch of the node with all the node's rows sent down it. The leaf is taken if
    it is at most 0.1 errors worse than either, else the branch if it is at most 0.1 worse than the
    subtree.

    Parameters
    ----------
    estimator
        A fitted classification tree, which is left as it is.
    X : frame or array of shape (n, d)
        The rows it was grown from.
    y : array of shape (n,)
        Their classes.
    sample_weight : array of shape (n,), optional
        Their weights.
    confidence
        In (0, 0.5]; smaller prunes more.
    z
        The normal quantile itself, instead of the confidence.
    formula
        How errors are expected; see `prune_pessimistic`.
    raising
        Whether to try the largest branch; without it only leaves replace subtrees.

    Returns
    -------
    pruned : Pruned
        A copy with the pruned tree, and the curve of expected errors: first the tree as it was,
        then the pruned one, whose splits are undone one by one.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, raise_subtrees
    >>> X, y = [[i, i % 3] for i in range(20)], [0] * 10 + [1] * 9 + [0]
    >>> grown = C45Classifier(pruning=None).fit(X, y)
    >>> pruned, curve = raise_subtrees(grown, X, y)
    >>> bool((pruned.predict(X) == C45Classifier().fit(X, y).predict(X)).all())
    True
    """
    tree = tree_to_prune("raise_subtrees", estimator, classes=True)
    if tree.n_outputs > 1:
        raise DataError("raise_subtrees: a tree of one output is needed; fit one at a time.")
    rows, codes = held_out(estimator, X, y)
    n_classes = len(estimator.classes_)
    weights = check_weights(estimator, sample_weight, len(rows))
    weights = np.ones(len(rows)) if weights is None else weights
    weights = np.where(codes[:, 0] < 0, 0.0, weights)  # of a class that the tree does not know
    table = ranked(rows, tree.levels, np.maximum(codes[:, 0], 0), weights, n_classes)
    nodes = to_native(tree)
    estimate = Estimate.of(formula, confidence, z)
    _native.c45_prune(nodes, *table, *estimate, raising)
    pruned = from_native(nodes, tree.levels, n_classes)
    return Pruned(with_tree(estimator, pruned), _curve(tree, pruned, estimate))


def _curve(grown: Tree, pruned: Tree, estimate: Estimate) -> PruningCurve:
    """Begin with the grown tree; then the pruned one, and what undoing its splits leads to."""
    later = undoing_curve(pruned, *expected_errors(pruned, estimate), pruned.n_leaves)
    leaf = grown.n_children == 0
    trained, expected = expected_errors(grown, estimate)
    return PruningCurve(
        np.concatenate([[grown.n_leaves], later.n_leaves]),
        np.concatenate([[trained[leaf].sum()], later.train_error]),
        np.concatenate([[expected[leaf].sum()], later.estimated_error]),
        later.chosen + 1,
    )
