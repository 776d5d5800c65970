"""Encoding of categories and missing values, for trees with linear combinations of columns.

A category becomes one indicator column (0 or 1) per level; all are 0 if it is missing or was not
seen in fit. A missing number is replaced by the mean of its column in fit.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.inputs.categorical import Categories, check_fit_columns, check_new_columns
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Estimator
from gramian.base.types import Floats, Matrix, Table, Weights
from gramian.tree.single_tree import SingleTree


class NumericColumns(SingleTree, Estimator):
    """An estimator with one tree that encodes categories and imputes missing values itself.

    Parameters
    ----------
    categorical_features
        Which features are categorical: "from_dtype", indices, names or a mask; None for none. A
        category becomes one indicator (0 or 1) per level; all are 0 if it is missing or unknown.

    Attributes
    ----------
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    if TYPE_CHECKING:  # a parameter of the classes below
        categorical_features: Any

    takes_nan = takes_categories = True
    _levels: Categories  # of the columns of X
    _means: Floats  # means that replace missing numbers

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Numeric and categorical features; a missing number is replaced by the feature's mean.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        self : object
            The fitted tree.
        """
        table = self._check_table(X)
        self._fit(table, y, unit_weights(check_weights(self, sample_weight, len(table))))
        return self

    @abstractmethod
    def _fit(self, table: Matrix, y: npt.ArrayLike, weights: Weights | None) -> None:
        """Check the targets and grow the tree; the table is already checked."""

    def apply(self, X: Table) -> npt.NDArray[np.int64]:
        """Return the leaf of each row.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        leaves : int64 array of shape (n,)
        """
        check_is_fitted(self)
        return self._leaves(self._new_numeric(X))

    @abstractmethod
    def _leaves(self, rows: Floats) -> npt.NDArray[np.int64]:
        """Return the leaf of each encoded row."""

    @property
    def _categories(self) -> Categories:
        """No categories: the tree splits on numeric columns only."""
        return [None] * self.tree_.n_features

    def _check_table(self, X: npt.ArrayLike) -> Matrix:
        """Check training data; return categories as codes and missing values as NaN."""
        table, self._levels = check_fit_columns(self, X, self.categorical_features)
        check_size(self, "X", table, 1e300)
        return table  # type: ignore[no-any-return]

    def _fit_numeric(self, table: Matrix, weights: Weights | None) -> Floats:
        """Compute the means of a checked table; return it encoded and imputed."""
        self._means = _means(table, weights)
        return _encoded(table, self._levels, self._means)

    def _new_numeric(self, X: npt.ArrayLike) -> Floats:
        """Check new data; return it encoded and imputed."""
        return _encoded(check_new_columns(self, X, self._levels), self._levels, self._means)

    def _numeric_names(self, names: Sequence[str]) -> list[str]:
        """Return the names of the encoded columns."""
        encoded_names: list[str] = []
        for name, levels in zip(names, self._levels, strict=True):
            if levels is None:
                encoded_names.append(name)
            else:
                encoded_names += [f"[{name} = {level}]" for level in levels] or [f"[{name}]"]
        return encoded_names


def _means(table: Matrix, weights: Weights | None) -> Floats:
    means = np.zeros(table.shape[1])
    for j in np.flatnonzero(np.isnan(table).any(axis=0)):
        known = ~np.isnan(table[:, j])
        part = None if weights is None else weights[known]
        if known.any() and (part is None or part.any()):
            means[j] = np.average(table[known, j].astype(np.float64), weights=part)
    return means


def _encoded(table: Matrix, levels: Categories, means: Floats) -> Floats:
    numbers = np.asarray(table, dtype=np.float64)
    if all(known is None for known in levels):
        missing = np.isnan(numbers)
        return np.where(missing, means, numbers) if missing.any() else numbers
    parts = []
    for column, known, mean in zip(numbers.T, levels, means, strict=True):
        if known is None:
            parts.append(np.where(np.isnan(column), mean, column)[:, None])
        else:
            parts.append(column[:, None] == np.arange(max(len(known), 1)))
    return np.concatenate(parts, axis=1, dtype=np.float64)
