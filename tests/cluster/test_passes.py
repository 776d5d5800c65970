"""Which rows a pass over chunks keeps, and what it finds."""

import numpy as np
import pytest

from gramian.base.rows.chunks import Chunk, Chunks
from gramian.cluster.kmeans import KMeans
from gramian.cluster.passes import NearRows, assign, empty_pass, mean_variance, means, merge_passes
from gramian.cluster.stable_rows import StableRows


def test_a_pass_finds_sums_and_the_farthest_rows(rng):
    X = rng.normal(size=(500, 3))
    centers = np.array([np.zeros(3), np.ones(3)])
    found = assign(centers, None, Chunks.of(KMeans(2), [X[:200], X[200:]]))
    squares = ((X[:, None] - centers[None]) ** 2).sum(axis=2)
    labels = squares.argmin(axis=1)
    assert found.labels == []
    np.testing.assert_allclose(found.sums, [X[labels == j].sum(axis=0) for j in (0, 1)])
    np.testing.assert_array_equal(found.totals, np.bincount(labels))
    assert found.inertia == pytest.approx(squares.min(axis=1).sum())
    np.testing.assert_allclose(found.far, np.sort(squares.min(axis=1))[:-3:-1])
    both = merge_passes(empty_pass(2, 3), found)
    np.testing.assert_array_equal(means(both, centers), means(found, centers))


def test_too_many_near_rows_are_discarded(rng):
    X = rng.normal(size=(4000, 3))
    near = NearRows(X[:4].copy(), gap=np.inf, share=0.05, n=4000)
    labels, squares = np.zeros(4000, np.int32), np.ones(4000)
    near.add(Chunk(X[:1000], None, None), labels[:1000], squares[:1000], np.ones(1000, np.float32))
    assert near.kept == 1000
    near.add(Chunk(X, None, None), labels, squares, np.ones(4000, np.float32))
    assert near.gap == 0
    assert not near.rows
    assert StableRows.of(near, empty_pass(4, 3)) is None


@pytest.mark.parametrize("weighted", [False, True])
def test_an_assignment_gives_the_variance_of_all_rows(weighted, rng):
    X = 1e3 + rng.normal(size=(500, 3)) * [1.0, 2.0, 3.0]
    weights = rng.uniform(1, 2, size=500) if weighted else np.ones(500)
    chunks = Chunks.of(KMeans(), [(X, None, weights)])
    centers = X[:4].copy()
    found = mean_variance(assign(centers, None, chunks), centers)
    mean = weights @ X / weights.sum()
    assert found == pytest.approx((weights @ (X - mean) ** 2 / weights.sum()).mean(), rel=1e-9)
