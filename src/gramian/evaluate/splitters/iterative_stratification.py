r"""Stratified folds for multi-label targets.

Rows with several labels cannot be stratified exactly. Iterative stratification assigns them from
the rarest label on, since a rare label is the easiest to lose:

    while rows are left that carry a label:
        take the label with the fewest rows left; assign each of its rows to the fold that needs the
        most rows of this label,
            among ties the fold that needs most rows, then one at random;
    assign the rows without labels to the folds that need most rows.

References: Sechidis, Tsoumakas and Vlahavas, ECML PKDD 2011. O(n L) for n rows and L labels.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from gramian.base.errors import ParameterError
from gramian.base.inputs.targets import LabelSets, check_label_sets
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import number_of_rows
from gramian.base.types import Table
from gramian.evaluate.splitters.splitter import Splitter

Rows = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


class IterativeStratifiedKFold(Splitter):
    """Splitter into K folds that keep the proportion of every label of multi-label targets.

    Parameters
    ----------
    n_splits
        Number of folds.
    random_state
        Seed or generator for the random draws: the order of the rows and ties.

    Examples
    --------
    >>> Y = [[1, 0], [1, 0], [1, 1], [1, 1], [0, 0], [0, 0]]
    >>> folds = IterativeStratifiedKFold(2, random_state=0).split(Y, Y)
    >>> [np.asarray(Y)[test].sum(axis=0).tolist() for _, test in folds]
    [[2, 1], [2, 1]]
    """

    def __init__(self, n_splits: int = 5, *, random_state: Any = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def split(
        self, X: Table, y: npt.ArrayLike, groups: npt.ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows.

        Parameters
        ----------
        X
            The rows to split; only their number is used.
        y
            Labels as an indicator matrix of 0 and 1, shape (n, labels), dense or sparse, or as a
            list of sets.
        groups
            Ignored; present for scikit-learn compatibility.
        """
        Y, _ = check_label_sets(self, y, number_of_rows(X))
        if not 2 <= self.n_splits <= len(Y):
            raise ParameterError(
                f"IterativeStratifiedKFold: n_splits must be between 2 and the number of rows, "
                f"{len(Y)}; got {self.n_splits}."
            )
        folds = _assign_folds(Y, self.n_splits, stream(seed_of(self.random_state)))
        for k in range(self.n_splits):
            yield np.flatnonzero(folds != k), np.flatnonzero(folds == k)

    def get_n_splits(
        self,
        X: Table | None = None,
        y: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
    ) -> int:
        """Return the number of folds."""
        return self.n_splits


def _assign_folds(Y: LabelSets, k: int, rng: np.random.Generator) -> Rows:
    """Return the fold of every row."""
    n = len(Y)
    folds = np.full(n, -1)
    order = rng.permutation(n)
    rows_wanted = np.full(k, n / k)
    label_wanted = np.tile(Y.sum(axis=0) / k, (k, 1))
    rows_left = Y.sum(axis=0).astype(np.int64)
    while (rows_left > 0).any():
        rarest = int(np.where(rows_left > 0, rows_left, n + 1).argmin())
        for row in order[Y[order, rarest] & (folds[order] < 0)]:
            fold = _fold_needing_most(label_wanted[:, rarest], rows_wanted, rng)
            folds[row] = fold
            label_wanted[fold] -= Y[row]
            rows_wanted[fold] -= 1
            rows_left -= Y[row]
    for row in order[folds[order] < 0]:
        fold = _fold_needing_most(rows_wanted, rows_wanted, rng)
        folds[row] = fold
        rows_wanted[fold] -= 1
    return folds


def _fold_needing_most(
    first: NDArray[np.float64], second: NDArray[np.float64], rng: np.random.Generator
) -> int:
    """Return the fold with the largest first count, then second count, then at random."""
    best = np.flatnonzero(first >= first.max() - 1e-9)
    best = best[second[best] >= second[best].max() - 1e-9]
    return int(best[0] if len(best) == 1 else rng.choice(best))
