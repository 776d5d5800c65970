"""The rows of an epoch: their order and their weights.

Rare classes or rows with a high loss can be emphasised: visited more often (drawn with
replacement), or given a larger weight in the loss. By loss, half of the emphasis stays uniform, so
that rows learned well are not forgotten.
"""

from typing import Literal, TypeAlias

import numpy as np

from gramian import _native
from gramian.base.randomness import stream
from gramian.base.types import Floats
from gramian.neural_network.mlp.descent import Examples, RowOrder

Emphasis: TypeAlias = Literal["class", "loss"] | None
EmphasisBy: TypeAlias = Literal["sampling", "weights"]


class RowSampler:
    """The order and weights of the rows in every epoch.

    Examples
    --------
    >>> rows = Examples(np.zeros((4, 1)), np.array([0, 0, 0, 1], np.int32), None)
    >>> sampler = RowSampler(rows, seed=0, shuffle=True, emphasis="class", by="weights")
    >>> sampler.weights().round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """

    def __init__(
        self,
        rows: Examples,
        *,
        seed: int,
        shuffle: bool,
        emphasis: Emphasis = None,
        by: EmphasisBy = "sampling",
        first: int = 0,
    ) -> None:
        self._rows = rows
        self._seed = seed
        self._shuffle = shuffle
        self._by = by
        self._first = first  # number of the first random order
        self._emphasis = emphasis
        self.losses = np.ones(len(rows)) if emphasis == "loss" else None

    def order(self, epoch: int) -> RowOrder:
        """Return the rows of an epoch in their order."""
        n = len(self._rows)
        if self._emphasis is not None and self._by == "sampling":
            share = self._importance() / n
            drawn = stream(self._seed, (1 << 41) + self._first + epoch).choice(
                n, size=n, p=share / share.sum()
            )
            return drawn.astype(np.int32)
        order = np.arange(n, dtype=np.int32)
        if self._shuffle:
            _native.random_order(order, n, self._seed % 2**64, self._first + epoch)
        return order

    def weights(self) -> Floats | None:
        """Return the weights of the rows in the next epoch."""
        row_weights = self._rows.weights
        if self._emphasis is None or self._by == "sampling":
            return row_weights
        importance = self._importance()
        return importance if row_weights is None else importance * row_weights

    def _importance(self) -> Floats:
        """Return the emphasis of each row, 1 on average."""
        if self._emphasis == "class":
            codes = self._rows.codes
            assert codes is not None, "only labelled rows are emphasised by class"
            counts = np.bincount(codes)
            return np.asarray(len(codes) / (np.count_nonzero(counts) * counts[codes]))
        assert self.losses is not None
        mean = float(self.losses.mean())
        return 0.5 + 0.5 * self.losses / mean if mean > 0 else np.ones(len(self.losses))
