"""K-means: its theorems, its corners, and scikit-learn's answers."""

import gzip

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gramian import KMeans
from tests.cluster.conftest import tables


def obvious_lloyd(X, centers, iterations):
    """Lloyd's algorithm without any tricks; ties keep the old cluster, then go to the lowest."""
    labels = np.full(len(X), -1)
    for _ in range(iterations):
        squares = ((X[:, None] - centers[None]) ** 2).sum(axis=2)
        near = squares.argmin(axis=1)
        own = squares[np.arange(len(X)), np.maximum(labels, 0)]
        keep = (labels >= 0) & (own <= squares.min(axis=1))
        new = np.where(keep, labels, near)
        if (new == labels).all():
            break
        labels = new
        centers = np.stack([X[labels == k].mean(axis=0) for k in range(len(centers))])
    return centers


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@settings(deadline=None)
@given(X=tables(), k=st.integers(1, 3))
def test_no_iteration_raises_the_objective(X, k):
    """Bishop 2006, section 9.1: each of the two steps can only lower J."""
    model = KMeans(k, init=X[:k], tol=0).fit(X)
    # history_ is found from sums, so to the rounding of sum of squares.
    slack = 1e-9 * (1 + (X**2).sum())
    assert all(b <= a + slack for a, b in zip(model.history_, model.history_[1:], strict=False))
    assert model.inertia_ <= model.history_[-1] + slack


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@settings(deadline=None)
@given(X=tables(), k=st.integers(1, 3))
def test_labels_equal_predictions_and_every_center_is_the_mean_of_its_rows(X, k):
    model = KMeans(k, init=X[:k], tol=0).fit(X)
    np.testing.assert_array_equal(model.labels_, model.predict(X))
    squares = ((X[:, None] - model.cluster_centers_[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.labels_, squares.argmin(axis=1))
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum(), rel=1e-12, abs=1e-12)


def test_each_iteration_is_the_obvious_one(digits):
    for iterations in (1, 2, 3, 7):
        start = digits[:12]
        model = KMeans(12, init=start, max_iter=iterations, tol=0).fit(digits)
        np.testing.assert_allclose(
            model.cluster_centers_, obvious_lloyd(digits, start, iterations), rtol=1e-10, atol=1e-10
        )
        assert model.n_iter_ == iterations


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 2, 10, 40, 200])
def test_it_ends_where_scikit_learn_ends(digits, k, dtype):
    # Whole numbers have exact ties, which the two break differently: jitter them away.
    X = (digits + np.random.default_rng(0).normal(size=digits.shape)).astype(dtype)
    ours = KMeans(k, init=X[:k], tol=0).fit(X)
    theirs = sklearn.cluster.KMeans(k, init=X[:k], n_init=1, tol=0).fit(X)
    rel = 1e-6 if dtype == np.float64 else 1e-5  # scikit-learn adds float32 up in float32
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=rel)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-4)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["letterrecognition", "shuttle"])
def test_it_ends_where_scikit_learn_ends_on_real_tables(data_folder, name):
    with gzip.open(data_folder / f"{name}.csv.gz", "rt") as file:
        header = file.readline().count(",")
        X = np.loadtxt(file, delimiter=",", usecols=range(header), dtype=np.float64)
    rows = np.random.default_rng(0).choice(len(X), 20, replace=False)
    ours = KMeans(20, init=X[rows], tol=0, max_iter=1000).fit(X)
    theirs = sklearn.cluster.KMeans(20, init=X[rows], n_init=1, tol=0, max_iter=1000).fit(X)
    # Exact ties are broken differently, so the paths may part; both are local minima.
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-3)


def test_far_from_the_origin_nothing_is_lost():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    near = KMeans(6, init=X[:6], tol=0).fit(X)
    far = KMeans(6, init=X[:6] + 1e7, tol=0).fit(X + 1e7)
    np.testing.assert_array_equal(near.labels_, far.labels_)
    assert far.inertia_ == pytest.approx(near.inertia_, rel=1e-6)


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e30, 1e150])
def test_the_scale_of_the_data_does_not_matter(scale):
    X = np.random.default_rng(0).normal(size=(300, 4))
    one = KMeans(5, init=X[:5], tol=0).fit(X)
    other = KMeans(5, init=X[:5] * scale, tol=0).fit(X * scale)
    np.testing.assert_array_equal(one.labels_, other.labels_)


def test_float32_rows_as_large_as_the_type_allows():
    X = np.array([[3e38, -3e38], [-3e38, 3e38], [2.9e38, -3e38], [0, 0]], dtype=np.float32)
    assert KMeans(2, init=X[:2], tol=0).fit(X).labels_[[0, 2]].tolist() == [0, 0]


def test_an_empty_cluster_takes_the_farthest_row():
    X = np.array([[0.0], [0.1], [0.2], [9.0], [10.0]])
    model = KMeans(3, init=[[0.0], [9.5], [1000.0]], tol=0).fit(X)
    assert len(np.unique(model.labels_)) == 3
    theirs = sklearn.cluster.KMeans(3, init=[[0.0], [9.5], [1000.0]], n_init=1, tol=0).fit(X)
    assert model.inertia_ == pytest.approx(theirs.inertia_)


def test_fewer_distinct_rows_than_clusters_is_said():
    X = np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0)
    with pytest.warns(
        ConvergenceWarning, match="distinct clusters .2. found smaller than n_clusters .3."
    ):
        model = KMeans(3, random_state=0).fit(X)
    assert model.inertia_ == 0


@pytest.mark.parametrize("init", ["k-means++", "random", "partition"])
def test_all_starts_are_kept_and_the_best_wins(digits, init):
    model = KMeans(10, init=init, n_init=4, random_state=0).fit(digits)
    assert model.inertias_.shape == (4,)
    assert model.inertia_ == pytest.approx(model.inertias_.min())
    assert model.inertias_.max() > model.inertias_.min()


def test_a_function_may_give_the_start(digits):
    def last_rows(X, n_clusters, random_state):
        assert isinstance(random_state, np.random.RandomState)
        return X[-n_clusters:]

    model = KMeans(4, init=last_rows, n_init=1).fit(digits)
    np.testing.assert_array_equal(
        model.cluster_centers_, KMeans(4, init=digits[-4:]).fit(digits).cluster_centers_
    )


@pytest.mark.parametrize("init", [np.zeros((3, 2)), np.zeros(3), np.full((4, 64), np.nan)])
def test_a_start_of_another_shape_is_refused(digits, init):
    with pytest.raises(ValueError, match="KMeans: init must"):
        KMeans(4, init=init).fit(digits)


def test_more_clusters_than_rows_are_refused():
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=8; lower n_clusters"):
        KMeans().fit(np.ones((3, 2)))


def test_weights_equal_repetition_from_given_centers(digits):
    X = digits[:300]
    weights = np.random.default_rng(0).integers(0, 4, size=300).astype(float)
    start = X[np.flatnonzero(weights)[:6]]
    weighted = KMeans(6, init=start, tol=0).fit(X, sample_weight=weights)
    repeated = KMeans(6, init=start, tol=0).fit(np.repeat(X, weights.astype(int), axis=0))
    assert weighted.inertia_ == pytest.approx(repeated.inertia_, rel=1e-9)
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, atol=1e-9)


@pytest.mark.parametrize("init", ["k-means++", "random", "partition"])
def test_rows_of_weight_zero_do_not_count(digits, init):
    X = np.r_[digits[:200], np.full((50, 64), 1e6)]
    weights = np.r_[np.ones(200), np.zeros(50)]
    model = KMeans(5, init=init, n_init=3, random_state=0).fit(X, sample_weight=weights)
    assert model.cluster_centers_.max() < 100


def test_sparse_rows_are_clustered_like_dense_ones(digits):
    dense = KMeans(10, init=digits[:10], tol=0).fit(digits)
    for index in (np.int32, np.int64):
        X = sp.csr_array(digits)
        X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
        sparse = KMeans(10, init=digits[:10], tol=0).fit(X)
        np.testing.assert_array_equal(dense.labels_, sparse.labels_)
        np.testing.assert_allclose(dense.transform(digits), sparse.transform(X), atol=1e-9)


def test_verbose_prints_a_line_for_each_start(digits, capsys):
    KMeans(3, n_init=2, verbose=1, random_state=0).fit(digits)
    out = capsys.readouterr().out
    assert out.count("Initialization complete") == 2
    assert out.count("Converged at iteration") == 2


def test_it_works_in_a_pipeline_with_and_without_scaling():
    X = load_iris().data
    scaled = make_pipeline(StandardScaler(), KMeans(3, random_state=0)).fit_predict(X)
    plain = KMeans(3, random_state=0).fit_predict(X)
    assert (scaled != plain).any()
