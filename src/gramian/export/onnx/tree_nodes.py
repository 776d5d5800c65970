"""Trees as the attributes of ONNX's TreeEnsembleRegressor (ai.onnx.ml 3).

A split in ONNX is x <= v with two children, like our NUMERIC. A categorical split becomes a chain
of such tests on the code, from low to high, one for each run of codes that go to the same child;
codes beyond the last, unseen categories and NaN fall through to the child for missing values.
Several tests of a chain may have the same child for "yes", which ONNX Runtime allows. (It also has
a test x == v, but version 1.31 wrongly merges some chains of them.)
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.tree.export.node_labels import tree_children
from gramian.tree.structure.tree import EACH, NUMERIC, Tree

Ints: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def round_down(threshold: npt.ArrayLike, dtype: Any) -> Floats:
    """Round thresholds down to a float type.

    For every x of that type, x <= threshold if and only if x <= the returned number.
    """
    exact = np.asarray(threshold, dtype=np.float64)
    with np.errstate(over="ignore"):
        rounded = exact.astype(dtype)
    lower = np.nextafter(rounded, np.dtype(dtype).type(-np.inf))
    return np.where(rounded.astype(np.float64) > exact, lower, rounded).astype(np.float64)


class Rows(NamedTuple):
    """Nodes of a tree, as arrays with one entry per node."""

    node: Any
    leaf: Any
    feature: Any
    value: Any
    yes: Any
    no: Any
    nan: Any  # whether NaN goes to the first child


class EnsembleNodes:
    """Collects the attributes of all trees."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        self.rows: list[Rows] = []
        self.trees: list[Ints] = []  # tree number of each entry of rows
        self.targets: list[tuple[Ints, Ints, Ints, Floats]] = []  # tree, node, target, weight

    def add(self, number: int, tree: Tree, values: Floats, target: int = 0) -> None:
        """Add one tree; a leaf adds `values[leaf]` to the targets starting at `target`."""
        inner = tree.n_children > 0
        numeric_or_leaf = ~inner | (tree.kind == NUMERIC)
        cuts = round_down(np.where(inner & numeric_or_leaf, tree.threshold, 0.0), self.dtype)
        yes, no = np.where(inner, tree.first_child, 0), np.where(inner, tree.first_child + 1, 0)
        columns = (
            np.arange(tree.node_count),
            ~inner,
            np.where(inner, tree.feature, 0),
            cuts,
            yes,
            no,
            inner & (tree.missing == 0),
        )
        self._rows(number, Rows(*(column[numeric_or_leaf] for column in columns)))
        next_index = tree.node_count  # node indices for the tests of chains
        for node in np.flatnonzero(~numeric_or_leaf):
            next_index = self._chain(number, tree, int(node), next_index)
        self._weights(number, np.flatnonzero(~inner), values, target)

    def _chain(self, number: int, tree: Tree, node: int, next_index: int) -> int:
        """Add a test for each run of codes; return the next free node index."""
        children = tree_children(tree, node)
        rest = children[max(int(tree.missing[node]), 0)]
        runs = _runs(_child_of_code(tree, node, children))
        n = len(runs)
        at = [node, *range(next_index, next_index + n - 1)]
        last, child = zip(*runs, strict=True)
        feature = np.full(n, tree.feature[node])
        zeros = np.zeros(n, dtype=bool)
        self._rows(number, Rows(at, zeros, feature, last, child, [*at[1:], rest], zeros))
        return next_index + n - 1

    def _rows(self, tree: int, rows: Rows) -> None:
        self.rows.append(rows)
        self.trees.append(np.full(len(np.asarray(rows.node)), tree))

    def _weights(self, tree: int, leaves: Ints, values: Floats, target: int) -> None:
        """Record the values of leaves that are not 0, at least one per leaf."""
        own = values[leaves]
        child_of_code = own != 0
        child_of_code[:, 0] |= ~child_of_code.any(axis=1)
        leaf, which = np.nonzero(child_of_code)
        trees = np.full(len(leaf), tree)
        self.targets.append((trees, leaves[leaf], which + target, own[leaf, which]))

    def attributes(self) -> dict[str, Any]:
        """Return the attributes under ONNX's names; doubles if X is double."""
        trees = np.concatenate(self.trees)
        rows = Rows(*(np.concatenate(part) for part in zip(*self.rows, strict=True)))
        order = np.lexsort((rows.node, trees))  # the root of each tree comes first
        rows = Rows(*(np.asarray(part)[order] for part in rows))
        of_tree, of_node, target, weight = map(np.concatenate, zip(*self.targets, strict=True))
        double = np.dtype(self.dtype) == np.float64
        ending = "_as_tensor" if double else ""
        mode = np.where(rows.leaf, "LEAF", "BRANCH_LEQ")
        return {
            "nodes_treeids": trees[order].tolist(),
            "nodes_nodeids": rows.node.tolist(),
            "nodes_modes": mode.tolist(),
            "nodes_featureids": rows.feature.tolist(),
            f"nodes_values{ending}": rows.value if double else rows.value.tolist(),
            "nodes_truenodeids": rows.yes.tolist(),
            "nodes_falsenodeids": rows.no.tolist(),
            "nodes_missing_value_tracks_true": rows.nan.astype(np.int64).tolist(),
            "target_treeids": of_tree.tolist(),
            "target_nodeids": of_node.tolist(),
            "target_ids": target.tolist(),
            f"target_weights{ending}": weight if double else weight.tolist(),
        }


def _child_of_code(tree: Tree, node: int, children: list[int]) -> list[int]:
    """Return the child of each category at a GROUP or EACH node."""
    if tree.kind[node] == EACH:
        return children
    return [children[0 if listed else 1] for listed in tree.category_set(node)]


def _runs(children: list[int]) -> list[tuple[int, int]]:
    """Return the last code and the child of each run of equal children."""
    ends = [i for i in range(len(children)) if children[i + 1 : i + 2] != [children[i]]]
    return [(i, children[i]) for i in ends]
