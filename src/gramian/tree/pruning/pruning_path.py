"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

With R(t) the impurity of node t times its fraction of the weight, and T_t the branch below t, the
node with the smallest

    g(t) = (R(t) - R(T_t)) / (|leaves of T_t| - 1)

is the weakest link. Making it a leaf repeatedly gives the sequence of subtrees that
minimise R(T) + alpha |leaves of T| for some alpha.
"""

import heapq
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.tree.structure.tree import Tree


class PruningPath(NamedTuple):
    """The subtrees in order: the smallest alpha for which each is optimal, its R, the node cut."""

    ccp_alphas: npt.NDArray[np.float64]
    impurities: npt.NDArray[np.float64]
    cut: list[int]  # one shorter than the path, whose first entry is the full tree


def pruning_path(
    tree: Tree, risk: npt.NDArray[np.float64] | None = None, owner: str = "pruning_path"
) -> PruningPath:
    """Cut the weakest link until only the root remains; O(nodes x depth).

    `risk` is R of each node as a leaf, by default its impurity times its fraction of the weight;
    `owner` is named in errors.
    """
    parent = tree.parent.tolist()
    if risk is None:
        with np.errstate(over="ignore"):
            risk = tree.weight * tree.impurity / tree.weight[0]
    if not np.isfinite(risk).all():
        raise DataError(
            f"{owner}: cost-complexity pruning needs finite impurities; those of "
            f"{np.count_nonzero(~np.isfinite(risk))} nodes are not finite, because squares of y "
            "overflow. Divide y by a constant and multiply predictions by it, or do not prune."
        )
    cost: list[float] = risk.tolist()
    leaves = [1] * tree.node_count
    branch = list(cost)  # R(T_t)
    inner = tree.n_children > 0
    for t in np.flatnonzero(inner).tolist():
        leaves[t], branch[t] = 0, 0.0
    for t in range(tree.node_count - 1, 0, -1):  # children come after their parents
        leaves[parent[t]] += leaves[t]
        branch[parent[t]] += branch[t]

    def link(t: int) -> float:
        return (cost[t] - branch[t]) / (leaves[t] - 1)

    alive = inner.copy()
    heap = [(link(t), t) for t in np.flatnonzero(inner).tolist()]
    heapq.heapify(heap)
    current = {t: g for g, t in heap}
    alphas, impurities, cut = [0.0], [branch[0]], []
    while alive[0]:
        alpha, t = heapq.heappop(heap)
        if not alive[t] or current[t] != alpha:
            continue  # already removed, or its g(t) has changed since
        _remove_branch(tree, t, alive)
        removed_cost, removed_leaves = cost[t] - branch[t], leaves[t] - 1
        at = t
        while at >= 0:
            branch[at] += removed_cost
            leaves[at] -= removed_leaves
            if at != t:
                current[at] = link(at)
                heapq.heappush(heap, (current[at], at))
            at = parent[at]
        alphas.append(max(alpha, alphas[-1]))
        impurities.append(branch[0])
        cut.append(t)
    return PruningPath(np.array(alphas), np.array(impurities), cut)


def _remove_branch(tree: Tree, node: int, alive: npt.NDArray[np.bool_]) -> None:
    below = [node]
    while below:
        t = below.pop()
        if alive[t]:
            alive[t] = False
            first = int(tree.first_child[t])
            below.extend(range(first, first + int(tree.n_children[t])))


def pruned(tree: Tree, alpha: float, owner: str) -> Tree:
    """Return the smallest subtree that is optimal for `alpha`; `owner` is named in errors."""
    path = pruning_path(tree, owner=owner)
    n = int(np.searchsorted(path.ccp_alphas[1:], alpha, side="right"))
    return tree.cut(path.cut[:n]) if n > 0 else tree
