"""Metrics at the largest floats."""

import numpy as np

from gramian import NearestNeighbors


def test_canberra_at_the_largest_floats():
    X = np.array([[1.7e308, 1.0], [-1.7e308, 1.0], [8.5e307, 1.0]])
    found, at = NearestNeighbors(n_neighbors=3, metric="canberra").fit(X).kneighbors(X[:1])
    np.testing.assert_array_equal(at, [[0, 2, 1]])
    np.testing.assert_allclose(found, [[0, 1 / 3, 1]], rtol=1e-12)
