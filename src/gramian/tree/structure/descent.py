"""The rows that reach each node, computed node by node."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.types import Matrix
from gramian.tree.structure.tree import EACH, GROUP, NUMERIC, Tree

Rows: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


class Visit(NamedTuple):
    """The rows that reach a node, and the fraction of each that does."""

    node: int
    rows: Rows
    fraction: npt.NDArray[np.float64]


def visits(tree: Tree, X: Matrix) -> Iterator[Visit]:
    """Send rows down a tree; each node is visited once, parents before children.

    A row with a missing value goes to the node's default child, or to all children in proportion
    to their training weights. Costs O(n) per level.
    """
    pending = {0: (np.arange(len(X)), np.ones(len(X)))}
    for node in range(tree.node_count):
        rows, fraction = pending.pop(node)
        yield Visit(node, rows, fraction)
        if tree.n_children[node] == 0:
            continue
        branch = branches(tree, node, X[rows, tree.feature[node]])
        first, count = int(tree.first_child[node]), int(tree.n_children[node])
        weight = tree.weight[first : first + count]
        total: float = weight.sum()
        portion = weight / total if total > 0 else np.full(count, 1 / count)
        to_all = branch < 0
        for child in range(count):
            to_child = branch == child
            if not to_all.any() or portion[child] == 0:
                pending[first + child] = rows[to_child], fraction[to_child]
                continue
            reaching = to_child | to_all
            scaled = np.where(to_all, fraction * portion[child], fraction)
            pending[first + child] = rows[reaching], scaled[reaching]


def branches(tree: Tree, node: int, x: npt.NDArray[np.floating]) -> npt.NDArray[np.int32]:
    """Return the child, counted from 0, that each value goes to at a node; -1 for all children."""
    levels = int(tree.levels[tree.feature[node]])
    kind = tree.kind[node]
    known = ~np.isnan(x) if kind == NUMERIC else x < levels
    chosen = np.full(len(x), tree.missing[node], dtype=np.int32)
    if kind == NUMERIC:
        chosen[known] = x[known] > tree.threshold[node]
    elif kind == GROUP:
        chosen[known] = ~tree.category_set(node)[x[known].astype(np.intp)]
    elif kind == EACH:
        chosen[known] = x[known]
    return chosen
