"""Boosting over rows that lie in several places: trees grow here, histograms come from there.

Each iteration grows one tree per score, in the units that the sizes of all derivatives tell: the
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

_ABOUT_ONE = (1 - 1e-9, 1 + 1e-9)  # what the order of rows may change in a sum is far less


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
        self.sizes = _sizes(held.each("slopes"))

    def take(self, iteration: int) -> list[Grown]:
        """Grow one tree per score and send their values to the places; return the trees."""
        grown, n_scores = [], self.loss.n_scores
        for k, sizes in enumerate(self.sizes):
            layout = self._layout(k, sizes)
            n_nodes = self.grower.grow(
                layout,
                self.loss.falling_curvature,
                self.model._seed,
                iteration * n_scores + k,
                partial(self._divide, k, layout),
                partial(self._sums, sizes[:2]),
            )
            tree = Grown.of(self.grower.nodes, n_nodes)
            tree = tree._replace(value=self.model.learning_rate * tree.value)
            values = tree.value[self.grower.node_of_key()]
            found = self.held.each("add", values, k == n_scores - 1)
            grown.append(tree)
        self.sizes = _sizes(found)
        return grown

    def _layout(self, k: int, sizes: Floats) -> Floats:
        """Return the units of the next tree; where last digits of sums matter, ask for them."""
        largest, sums = sizes[:2], sizes[2:]
        near = [self._layout_of(largest, sums * factor) for factor in _ABOUT_ONE]
        if self.curved and near[0] != near[-1]:
            digits = _total(self.held.each("size_sums", k, largest))
            return np.array(self._layout_of(largest, digits[::2] + digits[1::2]))
        return np.array(near[0])

    def _layout_of(self, largest: Floats, sums: Floats) -> list[float]:
        (gradient, hessian), (gradients, hessians) = largest.tolist(), sums.tolist()
        sizes = (gradient, gradients, hessian, hessians)
        return _native.cell_layout(sizes, self.n_rows, self.curved)

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


def _sizes(parts: list[Floats]) -> Floats:
    """Merge the sizes of derivatives: the largest of all, and the sums."""
    found = np.array(parts)
    return np.concatenate([found[:, :, :2].max(axis=0), found[:, :, 2:].sum(axis=0)], axis=1)
