"""Many trees in one set of arrays."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.cached import cached_property
from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.tree.structure.tree import FIELDS, Ints, Tree, native_rows

if TYPE_CHECKING:
    from gramian.tree.growth.grow import Targets

_PER_NODE = tuple(name for name in FIELDS if name not in ("bits", "levels"))


@dataclass(frozen=True, eq=False, repr=False)
class Forest:
    """A sequence of trees in one set of arrays; `forest[t]` is tree t.

    The arrays are those of `Tree`; child indices are relative to the root of their tree.

    Parameters
    ----------
    roots : int64 array of shape (n_trees + 1,)
        Offset of each tree in the node arrays, and the end of the last one.
    words : int64 array of shape (n_trees + 1,)
        Offset of each tree in `bits`, and the end of the last one.
    nodes : dict of arrays
        The arrays of `Tree`, concatenated over all trees.

    Examples
    --------
    >>> from gramian.ensemble import RandomForestClassifier
    >>> model = RandomForestClassifier(3, random_state=0).fit([[0.0], [1.0], [2.0]], [0, 0, 1])
    >>> len(model.forest_), model.forest_[0].n_features
    (3, 1)
    """

    record_name: ClassVar[str] = "forest"

    roots: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]
    nodes: dict[str, npt.NDArray[Any]]

    def __post_init__(self) -> None:
        roots = np.ascontiguousarray(self.roots, dtype=np.int64)
        words = np.ascontiguousarray(self.words, dtype=np.int64)
        nodes = {
            name: np.ascontiguousarray(self.nodes[name], dtype=dtype)
            for name, dtype in FIELDS.items()
        }
        for name, value in (("roots", roots), ("words", words), ("nodes", nodes)):
            object.__setattr__(self, name, value)
        n = len(nodes["kind"])
        if any(len(nodes[name]) != n for name in _PER_NODE) or nodes["value"].ndim != 3:
            raise DataError("Forest: the arrays must have an entry per node.")
        if (
            len(words) != len(roots)
            or words[-1] != len(nodes["bits"])
            or (np.diff(words) < 0).any()
        ):
            raise DataError("Forest: words must be ascending offsets into bits.")
        try:
            self.walk  # noqa: B018 - a cached property that checks the arrays
        except ValueError as error:
            raise DataError(f"Forest: the arrays do not form trees: {error}.") from None

    def __len__(self) -> int:
        return len(self.roots) - 1

    def __iter__(self) -> Iterator[Tree]:
        return (self[t] for t in range(len(self)))

    def __getitem__(self, t: int) -> Tree:
        t = range(len(self))[t]
        own = slice(self.roots[t], self.roots[t + 1])
        arrays = {name: self.nodes[name][own] for name in _PER_NODE}
        bits = self.nodes["bits"][self.words[t] : self.words[t + 1]]
        return Tree(**arrays, bits=bits, levels=self.nodes["levels"])

    def is_compatible(self, targets: "Targets", levels: Ints) -> bool:
        """Return whether trees for these targets and columns can be added."""
        outputs = targets.n_outputs, targets.n_classes
        same_levels = np.array_equal(self.nodes["levels"], levels)
        return self.nodes["value"].shape[1:] == outputs and same_levels

    def __reduce__(self) -> tuple[Any, ...]:
        return Forest, (self.roots, self.words, self.nodes)

    def __repr__(self) -> str:
        return f"<Forest: {len(self)} trees, {self.roots[-1]} nodes>"

    @cached_property
    def walk(self) -> _native.TreeWalk:
        """The packed nodes that native code traverses."""
        return _native.TreeWalk(self.nodes, self.roots, self.words)

    @cached_property
    def flat_values(self) -> Floats:
        """The values of all nodes, of shape (n_nodes, n_outputs * n_classes)."""
        return self.nodes["value"].reshape(len(self.nodes["kind"]), -1)

    def mean(self, X: npt.NDArray[Any]) -> Floats:
        """Return the mean over the trees of the value of each row's leaf."""
        out = np.zeros((X.shape[0], self.flat_values.shape[1]))
        self.walk.sums(native_rows(X), self.flat_values, 1.0 / len(self), out)
        return out.reshape(X.shape[0], *self.nodes["value"].shape[1:])

    def apply(self, X: npt.NDArray[Any]) -> Ints:
        """Return the leaf of each row in each tree."""
        out = np.empty((X.shape[0], len(self)), dtype=np.int32)
        self.walk.leaves(native_rows(X), out)
        return out

    def importances(self) -> Floats:
        """Return the fraction of the decrease due to each feature, averaged over the trees."""
        tree, feature, decrease = self._decreases()
        d = len(self.nodes["levels"])
        gains = np.zeros((len(self), d))
        np.add.at(gains, (tree, feature), decrease)
        totals: Floats = gains.sum(axis=1, keepdims=True)
        fractions = gains[totals[:, 0] > 0] / totals[totals[:, 0] > 0]
        mean = fractions.mean(axis=0) if len(fractions) else np.zeros(d)
        return mean / mean.sum() if mean.sum() > 0 else mean

    def gains(self) -> Floats:
        """Return the decrease due to each feature per weight of the rows, summed over the trees."""
        tree, feature, decrease = self._decreases()
        per_weight = decrease / self.nodes["weight"][self.roots[tree]]
        sums = np.bincount(feature, weights=per_weight, minlength=len(self.nodes["levels"]))
        return np.asarray(sums, dtype=np.float64)

    def _decreases(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Floats]:
        """Return the tree, the feature and the decrease of the criterion of every split."""
        nodes = self.nodes
        inner = np.flatnonzero(nodes["n_children"])
        tree = np.repeat(np.arange(len(self)), np.diff(self.roots))[inner]
        cost = nodes["weight"] * nodes["impurity"]
        first = nodes["first_child"][inner] + self.roots[tree]
        sums = np.concatenate([[0.0], np.cumsum(cost)])
        below = sums[first + nodes["n_children"][inner]] - sums[first]
        return tree, nodes["feature"][inner], cost[inner] - below
