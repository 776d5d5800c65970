"""K-means beyond memory: the chunks do not change the answer."""

import numpy as np
import pytest
import scipy.sparse as sp

import gramian.base.rows.chunks
import gramian.cluster.chunks
from gramian import KMeans


@pytest.fixture
def X(rng):
    return rng.normal(size=(900, 4)) + 4 * (np.arange(900) % 3)[:, None]


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 100 rows, so that small tables have several."""
    monkeypatch.setattr(gramian.base.rows.chunks, "BLOCK_ROWS", 100)


def cut(X, *at):
    return np.split(X, at)


CUTS = [(), (1,), (100, 200), (450,), (7, 93, 500, 501, 899)]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("init", ["k-means++", "random", "partition"])
def test_the_same_bits_wherever_the_chunks_are_cut(X, init):
    whole = KMeans(5, init=init, n_init=2, random_state=0).fit_chunks([X])
    for at in CUTS:
        parts = KMeans(5, init=init, n_init=2, random_state=0).fit_chunks(cut(X, *at))
        np.testing.assert_array_equal(whole.cluster_centers_, parts.cluster_centers_)
        np.testing.assert_array_equal(whole.labels_, parts.labels_)
        assert whole.inertia_ == parts.inertia_


@pytest.mark.usefixtures("small_blocks")
def test_from_given_centers_it_ends_where_fit_ends(X):
    chunked = KMeans(5, init=X[:5], tol=0).fit_chunks(cut(X, 300, 600))
    whole = KMeans(5, init=X[:5], tol=0).fit(X)
    np.testing.assert_allclose(chunked.cluster_centers_, whole.cluster_centers_, rtol=1e-9)
    np.testing.assert_array_equal(chunked.labels_, whole.labels_)
    assert chunked.inertia_ == pytest.approx(whole.inertia_)
    np.testing.assert_array_equal(chunked.labels_, chunked.predict(X))


@pytest.mark.usefixtures("small_blocks")
def test_weights_come_with_their_chunks(X, rng):
    weights = rng.integers(0, 3, size=len(X)).astype(float)
    chunks = [(X[:400], None, weights[:400]), (X[400:], None, weights[400:])]
    chunked = KMeans(5, init=X[:5], tol=0).fit_chunks(chunks)
    whole = KMeans(5, init=X[:5], tol=0).fit(X, sample_weight=weights)
    np.testing.assert_allclose(chunked.cluster_centers_, whole.cluster_centers_, rtol=1e-9)


@pytest.mark.usefixtures("small_blocks")
def test_sparse_chunks(X):
    sparse = [sp.csr_array(part) for part in cut(X, 300, 601)]
    a = KMeans(3, init=X[:3], tol=0).fit_chunks(sparse)
    b = KMeans(3, init=X[:3], tol=0).fit_chunks([X])
    np.testing.assert_allclose(a.cluster_centers_, b.cluster_centers_, rtol=1e-9)


@pytest.mark.usefixtures("small_blocks")
def test_an_empty_cluster_takes_the_farthest_row_of_any_chunk():
    X = np.r_[np.linspace(0, 1, 250), [50.0]][:, None]
    model = KMeans(2, init=[[0.5], [1000.0]], tol=0).fit_chunks(cut(X, 120))
    assert model.cluster_centers_[1, 0] == 50.0


def test_float32_chunks_stay_float32(X):
    model = KMeans(3, random_state=0).fit_chunks(cut(X.astype(np.float32), 300))
    assert model.cluster_centers_.dtype == np.float32


def test_chunks_that_can_be_read_only_once_are_refused(X):
    with pytest.raises(ValueError, match="KMeans: chunks must give a new pass"):
        KMeans(3).fit_chunks(part for part in cut(X, 300))


def test_no_chunks_are_refused():
    with pytest.raises(ValueError, match="chunks must contain at least one row"):
        KMeans(3).fit_chunks([])


def test_chunks_of_other_columns_are_refused(X):
    with pytest.raises(ValueError, match="X has 3 features"):
        KMeans(3).fit_chunks([X, X[:, :3]])


def test_fewer_rows_than_clusters_are_refused(X):
    with pytest.raises(ValueError, match="n_samples=4 should be >= n_clusters=8"):
        KMeans(8).fit_chunks([X[:2], X[2:4]])


def test_parameters_are_checked_first(X):
    with pytest.raises(ValueError, match="n_clusters must be"):
        KMeans(0).fit_chunks([X])


def test_many_rows_take_the_best_of_several_starts_on_the_sample(rng, monkeypatch):
    monkeypatch.setattr(gramian.cluster.chunks, "SAMPLE_ROWS", 300)
    X = rng.normal(size=(70_000, 20)).astype(np.float32)
    X += 2 * rng.integers(0, 5, size=(70_000, 1))  # a single start may find only four
    for seed in range(12):
        model = KMeans(5, random_state=seed).fit_chunks(cut(X, 20_000))
        assert model.inertia_ / len(X) < 21


@pytest.mark.parametrize("order", ["shuffled", "sorted"])
def test_rows_in_no_order_need_no_pass_for_a_sample(order, rng, monkeypatch):
    monkeypatch.setattr(gramian.cluster.chunks, "SAMPLE_ROWS", 400)
    passes = []
    sample_of = gramian.cluster.chunks.sample_of
    monkeypatch.setattr(
        gramian.cluster.chunks, "sample_of", lambda *a: passes.append(a) or sample_of(*a)
    )
    labels = rng.integers(0, 3, size=30_000)
    if order == "sorted":
        labels.sort()
    X = rng.normal(size=(30_000, 2)) + 20 * np.c_[labels, labels % 2]
    found = KMeans(3, random_state=0).fit_chunks(np.split(X, [7, 10_000, 29_000]))
    assert len(passes) == (order == "sorted")
    whole = KMeans(3, random_state=0).fit(X)
    assert found.inertia_ == pytest.approx(whole.inertia_, rel=1e-9)
    again = KMeans(3, random_state=0).fit_chunks([X])
    np.testing.assert_array_equal(found.labels_, again.labels_)
    np.testing.assert_array_equal(found.cluster_centers_, again.cluster_centers_)


class Last:
    """Keeps the centres of the task that ended last."""

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.centers = fitted_estimator.cluster_centers_


@pytest.mark.usefixtures("small_blocks")
def test_callbacks_see_the_best_run_at_the_end_as_in_fit(X):
    for start in (lambda m: m.fit(X), lambda m: m.fit_chunks(cut(X, 300))):
        last = Last()
        model = KMeans(6, init="random", n_init=4, random_state=0).set_callbacks(last)
        start(model)
        assert model.inertias_.argmin() < 3
        np.testing.assert_array_equal(last.centers, model.cluster_centers_)


def test_given_centers_and_several_starts_warn_as_in_fit(X):
    for start in (lambda m: m.fit(X), lambda m: m.fit_chunks(cut(X, 300))):
        with pytest.warns(RuntimeWarning, match="performing only one init"):
            start(KMeans(3, init=X[:3], n_init=2))
