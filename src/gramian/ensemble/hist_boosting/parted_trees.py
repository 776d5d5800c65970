"""Boosting over rows that lie in several places: trees grow here, histograms come from there.

Each iteration asks every place for the sizes of its derivatives, then grows one tree per score: the
grower of `fit` asks for histograms, several leaves at a time because a message takes longer than a
histogram, and adds up those of the places. They are integers, and all other sums are exact or do
not depend on the order of the rows, so the trees are those of `fit`, to the bit.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.parts import Held
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.boosted_trees import Grown

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


class PartedStep:
    """One iteration over places: a tree per score, new scores there.

    `curved` means that curvatures differ from row to row.
    """

    def __init__(
        self,
        model: "HistGradientBoosting",
        loss: BoostingLoss,
        grower: _native.PartedGrower,
        n_rows: int,
        held: Held,
        *,
        curved: bool,
    ) -> None:
        self.model, self.loss, self.grower, self.held = model, loss, grower, held
        self.n_rows, self.curved = n_rows, curved
        self.largest = _most(held.each("slopes"))

    def take(self, iteration: int) -> list[Grown]:
        """Grow one tree per score and send their values to the places; return the trees."""
        grown, n_scores, largest = [], self.loss.n_scores, self.largest
        for k in range(n_scores):
            layout = self._layout(k, largest[k])
            n_nodes = self.grower.grow(
                layout,
                self.loss.falling_curvature,
                self.model._seed,
                iteration * n_scores + k,
                partial(self._divide, k, layout),
                partial(self._sums, largest[k]),
            )
            tree = Grown.of(self.grower.nodes, n_nodes)
            tree = tree._replace(value=self.model.learning_rate * tree.value)
            values = tree.value[self.grower.node_of_key()]
            slopes = self.held.each("add", values, k == n_scores - 1)
            grown.append(tree)
        self.largest = _most(slopes)
        return grown

    def _layout(self, k: int, largest: Floats) -> Floats:
        gradients = hessians = 0.0
        if self.curved:
            digits = _total(self.held.each("size_sums", k, largest))
            gradients, hessians = digits[0] + digits[1], digits[2] + digits[3]
        sizes = (float(largest[0]), float(gradients), float(largest[1]), float(hessians))
        return np.array(_native.cell_layout(sizes, self.n_rows, self.curved))

    def _divide(self, k: int, layout: Floats, divisions: list[Any], n_hists: int) -> Floats:
        if not divisions:
            return _total(self.held.each("begin", k, layout))
        rows = np.array(divisions, dtype=np.int64)
        return _total(self.held.each("divide", rows, n_hists))

    def _sums(self, largest: Floats, n_keys: int) -> Floats:
        del n_keys
        return _total(self.held.each("sums", largest))


def _total(parts: list[npt.NDArray[Any]]) -> Floats:
    """Add up numbers whose sums are exact."""
    total = np.array(parts[0], dtype=np.float64)
    for part in parts[1:]:
        total += part
    return total


def _most(parts: list[Floats]) -> Floats:
    most: Floats = np.max(parts, axis=0)
    return most
