"""K-means: its theorems, its corners, and scikit-learn's answers."""

import gzip

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gramian import KMeans, best_partition, kmeans_plusplus, pairwise_objective

# Squares of numbers below 1e-100 would underflow to ties that the numbers do not have.
numbers = st.integers(-5, 5).map(float) | st.floats(-100, 100).filter(
    lambda x: x == 0 or abs(x) > 1e-100
)


def tables(rows=(3, 12), columns=(1, 3)):
    return st.tuples(st.integers(*rows), st.integers(*columns)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=numbers)
    )


def obvious_lloyd(X, centers, turns):
    """Lloyd's algorithm without any tricks; ties keep the old cluster, then go to the lowest."""
    labels = np.full(len(X), -1)
    for _ in range(turns):
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


@pytest.fixture(scope="module")
def digits():
    return load_digits().data


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@settings(deadline=None)
@given(X=tables(), k=st.integers(1, 3))
def test_no_turn_raises_the_objective(X, k):
    """Bishop 2006, section 9.1: each of the two steps can only lower J."""
    model = KMeans(k, init=X[:k], tol=0).fit(X)
    # history_ is found from sums, so to the rounding of sum of squares.
    slack = 1e-9 * (1 + (X**2).sum())
    assert all(b <= a + slack for a, b in zip(model.history_, model.history_[1:], strict=False))
    assert model.inertia_ <= model.history_[-1] + slack


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@settings(deadline=None)
@given(X=tables(), k=st.integers(1, 3))
def test_labels_are_those_predicted_and_every_center_is_the_mean_of_its_rows(X, k):
    model = KMeans(k, init=X[:k], tol=0).fit(X)
    np.testing.assert_array_equal(model.labels_, model.predict(X))
    squares = ((X[:, None] - model.cluster_centers_[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.labels_, squares.argmin(axis=1))
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum(), rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@settings(deadline=None, max_examples=50)
@given(X=tables(rows=(2, 7), columns=(1, 2)), k=st.integers(1, 2))
def test_no_run_beats_the_best_partition(X, k):
    labels, least = best_partition(X, k)
    assert len(np.unique(labels)) == k
    model = KMeans(k, n_init=5, random_state=0).fit(X)
    assert model.inertia_ >= least - 1e-9 * (1 + (X**2).sum())


def test_many_starts_find_the_best_partition():
    X = np.random.default_rng(3).normal(size=(9, 2))
    _, least = best_partition(X, 3)
    assert KMeans(3, n_init=30, init="random", random_state=0).fit(X).inertia_ == pytest.approx(
        least
    )


def test_the_pairwise_form_is_twice_the_objective(digits):
    """T22: sum over pairs within clusters, over their sizes, is twice the sum about the means."""
    X = digits[:200]
    model = KMeans(5, n_init=1, random_state=0, tol=0).fit(X)
    assert pairwise_objective(X, model.labels_) == pytest.approx(2 * model.inertia_, rel=1e-12)


def test_each_turn_is_the_obvious_one(digits):
    for turns in (1, 2, 3, 7):
        start = digits[:12]
        model = KMeans(12, init=start, max_iter=turns, tol=0).fit(digits)
        np.testing.assert_allclose(
            model.cluster_centers_, obvious_lloyd(digits, start, turns), rtol=1e-10, atol=1e-10
        )
        assert model.n_iter_ == turns


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 2, 10, 40, 200])
def test_it_ends_where_scikit_learn_ends(digits, k, dtype):
    # Whole numbers have exact ties, which the two break differently: jitter them away.
    X = (digits + np.random.default_rng(0).normal(size=digits.shape)).astype(dtype)
    ours = KMeans(k, init=X[:k], tol=0).fit(X)
    theirs = sklearn.cluster.KMeans(k, init=X[:k], n_init=1, tol=0).fit(X)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-6)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-4)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)


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
        ConvergenceWarning, match="found 2 distinct clusters, fewer than n_clusters=3"
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
    with pytest.raises(ValueError, match="KMeans: init must give"):
        KMeans(4, init=init).fit(digits)


def test_more_clusters_than_rows_are_refused():
    with pytest.raises(ValueError, match="n_samples=3 is less than n_clusters=8; lower n_clusters"):
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


def test_weights_equal_repetition_in_distribution():
    """The first row of k-means++ is drawn in proportion to the weights."""
    X = np.arange(4.0)[:, None]
    weights = np.array([1.0, 0.0, 3.0, 6.0])
    first = [
        int(kmeans_plusplus(X, 1, sample_weight=weights, random_state=seed)[1][0])
        for seed in range(2000)
    ]
    counts = np.bincount(first, minlength=4) / 2000
    np.testing.assert_allclose(counts, weights / 10, atol=0.04)


def test_the_second_center_is_drawn_in_proportion_to_the_squared_distance():
    X = np.array([[0.0], [1.0], [3.0]])
    weights = np.array([1.0, 1e-12, 1e-12])  # the first centre is row 0
    second = [
        int(kmeans_plusplus(X, 2, sample_weight=weights, random_state=s, n_local_trials=1)[1][1])
        for s in range(2000)
    ]
    assert np.mean(np.array(second) == 2) == pytest.approx(0.9, abs=0.03)  # 9 : 1


def test_plusplus_is_as_good_a_start_as_scikit_learns(digits):
    def potential(function):
        return np.mean(
            [
                ((digits[:, None] - function(digits, 10, random_state=s)[0]) ** 2)
                .sum(axis=2)
                .min(axis=1)
                .sum()
                for s in range(10)
            ]
        )

    assert potential(kmeans_plusplus) <= 1.02 * potential(sklearn.cluster.kmeans_plusplus)


def test_plusplus_returns_rows_of_the_table_and_where_they_are(digits):
    centers, rows = kmeans_plusplus(digits, 10, random_state=0)
    np.testing.assert_array_equal(centers, digits[rows])
    assert len(set(rows.tolist())) == 10


def test_sparse_rows_are_clustered_like_dense_ones(digits):
    dense = KMeans(10, init=digits[:10], tol=0).fit(digits)
    for index in (np.int32, np.int64):
        X = sp.csr_array(digits)
        X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
        sparse = KMeans(10, init=digits[:10], tol=0).fit(X)
        np.testing.assert_array_equal(dense.labels_, sparse.labels_)
        np.testing.assert_allclose(dense.transform(digits), sparse.transform(X), atol=1e-9)


def test_transform_gives_the_distances(digits):
    model = KMeans(7, random_state=0).fit(digits)
    obvious = np.sqrt(((digits[:, None] - model.cluster_centers_[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(model.transform(digits), obvious, rtol=1e-12)
    assert list(model.get_feature_names_out()) == [f"kmeans{i}" for i in range(7)]


def test_score_is_minus_the_objective(digits):
    model = KMeans(7, random_state=0).fit(digits)
    assert model.score(digits) == pytest.approx(-model.inertia_)
    assert model.score(digits, sample_weight=np.full(len(digits), 2.0)) == pytest.approx(
        -2 * model.inertia_
    )


def test_verbose_prints_a_line_for_each_start(digits, capsys):
    KMeans(3, n_init=2, verbose=1, random_state=0).fit(digits)
    assert capsys.readouterr().out.count("KMeans, initialisation") == 2


def test_it_works_in_a_pipeline_with_and_without_scaling():
    X = load_iris().data
    scaled = make_pipeline(StandardScaler(), KMeans(3, random_state=0)).fit_predict(X)
    plain = KMeans(3, random_state=0).fit_predict(X)
    assert (scaled != plain).any()
