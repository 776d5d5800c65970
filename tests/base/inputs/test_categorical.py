"""Tables with categories become float matrices: codes, NaN where missing, k where unseen."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.categorical import check_fit_columns, check_new_columns
from gramian.cluster import KMeans

NAN = np.nan


class Taker(KMeans):
    """An estimator that takes missing values."""

    takes_nan = True


def table(library):
    return library.DataFrame(
        {"colour": ["red", "blue", None, "red"], "size": [1.0, 2.0, None, 4.0]}
    )


@pytest.mark.parametrize("library", [pd, pl])
def test_names_become_codes_and_numbers_stay(library):
    matrix, categories = check_fit_columns(Taker(2), table(library))
    assert_array_equal(matrix, [[1, 1], [0, 2], [NAN, NAN], [1, 4]])
    assert categories[0].tolist() == ["blue", "red"]
    assert categories[1] is None


@pytest.mark.parametrize("library", [pd, pl])
def test_a_level_that_fit_never_saw_gets_the_next_code(library):
    estimator = Taker(2)
    _, categories = check_fit_columns(estimator, table(library))
    estimator.cluster_centers_ = np.zeros((1, 2))
    new = library.DataFrame({"colour": ["green", "blue"], "size": [0.5, None]})
    assert_array_equal(check_new_columns(estimator, new, categories), [[2, 0.5], [0, NAN]])


def test_category_dtype_with_numbers_and_another_order_of_levels():
    estimator = Taker(2)
    kind = pd.CategoricalDtype([3, 1])
    frame = pd.DataFrame({"a": pd.Series([3, 1, None], dtype=kind), "b": [0, 1, 2]})
    matrix, categories = check_fit_columns(estimator, frame)
    assert_array_equal(matrix, [[1, 0], [0, 1], [NAN, 2]])
    estimator.cluster_centers_ = np.zeros((1, 2))
    other = frame.astype({"a": pd.CategoricalDtype([1, 3])})
    assert_array_equal(check_new_columns(estimator, other, categories), matrix)


def test_arrays_of_objects_and_lists_hold_names_too():
    rows = [["a", 1.0], ["b", 2]]
    for X in (rows, np.array(rows, dtype=object)):
        matrix, categories = check_fit_columns(Taker(2), X)
        assert_array_equal(matrix, [[0, 1], [1, 2]])
        assert categories[0].tolist() == ["a", "b"]


@pytest.mark.parametrize("wanted", [[0], [True, False], ["x"]])
def test_columns_may_be_chosen(wanted):
    frame = pd.DataFrame({"x": [7.0, 5.0, NAN], "y": [1.0, 2.0, 3.0]})
    matrix, categories = check_fit_columns(Taker(2), frame, wanted)
    assert_array_equal(matrix, [[1, 1], [0, 2], [NAN, 3]])
    assert categories[0].tolist() == [5.0, 7.0]


def test_plain_numbers_take_the_plain_gate_and_float32_stays():
    X = np.ones((3, 2), dtype=np.float32)
    matrix, categories = check_fit_columns(Taker(2), X)
    assert matrix is X
    assert categories == [None, None]
    frame = pd.DataFrame({"a": ["u", "v"], "b": np.ones(2, np.float32)})
    assert check_fit_columns(Taker(2), frame)[0].dtype == np.float32


def test_objects_of_numbers_are_numbers():
    frame = pd.DataFrame({"a": pd.Series([1, None, 3], dtype=object), "b": ["x", "y", "x"]})
    matrix, categories = check_fit_columns(Taker(2), frame)
    assert_array_equal(matrix[:, 0], [1, NAN, 3])
    assert categories[0] is None


def test_nullable_numbers_are_numbers_with_nan():
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": ["x", "y", "x"]})
    assert_array_equal(check_fit_columns(Taker(2), frame)[0][:, 0], [1, NAN, 3])


@pytest.mark.parametrize(
    ("wanted", "words"),
    [([5], "must be in"), (["z"], "not a column of X"), ([0.5], "must be 'from_dtype'")],
)
def test_wrong_choices_are_named(wanted, words):
    with pytest.raises(ParameterError, match=words):
        check_fit_columns(Taker(2), pd.DataFrame({"x": [1.0], "y": [2.0]}), wanted)


def test_missing_values_where_they_are_not_taken():
    with pytest.raises(DataError, match="NaN"):
        check_fit_columns(KMeans(2), table(pd))


def test_times_and_containers_are_refused_with_a_remedy():
    times = pd.DataFrame({"t": pd.to_datetime(["2020-01-01"]), "a": ["x"]})
    with pytest.raises(DataError, match="turn times into numbers"):
        check_fit_columns(Taker(2), times)
    with pytest.raises(TypeError, match="argument must be a string or a number"):
        check_fit_columns(Taker(2), np.array([["a"], [{"b": 1}]], dtype=object))


def test_other_columns_than_in_fit_are_refused():
    estimator = Taker(2)
    _, categories = check_fit_columns(estimator, table(pd))
    estimator.cluster_centers_ = np.zeros((1, 2))
    with pytest.raises(DataError, match="feature names should match"):
        check_new_columns(estimator, table(pd)[["size", "colour"]], categories)


@pytest.mark.parametrize("library", [pd, pl])
def test_nan_in_a_category_of_numbers_is_missing(library):
    frame = library.DataFrame({"k": [3.0, NAN, 1.0], "name": ["a", "b", "a"]})
    matrix, categories = check_fit_columns(Taker(2), frame, ["k", "name"])
    assert categories[0].tolist() == [1.0, 3.0]
    assert_array_equal(matrix[:, 0], [1, NAN, 0])


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("library", [pd, pl])
def test_levels_that_a_type_lists_count_if_asked_for(library, declared):
    kind = pd.CategoricalDtype(["x", "y", "z"]) if library is pd else pl.Enum(["x", "y", "z"])
    frame = library.DataFrame({"k": library.Series(["z", "x", "z"], dtype=kind)})
    _, categories = check_fit_columns(Taker(2), frame, declared=declared)
    assert categories[0].tolist() == (["x", "y", "z"] if declared else ["x", "z"])
