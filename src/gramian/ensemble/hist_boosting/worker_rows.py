"""The rows of one worker while trees are grown over the rows of several: codes, targets, scores.

The process that grows the trees (`distributed_iterations.py`) requests histograms of leaves and
sums, and sends splits and leaf values; codes, scores and derivatives stay on the worker.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.bins import Bins, Codes
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.growers import native_rows


class PartRows(NamedTuple):
    """The rows of a part: codes, targets, weights and scores."""

    codes: Codes
    has_missing: Codes
    y: Floats
    weights: Weights | None
    score: Floats  # (n_scores, n)

    @classmethod
    def joined(cls, parts: "list[PartRows]") -> "PartRows":
        """Concatenate the rows of several parts."""
        if len(parts) == 1:
            return parts[0]
        weights = [part.weights for part in parts if part.weights is not None]
        return cls(
            np.concatenate([part.codes for part in parts], axis=1),
            np.bitwise_or.reduce([part.has_missing for part in parts]),
            np.concatenate([part.y for part in parts]),
            np.concatenate(weights) if weights else None,
            np.concatenate([part.score for part in parts], axis=1),
        )


class WorkerRows:
    """The rows of one worker."""

    def __init__(self, loss: BoostingLoss, bins: Bins, parts: list[PartRows]) -> None:
        self.loss = loss
        codes, self.missing, self.y, self.weights, self.score = PartRows.joined(parts)
        self.gradient = np.empty(self.score.shape, dtype=np.float32)
        constant = loss.unit_curvature and self.weights is None
        self.hessian = None if constant else np.empty(self.score.shape, dtype=np.float32)
        self.rows = native_rows(bins, codes)
        self.tree = 0  # the score whose tree is growing

    def has_missing(self) -> Codes:
        """Return which columns have missing values."""
        return self.missing

    def slopes(self) -> Floats:
        """Compute the derivatives; return four summary values for each score.

        These are the largest gradient and curvature, and the sums of their sizes; the last digits
        of the sums depend on the rows of this worker.
        """
        self.loss.slopes(self.y, self.weights, self.score, self.gradient, self.hessian)
        sizes = []
        for k in range(len(self.score)):
            largest = _native.boost_largest(*self._slopes(k))
            sums = self.size_sums(k, np.array(largest))
            sizes.append([*largest, sums[0] + sums[1], sums[2] + sums[3]])
        return np.array(sizes)

    def _slopes(self, k: int) -> tuple[Any, Any]:
        return self.gradient[k], None if self.hessian is None else self.hessian[k]

    def size_sums(self, k: int, largest: Floats) -> Floats:
        """Return sums of gradient and curvature sizes; exact if `largest` is over all workers."""
        return np.array(_native.boost_size_sums(*self._slopes(k), largest))

    def start_tree(self, k: int, layout: Floats) -> npt.NDArray[Any]:
        """Start the tree of a score; return the histogram of all rows."""
        self.tree = k
        hist = np.zeros((1, self.rows.hist_size))
        self.rows.begin(*self._slopes(k), layout, hist[0])
        return narrow(hist)

    def split_leaves(self, divisions: npt.NDArray[np.int64], n_hists: int) -> npt.NDArray[Any]:
        """Split leaves; return the histograms of the requested children."""
        hists = np.zeros((n_hists, self.rows.hist_size))
        self.rows.divide(divisions, hists)
        return narrow(hists)

    def leaf_sums(self, largest: Floats) -> Floats:
        """Return the sums of gradients and curvatures in each leaf."""
        sums = np.zeros((self.rows.n_keys, 6))
        self.rows.sums(*self._slopes(self.tree), largest, sums)
        return sums

    def add_leaf_values(self, values: Floats) -> None:
        """Add the values of the leaves to the score."""
        self.rows.add(values, self.score[self.tree])

    def finish_iteration(self, values: Floats) -> Floats:
        """Add the values of the last tree; return the summary of the new derivatives."""
        self.add_leaf_values(values)
        return self.slopes()


def narrow(hists: Floats) -> npt.NDArray[Any]:
    """Convert integer-valued floats to 32-bit integers if they are in range."""
    if hists.size == 0 or max(hists.max(), -hists.min()) >= 2.0**31:
        return hists
    return hists.astype(np.int32)
