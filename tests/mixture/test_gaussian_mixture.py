"""Gaussian mixtures by expectation maximisation."""

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Peer

import gramian
from gramian import GaussianMixture, QuadraticDiscriminantAnalysis
from gramian.base.errors import DataError, ParameterError
from tests.naive_bayes.real import table

KINDS = ["full", "tied", "diag", "spherical"]
IRIS = load_iris(return_X_y=True)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def start(kind, K, X):
    """Given first parameters, so that nothing is drawn at random."""
    d = X.shape[1]
    shape = {"full": (K, 1, 1), "tied": None, "diag": (K, d), "spherical": (K,)}[kind]
    precisions = np.eye(d) if kind in ("full", "tied") else np.ones(shape)
    precisions = np.tile(precisions, shape) if kind == "full" else precisions
    means = X[:: len(X) // K][:K]
    first = {"weights_init": np.full(K, 1 / K), "means_init": means, "precisions_init": precisions}
    return {"covariance_type": kind, "max_iter": 25, "tol": 0.0, **first}


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_scikit_learn_from_the_same_start(kind):
    X, _ = IRIS
    ours = GaussianMixture(3, **start(kind, 3, X)).fit(X)
    theirs = Peer(3, **start(kind, 3, X)).fit(X)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        near = {"rtol": 1e-6, "atol": 1e-8, "err_msg": name}
        assert_allclose(getattr(ours, name), getattr(theirs, name), **near)
    assert_allclose(ours.lower_bounds_, theirs.lower_bounds_, rtol=1e-9)
    assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-7)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.bic(X) == pytest.approx(theirs.bic(X))
    assert ours.aic(X) == pytest.approx(theirs.aic(X))


@settings(max_examples=25)
@given(
    kind=st.sampled_from(KINDS), seed=st.integers(0, 200), K=st.integers(1, 4), gaps=st.booleans()
)
def test_no_iteration_lowers_the_likelihood(kind, seed, K, gaps):
    """Dempster, Laird and Rubin 1977, theorem 1; missing values and known labels included."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 3)) @ rng.normal(size=(3, 3)) + rng.integers(3, size=80)[:, None]
    labels = np.where(rng.random(80) < 0.2, rng.integers(K, size=80), -1)
    if gaps:
        X[rng.random(X.shape) < 0.15] = np.nan
    model = GaussianMixture(K, covariance_type=kind, reg_covar=0.0, tol=0.0, max_iter=8)
    try:
        model.set_params(init_params="random", random_state=seed).fit(X, labels=labels)
    except DataError:  # a component fell on too few rows
        reject()
    steps = np.diff(model.lower_bounds_)
    assert (steps >= -1e-9 * np.abs(model.lower_bounds_[:-1])).all()


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_repeated_rows_from_a_given_start(kind):
    X, _ = IRIS
    k = np.arange(150) % 3 + 1
    settings = start(kind, 2, X)
    weighted = GaussianMixture(2, **settings).fit(X, sample_weight=k)
    repeated = GaussianMixture(2, **settings).fit(np.repeat(X, k, axis=0))
    assert_allclose(weighted.means_, repeated.means_, rtol=1e-7)
    assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("init", ["kmeans", "k-means++", "random", "random_from_data"])
def test_separated_clusters_are_found_from_every_start(init):
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    X = (centres[:, None] + rng.normal(size=(3, 100, 2))).reshape(-1, 2)
    model = GaussianMixture(3, init_params=init, n_init=10, random_state=1).fit(X)
    assert model.converged_
    found = model.means_[np.lexsort(model.means_.round().T)]
    assert_allclose(found, [[0, 0], [9, 0], [0, 9]], atol=0.4)
    assert len(np.unique(model.fit_predict(X))) == 3


def test_the_criteria_choose_the_number_of_components(data_folder):
    X, _ = IRIS
    bic = [GaussianMixture(k, n_init=3, random_state=0).fit(X).bic(X) for k in (1, 2, 3)]
    assert np.argmin(bic) == 1  # two species overlap
    letters, _ = table(data_folder, "letterrecognition")
    letters = letters[:2000]
    ours = GaussianMixture(4, random_state=0, max_iter=30).fit(letters)
    theirs = Peer(4, random_state=0, max_iter=30).fit(letters)
    assert ours.score(letters) > theirs.score(letters) - 0.5


def test_known_labels_of_all_rows_are_quadratic_discriminant_analysis():
    X, y = IRIS
    model = GaussianMixture(3, reg_covar=0.0, max_iter=5).fit(X, labels=y)
    exact = QuadraticDiscriminantAnalysis().fit(X, y)
    assert_allclose(model.means_, exact.means_)
    assert_allclose(model.predict_proba(X), exact.predict_proba(X), atol=1e-8)


def test_unlabelled_rows_help_a_classifier_of_few_labels():
    """Semi-supervised: six labels and 594 rows without beat the six labels alone."""
    rng = np.random.default_rng(3)
    truth = np.arange(600) % 2
    X = rng.normal(size=(600, 2)) * [1.0, 3.0] + np.outer(truth, [4.0, 0.0])
    labels = np.where(np.arange(600) < 6, truth, -1)
    few = QuadraticDiscriminantAnalysis(covariance="isotropic").fit(X[:6], truth[:6])
    model = GaussianMixture(2, random_state=0).fit(X, labels=labels)
    assert np.mean(model.predict(X) == truth) > np.mean(few.predict(X) == truth)
    assert np.mean(model.predict(X) == truth) > 0.95


def test_missing_values_are_integrated_out():
    X, _ = IRIS
    whole = GaussianMixture(2, random_state=0).fit(X)
    rows = X.copy()
    rows[::3, 1], rows[1::3, 3] = np.nan, np.nan
    model = GaussianMixture(2, random_state=0).fit(rows)
    assert_allclose(np.sort(model.means_, axis=0), np.sort(whole.means_, axis=0), atol=0.2)
    margin = GaussianMixture(2, means_init=whole.means_[:, [0, 2]], weights_init=whole.weights_)
    margin.set_params(precisions_init=np.linalg.inv(whole.covariances_[:, [0, 2]][:, :, [0, 2]]))
    margin.set_params(max_iter=0).fit(X[:, [0, 2]])
    gone = X.copy()
    gone[:, [1, 3]] = np.nan
    assert_allclose(whole.score_samples(gone), margin.score_samples(X[:, [0, 2]]), rtol=1e-9)
    assert_allclose(whole.predict_proba(np.full((1, 4), np.nan))[0], whole.weights_)


def test_a_warm_start_goes_on():
    X, _ = IRIS
    model = GaussianMixture(3, max_iter=1, tol=0.0, warm_start=True, random_state=0)
    bounds = [model.fit(X).lower_bound_ for _ in range(4)]
    assert bounds == sorted(bounds)
    long = GaussianMixture(3, max_iter=4, tol=0.0, random_state=0).fit(X)
    assert_allclose(long.lower_bounds_, bounds, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_same_bits_for_any_threads_and_in_a_file(kind, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 4)) + rng.integers(3, size=9000)[:, None]
    scores = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        model = GaussianMixture(3, covariance_type=kind, random_state=0, max_iter=5).fit(X)
        scores.append(model.score_samples(X))
    assert_array_equal(scores[0], scores[1])
    assert_array_equal(scores[0], scores[2])
    copy = gramian.load(gramian.save(model, tmp_path / "m.gram"))
    assert_array_equal(copy.score_samples(X), scores[0])


def test_bad_input_is_refused():
    X, y = IRIS
    with pytest.raises(DataError, match="labels must be 150 integers"):
        GaussianMixture(2).fit(X, labels=y)
    with pytest.raises(ParameterError, match=r"means_init must be .* of shape \(2, 4\)"):
        GaussianMixture(2, means_init=[[0.0]]).fit(X)
    with pytest.raises(DataError, match=r"singular covariance.*increase reg_covar"):
        GaussianMixture(2, reg_covar=0.0).fit(np.ones((9, 2)))
    with pytest.warns(ConvergenceWarning, match="did not converge.*max_iter=1"):
        GaussianMixture(3, max_iter=1).fit(X)
