"""Subtree raising: a node gives way to its largest branch, and its rows travel again."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.gate import check_weights
from gramian.trees.native_nodes import from_native, to_native
from gramian.trees.pessimism import Estimate, Formula
from gramian.trees.pruning.replacement import held_out, with_tree
from gramian.trees.ranked import ranked


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
) -> Any:
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
    estimator
        A copy with the pruned tree.

    Examples
    --------
    >>> from gramian.trees import C45Classifier, raise_subtrees
    >>> X, y = [[i, i % 3] for i in range(20)], [0] * 10 + [1] * 9 + [0]
    >>> grown = C45Classifier(pruning=None).fit(X, y)
    >>> pruned = raise_subtrees(grown, X, y)
    >>> bool((pruned.predict(X) == C45Classifier().fit(X, y).predict(X)).all())
    True
    """
    rows, codes = held_out(estimator, X, y)
    tree, n_classes = estimator.tree_, len(estimator.classes_)
    weights = check_weights(estimator, sample_weight, len(rows))
    weights = np.ones(len(rows)) if weights is None else weights
    weights = np.where(codes < 0, 0.0, weights)  # of a class that the tree does not know
    table = ranked(rows, tree.levels, np.maximum(codes, 0), weights, n_classes)
    nodes = to_native(tree)
    _native.c45_prune(nodes, *table, *Estimate.of(formula, confidence, z), raising)
    return with_tree(estimator, from_native(nodes, tree.levels, n_classes))
