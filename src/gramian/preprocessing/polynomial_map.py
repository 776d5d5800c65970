"""Base class of maps to polynomial terms."""

from typing import ClassVar, Self

import numpy as np

from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.kinds import Transformer
from gramian.base.types import Data, Table


class PolynomialMap(Transformer):
    """Base class of transformers to polynomial terms, without fitted parameters.

    Attributes
    ----------
    n_features_in_
        Number of features seen in `fit`, d.
    """

    parametric = True
    takes_sparse: ClassVar[bool] = True

    def fit(self, X: Table, y: object = None) -> Self:
        """Record the features; nothing is estimated."""
        check_fit(self, X)
        return self

    def transform(self, X: Table) -> Data:
        """Return the terms of each row; an error is raised if one overflows."""
        table = check_new(self, X)
        with np.errstate(over="ignore"):
            terms = self._terms(table)
        check_terms(self, terms)
        return terms

    def _terms(self, X: Data) -> Data:
        """Return the terms of checked rows."""
        raise NotImplementedError
