"""The rows of one place while trees grow over rows in several: codes, targets, scores.

Whoever grows the trees asks for histograms of leaves and for sums, and sends splits and leaf values
(`parted_trees.py`); codes, scores and derivatives stay here.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.bins import Bins, Codes
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.growers import placed_rows


class CodedRows(NamedTuple):
    """Rows of a part, with what is known of them."""

    codes: Codes
    has_missing: Codes
    y: Floats
    weights: Weights | None
    score: Floats  # (n_scores, n)

    @classmethod
    def joined(cls, parts: "list[CodedRows]") -> "CodedRows":
        """Put rows one below the other."""
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


class BoostingPlace:
    """The rows of one place."""

    def __init__(self, loss: BoostingLoss, bins: Bins, parts: list[CodedRows]) -> None:
        self.loss = loss
        codes, self.missing, self.y, self.weights, self.score = CodedRows.joined(parts)
        self.gradient = np.empty(self.score.shape, dtype=np.float32)
        constant = loss.unit_curvature and self.weights is None
        self.hessian = None if constant else np.empty(self.score.shape, dtype=np.float32)
        self.rows = placed_rows(bins, codes)
        self.tree = 0  # the score whose tree is growing

    def has_missing(self) -> Codes:
        """Return which columns miss values."""
        return self.missing

    def slopes(self) -> Floats:
        """Compute the derivatives; return their sizes, four numbers for each score.

        The largest gradient and curvature, and the sums of all, of which the last digits depend on
        the rows of this place.
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
        """Return sums of gradients and curvatures, exact where `largest` is that of all places."""
        return np.array(_native.boost_size_sums(*self._slopes(k), largest))

    def begin(self, k: int, layout: Floats) -> npt.NDArray[Any]:
        """Start the tree of a score; return the histogram of all rows."""
        self.tree = k
        hist = np.zeros((1, self.rows.hist_size))
        self.rows.begin(*self._slopes(k), layout, hist[0])
        return short(hist)

    def divide(self, divisions: npt.NDArray[np.int64], n_hists: int) -> npt.NDArray[Any]:
        """Divide leaves and return the histograms of children that are asked for."""
        hists = np.zeros((n_hists, self.rows.hist_size))
        self.rows.divide(divisions, hists)
        return short(hists)

    def sums(self, largest: Floats) -> Floats:
        """Return the sums of each leaf."""
        found = np.zeros((self.rows.n_keys, 6))
        self.rows.sums(*self._slopes(self.tree), largest, found)
        return found

    def add(self, values: Floats) -> None:
        """Add the values of the leaves to the score."""
        self.rows.add(values, self.score[self.tree])

    def add_last(self, values: Floats) -> Floats:
        """Do the same where the iteration ends; return the sizes of the new derivatives."""
        self.add(values)
        return self.slopes()


def short(hists: Floats) -> npt.NDArray[Any]:
    """Return whole numbers in half as many bytes, where they fit."""
    if hists.size == 0 or max(hists.max(), -hists.min()) >= 2.0**31:
        return hists
    return hists.astype(np.int32)
