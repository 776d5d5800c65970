"""k-medoids: FasterPAM as it is defined, optimality, starts, weights and metrics."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

import gramian
from gramian import KMedoids, _native
from gramian.base.errors import DataError, ParameterError
from gramian.cluster import kmedoids as module


def objective(D, medoids, w=None):
    return float(
        np.average(D[:, medoids].min(axis=1), weights=w) * (len(D) if w is None else sum(w))
    )


def obvious_fasterpam(D, medoids, w):
    """Every candidate in turn, with its best swap by the definition of the objective."""
    medoids, quiet, at = list(medoids), 0, 0
    while quiet < len(D):
        quiet += 1
        if at not in medoids:
            now = (w * D[:, medoids].min(axis=1)).sum()
            trials = [[*medoids[:m], at, *medoids[m + 1 :]] for m in range(len(medoids))]
            scores = [(w * D[:, trial].min(axis=1)).sum() for trial in trials]
            if min(scores) < now * (1 - 1e-12):
                medoids, quiet = trials[int(np.argmin(scores))], 0
        at = (at + 1) % len(D)
    return medoids


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(3, 40),
    k=st.integers(1, 5),
    weighted=st.booleans(),
)
def test_the_swaps_are_fasterpams(seed, n, k, weighted):
    """So the objective is never worse than that of another FasterPAM from the same start."""
    rng = np.random.default_rng(seed)
    k = min(k, n)
    X, start = rng.normal(size=(n, 2)), rng.choice(n, k, replace=False)
    w = rng.uniform(0.5, 2, size=n) if weighted else np.ones(n)
    D = squareform(pdist(X))
    model = KMedoids(k, init=start).fit(X, sample_weight=w)
    assert model.medoid_indices_.tolist() == obvious_fasterpam(D, start, w)
    assert model.inertia_ == pytest.approx((w * D[:, model.medoid_indices_].min(axis=1)).sum())


def test_no_swap_lowers_the_objective_at_the_end():
    X = load_iris().data
    D = squareform(pdist(X))
    for init in ("lab", "build", "random"):
        model = KMedoids(4, init=init, random_state=0).fit(X)
        own = model.medoid_indices_.tolist()
        assert model.inertia_ == pytest.approx(objective(D, own))
        for m in range(4):
            others = own[:m] + own[m + 1 :]
            best = min(objective(D, [*others, c]) for c in range(len(X)))
            assert best >= model.inertia_ * (1 - 1e-9)
        np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_fasterpam_is_never_worse_than_alternating_and_often_the_optimum():
    better = 0
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(25, 2))
        D = squareform(pdist(X))
        start = np.random.default_rng(seed).choice(25, 3, replace=False)
        alternate = KMedoids(3, init=start, method="alternate").fit(X)
        swaps = KMedoids(3, init=alternate.medoid_indices_).fit(X)
        assert swaps.inertia_ <= alternate.inertia_ * (1 + 1e-12)
        optimum = min(objective(D, list(c)) for c in combinations(range(25), 3))
        better += KMedoids(3, init="build").fit(X).inertia_ <= optimum * (1 + 1e-9)
    assert better >= 5


def test_alternating_ends_where_each_medoid_has_the_least_sum():
    X = load_wine().data[:, :3]
    D = squareform(pdist(X))
    model = KMedoids(3, init="build", method="alternate").fit(X)
    for k, medoid in enumerate(model.medoid_indices_):
        members = np.flatnonzero(model.labels_ == k)
        sums = D[np.ix_(members, members)].sum(axis=1)
        assert sums.min() == pytest.approx(D[medoid, members].sum())


def test_measured_and_kept_distances_give_the_same_medoids(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 5))
    monkeypatch.setattr(module, "_FEW_FEATURES", 0)
    kept = {
        method: KMedoids(6, method=method, random_state=0).fit(X)
        for method in ("fasterpam", "alternate")
    }
    monkeypatch.setattr(module, "_MATRIX_ROWS", 0)
    for method, model in kept.items():
        for rows in (X, X.astype(np.float32)):
            measured = KMedoids(6, method=method, random_state=0).fit(rows)
            np.testing.assert_array_equal(measured.medoid_indices_, model.medoid_indices_)
            assert measured.inertia_ == pytest.approx(model.inertia_, rel=1e-6)


@pytest.mark.parametrize("change", ["scaled", "far", "one row far", "two places"])
def test_measured_distances_are_exact_where_float32_cannot_tell(monkeypatch, change):
    X = np.random.default_rng(0).normal(size=(300, 3))
    if change == "scaled":
        X *= 2.0**200
    elif change == "far":
        X += 1e6
    elif change == "one row far":
        X[7] = 1e9
    else:
        X[::2] += 1e7
    start = np.arange(5) * 20
    measured = KMedoids(5, init=start).fit(X)
    monkeypatch.setattr(module, "_FEW_FEATURES", 0)
    kept = KMedoids(5, init=start).fit(X)
    np.testing.assert_array_equal(measured.medoid_indices_, kept.medoid_indices_)
    assert measured.inertia_ == pytest.approx(kept.inertia_, rel=1e-12)


def test_build_is_greedy():
    X = np.random.default_rng(1).normal(size=(40, 2))
    D = squareform(pdist(X))
    chosen = np.empty(4, np.int32)
    _native.Objects.of_matrix(D).build(None, chosen)
    for m in range(4):
        scores = [objective(D, [*chosen[:m], c]) for c in range(40)]
        assert scores[chosen[m]] == pytest.approx(min(scores))


def test_weights_are_repetitions():
    rng = np.random.default_rng(2)
    X, w = rng.normal(size=(40, 2)), rng.integers(0, 4, size=40)
    one = KMedoids(3, init="build").fit(X, sample_weight=w)
    many = KMedoids(3, init="build").fit(np.repeat(X, w, axis=0))
    assert one.inertia_ == pytest.approx(many.inertia_)
    np.testing.assert_allclose(one.cluster_centers_, many.cluster_centers_)
    assert (w[one.medoid_indices_] > 0).all()


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "cosine", "function"])
def test_any_metric(metric):
    X = load_iris().data[::2]
    names = {"manhattan": "cityblock"}
    distance = (lambda a, b: np.abs(a - b).max()) if metric == "function" else metric
    D = squareform(pdist(X, "chebyshev" if metric == "function" else names.get(metric, metric)))
    model = KMedoids(3, metric=distance, init="build").fit(X)
    known = KMedoids(3, metric="precomputed", init="build").fit(D)
    assert model.inertia_ == pytest.approx(known.inertia_)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(known.predict(D), known.labels_)
    np.testing.assert_allclose(model.transform(X), D[:, model.medoid_indices_], atol=1e-12)


def test_the_silhouette_matches_the_two_nearest_medoids():
    X = load_iris().data
    model = KMedoids(3, init="build").fit(X)
    near, second = np.sort(cdist(X, model.cluster_centers_), axis=1)[:, :2].T
    assert model.silhouette_ == pytest.approx((1 - near / second).mean())
    assert KMedoids(1).fit(X).silhouette_ == 0.0


def test_k_is_one_and_k_is_n():
    X = np.random.default_rng(3).normal(size=(20, 2))
    D = squareform(pdist(X))
    assert KMedoids(1, random_state=0).fit(X).medoid_indices_ == [D.sum(axis=1).argmin()]
    assert KMedoids(20, random_state=0).fit(X).inertia_ == 0.0


def test_equal_rows_have_an_objective_of_zero():
    with pytest.warns(ConvergenceWarning, match="distinct clusters"):
        model = KMedoids(3, random_state=0).fit(np.ones((10, 2)))
    assert model.inertia_ == 0.0


def test_the_same_medoids_for_any_number_of_threads():
    X = np.random.default_rng(4).normal(size=(1000, 3))
    before = gramian.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            found.append(KMedoids(5, random_state=0).fit(X).medoid_indices_.tolist())
    finally:
        gramian.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_too_few_passes_warn():
    X = np.random.default_rng(5).normal(size=(200, 2))
    with pytest.warns(ConvergenceWarning, match="increase max_iter"):
        KMedoids(5, init=[0, 1, 2, 3, 4], max_iter=1).fit(X)


def test_bad_input_is_refused():
    X = np.random.default_rng(6).normal(size=(10, 2))
    for settings_, message in (
        ({"n_clusters": 11}, "should be >= n_clusters=11"),
        ({"n_clusters": 2, "init": [0, 0]}, "different rows"),
        ({"n_clusters": 2, "init": [0, 10]}, "indices >= 0 of rows"),
        ({"n_clusters": 2, "init": [0.5, 1.0]}, "different rows"),
        ({"n_clusters": 2, "metric": "precomputed"}, "must be square"),
    ):
        with pytest.raises((DataError, ParameterError), match=message):
            KMedoids(**settings_).fit(X)
    with pytest.raises(DataError, match="must be symmetric"):
        KMedoids(1, metric="precomputed").fit(np.array([[0.0, 1.0], [2.0, 0.0]]))


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6), distinct=st.integers(1, 5), k=st.integers(1, 8))
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.filterwarnings("ignore:KMedoids. Number of distinct clusters")
def test_rounding_does_not_swap_equal_rows_for_ever(metric, seed, distinct, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(distinct, 2))[rng.integers(distinct, size=30)]
    D = cdist(X, X)
    model = KMedoids(k, metric=metric, random_state=0).fit(D if metric == "precomputed" else X)
    assert model.n_swaps_ <= 30
    if k >= distinct:
        assert model.inertia_ == 0


def test_more_medoids_than_distinct_rows_are_told():
    X = np.repeat([[0.0], [5.0]], 4, axis=0)
    with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than .*3"):
        model = KMedoids(3, random_state=0).fit(X)
    assert len(set(model.medoid_indices_)) == 3


def test_rows_too_large_for_float32_have_the_same_medoids():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    X[1500:1503] *= 1e60  # not among the rows that the scale of float32 is taken from
    start = np.arange(5)
    D = cdist(X, X)
    kept = KMedoids(5, init=start, metric="precomputed").fit(D)
    np.testing.assert_array_equal(
        KMedoids(5, init=start).fit(X).medoid_indices_, kept.medoid_indices_
    )


def test_given_dissimilarities_are_not_changed():
    D = squareform(pdist(load_iris().data))
    D.flags.writeable = False
    assert KMedoids(3, metric="precomputed", random_state=0).fit(D).inertia_ > 0


@pytest.mark.parametrize("unit", [1e-60, 1e60])
def test_the_unit_of_the_weights_changes_no_medoid(unit):
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(300, 3)), np.exp(3 * rng.normal(size=300))
    start = np.arange(6)
    model = KMedoids(6, init=start).fit(X, sample_weight=w)
    scaled = KMedoids(6, init=start).fit(X, sample_weight=w * unit)
    np.testing.assert_array_equal(scaled.medoid_indices_, model.medoid_indices_)
    assert scaled.n_swaps_ == model.n_swaps_ > 0


@pytest.mark.parametrize(("metric", "name"), [("mahalanobis", "VI"), ("seuclidean", "V")])
def test_a_metric_that_rows_would_change_needs_its_parameter(metric, name):
    X = load_iris().data
    with pytest.raises(ValueError, match=rf"metric='{metric}' needs the parameter {name}"):
        KMedoids(3, metric=metric).fit(X)
    value = np.linalg.inv(np.cov(X.T)) if name == "VI" else X.var(axis=0)
    model = KMedoids(3, metric=metric, metric_params={name: value}, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
