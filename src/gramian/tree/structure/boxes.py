"""The boxes of a tree: the region of each leaf, and the bounding box of each node's rows."""

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch

from gramian.tree.structure.tree import NUMERIC, Tree


def leaf_boxes(tree: Tree) -> Bunch:
    """Return the leaves and the box of each: lower < x <= upper."""
    lower = np.full((tree.node_count, tree.n_features), -np.inf)
    upper = np.full((tree.node_count, tree.n_features), np.inf)
    for t in np.flatnonzero(tree.n_children):  # parents first
        children = tree.first_child[t] + np.arange(tree.n_children[t])
        lower[children], upper[children] = lower[t], upper[t]
        if tree.kind[t] == NUMERIC:
            j, cut = tree.feature[t], tree.threshold[t]
            upper[children[0], j] = min(upper[t, j], cut)
            lower[children[1], j] = max(lower[t, j], cut)
    leaf = np.flatnonzero(tree.n_children == 0)
    return Bunch(leaf=leaf, lower=lower[leaf], upper=upper[leaf])


def widest_edges(tree: Tree, X: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Return, for each node, the longest edge of the bounding box of its rows of X.

    Categorical columns and missing values are ignored.
    """
    leaf = tree.apply(X)
    low = np.full((tree.node_count, tree.n_features), np.inf)
    high = np.full((tree.node_count, tree.n_features), -np.inf)
    np.fmin.at(low, leaf, X)
    np.fmax.at(high, leaf, X)
    parent = tree.parent
    for t in range(tree.node_count - 1, 0, -1):  # children first
        low[parent[t]] = np.fmin(low[parent[t]], low[t])
        high[parent[t]] = np.fmax(high[parent[t]], high[t])
    with np.errstate(over="ignore"):  # infinite edges are allowed
        edges = np.where(high >= low, high - low, 0.0)
    edges[:, tree.levels > 0] = 0.0
    longest: npt.NDArray[np.float64] = edges.max(axis=1)
    return longest
