"""Neighbours by the cosine where some rows are zero."""

import sklearn.neighbors as theirs
from numpy.testing import assert_array_equal

from gramian.neighbors import NearestNeighbors


def test_the_cosine_of_a_row_of_zeros_is_zero(rng):
    X, Q = rng.normal(size=(30, 3)), rng.normal(size=(4, 3))
    Q[2] = 0
    model = NearestNeighbors(n_neighbors=3, metric="cosine").fit(X)
    distances, indices = model.kneighbors(Q)
    assert_array_equal(distances[2], [1, 1, 1])
    assert_array_equal(indices[2], [0, 1, 2])
    assert [len(i) for i in model.radius_neighbors(Q, 1.0, return_distance=False)][2] == 30
    alone = NearestNeighbors(n_neighbors=3, metric="cosine").fit(X).kneighbors(Q[:1])
    assert_array_equal(alone[1][0], indices[0])
    X[5] = 0
    peer = theirs.NearestNeighbors(n_neighbors=4, metric="cosine").fit(X).kneighbors(Q[:2])
    ours = NearestNeighbors(n_neighbors=4, metric="cosine").fit(X).kneighbors(Q[:2])
    assert_array_equal(ours[1], peer[1])
