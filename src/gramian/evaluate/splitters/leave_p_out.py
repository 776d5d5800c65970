"""Leave-p-out, all C(n, p) subsets, for those who can wait for them."""

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import LeavePOut

from gramian.base.errors import ParameterError
from gramian.base.rows import number_of_rows
from gramian.evaluate.splitters.splitter import Splitter

Rows = NDArray[np.intp]


class GuardedLeavePOut(Splitter):
    """Splitter that leaves out every subset of p rows, and refuses absurd numbers of them.

    Parameters
    ----------
    p
        Rows of each test part.
    max_splits
        Most splits that are made without complaint.

    Examples
    --------
    >>> GuardedLeavePOut(2).get_n_splits(range(20))
    190
    """

    def __init__(self, p: int, *, max_splits: int = 10_000) -> None:
        self.p = p
        self.max_splits = max_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows.

        Parameters
        ----------
        X
            The table; only its number of rows matters.
        y, groups
            Not used.
        """
        self.get_n_splits(X)
        yield from LeavePOut(self.p).split(np.empty((number_of_rows(X), 0)))

    def get_n_splits(self, X: Any, y: Any = None, groups: Any = None) -> int:
        """Return C(n, p), or say why that is too many.

        Parameters
        ----------
        X
            The table; only its number of rows matters.
        y, groups
            Not used.
        """
        n = number_of_rows(X)
        if not 1 <= self.p < n:
            raise ParameterError(
                f"GuardedLeavePOut: p must be at least 1 and less than the {n} rows; got {self.p}."
            )
        count = comb(n, self.p)
        if count > self.max_splits:
            raise ParameterError(
                f"GuardedLeavePOut: {self.p} of {n} rows can be left out in {count:.4g} ways, more "
                f"than max_splits={self.max_splits}; that many fits are seldom worth it. Use "
                f"sklearn.model_selection.ShuffleSplit(test_size={self.p}) for a random part of "
                "them, KFold, or raise max_splits."
            )
        return count
