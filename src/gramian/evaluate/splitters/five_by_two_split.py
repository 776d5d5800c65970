"""Five random halvings, each used both ways: the ten splits of 5 x 2 cross-validation.

The two halves of a halving are disjoint, so that the two models of a pair share no training row;
the tests of Dietterich (Neural Computation 10, 1998) and Alpaydin (1999) are made for such scores.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.utils.multiclass import type_of_target

from gramian.base.types import Table
from gramian.evaluate.splitters.splitter import Splitter

Rows = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


class FiveByTwo(Splitter):
    """Splitter with ten pairs of training and test rows: five halvings, each used both ways.

    Splits are stratified if y contains class labels (strings or integers that each occur at least
    twice); other targets are halved at random. The two splits of a halving are consecutive, as
    `gramian.evaluate.five_by_two_f_test` expects.

    Parameters
    ----------
    stratify
        Whether to keep class proportions.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> splits = list(FiveByTwo(random_state=0).split([[0], [1], [2], [3]], [0, 0, 1, 1]))
    >>> len(splits), [len(part) for part in splits[0]]
    (10, [2, 2])
    """

    def __init__(self, *, stratify: bool = True, random_state: Any = None) -> None:
        self.stratify = stratify
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows.

        Parameters
        ----------
        X
            The rows to split; only their number is used.
        y
            Class labels to stratify by.
        groups
            Ignored; present for scikit-learn compatibility.
        """
        kind = RepeatedStratifiedKFold if self.stratify and _are_labels(y) else RepeatedKFold
        halvings = kind(n_splits=2, n_repeats=5, random_state=self.random_state)
        yield from halvings.split(X, y)

    def get_n_splits(
        self,
        X: Table | None = None,
        y: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
    ) -> int:
        """Return 10."""
        return 10


def _are_labels(y: npt.ArrayLike) -> bool:
    """Return whether y contains class labels that can all be in both halves."""
    if y is None or type_of_target(y) not in ("binary", "multiclass"):
        return False
    values = np.asarray(y)
    return values.dtype.kind != "f" and bool(np.unique(values, return_counts=True)[1].min() >= 2)
