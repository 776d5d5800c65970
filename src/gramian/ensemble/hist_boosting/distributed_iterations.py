"""Boosting iterations over rows on several workers: one process grows the trees.

Each iteration grows one tree per score. The sizes of all derivatives set the units of its integer
histograms. The grower requests histograms from the workers, for several leaves at a time because a
message costs as much as a few histograms, and adds them up. All other sums are exact or do not
depend on the order of the rows, so the trees are identical to those of `fit`.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.parts import ObjectGroup
from gramian.base.types import Floats
from gramian.ensemble.common.bins import Bins
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.boosted_trees import Grown
from gramian.ensemble.hist_boosting.growers import distributed_grower
from gramian.ensemble.hist_boosting.worker_rows import narrow

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting

_LOOKAHEAD = 0.4
_ABOUT_ONE = (1 - 1e-9, 1 + 1e-9)  # the order of rows changes a sum by far less


class DistributedIterations:
    """Boosting iterations over workers: one tree per score, then new scores on the workers.

    `curved`: whether the curvature differs between rows. `lookahead`: the fraction of the remaining
    splits whose histograms one message requests.
    """

    def __init__(
        self,
        model: "HistGradientBoosting",
        loss: BoostingLoss,
        bins: Bins,
        n_rows: int,
        curved: bool,
        workers: ObjectGroup,
        lookahead: float = _LOOKAHEAD,
    ) -> None:
        self.model, self.loss, self.workers = model, loss, workers
        self.n_rows, self.curved = n_rows, curved
        missing = workers.total("has_missing", np.bitwise_or)
        self.grower = distributed_grower(model, bins, missing, n_rows, lookahead)
        self.sizes = workers.total("slopes", _merge_sizes)

    def grow_trees(self, iteration: int) -> list[Grown]:
        """Grow one tree per score and send its values to the workers; return the trees."""
        grown, n_scores = [], self.loss.n_scores
        for k, sizes in enumerate(self.sizes):
            layout = self._layout(k, sizes)
            n_nodes = self.grower.grow(
                layout,
                self.loss.falling_curvature,
                self.model._seed,
                iteration * n_scores + k,
                partial(self._histograms, k, layout),
                partial(self._sums, sizes[:2]),
            )
            tree = Grown.of(self.grower.nodes, n_nodes)
            tree = tree._replace(value=self.model.learning_rate * tree.value)
            values = tree.value[self.grower.node_of_key()]
            grown.append(tree)
            if k < n_scores - 1:
                self.workers.total("add_leaf_values", _no_result, values)
        self.sizes = self.workers.total("finish_iteration", _merge_sizes, values)
        return grown

    def _layout(self, k: int, sizes: Floats) -> Floats:
        """Return the layout of the next tree; request exact sums if rounding could change it."""
        largest, sums = sizes[:2], sizes[2:]
        candidates = [self._layout_of(largest, sums * factor) for factor in _ABOUT_ONE]
        if self.curved and candidates[0] != candidates[-1]:
            exact_sums = self.workers.total("size_sums", np.add, k, largest)
            return np.array(self._layout_of(largest, exact_sums[::2] + exact_sums[1::2]))
        return np.array(candidates[0])

    def _layout_of(self, largest: Floats, sums: Floats) -> list[float]:
        (gradient, hessian), (gradients, hessians) = largest.tolist(), sums.tolist()
        sizes = (gradient, gradients, hessian, hessians)
        return _native.cell_layout(sizes, self.n_rows, self.curved)

    def _histograms(self, k: int, layout: Floats, splits: list[Any], n_hists: int) -> Floats:
        if not splits:
            hists = self.workers.total("start_tree", _add_histograms, k, layout)
        else:
            split_rows = np.array(splits, dtype=np.int64)
            hists = self.workers.total("split_leaves", _add_histograms, split_rows, n_hists)
        return np.asarray(hists, dtype=np.float64)

    def _sums(self, largest: Floats, n_keys: int) -> Floats:
        del n_keys
        sums: Floats = self.workers.total("leaf_sums", np.add, largest)
        return sums


def _add_histograms(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Add histograms, which are integers."""
    return narrow(np.add(left, right, dtype=np.float64))


def _merge_sizes(left: Floats, right: Floats) -> Floats:
    """Merge summaries of derivatives: the largest values, and the sums."""
    return np.hstack([np.maximum(left[:, :2], right[:, :2]), left[:, 2:] + right[:, 2:]])


def _no_result(left: None, right: None) -> None:
    """Merge the results of calls that return nothing."""
