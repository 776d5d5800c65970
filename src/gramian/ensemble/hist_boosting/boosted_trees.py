"""The trees of a boosted ensemble, concatenated in one set of arrays."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.cached import cached_property
from gramian.base.errors import DataError
from gramian.base.types import Floats, Matrix
from gramian.ensemble.common.bins import Bins
from gramian.tree.structure.tree import GROUP, LEAF, NUMERIC, Ints, NodeFloats, NodeInts, Tree


@dataclass(frozen=True, eq=False, repr=False)
class BoostedTrees:
    """Trees that predict raw scores, ordered by iteration, with one tree per score in each.

    Nodes are as in `gramian.tree.Tree`; every node has two children or none, and thresholds are
    values of X. ``value`` is a leaf's contribution to the score, ``weight`` the sum of the
    curvatures and ``impurity`` the weighted variance of the Newton steps of the node's rows.

    Parameters
    ----------
    roots : int64 array
        Tree t consists of the nodes ``roots[t]`` to ``roots[t + 1] - 1``; indices of children are
        relative to the root.
    n_scores : int
        Trees per iteration: 1, or one per class.
    first_child, kind, feature, threshold, bits, bit_start, missing, samples, weight, impurity, \
value, levels : arrays
        As in `Tree`.
    """

    record_name: ClassVar[str] = "boosted_trees"

    roots: npt.NDArray[np.int64]
    n_scores: int
    first_child: NodeInts
    kind: np.ndarray[tuple[int], np.dtype[np.uint8]]
    feature: NodeInts
    threshold: NodeFloats
    bits: np.ndarray[tuple[int], np.dtype[np.uint64]]
    bit_start: NodeInts
    missing: NodeInts
    samples: np.ndarray[tuple[int], np.dtype[np.int64]]
    weight: NodeFloats
    impurity: NodeFloats
    value: NodeFloats
    levels: NodeInts

    def __post_init__(self) -> None:
        roots = self.roots
        n = len(self.first_child)
        rising = roots.ndim == 1 and len(roots) > 0 and roots[0] == 0 and roots[-1] == n
        if (
            self.n_scores < 1
            or not rising
            or np.any(np.diff(roots) <= 0)
            or (len(roots) - 1) % self.n_scores
        ):
            raise DataError("BoostedTrees: roots must increase from 0 to the number of nodes.")
        try:
            self.walks  # noqa: B018 - a cached property that checks the arrays
        except ValueError as error:
            raise DataError(f"BoostedTrees: the arrays do not form trees: {error}.") from None

    @classmethod
    def empty(cls, n_scores: int, levels: npt.NDArray[np.int32]) -> "BoostedTrees":
        """Return a model without trees."""
        none = {name: np.empty(0, dtype=dtype) for name, dtype in _TYPES.items()}
        return cls(roots=np.zeros(1, np.int64), n_scores=n_scores, **{**none, "levels": levels})

    @property
    def n_iter(self) -> int:
        """Number of iterations."""
        return (len(self.roots) - 1) // self.n_scores

    def tree(self, number: int) -> Tree:
        """Return one tree."""
        begin, end = self.roots[number : number + 2]
        inner = self.kind[begin:end] != LEAF
        parts = {name: getattr(self, name)[begin:end] for name in _NODE}
        return Tree(
            **parts,
            n_children=np.where(inner, 2, 0),
            bits=self.bits,
            levels=self.levels,
            value=self.value[begin:end, None, None],
        )

    def trees(self) -> list[list[Tree]]:
        """Return the trees: a list of iterations, each a list with a tree per score."""
        k = self.n_scores
        return [[self.tree(t * k + s) for s in range(k)] for t in range(self.n_iter)]

    @cached_property
    def walks(self) -> list[tuple[_native.TreeWalk, Floats]]:
        """The packed nodes that native code traverses, and their values, for each score."""
        if self.n_iter == 0:
            return []
        return [self._walk(k) for k in range(self.n_scores)]

    def _walk(self, score: int) -> tuple[_native.TreeWalk, Floats]:
        sizes = np.diff(self.roots)
        nodes: Any = slice(None)
        if self.n_scores > 1:
            nodes = np.repeat(np.arange(len(sizes)) % self.n_scores == score, sizes)
        sizes = sizes[score :: self.n_scores]
        part = {name: getattr(self, name)[nodes] for name in (*_NODE, "value")}
        part["n_children"] = np.where(part["kind"] != LEAF, 2, 0).astype(np.int32)
        walk = _native.TreeWalk(
            part | {"bits": self.bits, "levels": self.levels},
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.zeros(len(sizes), dtype=np.int64),
        )
        return walk, part["value"].reshape(-1, 1)

    def add_scores(self, X: Matrix, scores: Floats) -> None:
        """Add the predictions of the trees to scores of shape (n_scores, n)."""
        for (walk, values), score in zip(self.walks, scores, strict=False):
            walk.sums(X, values, 1.0, score.reshape(-1, 1))

    def leaves(self, X: Matrix) -> Ints:
        """Return the leaf of each row in every tree, of shape (n, n_iter, n_scores)."""
        out = np.empty((len(X), self.n_iter, self.n_scores), dtype=np.int32)
        for k, (walk, _) in enumerate(self.walks):
            one = np.empty((len(X), self.n_iter), dtype=np.int32)
            walk.leaves(X, one)
            out[:, :, k] = one
        return out

    def feature_importances(self) -> Floats:
        """Return the fraction of the total gain due to each feature."""
        parts = (self.tree(t) for t in range(len(self.roots) - 1))
        gains = np.zeros(len(self.levels))
        for tree in parts:
            gains += tree.compute_feature_importances(normalize=False) * tree.weight[0]
        total: float = gains.sum()
        return gains / total if total > 0 else gains

    def feature_counts(self) -> npt.NDArray[np.int64]:
        """Return the number of splits on each feature."""
        used = self.feature[self.kind != LEAF]
        return np.bincount(used, minlength=len(self.levels)).astype(np.int64)

    def with_trees(self, grown: list["Grown"], bins: Bins) -> "BoostedTrees":
        """Append newly grown trees, with bin codes converted to thresholds."""
        if not grown:
            return self
        added = _decode(grown, bins)
        added["bit_start"] += np.int32(len(self.bits)) * (added["kind"] == GROUP)
        arrays = {name: np.concatenate([getattr(self, name), added[name]]) for name in _TYPES}
        sizes = [len(tree.value) for tree in grown]
        roots = np.concatenate([self.roots, self.roots[-1] + np.cumsum(sizes)])
        return BoostedTrees(roots=roots, n_scores=self.n_scores, levels=self.levels, **arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_arrays, ({f.name: getattr(self, f.name) for f in fields(self)},)

    def __repr__(self) -> str:
        return f"<BoostedTrees: {self.n_iter} iterations, {len(self.first_child)} nodes>"


_NODE = (
    "first_child",
    "kind",
    "feature",
    "threshold",
    "bit_start",
    "missing",
    "samples",
    "weight",
    "impurity",
)
_TYPES = {
    "first_child": np.int32,
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
}


def _from_arrays(arrays: dict[str, Any]) -> BoostedTrees:
    return BoostedTrees(**arrays)


class Grown(NamedTuple):
    """One tree from the native grower, with bin codes instead of thresholds."""

    # First child, feature, bin, whether missing values go left, whether categorical.
    node_fields: Ints
    sums: Floats  # value, and sums of gradients, curvatures, rows and squared gradients
    left: npt.NDArray[np.uint64]  # the bins that go left, for categorical splits
    value: Floats  # contribution of a leaf to the score

    @classmethod
    def of(cls, write: Callable[..., None], n_nodes: int) -> "Grown":
        """Read a tree from the native grower; its values are the Newton steps."""
        node_fields = np.empty((n_nodes, 5), dtype=np.int32)
        sums = np.empty((n_nodes, 5))
        left = np.empty((n_nodes, 4), dtype=np.uint64)
        write(node_fields, sums, left)
        return cls(node_fields, sums, left[node_fields[:, 4] > 0], sums[:, 0])


def _decode(grown: list[Grown], bins: Bins) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of several trees, with bin codes converted to thresholds."""
    node_fields = np.concatenate([tree.node_fields for tree in grown])
    first_child, feature, bin_code, missing_left, by_category = np.ascontiguousarray(node_fields.T)
    sums = np.concatenate([tree.sums for tree in grown])
    _, gradient, hessian, count, squares = np.ascontiguousarray(sums.T)
    inner, categorical = first_child > 0, by_category > 0
    kind = np.where(inner, NUMERIC, LEAF).astype(np.uint8)
    kind[categorical] = GROUP

    # A cut above the last one separates missing values from all others.
    cuts = bins.cuts[feature, np.minimum(bin_code, bins.cuts.shape[1] - 1)]
    cuts = np.where(bin_code >= bins.n_cuts[feature], np.inf, cuts)
    threshold = np.where(inner & ~categorical, cuts, np.nan)

    words: list[npt.NDArray[np.uint64]] = [np.empty(0, dtype=np.uint64)]
    bit_start = np.zeros(len(kind), dtype=np.int32)
    if categorical.any():
        left = np.concatenate([tree.left for tree in grown])
        used = 0
        for node, bins_left in zip(np.flatnonzero(categorical), left, strict=True):
            goes_left = bins.categories_of(feature[node], bins_left)
            padded = np.zeros(-(-len(goes_left) // 64) * 64, dtype=bool)
            padded[: len(goes_left)] = goes_left
            words.append(np.packbits(padded, bitorder="little").view(np.uint64))
            bit_start[node] = used
            used += len(words[-1])
    determined = hessian > 1e-12  # below this, the Newton step is undetermined
    positive = np.where(determined, hessian, 1.0)
    return {
        "first_child": first_child,
        "kind": kind,
        "feature": feature,
        "threshold": threshold,
        "bits": np.concatenate(words),
        "bit_start": bit_start,
        "missing": np.where(inner, 1 - missing_left, 0).astype(np.int32),
        "samples": count.astype(np.int64),
        "weight": hessian,
        "impurity": np.maximum(squares / positive - (gradient / positive) ** 2, 0.0) * determined,
        "value": np.concatenate([tree.value for tree in grown]),
    }
