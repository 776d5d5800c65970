"""Forests: out-of-bag rows, agreement with scikit-learn, importances, model files, threads."""

import pickle

import numpy as np
import pytest
import sklearn.ensemble

import gramian
from gramian.base.callbacks import TimeBudget
from gramian.base.errors import DataError, ParameterError
from gramian.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from gramian.tree.growth.forest_growth import GrowingForest
from tests.tree.table import interactions, real

CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier]
REGRESSORS = [RandomForestRegressor, ExtraTreesRegressor]


def test_out_of_bag_predictions(data_folder) -> None:
    X, y = real(data_folder, "pimaindiansdiabetes", "diabetes")
    model = RandomForestClassifier(80, oob_score=True, random_state=0).fit(X, y)
    assert 0.72 < model.oob_score_ < 0.80
    # The same by hand, tree by tree.
    votes, seen = np.zeros((len(X), 2)), np.zeros(len(X))
    for tree, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(X)), rows)
        votes[out] += tree.predict_proba(X[out])
        seen[out] += 1
    np.testing.assert_allclose(model.oob_decision_function_, votes / seen[:, None], atol=1e-12)
    number = RandomForestRegressor(60, oob_score=True, random_state=0).fit(X, X[:, 0] + X[:, 1])
    assert number.oob_score_ > 0.9
    own = RandomForestRegressor(60, oob_score=lambda a, b: -np.abs(a - b).max(), random_state=0)
    assert own.fit(X, X[:, 0]).oob_score_ < 0
    with pytest.warns(UserWarning, match="sample of every tree"):
        RandomForestClassifier(1, oob_score=True, random_state=0).fit(X, y)
    with pytest.raises(ParameterError, match="bootstrap"):
        RandomForestClassifier(5, oob_score=True, bootstrap=False).fit(X, y)


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS])
def test_the_same_forest_for_any_number_of_threads(kind) -> None:
    X, y = interactions(3000, 8)
    X[::50, 0] = np.nan
    target = (y > 0) if kind in CLASSIFIERS else y
    models = [kind(10, random_state=3, n_jobs=threads).fit(X, target) for threads in (1, 2, 3)]
    for other in models[1:]:
        for name, array in models[0].forest_.nodes.items():
            np.testing.assert_array_equal(array, other.forest_.nodes[name], err_msg=name)


def test_warm_start_grows_the_same_trees() -> None:
    X, y = interactions(500, 6)
    whole = RandomForestRegressor(30, random_state=1).fit(X, y)
    grown = RandomForestRegressor(10, random_state=1, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=30).fit(X, y)
    np.testing.assert_array_equal(whole.predict(X), grown.predict(X))
    with pytest.raises(ParameterError, match="n_estimators"):
        grown.set_params(n_estimators=5).fit(X, y)


def test_importances_find_the_informative_features() -> None:
    X, y = interactions(2000, 10)
    for kind in REGRESSORS:
        model = kind(40, random_state=0).fit(X, y)
        assert model.feature_importances_.sum() == pytest.approx(1.0)
        assert model.feature_importances_[:3].min() > model.feature_importances_[6:].max()
    forest = RandomForestRegressor(40, random_state=0).fit(X, y)
    found = forest.permutation_importance(X, y, out_of_bag=True, n_repeats=2, random_state=0)
    assert found.importances.shape == (10, 2)
    assert found.importances_mean[:3].min() > 0.02
    assert np.abs(found.importances_mean[6:]).max() < 0.02
    other, truth = interactions(500, 10, seed=1)
    held_out = forest.permutation_importance(other, truth, random_state=0)
    assert held_out.importances_mean[:3].min() > 0.02
    with pytest.raises(DataError, match="out_of_bag"):
        forest.permutation_importance(other, truth, out_of_bag=True)
    labels = RandomForestClassifier(30, random_state=0).fit(X, y > 0)
    mixed = labels.permutation_importance(X, y > 0, n_repeats=3, random_state=0)
    assert mixed.importances_mean[0] > 0.02


def test_model_files_are_small_and_keep_the_predictions(tmp_path) -> None:
    X, y = interactions(3000, 8)
    model = RandomForestClassifier(20, random_state=0).fit(X, y > 0)
    path = gramian.save(model, tmp_path / "forest.gram")
    loaded = gramian.load(path)
    copied = pickle.loads(pickle.dumps(model))
    for other in (loaded, copied):
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    peer = sklearn.ensemble.RandomForestClassifier(20, random_state=0).fit(X, y > 0)
    assert path.stat().st_size < len(pickle.dumps(peer)) / 4


@pytest.mark.parametrize(
    ("name", "table", "target"),
    [
        ("RandomForestClassifier", "letterrecognition", "lettr"),
        ("ExtraTreesClassifier", "letterrecognition", "lettr"),
        ("RandomForestRegressor", "bostonhousing", "medv"),
        ("ExtraTreesRegressor", "bostonhousing", "medv"),
    ],
)
def test_a_file_is_at_most_a_quarter_of_scikit_learns_pickle(
    data_folder, tmp_path, name, table, target
) -> None:
    X, y = real(data_folder, table, target)
    ours = getattr(gramian, name)(10, random_state=0).fit(X[:4000], y[:4000])
    theirs = getattr(sklearn.ensemble, name)(10, random_state=0).fit(X[:4000], y[:4000])
    size = gramian.save(ours, tmp_path / "forest.gram").stat().st_size
    assert size <= len(pickle.dumps(theirs)) / 4


@pytest.mark.parametrize("name", ["RandomForestRegressor", "ExtraTreesRegressor"])
def test_model_files_are_small_if_all_targets_differ(tmp_path, name) -> None:
    X, y = interactions(2000, 8)
    y = y + np.random.default_rng(0).normal(size=len(y))
    ours = getattr(gramian, name)(10, random_state=0).fit(X, y)
    theirs = getattr(sklearn.ensemble, name)(10, random_state=0).fit(X, y)
    path = gramian.save(ours, tmp_path / "forest.gram")
    assert path.stat().st_size <= len(pickle.dumps(theirs)) / 4
    np.testing.assert_array_equal(gramian.load(path).predict(X), ours.predict(X))


@pytest.mark.parametrize("alpha", [0.0, 1e-6])
def test_a_warm_start_refuses_targets_of_another_shape(alpha: float) -> None:
    X, y = interactions(200, 6)
    model = RandomForestRegressor(3, warm_start=True, ccp_alpha=alpha, random_state=0)
    model.fit(X, np.column_stack([y, -y])).set_params(n_estimators=6)
    with pytest.raises(DataError, match="warm_start=False"):
        model.fit(X, y)
    classes = RandomForestClassifier(3, warm_start=True, ccp_alpha=alpha, random_state=0)
    classes.fit(X, y > 0).set_params(n_estimators=6)
    with pytest.raises(DataError, match="warm_start=False"):
        classes.fit(X, np.zeros(len(X), dtype=int))


def test_huge_n_estimators_is_allowed_if_a_callback_stops_the_fit() -> None:
    X, y = interactions(3000, 6)
    model = RandomForestRegressor(10**7, max_features=1, random_state=0)
    model.set_callbacks(TimeBudget(1e-6)).fit(X, y)
    assert 0 < len(model.forest_) < 1000


def test_large_trees_are_copied_while_others_grow(monkeypatch) -> None:
    """A batch of trees is not in memory twice."""
    returned = []
    add_grown = GrowingForest.add_grown

    def record(self, trees):
        returned.append([tree.n_nodes for tree in trees])
        add_grown(self, trees)

    monkeypatch.setattr(GrowingForest, "add_grown", record)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 3)), rng.normal(size=4000)
    model = ExtraTreesRegressor(n_estimators=12, random_state=0).fit(X, y)
    assert len(returned) > 1
    nodes = [n for trees in returned for n in trees]
    assert nodes == np.diff(model.forest_.roots).tolist()
