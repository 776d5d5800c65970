"""Nearest neighbours in one dimension."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian.textbook.neighbors import SortedLine

EIGHTHS = st.integers(-16, 16).map(lambda v: v / 8)


@given(arrays(np.float64, st.integers(1, 30), elements=EIGHTHS), EIGHTHS, st.integers(1, 6))
def test_neighbours_on_a_line(x, q, k):
    k = min(k, len(x))
    distances, indices = SortedLine(x).query(q, k)
    np.testing.assert_array_equal(distances, np.sort(np.abs(x - q))[:k])
    np.testing.assert_array_equal(np.abs(x[indices] - q), distances)
    assert len(set(indices.tolist())) == k


def test_a_line_says_what_it_cannot_take():
    with pytest.raises(ValueError, match="one-dimensional"):
        SortedLine([[1.0]])
    with pytest.raises(ValueError, match="NaN"):
        SortedLine([np.nan])
    with pytest.raises(ValueError, match="between 1 and 2"):
        SortedLine([1.0, 2.0]).query(0.0, 3)
    with pytest.raises(ValueError, match="finite"):
        SortedLine([1.0]).query(np.nan)
