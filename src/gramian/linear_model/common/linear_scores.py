"""Scores and labels of linear classifiers."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import Classes
from gramian.base.kinds import ModelFamily
from gramian.base.rows.native_table import native_table
from gramian.base.types import Matrix, Table
from gramian.linear_model.common.sparse_coefficients import SparseCoefficients, products

if TYPE_CHECKING:
    from gramian.base.kinds import Classifier as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class LinearScores(SparseCoefficients, _Mixed):
    """Mixin for scores and labels from `coef_`, `intercept_` and `classes_`.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    coef_ : array (1, d) or (K, d)
        w; one row if there are two classes.
    intercept_ : array (1,) or (K,)
        b.
    """

    parametric = True
    model_family: ClassVar[ModelFamily | None] = "boundary"
    takes_sparse: ClassVar[bool] = True
    coef_: Matrix
    intercept_: Matrix
    classes_: Classes

    def decision_function(self, X: Table) -> Matrix:
        """Return the score w . x + b of each class, shape (n, K); of the second if K = 2."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        if sp.issparse(self.coef_) or len(self.coef_) > 1:
            scores = products(table, self.coef_) + self.intercept_
            return scores[:, 0] if scores.shape[1] == 1 else scores
        z = np.empty(table.shape[0])
        w = np.r_[self.coef_[0], self.intercept_].astype(float)
        _native.margins(native_table(table), w, z)
        return z.astype(self.coef_.dtype, copy=False)

    def predict(self, X: Table) -> Classes:
        """Return the class with the largest score."""
        z = self.decision_function(X)
        codes = (z > 0).astype(np.intp) if z.ndim == 1 else z.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels
