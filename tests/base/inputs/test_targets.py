"""Targets: labels become codes, close integers by counting; label sets become a matrix."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import gramian
from gramian import LogisticRegression
from gramian.base.errors import DataError
from gramian.base.inputs.targets import (
    check_label_outputs,
    check_label_sets,
    check_labels,
    check_targets,
    holds_label_sets,
    unit_exponent,
)

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
    with pytest.raises(
        DataError, match=r"y contains NaN or None \(row 2\).*drop rows with missing"
    ):
        check_labels(LogisticRegression(), y, 4)


def test_names_of_any_string_type_are_labels():
    y = np.array([np.str_("b"), "a", "b"], dtype=object)
    codes, classes = check_labels(LogisticRegression(), y, 3)
    assert (codes.tolist(), classes.tolist()) == ([1, 0, 1], ["a", "b"])


def test_labels_of_two_kinds_are_refused():
    with pytest.raises(DataError, match="mixes strings"):
        check_labels(LogisticRegression(), np.array(["a", 1, "b"], dtype=object), 3)


MATRIX = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1]])
LABEL_SETS = {
    "matrix": MATRIX,
    "bool": MATRIX.astype(bool),
    "frame": pd.DataFrame(MATRIX),
    "csr": sp.csr_array(MATRIX),
    "sets": [{0, 2}, set(), {1, 2}],
    "lists": [[2, 0], [], [1, 2]],
    "array of sets": np.array([{0, 2}, frozenset(), {1, 2}], dtype=object),
    "series of sets": pd.Series([{0, 2}, set(), {1, 2}]),
}


@pytest.mark.parametrize("y", LABEL_SETS.values(), ids=LABEL_SETS)
def test_label_sets_of_any_form_become_one_matrix(y):
    assert holds_label_sets(y)
    has, labels = check_label_sets(LogisticRegression(), y, 3)
    assert has.dtype == bool
    np.testing.assert_array_equal(has, MATRIX)
    assert labels.tolist() == [0, 1, 2]


def test_labels_of_sets_may_be_strings():
    has, labels = check_label_sets(LogisticRegression(), [{"sea", "sun"}, {"sun"}], 2)
    assert labels.tolist() == ["sea", "sun"]
    assert has.tolist() == [[True, True], [False, True]]


@pytest.mark.parametrize(
    "y", [[0, 1, 1], np.array([0, 1]), ["a", "b"], [[1], [0]], [[0, 2], [1, 1]], [0.5], None]
)
def test_one_label_per_row_is_no_set(y):
    assert not holds_label_sets(y)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (np.array([[0, 2], [1, 0]]), "matrix of 0 and 1"),
        ([0, 1], "matrix of 0 and 1"),
        (MATRIX, "y has 3 rows but X has 2 rows"),
        ([{1}, {2}, {3}], "y has 3 rows but X has 2 rows"),
        ([set(), set()], "y has no labels"),
        ([{1, "a"}, {2}], "mixes strings"),
        (None, "requires y"),
    ],
)
def test_what_is_no_label_set_is_refused(y, words):
    with pytest.raises(DataError, match=words):
        check_label_sets(LogisticRegression(), y, 2)


def test_several_outputs_have_their_own_classes():
    y = np.array([["a", "x"], ["b", "x"], ["a", "y"]])
    codes, classes, several = check_label_outputs(LogisticRegression(), y, 3)
    assert several
    assert codes.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert [c.tolist() for c in classes] == [["a", "b"], ["x", "y"]]
    codes, classes, several = check_label_outputs(LogisticRegression(), [3, 1, 3], 3)
    assert (codes.tolist(), classes.tolist(), several) == ([1, 0, 1], [1, 3], False)


def test_numeric_targets_have_several_columns_where_that_is_allowed():
    y = [[1, 2], [3, 4]]
    targets = check_targets(LogisticRegression(), y, 2, columns=True)
    assert targets.dtype == np.float64
    assert targets.tolist() == y
    with pytest.raises(DataError, match="should be a 1d array"):
        check_targets(LogisticRegression(), y, 2)
    with pytest.raises(DataError, match="one or two dimensions; got 3"):
        check_targets(LogisticRegression(), np.zeros((2, 2, 2)), 2, columns=True)


def test_the_unit_of_ordinary_targets_is_one_and_of_others_their_size():
    size = np.array([0.0, 1.0, 2.0**59, 2.0**-60, 2.0**61, 1e-300, 1e300])
    k = unit_exponent(size)
    np.testing.assert_array_equal(k[:4], 0)
    scaled = np.ldexp(size, -k)[4:]
    assert ((scaled >= 0.5) & (scaled < 1)).all()
    np.testing.assert_array_equal(np.ldexp(scaled, k[4:]), size[4:])


@pytest.mark.parametrize("name", ["BaggingRegressor", "AdaBoostRegressor", "ObliqueTreeRegressor"])
def test_targets_that_predictions_cannot_hold_are_refused(name):
    X, y = np.arange(8, dtype=np.float32)[:, None], np.full(8, 1e250)
    with pytest.raises(ValueError, match=f"{name}: y must contain .* float32.* Pass X as float64"):
        getattr(gramian, name)().fit(X, y)
    doubles = X.astype(float)
    assert np.isfinite(getattr(gramian, name)().fit(doubles, y).predict(doubles)).all()
    with pytest.raises(ValueError, match=f"{name}: y must contain .* Divide y"):
        getattr(gramian, name)().fit(doubles, y * 1e57)


def test_a_structured_array_is_no_label():
    y = np.zeros(4, dtype="f8,f8")
    with pytest.raises(
        DataError, match=r"GaussianNB: y must contain one label .* structured array"
    ):
        gramian.GaussianNB().fit(np.arange(8.0).reshape(4, 2), y)
