"""Boosting over rows that lie in several places: trees grow in one, histograms come from all.

Each iteration grows one tree per score, in the units that the sizes of all derivatives tell: the
grower of `fit` asks for histograms, several leaves at a time because a message takes as long as
some histograms, and those of the places are added up. They are integers, and all other sums are
exact or do not depend on the order of the rows, so the trees are those of `fit`, to the bit.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.parts import Places
from gramian.base.types import Floats
from gramian.ensemble.common.bins import Bins
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.boosted_trees import Grown
from gramian.ensemble.hist_boosting.boosting_place import short
from gramian.ensemble.hist_boosting.growers import parted_grower

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting

_AHEAD = 0.4
_ABOUT_ONE = (1 - 1e-9, 1 + 1e-9)  # what the order of rows may change in a sum is far less


class PartedStep:
    """One iteration over places: a tree per score, new scores there.

    `curved` means that curvatures differ from row to row, `ahead` is the share of the splits left
    for which one message asks.
    """

    def __init__(
        self,
        model: "HistGradientBoosting",
        loss: BoostingLoss,
        bins: Bins,
        n_rows: int,
        curved: bool,
        places: Places,
        ahead: float = _AHEAD,
    ) -> None:
        self.model, self.loss, self.places = model, loss, places
        self.n_rows, self.curved = n_rows, curved
        missing = places.total("has_missing", np.bitwise_or)
        self.grower = parted_grower(model, bins, missing, n_rows, ahead)
        self.sizes = places.total("slopes", _both_sizes)

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
            grown.append(tree)
            if k < n_scores - 1:
                self.places.total("add", _first, values)
        self.sizes = self.places.total("add_last", _both_sizes, values)
        return grown

    def _layout(self, k: int, sizes: Floats) -> Floats:
        """Return the units of the next tree; where last digits of sums matter, ask for them."""
        largest, sums = sizes[:2], sizes[2:]
        near = [self._layout_of(largest, sums * factor) for factor in _ABOUT_ONE]
        if self.curved and near[0] != near[-1]:
            digits = self.places.total("size_sums", np.add, k, largest)
            return np.array(self._layout_of(largest, digits[::2] + digits[1::2]))
        return np.array(near[0])

    def _layout_of(self, largest: Floats, sums: Floats) -> list[float]:
        (gradient, hessian), (gradients, hessians) = largest.tolist(), sums.tolist()
        sizes = (gradient, gradients, hessian, hessians)
        return _native.cell_layout(sizes, self.n_rows, self.curved)

    def _divide(self, k: int, layout: Floats, divisions: list[Any], n_hists: int) -> Floats:
        if not divisions:
            found = self.places.total("begin", _both_hists, k, layout)
        else:
            rows = np.array(divisions, dtype=np.int64)
            found = self.places.total("divide", _both_hists, rows, n_hists)
        return np.asarray(found, dtype=np.float64)

    def _sums(self, largest: Floats, n_keys: int) -> Floats:
        del n_keys
        found: Floats = self.places.total("sums", np.add, largest)
        return found


def _both_hists(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Add up whole numbers."""
    return short(np.add(left, right, dtype=np.float64))


def _both_sizes(left: Floats, right: Floats) -> Floats:
    """Merge the sizes of derivatives: the largest of all, and the sums."""
    return np.hstack([np.maximum(left[:, :2], right[:, :2]), left[:, 2:] + right[:, 2:]])


def _first(left: None, right: None) -> None:
    """Merge the answers of places that only do something."""
