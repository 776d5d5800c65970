"""Leave-p-out cross-validation over all C(n, p) subsets, with a limit on their number."""

from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import LeavePOut

from gramian.base.errors import ParameterError
from gramian.base.rows.taking import number_of_rows
from gramian.base.types import Table
from gramian.evaluate.splitters.splitter import Splitter

Rows = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


class GuardedLeavePOut(Splitter):
    """Splitter that leaves out every subset of p rows, up to a maximum number of splits.

    Parameters
    ----------
    p
        Number of rows in each test set.
    max_splits
        Maximum number of splits; more raise an error.

    Examples
    --------
    >>> GuardedLeavePOut(2).get_n_splits(range(20))
    190
    """

    def __init__(self, p: int, *, max_splits: int = 10_000) -> None:
        self.p = p
        self.max_splits = max_splits

    def split(
        self, X: Table, y: npt.ArrayLike | None = None, groups: npt.ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows.

        Parameters
        ----------
        X
            The rows to split; only their number is used.
        y, groups
            Ignored; present for scikit-learn compatibility.
        """
        self.get_n_splits(X)
        yield from LeavePOut(self.p).split(np.empty((number_of_rows(X), 0)))

    def get_n_splits(
        self, X: Table, y: npt.ArrayLike | None = None, groups: npt.ArrayLike | None = None
    ) -> int:
        """Return C(n, p); raise if it exceeds `max_splits`.

        Parameters
        ----------
        X
            The rows to split; only their number is used.
        y, groups
            Ignored; present for scikit-learn compatibility.
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
                f"than max_splits={self.max_splits}; that many fits are rarely worth it. Use "
                f"sklearn.model_selection.ShuffleSplit(test_size={self.p}) for a random subset "
                "of them, KFold, or raise max_splits."
            )
        return count
