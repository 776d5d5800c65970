"""Rows that keep their cluster are not read again, and the answer is that of reading them."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import KMeans
from gramian.base.rows.chunks import Chunk
from gramian.base.rows.parts import RowsLostError
from gramian.cluster import passes
from gramian.cluster.passes import NearRows, empty_pass
from gramian.cluster.stable_rows import StableRows
from tests.scale.methods import ListParts


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
    whole = empty_pass(4, 3)._replace(sums=sums[0], totals=sums[1], inertia=sums[2])
    found = StableRows.of(near, whole._replace(labels=[labels.astype(np.int32)]))
    assert found is not None
    assert len(found.places) < 1000
    for step in (0.0, 0.2, 0.4):
        moved = centers + step * near.gap * rng.uniform(-1, 1, size=(4, 1)) / np.sqrt(3)
        results = found.assign(moved)
        wanted, *sums = plain(X, weights, moved)
        np.testing.assert_array_equal(found.labels, wanted)
        assert results is not None
        for a, b in zip((results.sums, results.totals, results.inertia), sums, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-7)
    assert found.assign(centers + near.gap) is None


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
def test_the_clusters_match_reading_every_time(rng, apart, monkeypatch):
    X, _ = blobs(rng, 30_000, apart)
    weights = rng.random(30_000)
    found, read = [], []
    for share in (0.05, 0.0):
        monkeypatch.setattr(passes, "MAX_KEPT_FRACTION", share)
        chunks = Passes(
            [(X[a : a + 8000], None, weights[a : a + 8000]) for a in range(0, 30_000, 8000)]
        )
        found.append(KMeans(4, random_state=0, max_iter=40).fit_chunks(chunks))
        read.append(chunks.count)
    a, b = found
    np.testing.assert_array_equal(a.labels_, b.labels_)
    np.testing.assert_allclose(a.cluster_centers_, b.cluster_centers_, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(a.history_, b.history_, rtol=1e-9)
    assert read[0] < read[1]


class Counting(ListParts):
    """Parts that count passes, and lose a worker at some call."""

    def __init__(self, chunks, fatal=None):
        super().__init__(chunks)
        self.passes, self.calls, self.fatal, self.held = 0, 0, fatal, []

    def total(self, step, merge, *, numbered=False):
        self.passes += 1
        return super().total(step, merge, numbered=numbered)

    def keep_on_workers(self, step, gather):
        self.passes += 1
        held = super().keep_on_workers(step, gather)
        total, owner = held.total, self

        def counted(*arguments):
            owner.calls += 1
            if owner.calls == owner.fatal:
                raise RowsLostError("gone")
            return total(*arguments)

        held.total = counted
        self.held.append(held)
        return held


@pytest.mark.parametrize("weighted", [False, True])
def test_workers_keep_their_near_rows(rng, weighted):
    X, _ = blobs(rng, 40_000, 9.0)
    weights = rng.random(40_000) if weighted else None
    cuts = [slice(0, 9000), slice(9000, 9000), slice(9000, 30_000), slice(30_000, 40_000)]
    rows = [(X[c], None, None if weights is None else weights[c]) for c in cuts]
    near = KMeans(4, random_state=0, tol=0).fit_chunks(rows)
    parts = Counting(rows)
    far = KMeans(4, random_state=0, tol=0).fit_chunks(parts)
    np.testing.assert_allclose(far.cluster_centers_, near.cluster_centers_, rtol=1e-12)
    assert far.inertia_ == pytest.approx(near.inertia_, rel=1e-12)
    assert far.n_iter_ > 1
    assert parts.passes == 2
    assert all(held.closed for held in parts.held)
    sent = [value for held in parts.held for _, found in held.sent for value in found]
    assert max(part.sums.nbytes for one in sent for part in one.values()) <= 4 * 3 * 8

    for fatal in (1, 2, 3):  # rows of a place that is gone are read again
        parts = Counting(rows, fatal)
        again = KMeans(4, random_state=0, tol=0).fit_chunks(parts)
        np.testing.assert_allclose(again.cluster_centers_, far.cluster_centers_, rtol=1e-12)
        assert parts.passes > 2


def test_places_keep_nothing_while_centers_move_far(rng):
    X, _ = blobs(rng, 20_000, 0.0)
    parts = Counting([(X[:9000], None, None), (X[9000:], None, None)])
    start = X[:4] * 3
    far = KMeans(4, init=start, max_iter=3, tol=0).fit_chunks(parts)
    near = KMeans(4, init=start, max_iter=3, tol=0).fit_chunks([X])
    np.testing.assert_allclose(far.cluster_centers_, near.cluster_centers_, rtol=1e-9)
    assert len(parts.held) < parts.passes - 1
