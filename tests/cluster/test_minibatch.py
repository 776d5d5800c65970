"""Mini-batch k-means: near k-means, at a price that does not grow with the data."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.datasets import make_blobs

from gramian import KMeans, MiniBatchKMeans


@pytest.fixture(scope="module")
def X():
    return make_blobs(5000, n_features=6, centers=10, random_state=0)[0]


@pytest.mark.slow
def test_the_objective_is_close_to_k_means_and_scikit_learn(X):
    ours = np.mean([MiniBatchKMeans(10, random_state=s).fit(X).inertia_ for s in range(5)])
    theirs = np.mean(
        [sklearn.cluster.MiniBatchKMeans(10, random_state=s).fit(X).inertia_ for s in range(5)]
    )
    best = KMeans(10, n_init=10, random_state=0).fit(X).inertia_
    assert ours <= 1.15 * max(theirs, best)


def test_each_center_is_the_mean_of_the_rows_it_was_given(X):
    """One step from given centres with every row in the batch: exactly the running mean."""
    model = MiniBatchKMeans(3, init=X[:3], reassignment_ratio=0.0).partial_fit(X)
    squares = ((X[:, None] - X[None, :3]) ** 2).sum(axis=2)
    labels = squares.argmin(axis=1)
    means = [X[labels == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-9)
    np.testing.assert_array_equal(model.counts_, np.bincount(labels))


def test_partial_fit_learns_from_a_stream(X):
    model = MiniBatchKMeans(10, random_state=0)
    for batch in np.array_split(X, 25):
        model.partial_fit(batch)
    assert model.n_steps_ == 25
    assert model.counts_.sum() == pytest.approx(len(X), rel=0.05)
    best = KMeans(10, n_init=10, random_state=0).fit(X).inertia_
    assert -model.score(X) <= 2 * best


def test_partial_fit_goes_on_from_a_fit(X):
    model = MiniBatchKMeans(10, random_state=0).fit(X)
    before, steps = model.cluster_centers_.copy(), model.n_steps_
    model.partial_fit(X[:100])
    assert model.n_steps_ == steps + 1
    assert 0 < np.abs(model.cluster_centers_ - before).max() < 1


def test_labels_can_be_left_out(X):
    model = MiniBatchKMeans(10, compute_labels=False, random_state=0).fit(X)
    assert not hasattr(model, "labels_")
    assert model.predict(X).shape == (len(X),)


def test_it_stops_when_nothing_improves(X):
    stopped = MiniBatchKMeans(10, max_no_improvement=1, random_state=0).fit(X)
    long = MiniBatchKMeans(10, max_no_improvement=None, max_iter=20, random_state=0).fit(X)
    assert stopped.n_steps_ < long.n_steps_ == 20 * 5000 // 1024


def test_it_stops_when_the_centers_rest(X):
    model = MiniBatchKMeans(10, tol=1e3, max_no_improvement=None, random_state=0).fit(X)
    assert model.n_steps_ == 2


def test_centers_without_rows_are_moved(X):
    start = np.r_[X[:9], [np.full(6, 1e4)]]
    stuck = MiniBatchKMeans(10, init=start, reassignment_ratio=0.0, random_state=0).fit(X)
    freed = MiniBatchKMeans(10, init=start, random_state=0).fit(X)
    assert stuck.cluster_centers_.max() == 1e4
    assert freed.cluster_centers_.max() < 100


def test_weights_steer_the_centers():
    X = np.array([[0.0], [10.0]] * 50)
    weights = np.array([1.0, 3.0] * 50)
    model = MiniBatchKMeans(1, batch_size=100, max_iter=200, random_state=0)
    center = model.fit(X, sample_weight=weights).cluster_centers_[0, 0]
    assert center == pytest.approx(7.5, abs=0.5)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_rows_too_large_to_square_are_refused(X, method):
    with pytest.raises(ValueError, match=r"^MiniBatchKMeans: X must .* Scale the columns"):
        getattr(MiniBatchKMeans(3, random_state=0), method)(X * 1e200)


def test_progress_and_warnings_match_scikit_learn(capsys):
    X, _ = make_blobs(200, centers=3, random_state=0)
    MiniBatchKMeans(3, batch_size=20, random_state=0, verbose=1, max_no_improvement=2).fit(X)
    printed = capsys.readouterr().out
    assert "Minibatch step 1/" in printed
    assert "Converged (" in printed
    with pytest.warns(RuntimeWarning, match="init_size=10 should be larger than n_clusters=20"):
        MiniBatchKMeans(20, init_size=10, random_state=0).fit(X)
    with pytest.warns(RuntimeWarning, match="performing only one init"):
        MiniBatchKMeans(3, init=X[:3], n_init=4).fit(X)
