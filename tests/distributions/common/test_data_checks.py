"""Errors name the first rows outside the support."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.distributions.common.data_checks import (
    check_counts,
    check_matrices,
    check_numbers,
    check_support,
    check_vectors,
    is_count,
)


def test_the_first_rows_outside_are_named():
    x = np.array([1.0, -2.0, 3.0, -4.0, -5.0, -6.0, -7.0, -8.0])
    with pytest.raises(
        DataError, match=r"G: events must be > 0; got -2.0 \(rows 1, 3, 4, 5, 6 and 1 more"
    ):
        check_support("G", x, x > 0, "> 0")


def test_counts_must_be_integers():
    with pytest.raises(DataError, match=r"integers >= 0; got 1.5 \(row 1\)"):
        check_counts("G", [1, 1.5], None)
    with pytest.raises(DataError, match=r"integers from 0 to 3; got 4.0 \(row 0\)"):
        check_counts("G", [4], None, most=3)
    assert is_count(np.array([0.0, 2.0, -1.0, 0.5, np.inf, np.nan])).tolist() == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_shapes_are_checked():
    with pytest.raises(DataError, match=r"shape \(n,\); got shape \(1, 2\)"):
        check_numbers("G", [[1, 2]], None)
    with pytest.raises(DataError, match=r"shape \(n, d\); got shape \(2,\)"):
        check_vectors("G", [1, 2], None)
    with pytest.raises(DataError, match=r"shape \(n, d, d\)"):
        check_matrices("G", [1, 2], None)
    with pytest.raises(DataError, match="must be numbers"):
        check_numbers("G", ["a"], None)


def test_weights_come_back_as_floats():
    x, w = check_numbers("G", [1, 2], [1, 0])
    assert x.dtype == np.float64
    assert w.tolist() == [1.0, 0.0]
