"""Base class of column selectors: kept columns, names and inverse transform."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from gramian.base.fields import params
from gramian.base.inputs.gate import check_fit
from gramian.feature_selection.column_selector import ColumnSelector


@params
class LargestMean(ColumnSelector):
    """Keeps the columns whose mean is above 0."""

    def fit(self, X, y=None):
        self.support_ = check_fit(self, X).mean(axis=0) > 0
        return self


X = np.array([[1.0, -1.0, 2.0], [3.0, -5.0, 0.0]])


def test_the_columns_of_support_are_kept_in_their_order():
    selector = LargestMean().fit(X)
    assert selector.transform(X).tolist() == [[1.0, 2.0], [3.0, 0.0]]
    assert selector.transform(X).flags["C_CONTIGUOUS"]
    assert selector.get_support(indices=True).tolist() == [0, 2]
    assert selector.inverse_transform([[1.0, 2.0]]).tolist() == [[1.0, 0.0, 2.0]]


def test_names_of_a_frame_match_the_columns_kept():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    assert LargestMean().fit(frame).get_feature_names_out().tolist() == ["a", "c"]


def test_a_selector_needs_a_fit_and_says_that_it_needs_y():
    with pytest.raises(NotFittedError):
        LargestMean().get_support()
    assert LargestMean().__sklearn_tags__().target_tags.required


def test_other_columns_are_refused():
    with pytest.raises(ValueError, match="2 features, but LargestMean is expecting 3"):
        LargestMean().fit(X).transform(X[:, :2])


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_rows_that_are_not_finite_have_no_way_back(value):
    model = LargestMean().fit(X)
    for rows in (np.array([[value, 1.0]]), sp.csr_array([[value, 1.0]])):
        with pytest.raises(ValueError, match=r"LargestMean: .*contains (NaN|inf)"):
            model.inverse_transform(rows)
