"""Conversion of trees to the nodes of the native C4.5 and back."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.tree.growth.impurity import entropy
from gramian.tree.structure.tree import GROUP, Tree


def to_native(tree: Tree) -> Any:
    """Convert a classification tree to nodes that native code can change."""
    tests: list[Any] = [tree.first_child, tree.n_children, tree.kind, tree.feature, tree.missing]
    words = (tree.levels[np.maximum(tree.feature, 0)] + 63) // 64
    return _native.c45_read(
        np.column_stack([*tests, tree.bit_start]).astype(np.int32),
        tree.threshold,
        tree.bits,
        np.where(tree.kind == GROUP, words, 0).astype(np.int32),
        tree.samples,
        np.ascontiguousarray(tree.value[:, 0] * tree.weight[:, None]),
    )


def from_native(nodes: Any, levels: npt.NDArray[np.int32], n_classes: int) -> Tree:
    """Convert native nodes to a tree; an empty node gets its parent's proportions."""
    n_nodes, n_words = nodes.sizes()
    tests = np.empty((n_nodes, 6), dtype=np.int32)
    threshold, bits = np.empty(n_nodes), np.empty(n_words, dtype=np.uint64)
    samples, counts = np.empty(n_nodes, dtype=np.int64), np.empty((n_nodes, n_classes))
    nodes.write(tests, threshold, bits, samples, counts)
    first_child, n_children, kind, feature, missing, bit_start = tests.T
    weight = counts.sum(axis=1)
    proportions = np.divide(
        counts, weight[:, None], out=np.zeros_like(counts), where=weight[:, None] > 0
    )
    for node in np.flatnonzero(n_children):  # by level: parents come first
        children = slice(first_child[node], first_child[node] + n_children[node])
        empty = np.flatnonzero(weight[children] == 0) + first_child[node]
        proportions[empty] = proportions[node]
    return Tree(
        first_child=first_child,
        n_children=n_children,
        kind=kind,
        feature=feature,
        threshold=threshold,
        bits=bits,
        bit_start=np.where(kind == GROUP, bit_start, 0),
        missing=np.where(n_children > 0, missing, 0),
        samples=samples,
        weight=weight,
        impurity=entropy(proportions),
        value=proportions[:, None],
        levels=levels,
    )
