"""Checks of arguments and the careful ceiling."""

import math

import numpy as np
import pytest

from gramian.textbook.learning_theory.argument_checks import (
    ceiling,
    check_between,
    check_count,
    check_epsilon,
    check_rows,
)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, math.nan, math.inf])
def test_open_ends_are_outside(value):
    with pytest.raises(ValueError, match=r"bound: delta must be in \(0, 1\)"):
        check_between("bound", "delta", value, 0.0, 1.0)


def test_closed_ends_are_inside():
    check_between("f", "risk", 0.0, 0.0, 1.0, closed=True)
    check_between("f", "risk", 1.0, 0.0, 1.0, closed=True)
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        check_between("f", "risk", 1.01, 0.0, 1.0, closed=True)


def test_zero_is_a_count_where_it_is_allowed():
    check_count("f", "d", 0, at_least=0)
    with pytest.raises(ValueError, match="at least 1; got 0"):
        check_count("f", "d", 0)


def test_a_last_bit_above_an_integer_is_that_integer():
    assert ceiling(math.nextafter(1200.0, math.inf)) == 1200
    assert ceiling(1200.001) == 1201
    assert ceiling(-3.0) == 1


@pytest.mark.parametrize("value", ["a", None, [0.5]])
def test_what_is_no_number_is_outside(value):
    with pytest.raises(ValueError, match="must be in"):
        check_between("f", "risk", value, 0.0, 1.0)


def test_counts_become_integers_that_do_not_overflow():
    assert type(check_count("f", "n", np.int64(7))) is int


def test_rows_fit_into_a_float_and_squares_of_epsilon_are_not_zero():
    assert float(check_rows("f", 10**300)) < math.inf
    assert check_epsilon("f", 1e-150) ** 2 > 0
    with pytest.raises(ValueError, match="n must be at most 1e300"):
        check_rows("f", 10**301)
    with pytest.raises(ValueError, match="epsilon must be at least 1e-150"):
        check_epsilon("f", 1e-160)
