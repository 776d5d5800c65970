"""One fitted tree: read-only arrays with an entry per node.

The root is node 0; the children of a node are contiguous and come after it. A row x goes to

    NUMERIC  child 0 if x[feature] <= threshold, else child 1;
    GROUP    child 0 if the bit of category x[feature] is set, else child 1;
    EACH     the child of category x[feature], one child per category;

and, if x[feature] is missing or a category not seen in fit, to child ``missing``; -1 sends it to
every child, in proportion to the child's training weight.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.cached import cached_property
from gramian.base.errors import DataError
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, is_sparse

LEAF, NUMERIC, GROUP, EACH = range(4)

Ints: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
NodeInts: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int32]]
NodeFloats: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
NodeValues: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A tree as arrays; `Tree(**arrays)` checks them, `tree.arrays()` returns them.

    Parameters
    ----------
    first_child, n_children : int32 arrays of shape (n_nodes,)
        The children of node i are ``first_child[i] + 0, 1, ..., n_children[i] - 1``; 0 and 0 in a
        leaf.
    kind : uint8 array
        LEAF, NUMERIC, GROUP or EACH.
    feature : int32 array
        The feature that a node splits on, -1 in a leaf.
    threshold : float64 array
        Threshold of a numeric split, else NaN.
    bits : uint64 array
        The category sets of the GROUP nodes, ceil(levels / 64) words each.
    bit_start : int32 array
        Offset of a GROUP node's words in `bits`; 0 elsewhere.
    missing : int32 array
        The child for a missing value, -1 for all; 0 in a leaf.
    samples : int64 array
        Training rows that reached the node.
    weight : float64 array
        Training weight that reached the node.
    impurity : float64 array
        The criterion at the node.
    value : float64 array of shape (n_nodes, n_outputs, n_classes)
        Class probabilities, or the predicted value (n_classes = 1).
    levels : int32 array of shape (n_features,)
        The number of categories of each feature, 0 for numeric ones.

    Examples
    --------
    >>> from gramian.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], [0, 0, 1]).tree_
    >>> tree.threshold[0], tree.children_right[0], tree.max_depth
    (np.float64(1.5), np.int32(2), 1)
    """

    record_name: ClassVar[str] = "tree"

    first_child: NodeInts
    n_children: NodeInts
    kind: np.ndarray[tuple[int], np.dtype[np.uint8]]
    feature: NodeInts
    threshold: NodeFloats
    bits: np.ndarray[tuple[int], np.dtype[np.uint64]]
    bit_start: NodeInts
    missing: NodeInts
    samples: np.ndarray[tuple[int], np.dtype[np.int64]]
    weight: NodeFloats
    impurity: NodeFloats
    value: NodeValues
    levels: NodeInts

    def __post_init__(self) -> None:
        for name, dtype in FIELDS.items():
            array = np.ascontiguousarray(getattr(self, name), dtype=dtype)
            if array.ndim != (3 if name == "value" else 1):
                raise DataError(f"Tree: {name} has an invalid shape, {array.shape}.")
            if array.flags.writeable:
                array = array.view()
                array.flags.writeable = False
            object.__setattr__(self, name, array)
        n = len(self.first_child)
        for name in FIELDS.keys() - {"bits", "levels"}:
            if len(getattr(self, name)) != n:
                raise DataError(f"Tree: {name} must have one entry for each of {n} nodes.")
        self.check()

    def check(self) -> None:
        """Raise unless all child, feature and category indices are within bounds."""
        try:
            self.walk  # noqa: B018 - cached, and checks the arrays
        except ValueError as error:
            raise DataError(f"Tree: the arrays do not form a tree: {error}.") from None

    @cached_property
    def walk(self) -> _native.TreeWalk:
        """The packed nodes that native code traverses."""
        roots = np.array([0, len(self.first_child)], dtype=np.int64)
        return _native.TreeWalk(self.arrays(), roots, np.zeros(1, dtype=np.int64))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays by name, as a model file stores them."""
        return {name: getattr(self, name) for name in FIELDS}

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_arrays, (self.arrays(),)

    def __repr__(self) -> str:
        return f"<Tree: {self.node_count} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    # --- walking ------------------------------------------------------------------------------

    def apply(self, X: npt.NDArray[Any]) -> Ints:
        """Return the leaf of each row of a checked matrix."""
        out = np.empty((X.shape[0], 1), dtype=np.int32)
        self.walk.leaves(native_rows(X), out)
        return out[:, 0]

    def predict(self, X: npt.NDArray[Any]) -> Floats:
        """Return the value of each row's leaf, of shape (n, n_outputs, n_classes).

        A missing value whose child is -1 goes to all children, in proportion to their weights.
        """
        flat = self.value.reshape(self.node_count, -1)
        out = np.zeros((X.shape[0], flat.shape[1]))
        if sp.issparse(X):  # sparse rows have no missing values
            self.walk.sums(native_table(X), flat, 1.0, out)
        else:
            self.walk.fractions(native_rows(X), flat, 1.0, out)
        return out.reshape(X.shape[0], *self.value.shape[1:])

    def decision_path(self, X: npt.NDArray[Any]) -> sp.csr_array:
        """Return the nodes on each row's path, as a sparse (n, n_nodes) array of ones."""
        at = self.apply(X)
        above = [at]
        while (at := np.where(at > 0, self.parent[at], 0)).any():
            above.append(at)
        paths = np.sort(np.stack([*above, np.zeros_like(above[0])], axis=1), axis=1)
        new = np.ones(paths.shape, dtype=bool)
        new[:, 1:] = paths[:, 1:] != paths[:, :-1]
        ends = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
        shape = (X.shape[0], self.node_count)
        return sp.csr_array((np.ones(ends[-1], dtype=np.int64), paths[new], ends), shape=shape)

    # --- structure ----------------------------------------------------------------------------

    @cached_property
    def splits_missing(self) -> bool:
        """Whether a row with a missing value may go to several children at once."""
        return bool((self.missing[self.n_children > 0] < 0).any())

    @cached_property
    def majority(self) -> npt.NDArray[np.intp]:
        """The most probable class of each node's first output; the first one in a tie."""
        first: npt.NDArray[np.intp] = self.value[:, 0].argmax(axis=1)
        return first

    @cached_property
    def parent(self) -> Ints:
        """The parent of each node, -1 for the root."""
        parent = np.full(self.node_count, -1, dtype=np.int32)
        inner = np.flatnonzero(self.n_children)
        owner = np.repeat(inner, self.n_children[inner])
        starts = np.cumsum(self.n_children[inner]) - self.n_children[inner]
        within = np.arange(len(owner)) - np.repeat(starts, self.n_children[inner])
        parent[self.first_child[owner] + within] = owner
        return parent

    @cached_property
    def depth(self) -> Ints:
        """The number of splits above each node."""
        depth = np.zeros(self.node_count, dtype=np.int32)
        parent = self.parent
        level = np.flatnonzero(parent == 0)
        reached = 1
        while len(level):
            depth[level] = reached
            reached += 1
            inner = np.zeros(self.node_count, dtype=bool)
            inner[level] = True
            level = np.flatnonzero((parent >= 0) & inner[np.maximum(parent, 0)])
        return depth

    def cut(self, nodes: npt.ArrayLike) -> "Tree":
        """Return the tree with the given nodes turned into leaves.

        Parameters
        ----------
        nodes
            Node indices, or a mask over the nodes.
        """
        stop = np.zeros(self.node_count, dtype=bool)
        stop[np.asarray(nodes)] = True
        gone = np.zeros(self.node_count, dtype=bool)
        for level in range(1, self.max_depth + 1):
            at = np.flatnonzero(self.depth == level)
            gone[at] = (stop | gone)[self.parent[at]]
        return self.keep(~gone, leaf=stop)

    def keep(self, kept: npt.NDArray[np.bool_], *, leaf: npt.NDArray[np.bool_]) -> "Tree":
        """Return the tree with only the kept nodes, in the same order; `leaf` marks new leaves."""
        number = np.cumsum(kept) - 1
        inner = (self.n_children > 0) & ~leaf
        return replace(
            self,
            first_child=np.where(inner, number[self.first_child], 0)[kept],
            n_children=np.where(inner, self.n_children, 0)[kept],
            kind=np.where(inner, self.kind, LEAF)[kept],
            feature=np.where(inner, self.feature, -1)[kept],
            threshold=np.where(inner, self.threshold, np.nan)[kept],
            bit_start=np.where(inner, self.bit_start, 0)[kept],
            missing=np.where(inner, self.missing, 0)[kept],
            samples=self.samples[kept],
            weight=self.weight[kept],
            impurity=self.impurity[kept],
            value=self.value[kept],
        )

    def category_set(self, node: int) -> npt.NDArray[np.bool_]:
        """Return which categories a GROUP node sends to child 0."""
        levels = int(self.levels[self.feature[node]])
        start = self.bit_start[node]
        words = self.bits[start : start + (levels + 63) // 64]
        return np.unpackbits(words.view(np.uint8), bitorder="little")[:levels].astype(bool)

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """Return the total impurity decrease of each feature, weighted by the rows split."""
        drop = self.weight * self.impurity
        below = np.zeros(self.node_count)
        np.add.at(below, self.parent[1:], drop[1:])
        inner = self.n_children > 0
        gains = np.zeros(self.n_features)
        np.add.at(gains, self.feature[inner], (drop - below)[inner])
        gains /= self.weight[0]
        total: float = gains.sum()
        return gains / total if normalize and total > 0 else gains

    # --- scikit-learn's names -----------------------------------------------------------------

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.first_child)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.levels)

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return int(self.value.shape[1])

    @property
    def max_n_classes(self) -> int:
        """Maximum number of classes of an output; 1 for regression."""
        return int(self.value.shape[2])

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.n_children == 0).sum())

    @cached_property
    def max_depth(self) -> int:
        """The maximum number of splits above a leaf."""
        return int(self.depth.max())

    @property
    def children_left(self) -> Ints:
        """The first child of each node, -1 in a leaf."""
        return np.where(self.n_children > 0, self.first_child, -1).astype(np.int32)

    @property
    def children_right(self) -> Ints:
        """The second child of each node, -1 in a leaf."""
        return np.where(self.n_children > 1, self.first_child + 1, -1).astype(np.int32)

    @property
    def n_node_samples(self) -> npt.NDArray[np.int64]:
        """Training rows that reached each node."""
        return self.samples

    @property
    def weighted_n_node_samples(self) -> Floats:
        """Training weight that reached each node."""
        return self.weight

    @property
    def missing_go_to_left(self) -> npt.NDArray[np.uint8]:
        """Whether missing values go to the first child."""
        first: npt.NDArray[np.bool_] = (self.missing == 0) & (self.n_children > 0)
        return first.astype(np.uint8)


FIELDS: Mapping[str, Any] = {
    "first_child": np.int32,
    "n_children": np.int32,
    "kind": np.uint8,
    "feature": np.int32,
    "threshold": np.float64,
    "bits": np.uint64,
    "bit_start": np.int32,
    "missing": np.int32,
    "samples": np.int64,
    "weight": np.float64,
    "impurity": np.float64,
    "value": np.float64,
    "levels": np.int32,
}
assert tuple(FIELDS) == tuple(f.name for f in fields(Tree))


def native_rows(X: Data) -> Any:
    """Convert rows to the float arrays that native tree traversal expects."""
    if is_sparse(X):
        return native_table(X)
    dtype: Any = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
    return np.require(X, dtype, ["C", "A"])


def _from_arrays(arrays: dict[str, npt.NDArray[Any]]) -> Tree:
    return Tree(**arrays)
