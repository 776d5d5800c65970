"""Points, queries and counts for the textbook structures, as given and as refused."""

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.neighbors.structures.input_checks import (
    check_choice,
    check_count,
    check_points,
    check_query,
)


def test_points_become_one_float64_array():
    points = check_points("Tree", [[1, 2], [3, 4]], columns=2)
    assert points.dtype == np.float64
    assert points.flags.c_contiguous
    np.testing.assert_array_equal(points, [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("points", "phrase"),
    [
        ([[1.0, np.nan]], "NaN"),
        ([[1.0, np.inf]], "infinity"),
        ([[1.0, 2.0, 3.0]], "must have 2 columns; got 3"),
        ([1.0, 2.0], "2D array"),
    ],
)
def test_points_that_do_not_fit_are_refused(points, phrase):
    with pytest.raises(ValueError, match=phrase) as error:
        check_points("Tree", points, columns=2)
    assert str(error.value).startswith("Tree")


def test_a_query_is_one_row_of_finite_numbers():
    np.testing.assert_array_equal(check_query("Tree", [1, 2], 2), [1.0, 2.0])
    for q in ([1.0], [[1.0, 2.0]], [1.0, np.nan], [1.0, np.inf]):
        with pytest.raises(DataError, match="Tree: q must be one query of 2 finite numbers"):
            check_query("Tree", q, 2)


def test_a_choice_is_one_of_the_names():
    check_choice("Tree", "store", "nodes", ("leaves", "nodes"))
    with pytest.raises(ParameterError, match="store must be one of 'leaves', 'nodes'; got 'x'"):
        check_choice("Tree", "store", "x", ("leaves", "nodes"))


def test_a_count_is_an_integer_between_1_and_n():
    assert check_count("Tree", np.int32(3), 3) == 3
    for k in (0, 4, 2.0, True, "2"):
        with pytest.raises(ParameterError, match="k must be an integer between 1 and 3"):
            check_count("Tree", k, 3)
