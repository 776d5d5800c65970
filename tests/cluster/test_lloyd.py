"""One iteration of Lloyd's serves rows in memory and in chunks."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from gramian import KMeans
from gramian.cluster.lloyd import RowsInMemory, fill_empty_clusters, lloyd


def test_an_iteration_moves_the_centres_to_the_means_of_their_rows(rng):
    X = rng.normal(size=(50, 2))
    centers = X[:3].copy()
    found = RowsInMemory(X, None, 3).iterate(centers)
    nearest = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    assert_allclose(found.means, [X[nearest == j].mean(axis=0) for j in range(3)])
    assert_allclose(found.objective, ((X - found.means[nearest]) ** 2).sum())
    assert found.moved


def test_a_run_ends_when_no_row_moves_or_on_request(rng):
    X = rng.normal(size=(60, 2))
    printed: list[str] = []
    run = lloyd(
        RowsInMemory(X, None, 4), X[:4].copy(), max_iter=100, tol=0.0,
        after=lambda centers: False, say=printed.append,
    )  # fmt: skip
    assert printed[-1].endswith("strict convergence.")
    assert np.all(np.diff(run.history) <= 1e-12)
    once = lloyd(
        RowsInMemory(X, None, 4), X[:4].copy(), max_iter=100, tol=0.0,
        after=lambda centers: True, say=printed.append,
    )  # fmt: skip
    assert len(once.history) == 1


def test_an_empty_cluster_takes_the_farthest_row_out_of_its_own():
    means, totals = np.array([[2.0], [0.0]]), np.array([3.0, 0.0])  # rows 0, 1, 5
    fill_empty_clusters(means, totals, [(9.0, np.array([5.0]), 0, 1.0)])
    assert_array_equal(means, [[0.5], [5.0]])
    assert_array_equal(totals, [2.0, 1.0])


def test_rows_that_lie_on_their_centres_fill_no_cluster():
    means, totals = np.array([[2.0], [7.0]]), np.array([3.0, 0.0])
    fill_empty_clusters(means, totals, [(0.0, np.array([2.0]), 0, 1.0)])
    assert_array_equal(means, [[2.0], [7.0]])


def test_chunks_take_the_iterations_of_a_fit(rng):
    """Also where a cluster is empty at the start: both fill it by the same rule."""
    X = np.concatenate([rng.normal(size=(80, 2)), rng.normal(6, 1, size=(80, 2))])
    start = np.array([[0.0, 0.0], [6.0, 6.0], [90.0, 90.0]])
    whole = KMeans(3, init=start, n_init=1).fit(X)
    parts = KMeans(3, init=start, n_init=1).fit_chunks([X[:50], X[50:110], X[110:]])
    assert_allclose(parts.cluster_centers_, whole.cluster_centers_)
    assert_array_equal(parts.labels_, whole.labels_)
    assert parts.n_iter_ == whole.n_iter_
    assert_allclose(parts.history_, whole.history_)
