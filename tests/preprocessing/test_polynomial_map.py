"""Base class of maps to polynomial terms."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from gramian.base.errors import DataError
from gramian.base.fields import params
from gramian.preprocessing import ParabolicLift, QuadricFeatures
from gramian.preprocessing.polynomial_map import PolynomialMap


@params
class Cubes(PolynomialMap):
    """x^3 of each column."""

    def _terms(self, X):
        return X * X * X


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_terms_depend_on_the_row_alone_and_fit_only_counts_columns(as_data):
    model = Cubes().fit(as_data([[9.0, 9.0]]))
    terms = model.transform(as_data([[2.0, -1.0]]))
    assert np.asarray(terms.toarray() if sp.issparse(terms) else terms).tolist() == [[8.0, -1.0]]
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="3 features, but Cubes is expecting 2"):
        model.transform([[1.0, 2.0, 3.0]])


@pytest.mark.parametrize("model", [Cubes(), ParabolicLift(), QuadricFeatures()], ids=repr)
@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_terms_that_overflow_are_refused_without_a_warning(model, as_data):
    table = as_data([[1e200, 1.0]])
    with pytest.raises(DataError, match=type(model).__name__):
        model.fit(table).transform(table)


def test_a_map_that_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError):
        Cubes().transform([[1.0]])
