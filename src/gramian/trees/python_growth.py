"""Growth of a binary tree in Python: a list of nodes that becomes a `Tree`."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.trees.tree import LEAF, NUMBER, Tree

Floats: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = npt.NDArray[np.intp]


@dataclass
class NodeList:
    """Nodes in the order they are made: children follow each other and come after their parent."""

    n_features: int
    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, samples: int, weight: float, impurity: float, value: Floats) -> int:
        """Add a leaf and return its number."""
        self.rows.append(
            {
                "first_child": 0,
                "n_children": 0,
                "kind": LEAF,
                "feature": -1,
                "threshold": np.nan,
                "bit_start": 0,
                "missing": 0,
                "samples": samples,
                "weight": weight,
                "impurity": impurity,
                "value": value,
            }
        )
        return len(self.rows) - 1

    def split(self, node: int, feature: int, threshold: float, first_child: int) -> None:
        """Make a leaf a test; its two children have been added."""
        self.rows[node] |= {
            "first_child": first_child,
            "n_children": 2,
            "kind": NUMBER,
            "feature": feature,
            "threshold": threshold,
        }

    def tree(self, n_features: int | None = None) -> Tree:
        """Return the nodes as arrays."""
        columns: dict[str, Any] = {name: [row[name] for row in self.rows] for name in self.rows[0]}
        return Tree(
            **{name: np.array(column) for name, column in columns.items()},
            bits=np.empty(0, dtype=np.uint64),
            levels=np.zeros(self.n_features if n_features is None else n_features, dtype=np.int32),
        )
