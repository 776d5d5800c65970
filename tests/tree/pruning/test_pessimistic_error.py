"""Pessimistic estimates of error rates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import DataError, ParameterError
from gramian.tree import (
    pessimistic_error,
)
from gramian.tree.pruning.pessimistic_error import Estimate, quinlan_quantile


def test_pessimistic_errors_of_the_book():
    """Witten, Frank, Hall and Pal: 2 of 6, 1 of 2 and 5 of 14 at z = 0.69."""
    assert pessimistic_error(2, 6, z=0.69) == pytest.approx(0.4740, abs=5e-5)
    assert pessimistic_error(1, 2, z=0.69) == pytest.approx(0.7192, abs=5e-5)
    assert pessimistic_error(5, 14, z=0.69) == pytest.approx(0.4489, abs=5e-5)
    assert quinlan_quantile(0.25) == pytest.approx(0.69, abs=5e-3)


def test_the_three_leaves_of_the_book_are_worse_than_their_parent():
    """0.51 on average in the leaves of 6, 2 and 6 against 0.46 (0.4489) in the node of 14."""
    leaves = pessimistic_error([2, 1, 2], [6, 2, 6], z=0.69)
    mean = np.average(leaves, weights=[6, 2, 6])
    assert mean == pytest.approx(0.51, abs=5e-3)
    assert pessimistic_error(5, 14, z=0.69) < mean


@given(n=st.floats(1, 500), share=st.floats(0, 1), confidence=st.floats(0.01, 0.5))
def test_the_limit_lies_above_the_rate_and_is_what_the_core_uses(n, share, confidence):
    e = share * n
    rate = pessimistic_error(e, n, confidence=confidence)
    assert share - 1e-12 <= rate <= 1 + 1e-12
    assert Estimate.of("normal", confidence).errors(n, e) == pytest.approx(n * rate)
    for formula in ("weka", "quinlan"):
        assert Estimate.of(formula, confidence).errors(n, e) >= e - 1e-9


def test_a_confidence_out_of_range_is_refused():
    with pytest.raises(ParameterError, match=r"\(0, 0.5\]; got 0.7"):
        pessimistic_error(1, 2, confidence=0.7)


def test_more_errors_than_rows_are_rejected():
    with pytest.raises(DataError, match=r"errors must be in \[0, n\]"):
        pessimistic_error(7, 6)


def test_no_error_has_an_exact_limit():
    """With no error in n cases, the rate p with (1 - p)^n = c is the limit."""
    rate = Estimate.of("weka", 0.25).errors(10, 0) / 10
    assert (1 - rate) ** 10 == pytest.approx(0.25)
