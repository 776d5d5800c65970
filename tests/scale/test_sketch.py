"""Quantiles are exact, or within the error that is stated; counts are the same to the bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gramian.base.errors import DataError, ParameterError
from gramian.scale import chunks, histogram, quantiles

LEVELS = [0.0, 0.1, 0.5, 0.9, 1.0]


@given(
    hnp.arrays(
        st.sampled_from([np.float32, np.float64]),
        st.tuples(st.integers(1, 60), st.integers(1, 2)),
        elements=st.floats(-(2.0**100), 2.0**100, width=32),
    ),
    st.integers(1, 61),
)
def test_all_passes_find_the_quantiles_exactly(X, rows):
    wanted = np.quantile(X, LEVELS, axis=0, method="inverted_cdf")
    np.testing.assert_array_equal(quantiles(chunks(X, rows=rows), LEVELS), wanted)


@pytest.mark.parametrize(
    ("dtype", "passes", "error"), [("f4", 1, 2**-7), ("f8", 1, 2**-4), ("f8", 2, 2**-20)]
)
def test_fewer_passes_keep_the_stated_error(dtype, passes, error):
    X = np.random.default_rng(0).lognormal(sigma=5, size=(5000, 2)).astype(dtype)
    X[:, 1] *= -1
    wanted = np.quantile(X, LEVELS, axis=0, method="inverted_cdf")
    found = quantiles(chunks(X, rows=999), LEVELS, passes=passes)
    assert (np.abs(found - wanted) <= error * np.abs(wanted)).all()


def test_nan_are_left_out():
    X = np.array([[1.0], [np.nan], [3.0], [2.0]])
    assert quantiles(chunks(X, rows=2), 0.5).tolist() == [[2.0]]
    with pytest.raises(DataError, match="column 0 contains only NaN"):
        quantiles(chunks(X[1:2]), 0.5)


def test_histograms_are_numpys_for_any_chunks():
    X = np.random.default_rng(0).normal(size=(1000, 2))
    for rows in (1000, 333, 10):
        counts, edges = histogram(chunks(X, rows=rows), 20)
        for j in range(2):
            wanted, borders = np.histogram(X[:, j], 20)
            np.testing.assert_array_equal(counts[j], wanted)
            np.testing.assert_allclose(edges[j], borders)


def test_bad_settings():
    pieces = chunks(np.ones((3, 1)))
    with pytest.raises(ParameterError, match="q must lie between"):
        quantiles(pieces, 1.5)
    with pytest.raises(ParameterError, match="passes must be from 1 to 4"):
        quantiles(pieces, 0.5, passes=5)
    with pytest.raises(ParameterError, match="bins must be"):
        histogram(pieces, 0)
