"""The base class of column selectors for least squares."""

from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import check_positions, translated
from gramian.base.fields import KW_ONLY, params
from gramian.base.folds import Splits
from gramian.base.inputs.gate import check_finite_sparse, check_fit, check_new, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Tags, Transformer
from gramian.base.rows.moments import Vector
from gramian.base.types import Matrix, Table

Scoring: TypeAlias = Literal["r2", "neg_mean_squared_error", "aic", "bic"]


@params
class ColumnSelector(SelectorMixin, Transformer):
    """Base class of selectors, which keep the columns of ``support_``.

    Parameters
    ----------
    scoring
        The score to maximise: "r2", "neg_mean_squared_error", or minus "aic" or "bic".
    cv
        Number of folds, or a splitter, for the first two; None means 5 folds.
    fit_intercept
        Whether the models have an intercept.

    Attributes
    ----------
    support_ : array (d,) of bool
        The columns chosen.
    """

    tags: ClassVar[Tags] = {"target_tags.required": True}
    parametric = True

    _: KW_ONLY
    scoring: Scoring = "r2"
    cv: Splits = None
    fit_intercept: bool = True

    def inverse_transform(self, X: Table) -> Any:
        """Return rows with zeros in the columns that were not selected.

        Parameters
        ----------
        X : array or CSR of shape (m, k)
            Rows of the chosen columns.

        Returns
        -------
        rows : array or CSR of shape (m, d)
        """
        check_is_fitted(self)
        name = type(self).__name__
        if sp.issparse(X):
            check_positions(name, "X", X)
            X = sp.csr_array(X)
            if X.dtype.kind == "f":
                check_finite_sparse(name, X, nan=False)
        return translated(name, "X", lambda: super(ColumnSelector, self).inverse_transform(X), X)

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Select columns.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows.
        X_val, y_val
            Validation rows, used instead of folds or information criteria; scored by "r2" if that
            is the scoring, else by minus the mean squared error.

        Returns
        -------
        self
        """
        table = check_fit(self, X, rows=2)
        check_size(self, "X", table)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        weights = check_weights(self, sample_weight, table.shape[0])
        check_size(self, "y", targets)
        check_size(self, "sample_weight", weights, 1e100)
        has_validation_rows(type(self).__name__, X_val, y_val)  # raises if one is missing
        chosen = self._select(table, targets, weights, X_val, y_val)
        self.support_: npt.NDArray[np.bool_] = chosen
        return self

    def _select(
        self, X: Matrix, y: Vector, weights: Vector | None, X_val: Any, y_val: Any
    ) -> npt.NDArray[np.bool_]:
        """Return the columns chosen from checked rows, and store the other attributes."""
        raise NotImplementedError

    def transform(self, X: Table) -> Matrix:
        """Return the selected columns."""
        return np.ascontiguousarray(check_new(self, X)[:, self._get_support_mask()])

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return np.asarray(self.support_)
