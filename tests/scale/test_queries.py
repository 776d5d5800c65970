"""Neighbours and densities of rows in chunks are those of all rows."""

import numpy as np
import pytest

from gramian import KernelDensity, NearestNeighbors
from gramian.base.errors import DataError, ParameterError
from gramian.scale import chunks, kneighbors, log_density

rng = np.random.default_rng(0)
X = rng.normal(size=(500, 3))
Q = rng.normal(size=(20, 3))


@pytest.mark.parametrize("rows", [500, 170, 4])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_neighbours_match_all_rows(rows, metric):
    wanted = NearestNeighbors(n_neighbors=6, metric=metric).fit(X).kneighbors(Q)
    found = kneighbors(Q, chunks(X, rows=rows), 6, metric=metric)
    np.testing.assert_array_equal(found[1], wanted[1])
    np.testing.assert_allclose(found[0], wanted[0])


def test_of_equal_distances_the_first_row_is_taken():
    twice = np.repeat([[0.0], [1.0], [3.0]], 4, axis=0)
    for rows in (12, 5, 1):
        assert kneighbors([[0.9]], chunks(twice, rows=rows), 6)[1].tolist() == [[4, 5, 6, 7, 0, 1]]


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_densities_match_all_rows(kernel):
    density = KernelDensity(bandwidth=0.7, kernel=kernel)
    weights = rng.random(500)
    wanted = KernelDensity(bandwidth=0.7, kernel=kernel).fit(X, sample_weight=weights)
    found = log_density(Q, chunks(X, weight=weights, rows=170), density)
    np.testing.assert_allclose(found, wanted.score_samples(Q), rtol=1e-10)


def test_bad_queries():
    with pytest.raises(DataError, match="exceeds the 500 rows"):
        kneighbors(Q, chunks(X), 501)
    with pytest.raises(ParameterError, match="n_neighbors must be"):
        kneighbors(Q, chunks(X), 0)
    with pytest.raises(ParameterError, match="bandwidth must be a number"):
        log_density(Q, chunks(X), KernelDensity(bandwidth="scott"))
