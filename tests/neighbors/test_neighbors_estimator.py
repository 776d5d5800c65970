"""The estimators: their votes, means, graphs and limits, against the formula and scikit-learn."""

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.random_projection import GaussianRandomProjection

import gramian.neighbors as ours

WEIGHTS = ["uniform", "distance", lambda d: np.exp(-d)]


@pytest.fixture
def table(rng):
    X = rng.normal(size=(200, 4))
    return X, rng.integers(0, 3, 200), X[:, 0] + rng.normal(size=200), rng.normal(size=(30, 4))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_a_row_without_itself_is_leave_one_out(weights, table):
    X, y, _, _ = table
    model = ours.KNeighborsClassifier(n_neighbors=5, weights=weights).fit(X, y)
    peer = theirs.KNeighborsClassifier(n_neighbors=5, weights=weights).fit(X, y)
    assert_array_equal(model.predict(None), peer.predict(None))
    assert_allclose(model.predict_proba(None), peer.predict_proba(None))
    distances, indices = model.kneighbors()
    assert (indices != np.arange(len(X))[:, None]).all()
    assert_allclose(distances, peer.kneighbors()[0])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_votes_and_means_equal_scikit_learns(weights, table):
    X, y, z, Q = table
    Q[:5] = X[:5]  # distances of zero
    for name, target in (("Classifier", y), ("Regressor", z)):
        mine, peer = (
            getattr(family, f"KNeighbors{name}")(n_neighbors=7, weights=weights).fit(X, target)
            for family in (ours, theirs)
        )
        assert_allclose(mine.predict(Q), peer.predict(Q))
        if name == "Classifier":
            assert_allclose(mine.predict_proba(Q), peer.predict_proba(Q))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_balls_equal_scikit_learns(weights, table):
    X, y, z, Q = table
    Q[:5] = X[:5]
    for name, target in (("Classifier", y), ("Regressor", z)):
        mine, peer = (
            getattr(family, f"RadiusNeighbors{name}")(radius=2.5, weights=weights).fit(X, target)
            for family in (ours, theirs)
        )
        inside = peer.radius_neighbors(Q, return_distance=False)
        near = Q[[len(i) > 0 for i in inside]]
        assert len(near) > 20
        assert_allclose(mine.predict(near), peer.predict(near))
        if name == "Classifier":
            assert_allclose(mine.predict_proba(near), peer.predict_proba(near))


def test_several_outputs(table):
    X, y, z, Q = table
    labels = np.column_stack([y, y[::-1] + 5])
    for kind in ("KNeighborsClassifier", "RadiusNeighborsClassifier"):
        settings = {} if kind.startswith("K") else {"radius": 3.0, "outlier_label": "most_frequent"}
        mine, peer = (getattr(f, kind)(**settings).fit(X, labels) for f in (ours, theirs))
        assert_array_equal(mine.predict(Q), peer.predict(Q))
        for a, b in zip(mine.predict_proba(Q), peer.predict_proba(Q), strict=True):
            assert_allclose(a, b)
    targets = np.column_stack([z, -2 * z])
    for kind in ("KNeighborsRegressor", "RadiusNeighborsRegressor"):
        settings = {} if kind.startswith("K") else {"radius": 5.0}
        mine, peer = (getattr(f, kind)(**settings).fit(X, targets) for f in (ours, theirs))
        assert_allclose(mine.predict(Q), peer.predict(Q))


def test_equal_votes_go_to_the_first_class():
    model = ours.KNeighborsClassifier(n_neighbors=2).fit([[0.0], [1.0]], ["b", "a"])
    assert model.predict([[0.1]]) == ["a"]


def test_a_query_without_neighbours(table):
    X, y, z, _ = table
    far = [[50.0, 0, 0, 0]]
    with pytest.raises(ValueError, match="No neighbors found for test samples"):
        ours.RadiusNeighborsClassifier(radius=1.0).fit(X, y).predict(far)
    model = ours.RadiusNeighborsClassifier(radius=1.0, outlier_label=-1).fit(X, y)
    assert model.predict(far) == [-1]
    with pytest.warns(UserWarning, match="Outlier label -1 is not in training classes"):
        assert_array_equal(model.predict_proba(far), [[0, 0, 0]])
    model = ours.RadiusNeighborsClassifier(radius=1.0, outlier_label=2).fit(X, y)
    assert_array_equal(model.predict_proba(far), [[0, 0, 1]])
    with pytest.raises(TypeError, match="must have the type of the classes"):
        ours.RadiusNeighborsClassifier(outlier_label="none").fit(X, y)
    with pytest.raises(ValueError, match="inconsistent with the number of outputs"):
        ours.RadiusNeighborsClassifier(outlier_label=[0, 1]).fit(X, y)
    with pytest.warns(UserWarning, match="predicting NaN"):
        assert np.isnan(ours.RadiusNeighborsRegressor(radius=1.0).fit(X, z).predict(far)[0])


def test_weights_that_are_all_zero_are_refused(table):
    X, y, z, Q = table
    for model, target in ((ours.KNeighborsClassifier, y), (ours.KNeighborsRegressor, z)):
        nothing = model(weights=lambda d: np.zeros_like(d)).fit(X, target)
        with pytest.raises(ValueError, match="zero weights"):
            nothing.predict(Q)


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
@pytest.mark.parametrize("include_self", [True, False])
def test_graphs_equal_scikit_learns(mode, include_self, table):
    X = table[0]
    a = ours.kneighbors_graph(X, 4, mode=mode, include_self=include_self)
    b = theirs.kneighbors_graph(X, 4, mode=mode, include_self=include_self)
    assert_allclose(a.toarray(), b.toarray())
    a = ours.radius_neighbors_graph(X, 1.0, mode=mode, include_self=include_self)
    b = theirs.radius_neighbors_graph(X, 1.0, mode=mode, include_self=include_self)
    assert_allclose(a.toarray(), b.toarray())
    with pytest.raises(ValueError, match="mode must be"):
        ours.kneighbors_graph(X, 4, mode="lines")


def test_more_neighbours_than_rows_are_refused(table):
    X = table[0]
    model = ours.NearestNeighbors(n_neighbors=201).fit(X)
    with pytest.raises(ValueError, match="n_neighbors = 201, n_samples_fit = 200") as error:
        model.kneighbors(X)
    assert "NearestNeighbors" in str(error.value)
    assert "lower n_neighbors" in str(error.value)
    with pytest.raises(ValueError, match="n_neighbors < n_samples_fit"):
        model.kneighbors(n_neighbors=200)
    assert model.kneighbors(n_neighbors=199)[1].shape == (200, 199)
    for wrong, kind in ((0, ValueError), (2.5, TypeError)):
        with pytest.raises(kind, match="n_neighbors must be an integer >= 1"):
            model.kneighbors(X, n_neighbors=wrong)
    with pytest.raises(ValueError, match="radius must be a number >= 0"):
        model.radius_neighbors(X, -1.0)


def test_auto_takes_the_tree_in_few_and_the_exhaustive_search_in_many_dimensions(rng):
    few = ours.NearestNeighbors().fit(rng.normal(size=(5000, 3)))
    many = ours.NearestNeighbors().fit(rng.normal(size=(5000, 30)))
    more = ours.NearestNeighbors().fit(rng.normal(size=(500, 100)))
    assert (few.algorithm_, many.algorithm_, more.algorithm_) == ("kd_tree", "brute", "brute")
    # many columns that hold three dimensions only
    flat = rng.normal(size=(5000, 3)) @ rng.normal(size=(3, 30))
    assert ours.NearestNeighbors().fit(flat).algorithm_ == "kd_tree"


def test_what_was_asked_for_is_what_algorithm_says(rng):
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 3
    for model in (ours.KNeighborsClassifier, ours.KNeighborsRegressor):
        assert model(algorithm="brute").fit(X, y).algorithm_ == "brute"
        assert model(algorithm="kd_tree").fit(X, y).algorithm_ == "kd_tree"
    assert ours.NearestNeighbors(metric="canberra").fit(X).algorithm_ == "brute"
    with pytest.raises(NotFittedError):
        _ = ours.NearestNeighbors().algorithm_


def test_neighbours_after_a_projection():
    """NN-27: reduce the dimension, then search; most of what the full search finds is kept."""
    X, y = load_digits(return_X_y=True)
    full = cross_val_score(ours.KNeighborsClassifier(), X, y, cv=3).mean()
    for projection in (PCA(15), GaussianRandomProjection(30, random_state=0)):
        model = make_pipeline(projection, ours.KNeighborsClassifier())
        assert cross_val_score(model, X, y, cv=3).mean() > full - 0.05


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_error_against_k_is_that_of_one_model_for_each_k(weights):
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    ks = [1, 2, 5, 20, 75]
    for model, target in (
        (ours.KNeighborsClassifier(weights=weights), y),
        (ours.KNeighborsRegressor(weights=weights), X[:, 3]),
    ):
        features = X if target is y else X[:, :3]
        found = ours.error_against_k(
            model, features[train], target[train], features[test], target[test], ks
        )
        for rows, errors in zip((train, test), found, strict=True):
            for k, error in zip(ks, errors, strict=True):
                one = model.set_params(n_neighbors=k).fit(features[train], target[train])
                guess = one.predict(features[rows])
                wrong = guess != target[rows] if target is y else (guess - target[rows]) ** 2
                assert error == pytest.approx(np.mean(wrong), abs=1e-12)
    with pytest.raises(ValueError, match="ks must hold integers >= 1"):
        ours.error_against_k(ours.KNeighborsClassifier(), X, y, X, y, [0, 1])
