"""Names of columns follow scikit-learn's rules; blocks of columns keep their form."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from gramian import BasisFeatures
from gramian.base.errors import DataError
from gramian.base.inputs.feature_names import (
    as_names,
    check_terms,
    join_columns,
    names_of_inputs,
    set_columns,
)


@pytest.fixture
def unnamed():
    return BasisFeatures().fit([[1.0, 2.0], [3.0, 4.0]])


@pytest.fixture
def named():
    return BasisFeatures().fit(pd.DataFrame({"width": [1.0, 3.0], "height": [2.0, 4.0]}))


def test_columns_without_names_are_numbered(unnamed):
    assert names_of_inputs(unnamed, None) == ["x0", "x1"]
    assert names_of_inputs(unnamed, ["a", "b"]) == ["a", "b"]


def test_the_names_seen_in_fit_are_kept(named):
    assert names_of_inputs(named, None) == ["width", "height"]
    assert names_of_inputs(named, ["width", "height"]) == ["width", "height"]


def test_other_names_are_refused(named, unnamed):
    with pytest.raises(DataError, match="BasisFeatures: input_features is not equal"):
        names_of_inputs(named, ["height", "width"])
    with pytest.raises(DataError, match=r"number of features \(2\); got 3"):
        names_of_inputs(unnamed, ["a", "b", "c"])


def test_names_are_an_array_of_objects():
    names = as_names(["a", "bc"])
    assert names.dtype == object
    assert names.tolist() == ["a", "bc"]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_blocks_are_joined_in_their_form(form):
    left, right = np.array([[1.0], [0.0]]), np.array([[0.0, 2.0], [3.0, 0.0]])
    whole = join_columns([form(left), form(right)])
    assert sp.issparse(whole) == (form is sp.csr_array)
    dense = whole.toarray() if sp.issparse(whole) else whole
    np.testing.assert_array_equal(dense, [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    first = form(left)
    assert join_columns([first]) is first


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_terms_that_overflow_are_refused(unnamed, form):
    check_terms(unnamed, form(np.array([[1.0, 1e308]])))
    with pytest.raises(DataError, match=r"BasisFeatures: .* finite in float32.*StandardScaler"):
        check_terms(unnamed, form(np.array([[1.0, np.inf]], dtype=np.float32)))


def test_columns_without_names_drop_earlier_names(named):
    set_columns(named, 2, as_names(["c", "d"]))
    assert named.feature_names_in_.tolist() == ["c", "d"]
    set_columns(named, 3, None)
    assert named.n_features_in_ == 3
    assert not hasattr(named, "feature_names_in_")
