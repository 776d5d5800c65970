"""Pruning of fitted trees: each function returns a smaller copy and its pruning curve."""

from gramian.tree.pruning.cost_complexity import prune_cost_complexity
from gramian.tree.pruning.curve import Pruned, PruningCurve
from gramian.tree.pruning.pessimistic import prune_pessimistic
from gramian.tree.pruning.raising import raise_subtrees
from gramian.tree.pruning.reduced_error import prune_reduced_error
from gramian.tree.pruning.replacement import node_errors, replace_subtrees

__all__ = [
    "Pruned",
    "PruningCurve",
    "node_errors",
    "prune_cost_complexity",
    "prune_pessimistic",
    "prune_reduced_error",
    "raise_subtrees",
    "replace_subtrees",
]
