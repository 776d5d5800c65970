"""k-means||: centres from all rows, near the clusters, whatever the chunks."""

import numpy as np
import pytest

from gramian import KMeans
from gramian.base.rows import chunks as chunks_module
from gramian.base.rows.chunks import Chunks
from gramian.cluster import parallel_start
from gramian.cluster.parallel_start import parallel_centers


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    return rng.normal(size=(600, 2)) + 50.0 * rng.integers(0, 5, size=(600, 1))


def test_every_cluster_gets_a_centre(X):
    centers = parallel_centers(Chunks.of(KMeans(5), [X]), 5, 0)
    assert sorted((centers[:, 0] / 50).round().astype(int).tolist()) == [0, 1, 2, 3, 4]
    assert all((center == X).all(axis=1).any() for center in centers)  # they are rows


def test_chunks_change_nothing(X, monkeypatch):
    whole = parallel_centers(Chunks.of(KMeans(5), [X]), 5, 3)
    cut = parallel_centers(Chunks.of(KMeans(5), [X[:100], X[100:101], X[101:]]), 5, 3)
    np.testing.assert_array_equal(whole, cut)
    for module in (chunks_module, parallel_start):
        monkeypatch.setattr(module, "BLOCK_ROWS", 64)
    small = parallel_centers(Chunks.of(KMeans(5), [X]), 5, 3)
    np.testing.assert_array_equal(
        small, parallel_centers(Chunks.of(KMeans(5), [X[:100], X[100:]]), 5, 3)
    )


def test_rows_without_weight_are_never_drawn(X):
    weights = (X[:, 0] < 75).astype(float)
    centers = parallel_centers(Chunks.of(KMeans(2), [(X, None, weights)]), 2, 0)
    assert (centers[:, 0] < 75).all()


def test_fewer_different_rows_than_clusters():
    X = np.repeat([[0.0], [1.0]], 5, axis=0)
    centers = parallel_centers(Chunks.of(KMeans(4), [X]), 4, 0)
    assert centers.shape == (4, 1)
    assert set(centers.ravel()) == {0.0, 1.0}


def test_the_start_is_better_than_a_random_one(X):
    first = KMeans(5, init="k-means||", max_iter=1, random_state=1).fit(X)
    chance = KMeans(5, init="random", n_init=1, max_iter=1, random_state=1).fit(X)
    assert first.inertia_ < chance.inertia_
