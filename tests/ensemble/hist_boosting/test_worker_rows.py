"""The rows of one worker: histograms, sums and scores."""

import numpy as np

from gramian.ensemble.common.bins import Bins
from gramian.ensemble.common.boosting_loss import logistic, squared
from gramian.ensemble.hist_boosting.worker_rows import PartRows, WorkerRows

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
X[5, 2] = np.nan
y = (X[:, 0] > 0).astype(float)
BINS = Bins.of(X, None, [None] * 3, 255, 0)


def worker(loss, weights=None, cut=25):
    parts = []
    for rows in (slice(cut), slice(cut, None)):
        omega = None if weights is None else weights[rows]
        score = np.zeros((1, len(y[rows])))
        parts.append(PartRows(*BINS.codes(X[rows].copy()), y[rows], omega, score))
    return WorkerRows(loss, BINS, parts)


def test_parts_are_joined():
    whole = worker(logistic(), np.ones(60))
    assert whole.score.shape == (1, 60)
    np.testing.assert_array_equal(whole.y, y)
    np.testing.assert_array_equal(whole.has_missing(), [0, 0, 1])
    assert worker(squared()).hessian is None


def test_derivatives_sums_and_leaf_values():
    worker_rows = worker(logistic())
    sizes = worker_rows.slopes()
    np.testing.assert_array_equal(sizes, [[0.5, 0.25, 30.0, 15.0]])
    largest = sizes[:, :2]
    sums = worker_rows.size_sums(0, largest[0])
    assert sums[0] + sums[1] == 30.0
    layout = np.array([13.0, 25.0, 4096.0, 0.5 / 8191, 0.25 / 8191])
    hist = worker_rows.start_tree(0, layout)
    assert hist.shape == (1, worker_rows.rows.hist_size)
    found = worker_rows.leaf_sums(largest[0])
    np.testing.assert_allclose(found[0, 0] + found[0, 1], np.sum(0.5 - y))
    child = worker_rows.split_leaves(np.array([[0, 1, 0, 0, 1, 0, 0, 0]]), 1)
    assert child.shape == hist.shape
    assert child.dtype == np.int32  # half the bytes
    worker_rows.add_leaf_values(np.array([0.0, 1.0, 2.0]))
    assert sorted(np.unique(worker_rows.score)) == [1.0, 2.0]
    assert worker_rows.finish_iteration(np.zeros(3)).shape == (1, 4)
