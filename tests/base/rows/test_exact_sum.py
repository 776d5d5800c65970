"""Exact sums: the rational sum, rounded once, whatever the order."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian.base.rows import exact_sum
from gramian.base.rows.exact_sum import ExactSum

NUMBERS = st.floats(-1e300, 1e300, allow_nan=False)


@given(arrays(float, st.integers(0, 30), elements=NUMBERS), st.integers(0, 30))
def test_it_is_the_rational_sum(values, cut):
    both = ExactSum.of(values[:cut]) + ExactSum.of(values[cut:])
    assert float(both) == float(sum(map(Fraction, values.tolist()), Fraction(0)))


def test_blocks_and_subnormal_numbers(monkeypatch):
    monkeypatch.setattr(exact_sum, "_BLOCK", 3)
    assert float(ExactSum.of(np.array([5e-324, 1.0, -1.0, 5e-324, 1e200, -1e200]))) == 1e-323
    assert float(ExactSum()) == 0.0
