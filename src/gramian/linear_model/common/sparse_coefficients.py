"""Sparse coefficients, for models with many zeros."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from gramian.base.types import Data, Matrix


class SparseCoefficients:
    """Adds `sparsify` and `densify` to a model with `coef_`."""

    coef_: Any

    def sparsify(self) -> Self:
        """Convert `coef_` to CSR, which is smaller and faster if more than half of it is 0.

        `partial_fit` and warm starts need the dense form again: see `densify`.

        Returns
        -------
        self : the fitted estimator
        """
        check_is_fitted(self)
        self.coef_ = sp.csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Convert `coef_` back to an array.

        Returns
        -------
        self : the fitted estimator
        """
        check_is_fitted(self)
        if sp.issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self


def products(table: Data, coef: Any) -> Matrix:
    """Return X c' as an array, for dense or sparse coefficients."""
    found = table @ coef.T
    return found.toarray() if sp.issparse(found) else np.asarray(found)
