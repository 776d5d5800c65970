"""Trees as the attributes of ONNX's TreeEnsembleRegressor (ai.onnx.ml 3).

A test of ONNX is x <= v with two children, as our NUMBER. A category becomes a chain of such tests
on its code, from low codes to high, one for each run of codes that go to the same child; what is
beyond the last, never seen or NaN falls through to the child for what is missing. Several tests of
a chain may share a child by their "yes", which ONNX Runtime allows. (It has a test x == v too, but
version 1.31 merges chains of them that must not be.)
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.trees.tree import EACH, NUMBER, Tree
from gramian.trees.words import tree_children

Floats: TypeAlias = npt.NDArray[np.float64]
Values: TypeAlias = Sequence[tuple[Tree, Floats]]  # a tree and its outputs (n_nodes, n_targets)


def below(threshold: float, dtype: Any) -> float:
    """Return the greatest number of a float type that is not above a threshold.

    For every x of that type x <= threshold holds exactly if x <= the number returned.
    """
    with np.errstate(over="ignore"):
        near = np.dtype(dtype).type(threshold)
    if float(near) > threshold:
        near = np.nextafter(near, np.dtype(dtype).type(-np.inf))
    return float(near)


class EnsembleNodes:
    """Collects the attributes, tree after tree."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        self.rows: list[tuple[int, int, str, int, float, int, int, int]] = []
        self.targets: list[tuple[int, int, int, float]] = []

    def add(self, number: int, tree: Tree, values: Floats) -> None:
        """Add one tree; `values` are what its leaves add to the targets."""
        spare = tree.node_count  # numbers for the tests of chains
        for node in range(tree.node_count):
            children = tree_children(tree, node)
            if not children:
                self._row(number, node, "LEAF", 0, 0.0, 0, 0, 0)
                for target, value in enumerate(values[node].tolist()):
                    self.targets.append((number, node, target, value))
            elif tree.kind[node] == NUMBER:
                split = below(float(tree.threshold[node]), self.dtype)
                left = int(tree.missing[node] == 0)
                where = (*children, left)
                self._row(number, node, "BRANCH_LEQ", tree.feature[node], split, *where)
            else:
                spare = self._chain(number, tree, node, children, spare)

    def _chain(self, number: int, tree: Tree, node: int, children: list[int], spare: int) -> int:
        """Ask for one run of codes after the other; return the next spare number."""
        rest = children[max(int(tree.missing[node]), 0)]
        runs = _runs(_child_of_code(tree, node, children))
        for i, (last, child) in enumerate(runs):
            at = node if i == 0 else spare + i - 1
            otherwise = rest if i == len(runs) - 1 else spare + i
            self._row(number, at, "BRANCH_LEQ", tree.feature[node], last, child, otherwise, 0)
        return spare + len(runs) - 1

    def _row(
        self, tree: int, node: int, mode: str, feature: Any, value: float, *where: int
    ) -> None:
        yes, no, nan = where  # the children, and whether NaN goes to the first
        self.rows.append((tree, node, mode, int(feature), float(value), yes, no, nan))

    def attributes(self) -> dict[str, Any]:
        """Return the attributes by ONNX's names; doubles for a table of doubles."""
        tree, node, mode, feature, value, yes, no, nan = map(list, zip(*self.rows, strict=True))
        of_tree, of_node, target, weight = map(list, zip(*self.targets, strict=True))
        double = np.dtype(self.dtype) == np.float64
        ending = "_as_tensor" if double else ""
        return {
            "nodes_treeids": tree,
            "nodes_nodeids": node,
            "nodes_modes": mode,
            "nodes_featureids": feature,
            f"nodes_values{ending}": np.array(value) if double else value,
            "nodes_truenodeids": yes,
            "nodes_falsenodeids": no,
            "nodes_missing_value_tracks_true": nan,
            "target_treeids": of_tree,
            "target_nodeids": of_node,
            "target_ids": target,
            f"target_weights{ending}": np.array(weight) if double else weight,
        }


def _child_of_code(tree: Tree, node: int, children: list[int]) -> list[int]:
    """Return the child of each category at a GROUP or EACH node."""
    if tree.kind[node] == EACH:
        return children
    return [children[0 if taken else 1] for taken in tree.category_set(node)]


def _runs(children: list[int]) -> list[tuple[int, int]]:
    """Return the last code and the child of each run of equal children."""
    ends = [i for i in range(len(children)) if children[i + 1 : i + 2] != [children[i]]]
    return [(i, children[i]) for i in ends]
