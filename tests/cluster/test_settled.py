"""Rows that keep their cluster are not read again, and the answer is that of reading them."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import KMeans
from gramian.base.rows.chunks import Chunk
from gramian.cluster import settled
from gramian.cluster.settled import Assignment, NearRows, Settled


class Passes:
    """Chunks that count how often they are read to their end."""

    def __init__(self, chunks):
        self.chunks, self.count = chunks, 0

    def __iter__(self):
        yield from self.chunks
        self.count += 1


def blobs(rng, n, apart, dtype=np.float64):
    which = rng.integers(0, 4, size=n)
    return (rng.normal(size=(n, 3)) + apart * which[:, None]).astype(dtype), which


def plain(X, weights, centers):
    """Labels, sums, weights and objective by NumPy."""
    squares = ((X[:, None] - centers[None]) ** 2).sum(axis=2)
    labels = squares.argmin(axis=1)
    one_hot = np.eye(len(centers))[labels] * weights[:, None]
    return labels, one_hot.T @ X, one_hot.sum(axis=0), float(weights @ squares.min(axis=1))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_what_is_told_without_reading_is_what_reading_tells(rng, weighted, sparse):
    X, _ = blobs(rng, 4000, 5.0)
    weights = rng.integers(0, 4, size=4000) / 2.0 if weighted else np.ones(4000)
    centers = np.array([np.full(3, 5.0 * j) for j in range(4)]) + 0.1
    labels, *sums = plain(X, weights, centers)
    squares = np.sort(((X[:, None] - centers[None]) ** 2).sum(axis=2), axis=1)
    gaps = (np.sqrt(squares[:, 1]) - np.sqrt(squares[:, 0])).astype(np.float32)
    near = NearRows.of(X[:500], 4000, centers)
    assert 0 < near.gap <= np.quantile(gaps, 0.2)
    for rows in (slice(0, 1500), slice(1500, 4000)):
        table = sp.csr_array(X[rows]) if sparse else X[rows]
        chunk = Chunk(table, None, weights[rows] if weighted else None)
        near.add(chunk, labels[rows].astype(np.int32), squares[rows, 0], gaps[rows])
    found = Settled.of(near, Assignment(*sums), [labels.astype(np.int32)])
    assert found is not None
    assert len(found.places) < 1000
    for step in (0.0, 0.2, 0.4):
        moved = centers + step * near.gap * rng.uniform(-1, 1, size=(4, 1)) / np.sqrt(3)
        told = found.assign(moved)
        wanted, *sums = plain(X, weights, moved)
        np.testing.assert_array_equal(found.labels, wanted)
        assert told is not None
        for a, b in zip(told, sums, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-7)
    assert found.assign(centers + near.gap) is None


def test_too_many_near_rows_are_let_go(rng):
    X, _ = blobs(rng, 4000, 0.1)
    near = NearRows(X[:4].copy(), gap=np.inf, most=100)
    near.add(
        Chunk(X, None, None), np.zeros(4000, np.int32), np.ones(4000), np.ones(4000, np.float32)
    )
    assert near.gap == 0
    assert not near.rows
    assert Settled.of(near, Assignment(X[:4], np.ones(4), 0.0), []) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_clear_clusters_take_two_passes(rng, dtype):
    X, which = blobs(rng, 60_000, 9.0, dtype)
    chunks = Passes([(X[a : a + 7000], None) for a in range(0, len(X), 7000)])
    model = KMeans(4, random_state=0, tol=0).fit_chunks(chunks)
    assert chunks.count == 2  # the sample, and all rows once
    assert len(set(zip(which.tolist(), model.labels_.tolist(), strict=True))) == 4
    means = np.array([X[model.labels_ == j].mean(axis=0, dtype=float) for j in range(4)])
    np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-6)
    assert model.inertia_ == pytest.approx(-model.score(X), rel=1e-6)


@pytest.mark.parametrize("apart", [0.0, 1.5])
def test_the_clusters_are_those_of_reading_every_time(rng, apart, monkeypatch):
    X, _ = blobs(rng, 30_000, apart)
    weights = rng.random(30_000)
    found, passes = [], []
    for share in (0.05, 0.0):
        monkeypatch.setattr(settled, "SHARE", share)
        chunks = Passes(
            [(X[a : a + 8000], None, weights[a : a + 8000]) for a in range(0, 30_000, 8000)]
        )
        found.append(KMeans(4, random_state=0, max_iter=40).fit_chunks(chunks))
        passes.append(chunks.count)
    a, b = found
    np.testing.assert_array_equal(a.labels_, b.labels_)
    np.testing.assert_allclose(a.cluster_centers_, b.cluster_centers_, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(a.history_, b.history_, rtol=1e-9)
    assert passes[0] < passes[1]
