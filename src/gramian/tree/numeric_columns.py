"""Categories and gaps as numbers, for trees that add columns up.

A category becomes a column of 0 and 1 for each of its levels, all 0 where it is missing or was not
seen in fit; a missing number becomes the mean of its column in fit.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.categorical import Categories, check_fit_columns, check_new_columns
from gramian.base.gate import check_size
from gramian.base.types import Floats, Matrix, Weights
from gramian.tree.single_tree import OneTree


class NumericColumns(OneTree):
    """One tree that takes categories and missing values, and learns from numbers."""

    categorical_features: Any

    takes_nan = takes_categories = True
    _levels: Categories  # of the columns of X
    _means: Floats  # what a missing number becomes

    def _check_table(self, X: npt.ArrayLike) -> Matrix:
        """Check training data: categories are codes, what is missing is NaN."""
        table, self._levels = check_fit_columns(self, X, self.categorical_features)
        check_size(self, "X", table, 1e300)
        return table  # type: ignore[no-any-return]

    def _learned_numbers(self, table: Matrix, weights: Weights | None) -> Floats:
        """Learn the means of a checked table and return it as numbers."""
        self._means = _means(table, weights)
        return _as_numbers(table, self._levels, self._means)

    def _new_numbers(self, X: npt.ArrayLike) -> Floats:
        """Check new data and return it as numbers."""
        return _as_numbers(check_new_columns(self, X, self._levels), self._levels, self._means)

    def _number_names(self, names: Sequence[str]) -> list[str]:
        """Name the columns of numbers after those of X."""
        found: list[str] = []
        for name, levels in zip(names, self._levels, strict=True):
            if levels is None:
                found.append(name)
            else:
                found += [f"[{name} = {level}]" for level in levels] or [f"[{name}]"]
        return found


def _means(table: Matrix, weights: Weights | None) -> Floats:
    means = np.zeros(table.shape[1])
    for j in np.flatnonzero(np.isnan(table).any(axis=0)):
        known = ~np.isnan(table[:, j])
        share = None if weights is None else weights[known]
        if known.any() and (share is None or share.any()):
            means[j] = np.average(table[known, j].astype(np.float64), weights=share)
    return means


def _as_numbers(table: Matrix, levels: Categories, means: Floats) -> Floats:
    numbers = np.asarray(table, dtype=np.float64)
    if all(known is None for known in levels):
        gaps = np.isnan(numbers)
        return np.where(gaps, means, numbers) if gaps.any() else numbers
    parts = []
    for column, known, mean in zip(numbers.T, levels, means, strict=True):
        if known is None:
            parts.append(np.where(np.isnan(column), mean, column)[:, None])
        else:
            parts.append(column[:, None] == np.arange(max(len(known), 1)))
    return np.concatenate(parts, axis=1, dtype=np.float64)
