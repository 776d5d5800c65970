"""A table as ranks: the input of the native C4.5, for any float type."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.inputs.targets import Codes
from gramian.base.types import Matrix, Weights


class RankedTable(NamedTuple):
    """Each column as ranks of its sorted distinct values, or as category codes; -1 is missing."""

    ranks: npt.NDArray[np.int32]  # (n_features, n_samples)
    values: npt.NDArray[np.float64]  # the distinct values, concatenated over the columns
    starts: npt.NDArray[np.int64]  # start of each column's values
    levels: npt.NDArray[np.int32]  # number of categories, 0 for numeric columns
    labels: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]
    n_classes: int


def ranked(
    X: Matrix,
    levels: npt.NDArray[np.int32],
    codes: Codes,
    weights: Weights | None,
    n_classes: int,
) -> RankedTable:
    """Rank every numeric column; categories stay codes, unseen categories become missing."""
    n, d = X.shape
    ranks = np.full((d, n), -1, dtype=np.int32)
    values: list[npt.NDArray[np.float64]] = []
    for j in range(d):
        column = X[:, j]
        if levels[j] > 0:
            known = column < levels[j]  # neither NaN nor unseen
            ranks[j, known] = column[known]
            values.append(np.empty(0))
        else:
            known = ~np.isnan(column)
            distinct, ranks[j, known] = np.unique(column[known], return_inverse=True)
            values.append(distinct.astype(np.float64))
    return RankedTable(
        ranks,
        np.concatenate(values),
        np.concatenate([[0], np.cumsum([len(v) for v in values])]).astype(np.int64),
        levels,
        codes.astype(np.int32),
        np.ones(n) if weights is None else weights,
        n_classes,
    )
