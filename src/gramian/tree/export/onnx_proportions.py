"""Trees that send missing values down several branches, as plain ONNX operators.

The fraction of a row at a node is the fraction at its parent times the fraction of the branch: 0 or
1 where the value is known, the branch's proportion of the training weight where it is missing. All
fractions of a level are computed at once; the output is the leaves' fractions times their values.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.tree.export.onnx_nodes import below
from gramian.tree.structure.tree import EACH, NUMERIC, Tree


class ProportionGraph:
    """Builds the operators; `nodes` and `constants` go into an ONNX graph."""

    def __init__(self, tree: Tree, values: Floats, dtype: Any, onnx: Any) -> None:
        self.tree, self.dtype, self.onnx = tree, np.dtype(dtype), onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.output = self._output(values)

    def _output(self, values: Floats) -> str:
        tree = self.tree
        branch = self._branch_fractions() if tree.node_count > 1 else ""
        first = self._op("Gather", "X", self._ints("zero", [0]), axis=1)
        one = self._floats("one", [1.0])
        ones = self._op("Where", self._op("IsNaN", first), one, one)  # a column of ones
        level, members = ones, np.array([0])
        total = ""
        for depth in range(tree.max_depth + 1):
            leaf = np.flatnonzero(tree.n_children[members] == 0)
            if len(leaf):
                fractions = self._op("Gather", level, self._ints(f"leaves{depth}", leaf), axis=1)
                part = self._op(
                    "MatMul", fractions, self._floats(f"v{depth}", values[members[leaf]])
                )
                total = part if not total else self._op("Add", total, part)
            below_ = np.flatnonzero(tree.depth == depth + 1)
            if len(below_):
                place = np.searchsorted(members, tree.parent[below_])
                above = self._op("Gather", level, self._ints(f"up{depth}", place), axis=1)
                own = self._op("Gather", branch, self._ints(f"own{depth}", below_ - 1), axis=1)
                level, members = self._op("Mul", above, own), below_
        return total

    def _branch_fractions(self) -> str:
        """Compute the fraction of its parent's rows that goes to each node but the root."""
        tree = self.tree
        child = np.arange(1, tree.node_count)
        parent = tree.parent[child]
        which = child - tree.first_child[parent]
        feature = tree.feature[parent]
        lost = np.array(
            [self._fraction_of_missing(int(p), int(w)) for p, w in zip(parent, which, strict=True)]
        )
        x = self._op("Gather", "X", self._ints("features", feature), axis=1)
        unknown = self._op("IsNaN", x)
        number = tree.kind[parent] == NUMERIC
        split = np.where(number, tree.threshold[parent], 0.0)
        split = below(split, self.dtype)
        asked = self._op("LessOrEqual", x, self._floats("splits", split))
        known = self._op(
            "Where", asked, self._floats("yes", which == 0), self._floats("no", which == 1)
        )
        if (~number).any():
            known = self._op(
                "Where",
                self._bools("numbers", number),
                known,
                self._category_fractions(x, parent, which),
            )
        return self._op("Where", unknown, self._floats("lost", lost), known)

    def _category_fractions(self, x: str, parent: Any, which: Any) -> str:
        """Look the fraction of each code up in a table; codes out of range count as missing."""
        tables: list[Floats] = []
        starts, widths = [], []
        for p, w in zip(parent.tolist(), which.tolist(), strict=True):
            starts.append(sum(len(table) for table in tables))
            tables.append(self._table(p, w))
            widths.append(max(len(tables[-1]) - 1, 0))
        unseen = self._floats("widths", widths)
        safe = self._op("Where", self._op("IsNaN", x), unseen, x)
        safe = self._op("Min", self._op("Max", safe, self._floats("none", [0.0])), unseen)
        code = self._op("Cast", safe, to=self.onnx.TensorProto.INT64)
        place = self._op("Add", code, self._ints("starts", starts))
        return self._op("Gather", self._floats("table", np.concatenate(tables)), place, axis=0)

    def _table(self, parent: int, which: int) -> Floats:
        tree = self.tree
        if tree.kind[parent] == NUMERIC:
            return np.zeros(1)
        levels = int(tree.levels[tree.feature[parent]])
        codes = np.arange(levels)
        taken = (
            codes == which
            if tree.kind[parent] == EACH
            else (tree.category_set(parent) == (which == 0))
        )
        return np.append(taken.astype(np.float64), self._fraction_of_missing(parent, which))

    def _fraction_of_missing(self, parent: int, which: int) -> float:
        tree = self.tree
        if tree.missing[parent] >= 0:
            return float(tree.missing[parent] == which)
        first, count = int(tree.first_child[parent]), int(tree.n_children[parent])
        weight = tree.weight[first : first + count]
        return float(weight[which] / weight.sum()) if weight.sum() > 0 else 1 / count

    # --- ONNX's words -------------------------------------------------------------------------

    def _op(self, kind: str, *inputs: str, **settings: Any) -> str:
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], **settings))
        return name

    def _constant(self, name: str, array: npt.NDArray[Any]) -> str:
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def _floats(self, name: str, values: Any) -> str:
        return self._constant(name, np.asarray(values, dtype=self.dtype))

    def _ints(self, name: str, values: Any) -> str:
        return self._constant(name, np.asarray(values, dtype=np.int64))

    def _bools(self, name: str, values: Any) -> str:
        return self._constant(name, np.asarray(values, dtype=np.bool_))
