"""Subtree raising: a node is replaced by its largest branch."""

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator
from gramian.base.types import Table
from gramian.tree.growth.native_nodes import from_native, to_native
from gramian.tree.growth.rank_table import ranked
from gramian.tree.pruning.curve import Pruned, PruningCurve
from gramian.tree.pruning.pessimistic import expected_error_rates
from gramian.tree.pruning.pessimistic_error import Estimate, Formula
from gramian.tree.pruning.replacement import (
    check_validation_rows,
    prunable_tree,
    removal_curve,
    with_tree,
)
from gramian.tree.structure.tree import Tree


def raise_subtrees(
    estimator: Estimator,
    X: Table,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    confidence: float = 0.25,
    z: float | None = None,
    formula: Formula = "weka",
    raising: bool = True,
) -> Pruned:
    """Prune a fitted classification tree as C4.5 does, with subtree raising.

    From the leaves up, C4.5 compares the expected errors of the subtree, of a leaf, and of the
    node's largest branch with all rows of the node. The leaf is chosen if its expected errors
    exceed neither of the others by more than 0.1; otherwise the branch is chosen if its expected
    errors exceed those of the subtree by at most 0.1.

    Parameters
    ----------
    estimator
        A fitted classification tree; it is not modified.
    X : frame or array of shape (n, d)
        The rows it was grown from.
    y : array of shape (n,)
        Classes of the rows.
    sample_weight : array of shape (n,), optional
        Weights of the rows.
    confidence
        In (0, 0.5]; smaller prunes more.
    z
        The normal quantile, given directly instead of the confidence.
    formula
        The formula of the expected errors; see `prune_pessimistic`.
    raising
        Whether to try the largest branch; if False, subtrees are replaced by leaves only.

    Returns
    -------
    pruned : Pruned
        A copy with the pruned tree, and the curve of expected errors: the full tree, the pruned
        tree, and its subtrees with one split fewer each.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, raise_subtrees
    >>> X, y = [[i, i % 3] for i in range(20)], [0] * 10 + [1] * 9 + [0]
    >>> grown = C45Classifier(pruning=None).fit(X, y)
    >>> pruned, curve = raise_subtrees(grown, X, y)
    >>> bool((pruned.predict(X) == C45Classifier().fit(X, y).predict(X)).all())
    True
    """
    tree = prunable_tree("raise_subtrees", estimator, classes=True)
    if tree.n_outputs > 1:
        raise DataError("raise_subtrees: the tree must have one output; fit one tree per output.")
    rows, codes = check_validation_rows(estimator, X, y)
    n_classes = len(estimator.classes_)
    weights = check_weights(estimator, sample_weight, len(rows))
    weights = np.ones(len(rows)) if weights is None else weights
    weights = np.where(codes[:, 0] < 0, 0.0, weights)  # classes not seen in fit
    table = ranked(rows, tree.levels, np.maximum(codes[:, 0], 0), weights, n_classes)
    nodes = to_native(tree)
    estimate = Estimate.of(formula, confidence, z)
    _native.c45_prune(nodes, _native.C45Table(*table), *estimate, raising)
    pruned = from_native(nodes, tree.levels, n_classes)
    return Pruned(with_tree(estimator, pruned), _curve(tree, pruned, estimate))


def _curve(grown: Tree, pruned: Tree, estimate: Estimate) -> PruningCurve:
    """Return the curve of the full tree, the pruned tree and its subtrees."""
    later = removal_curve(pruned, *expected_error_rates(pruned, estimate), pruned.n_leaves)
    leaf = grown.n_children == 0
    trained, expected = expected_error_rates(grown, estimate)
    return PruningCurve(
        np.concatenate([[grown.n_leaves], later.n_leaves]),
        np.concatenate([[trained[leaf].sum()], later.train_error]),
        np.concatenate([[expected[leaf].sum()], later.estimated_error]),
        later.chosen + 1,
    )
