"""Pessimistic pruning: upper confidence limits of training errors replace validation rows."""

import numpy as np

from gramian.base.kinds import Estimator
from gramian.base.types import Floats
from gramian.tree.pruning.curve import Pruned
from gramian.tree.pruning.pessimistic_error import Estimate, Formula
from gramian.tree.pruning.replacement import (
    cut_useless_splits,
    prunable_tree,
    removal_curve,
    training_errors,
    with_tree,
)
from gramian.tree.structure.tree import Tree


def prune_pessimistic(
    estimator: Estimator,
    *,
    confidence: float = 0.25,
    z: float | None = None,
    formula: Formula = "normal",
) -> Pruned:
    """Prune a fitted classification tree by upper confidence limits of its leaves' error rates.

    A leaf that misclassifies e of n training rows is expected to misclassify n times
    `pessimistic_error` of new ones; from the leaves up, a node becomes a leaf if its expected error
    is at most that of its subtree.

    Parameters
    ----------
    estimator
        A fitted classification tree; it is not modified.
    confidence
        Confidence in (0, 0.5]; smaller prunes more.
    z
        The normal quantile; overrides the confidence.
    formula
        "normal" for the normal approximation; "weka" and "quinlan" for the formulas of Weka and
        C4.5, which add half an error and are exact for e = 0.

    Returns
    -------
    pruned : Pruned
        A copy with a smaller tree, and the curve of errors.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, prune_pessimistic
    >>> X = [[i] for i in range(14)]
    >>> model = C45Classifier(pruning=None).fit(X, [0, 1] * 3 + [0] * 8)
    >>> prune_pessimistic(model, z=0.69).estimator.get_n_leaves() <= model.get_n_leaves()
    True
    """
    tree = prunable_tree("prune_pessimistic", estimator, classes=True)
    train, expected = expected_error_rates(tree, Estimate.of(formula, confidence, z))
    pruned = cut_useless_splits(tree, expected)
    return Pruned(
        with_tree(estimator, pruned), removal_curve(tree, train, expected, pruned.n_leaves)
    )


def expected_error_rates(tree: Tree, estimate: Estimate) -> tuple[Floats, Floats]:
    """Return the training error and the expected error of each node as a leaf, as fractions."""
    wrong = training_errors(tree, classes=True)
    expected = np.array(
        [estimate.errors(n, e) for n, e in zip(tree.weight.tolist(), wrong.tolist(), strict=True)]
    )
    return wrong / tree.weight[0], expected / tree.weight[0]
