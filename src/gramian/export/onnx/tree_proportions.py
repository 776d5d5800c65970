"""Export of trees that send missing values down several branches, as basic ONNX operators.

The fraction of a row at a node is the fraction at its parent times the fraction of the branch: 0 or
1 if the value is known, the branch's proportion of the training weight if it is missing. All
fractions of a level are computed at once; the output is the leaves' fractions times their values.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.export.onnx.graph import Graph
from gramian.export.onnx.tree_nodes import round_down
from gramian.tree.structure.tree import EACH, NUMERIC, Tree


class Proportions:
    """Adds the operators of a tree to a graph; its input is the tensor `rows` of type `dtype`."""

    def __init__(self, graph: Graph, tree: Tree, rows: str, dtype: str) -> None:
        self.graph, self.tree, self.rows, self.dtype = graph, tree, rows, np.dtype(dtype)

    def output(self, values: Floats) -> str:
        """Return the sum of the leaf values, weighted by the fraction of the row in each leaf."""
        tree, graph = self.tree, self.graph
        branch = self._branch_fractions() if tree.node_count > 1 else ""
        first = graph.op("Gather", self.rows, self._ints([0]), axis=1)
        one = self._floats([1.0])
        ones = graph.op("Where", graph.op("IsNaN", first), one, one)  # a column of ones
        level, members = ones, np.array([0])
        total = ""
        for depth in range(tree.max_depth + 1):
            leaf = np.flatnonzero(tree.n_children[members] == 0)
            if len(leaf):
                fractions = graph.op("Gather", level, self._ints(leaf), axis=1)
                part = graph.op("MatMul", fractions, self._floats(values[members[leaf]]))
                total = part if not total else graph.op("Add", total, part)
            below_ = np.flatnonzero(tree.depth == depth + 1)
            if len(below_):
                place = np.searchsorted(members, tree.parent[below_])
                above = graph.op("Gather", level, self._ints(place), axis=1)
                own = graph.op("Gather", branch, self._ints(below_ - 1), axis=1)
                level, members = graph.op("Mul", above, own), below_
        return total

    def _branch_fractions(self) -> str:
        """Compute for each node except the root the fraction of its parent that goes to it."""
        tree = self.tree
        child = np.arange(1, tree.node_count)
        parent = tree.parent[child]
        branch_index = child - tree.first_child[parent]
        feature = tree.feature[parent]
        missing_fractions = np.array(
            [
                self._fraction_of_missing(int(p), int(w))
                for p, w in zip(parent, branch_index, strict=True)
            ]
        )
        x = self.graph.op("Gather", self.rows, self._ints(feature), axis=1)
        unknown = self.graph.op("IsNaN", x)
        number = tree.kind[parent] == NUMERIC
        split = np.where(number, tree.threshold[parent], 0.0)
        split = round_down(split, self.dtype)
        at_most = self.graph.op("LessOrEqual", x, self._floats(split))
        known = self.graph.op(
            "Where", at_most, self._floats(branch_index == 0), self._floats(branch_index == 1)
        )
        if (~number).any():
            known = self.graph.op(
                "Where",
                self._bools(number),
                known,
                self._category_fractions(x, parent, branch_index),
            )
        return self.graph.op("Where", unknown, self._floats(missing_fractions), known)

    def _category_fractions(self, x: str, parent: Any, branch_index: Any) -> str:
        """Look up the fraction of each code in a table; codes out of range count as missing."""
        tables: list[Floats] = []
        starts, widths = [], []
        for p, w in zip(parent.tolist(), branch_index.tolist(), strict=True):
            starts.append(sum(len(table) for table in tables))
            tables.append(self._table(p, w))
            widths.append(max(len(tables[-1]) - 1, 0))
        unseen = self._floats(widths)
        in_range = self.graph.op("Where", self.graph.op("IsNaN", x), unseen, x)
        in_range = self.graph.op("Min", self.graph.op("Max", in_range, self._floats([0.0])), unseen)
        code = self.graph.cast(in_range, "int64")
        place = self.graph.op("Add", code, self._ints(starts))
        return self.graph.op("Gather", self._floats(np.concatenate(tables)), place, axis=0)

    def _table(self, parent: int, branch_index: int) -> Floats:
        tree = self.tree
        if tree.kind[parent] == NUMERIC:
            return np.zeros(1)
        levels = int(tree.levels[tree.feature[parent]])
        codes = np.arange(levels)
        goes_to_branch = (
            codes == branch_index
            if tree.kind[parent] == EACH
            else (tree.category_set(parent) == (branch_index == 0))
        )
        return np.append(
            goes_to_branch.astype(np.float64), self._fraction_of_missing(parent, branch_index)
        )

    def _fraction_of_missing(self, parent: int, branch_index: int) -> float:
        tree = self.tree
        if tree.missing[parent] >= 0:
            return float(tree.missing[parent] == branch_index)
        first, count = int(tree.first_child[parent]), int(tree.n_children[parent])
        weight = tree.weight[first : first + count]
        return float(weight[branch_index] / weight.sum()) if weight.sum() > 0 else 1 / count

    def _floats(self, values: npt.ArrayLike) -> str:
        return self.graph.constant(values, self.dtype)

    def _ints(self, values: npt.ArrayLike) -> str:
        return self.graph.constant(values, np.int64)

    def _bools(self, values: npt.ArrayLike) -> str:
        return self.graph.constant(values, np.bool_)
