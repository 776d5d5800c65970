"""A growing forest: arrays to which trees are appended."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.tree.growth.grow import Targets, empty_arrays, write_trees
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree import Ints

_MARGIN = 1.05  # entries allocated per expected node; unused memory is never touched
_MOST_GROWTH = 16.0  # maximum growth at once: a callback may stop long before the last tree


class GrowingForest:
    """The trees grown so far, concatenated.

    After the first trees the arrays are allocated for the number of nodes that all trees are
    expected to have, and enlarged in place at the end: the trees are never in memory twice.
    """

    def __init__(
        self,
        n_trees: int,
        levels: Ints,
        targets: Targets,
        options: _native.GrowOptions,
        kept: Forest | None,
    ) -> None:
        self._n_trees = n_trees
        self._levels = levels
        self._targets = targets
        self._options = options
        self._roots = [0] if kept is None else kept.roots.tolist()
        self._words = [0] if kept is None else kept.words.tolist()
        self._arrays = empty_arrays(0, 0, targets)
        if kept is not None:
            self._arrays = {name: kept.nodes[name].copy() for name in self._arrays}

    def __len__(self) -> int:
        return len(self._roots) - 1

    def add_grown(self, trees: Sequence[_native.GrownTree]) -> None:
        """Add trees from native code."""
        room = self._append([tree.n_nodes for tree in trees], [tree.n_words for tree in trees])
        write_trees(trees, room, self._targets, self._options)

    def add_arrays(self, tree: dict[str, npt.NDArray[Any]]) -> None:
        """Add a tree given by its arrays."""
        room = self._append([len(tree["kind"])], [len(tree["bits"])])
        for name, array in room.items():
            array[...] = tree[name]

    def _append(self, nodes: Sequence[int], words: Sequence[int]) -> dict[str, npt.NDArray[Any]]:
        """Append trees and return their slices of the arrays."""
        first, first_word = self._roots[-1], self._words[-1]
        self._roots += (first + np.cumsum(nodes)).tolist()
        self._words += (first_word + np.cumsum(words)).tolist()
        room = {}
        for name, array in self._arrays.items():
            begin, end = (first, self._roots[-1])
            if name == "bits":
                begin, end = first_word, self._words[-1]
            if end > len(array):
                array = self._arrays[name] = self._enlarged(array, begin, end)
            room[name] = array[begin:end]
        return room

    def _enlarged(self, array: npt.NDArray[Any], used: int, needed: int) -> npt.NDArray[Any]:
        growth = min(_MARGIN * self._n_trees / len(self), _MOST_GROWTH)
        shape = (max(needed, int(growth * needed)), *array.shape[1:])
        if 0 < shape[0] < 2 * used:  # enlarge in place
            array.resize(shape, refcheck=False)
            return array
        longer = np.empty(shape, dtype=array.dtype)
        longer[:used] = array[:used]
        return longer

    def forest(self, *, copy: bool) -> Forest:
        """Return the trees so far; without a copy, no more trees may be added."""
        arrays = {}
        for name, array in self._arrays.items():
            end = self._words[-1] if name == "bits" else self._roots[-1]
            if copy:
                array = array[:end].copy()
            else:
                array.resize((end, *array.shape[1:]), refcheck=False)
            arrays[name] = array
        roots, words = np.array(self._roots), np.array(self._words)
        return Forest(roots, words, {**arrays, "levels": self._levels})
