"""Decision trees: one engine for every split."""

from gramian.trees.c45 import C45_DEFAULTS, C45Classifier
from gramian.trees.impurity import (
    ImpurityAxioms,
    check_impurity,
    entropy,
    entropy_in_stages,
    gain_ratio,
    gini,
    information_gain,
    misclassification,
    split_cost,
    split_information,
)
from gramian.trees.pessimism import pessimistic_error
from gramian.trees.pruning import (
    Pruned,
    PruningCurve,
    node_errors,
    prune_cost_complexity,
    prune_pessimistic,
    prune_reduced_error,
    raise_subtrees,
    replace_subtrees,
)
from gramian.trees.tree import Tree

__all__ = [
    "C45_DEFAULTS",
    "C45Classifier",
    "ImpurityAxioms",
    "Pruned",
    "PruningCurve",
    "Tree",
    "check_impurity",
    "entropy",
    "entropy_in_stages",
    "gain_ratio",
    "gini",
    "information_gain",
    "misclassification",
    "node_errors",
    "pessimistic_error",
    "prune_cost_complexity",
    "prune_pessimistic",
    "prune_reduced_error",
    "raise_subtrees",
    "replace_subtrees",
    "split_cost",
    "split_information",
]
