"""Distances of rows against their definition."""

import numpy as np
import pytest

from gramian.base.rows.distances import distance_matrix


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_match_the_differences(dtype):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(5.0, 1.0, (300, 6)).astype(dtype), rng.normal(5.0, 1.0, (40, 6))
    expected = np.sqrt(((X[:, None].astype(float) - Y) ** 2).sum(axis=2))
    found = distance_matrix(X, Y)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6 if dtype == np.float32 else 1e-11)


def test_distances_go_into_a_given_array():
    out = np.empty((1, 1))
    assert distance_matrix(np.zeros((1, 1)), np.ones((1, 1)), out) is out
    assert out[0, 0] == 1.0
