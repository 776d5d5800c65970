"""Growth of a binary tree in Python: a list of nodes that becomes a `Tree`."""

from typing import Any

import numpy as np

from gramian.tree.growth.threshold_search import Nodes
from gramian.tree.structure.tree import FIELDS, NUMERIC, Tree

_PER_NODE = [name for name in FIELDS if name not in ("bits", "levels")]


class NodeList:
    """Nodes in the order of creation: children are contiguous and come after their parent."""

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {name: [] for name in _PER_NODE}

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.columns["kind"])

    def impurity(self, node: int) -> float:
        """Return the impurity of a node."""
        return float(self.columns["impurity"][node])

    def add(self, nodes: Nodes, node: int) -> None:
        """Add a leaf, copied from the arrays of another tree."""
        for name, column in self.columns.items():
            column.append(nodes[name][node])

    def split(self, node: int, feature: int, threshold: float, first_child: int) -> None:
        """Turn a leaf into a split; its two children must have been added."""
        test = {
            "first_child": first_child,
            "n_children": 2,
            "kind": NUMERIC,
            "feature": feature,
            "threshold": threshold,
        }
        for name, value in test.items():
            self.columns[name][node] = value

    def tree(self, n_features: int) -> Tree:
        """Return the nodes as arrays."""
        return Tree(
            **{name: np.array(column) for name, column in self.columns.items()},
            bits=np.empty(0, dtype=np.uint64),
            levels=np.zeros(n_features, dtype=np.int32),
        )
