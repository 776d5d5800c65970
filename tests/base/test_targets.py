"""Labels become codes; close integers by counting, with the answer of sorting."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian import LogisticRegression
from gramian.base.errors import DataError
from gramian.base.targets import check_labels

TYPES = [np.int8, np.uint8, np.int32, np.int64, np.uint64]


@given(st.sampled_from(TYPES), st.data())
def test_integer_labels_are_encoded_as_by_sorting(dtype, data):
    limits = np.iinfo(dtype)
    low = data.draw(st.integers(limits.min, limits.max))
    high = data.draw(st.integers(low, min(limits.max, low + 300)))
    y = np.array(data.draw(st.lists(st.integers(low, high), min_size=1, max_size=50)), dtype=dtype)
    codes, classes = check_labels(LogisticRegression(), y, len(y))
    expected, inverse = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(codes, inverse)
    assert classes.dtype == dtype


@pytest.mark.parametrize("far", [10**6, -(10**15)])
def test_integers_far_apart_are_sorted(far):
    codes, classes = check_labels(LogisticRegression(), np.array([0, far, 0]), 3)
    assert classes.tolist() == sorted([0, far])
    assert classes[codes].tolist() == [0, far, 0]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_label_says_where_it_is(missing):
    y = pd.Series(["a", "b", missing, "b"], dtype=object)
    with pytest.raises(DataError, match=r"y contains NaN or None \(row 2\).*drop such rows"):
        check_labels(LogisticRegression(), y, 4)


def test_names_of_any_string_type_are_labels():
    y = np.array([np.str_("b"), "a", "b"], dtype=object)
    codes, classes = check_labels(LogisticRegression(), y, 3)
    assert (codes.tolist(), classes.tolist()) == ([1, 0, 1], ["a", "b"])


def test_labels_of_two_kinds_are_refused():
    with pytest.raises(DataError, match="mixes strings"):
        check_labels(LogisticRegression(), np.array(["a", 1, "b"], dtype=object), 3)
