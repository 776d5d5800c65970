"""Forests: bags, agreement with scikit-learn, importances, files, the same bits for any threads."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import gramian
from gramian.base.callbacks import TimeBudget
from gramian.base.errors import DataError, ParameterError
from gramian.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from tests.tree.table import interactions, real

CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier]
REGRESSORS = [RandomForestRegressor, ExtraTreesRegressor]


def test_a_bag_holds_about_63_percent_of_the_rows() -> None:
    X, y = interactions(2000, 6)
    model = RandomForestRegressor(20, max_depth=1, random_state=0).fit(X, y)
    samples = model.estimators_samples_
    distinct = [len(np.unique(s)) / 2000 for s in samples]
    assert np.mean(distinct) == pytest.approx(1 - (1 - 1 / 2000) ** 2000, abs=0.005)
    assert all(len(s) == 2000 for s in samples)
    roots = [tree.weight[0] for tree in (model.forest_[t] for t in range(20))]
    assert roots == [2000.0] * 20
    few = RandomForestRegressor(3, max_samples=0.25, random_state=0).fit(X, y)
    assert [len(s) for s in few.estimators_samples_] == [500] * 3


def test_ten_draws_of_ten_leave_out_what_they_should() -> None:
    X = np.arange(10.0)[:, None]
    model = RandomForestRegressor(4000, max_depth=0, random_state=0).fit(X, X[:, 0])
    share = np.mean([len(np.unique(s)) for s in model.estimators_samples_]) / 10
    assert share == pytest.approx(0.651, abs=0.005)


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_as_accurate_as_scikit_learn(data_folder, name) -> None:
    X, y = real(data_folder, "letterrecognition", "lettr")
    train, test = slice(0, 6000), slice(6000, 12000)
    ours = getattr(gramian, name)(60, random_state=0).fit(X[train], y[train])
    theirs = getattr(sklearn.ensemble, name)(60, random_state=0, n_jobs=2).fit(X[train], y[train])
    assert ours.score(X[test], y[test]) == pytest.approx(theirs.score(X[test], y[test]), abs=0.012)


@pytest.mark.parametrize("name", ["RandomForestRegressor", "ExtraTreesRegressor"])
def test_as_good_as_scikit_learn_for_numbers(data_folder, name) -> None:
    X, y = real(data_folder, "bostonhousing", "medv")
    scores = {library: [] for library in (gramian, sklearn.ensemble)}
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(X))
        train, test = order[:350], order[350:]
        for library, found in scores.items():
            model = getattr(library, name)(60, max_features=0.33, random_state=seed)
            found.append(model.fit(X[train], y[train]).score(X[test], y[test]))
    ours, theirs = (np.mean(s) for s in scores.values())
    assert ours == pytest.approx(theirs, abs=0.02)


@pytest.mark.parametrize(("d", "m"), [(1, 1), (2, 1), (3, 1), (8, 2), (9, 3), (30, 10)])
def test_a_third_of_the_columns_is_drawn_for_numbers(d, m) -> None:
    """Worked number T27: m = d / 3 for numbers."""
    X = np.random.default_rng(0).normal(size=(40, d))
    model = RandomForestRegressor(3, max_features="third", random_state=0).fit(X, X[:, 0])
    assert model.estimators_[0].max_features_ == m
    same = RandomForestRegressor(3, max_features=m, random_state=0).fit(X, X[:, 0])
    np.testing.assert_array_equal(model.predict(X), same.predict(X))


def test_rows_out_of_the_bag(data_folder) -> None:
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


def test_more_trees_by_a_warm_start_are_the_same_trees() -> None:
    X, y = interactions(500, 6)
    whole = RandomForestRegressor(30, random_state=1).fit(X, y)
    grown = RandomForestRegressor(10, random_state=1, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=30).fit(X, y)
    np.testing.assert_array_equal(whole.predict(X), grown.predict(X))
    with pytest.raises(ParameterError, match="n_estimators"):
        grown.set_params(n_estimators=5).fit(X, y)


def test_trees_one_by_one_make_the_forest() -> None:
    X, y = interactions(400, 6)
    labels = np.digitize(y, [-1, 1])
    forest = RandomForestClassifier(7, random_state=0).fit(X, labels)
    mean = np.mean([tree.predict_proba(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), mean)
    leaves = np.column_stack([tree.apply(X) for tree in forest.estimators_])
    np.testing.assert_array_equal(forest.apply(X), leaves)
    single = np.mean([tree.feature_importances_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, single)
    paths, starts = forest.decision_path(X)
    assert paths.shape == (400, starts[-1])
    assert (paths.sum(axis=1) >= 7).all()


def test_one_row_at_a_time_agrees() -> None:
    X, y = interactions(400, 6)
    forest = RandomForestClassifier(21, random_state=0).fit(X, y > 0)
    whole = forest.predict_proba(X)
    for i in range(30):
        np.testing.assert_allclose(forest.predict_proba(X[i : i + 1])[0], whole[i], atol=1e-12)


def test_shares_stay_within_one() -> None:
    """The sum of 200 equal parts is above 1 by rounding where all trees agree."""
    X, _ = interactions(200, 6)
    labels = np.where(X[:, 0] > 0, "a", "b")
    shares = ExtraTreesClassifier(200, random_state=0).fit(X, labels).predict_proba(X)
    assert shares.max() == 1.0


def test_importances_find_what_matters() -> None:
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


def test_proximity_is_the_share_of_common_leaves() -> None:
    X, y = interactions(60, 6)
    forest = RandomForestRegressor(15, random_state=0, max_depth=4).fit(X, y)
    leaves = forest.apply(X)
    expected = (leaves[:, None] == leaves[None]).mean(axis=2)
    np.testing.assert_allclose(forest.proximity(X), expected)
    np.testing.assert_allclose(forest.proximity(X[:5], X[20:]), expected[:5, 20:])


def test_bins_cost_little() -> None:
    X, y = interactions(4000, 8)
    other, truth = interactions(2000, 8, seed=1)
    exact = RandomForestRegressor(40, max_features=0.5, random_state=0).fit(X, y)
    binned = clone(exact).set_params(max_bins=255).fit(X, y)
    assert binned.score(other, truth) == pytest.approx(exact.score(other, truth), abs=0.01)
    cuts = binned.forest_.nodes["threshold"][binned.forest_.nodes["feature"] == 0]
    assert len(np.unique(cuts)) <= 254
    coarse = clone(exact).set_params(max_bins=2, n_estimators=5).fit(X, y)
    cuts = coarse.forest_.nodes["threshold"][coarse.forest_.nodes["feature"] == 0]
    assert np.unique(cuts) == pytest.approx([np.median(X[:, 0])], abs=0.01)
    # What a tree does with a row of the fit and what it predicts for it must not differ.
    lone = RandomForestRegressor(1, bootstrap=False, max_bins=16).fit(X, y)
    sizes = np.bincount(lone.apply(X)[:, 0], minlength=lone.forest_.roots[-1])
    leaf = lone.forest_[0].n_children == 0
    np.testing.assert_array_equal(sizes[leaf], lone.forest_[0].samples[leaf])


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_categories_and_missing_values(kind) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"town": rng.choice(["A", "B", "C", "D"], 600), "size": rng.standard_normal(600)}
    )
    y = frame["town"].isin(["A", "C"]).to_numpy() ^ (frame["size"].to_numpy() > 1.5)
    frame.loc[::7, "size"] = np.nan
    model = kind(30, random_state=0, max_features=None).fit(frame, y)
    assert model.score(frame, y) > 0.95
    unseen = pd.DataFrame({"town": ["Z", None], "size": [0.0, np.nan]})
    assert model.predict_proba(unseen).sum(axis=1) == pytest.approx([1.0, 1.0])


def test_class_weights() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (950, 3)), rng.normal(1, 1, (50, 3))])
    y = np.repeat([0, 1], [950, 50])
    found = {
        weight: RandomForestClassifier(40, class_weight=weight, min_samples_leaf=5, random_state=0)
        .fit(X, y)
        .predict_proba(X)[:, 1]
        .mean()
        for weight in (None, "balanced", "balanced_subsample")
    }
    assert found["balanced"] > 2 * found[None]
    assert found["balanced_subsample"] > 2 * found[None]


def test_weights_are_repetitions_in_distribution() -> None:
    X, y = interactions(300, 6)
    w = np.random.default_rng(0).integers(0, 4, 300)
    rows = np.repeat(np.arange(300), w)
    weighted = RandomForestRegressor(400, max_samples=300, random_state=0)
    repeated = RandomForestRegressor(400, max_samples=300, random_state=1)
    a = weighted.fit(X, y, sample_weight=w).predict(X)
    b = repeated.fit(X[rows], y[rows]).predict(X)
    assert np.abs(a - b).mean() < 0.08 * np.std(y)


def test_several_outputs() -> None:
    X, y = interactions(300, 6)
    both = np.column_stack([y, -y])
    model = RandomForestRegressor(10, random_state=0, oob_score=True, n_jobs=1)
    with pytest.warns(UserWarning, match="bag"):
        model.fit(X, both)
    np.testing.assert_allclose(model.predict(X)[:, 0], -model.predict(X)[:, 1])
    labels = np.column_stack([y > 0, np.digitize(y, [-1, 1])])
    shares = RandomForestClassifier(10, random_state=0).fit(X, labels).predict_proba(X)
    assert [p.shape for p in shares] == [(300, 2), (300, 3)]


def test_files_are_small_and_predict_alike(tmp_path) -> None:
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
def test_files_are_small_where_every_target_differs(tmp_path, name) -> None:
    X, y = interactions(2000, 8)
    y = y + np.random.default_rng(0).normal(size=len(y))
    ours = getattr(gramian, name)(10, random_state=0).fit(X, y)
    theirs = getattr(sklearn.ensemble, name)(10, random_state=0).fit(X, y)
    path = gramian.save(ours, tmp_path / "forest.gram")
    assert path.stat().st_size <= len(pickle.dumps(theirs)) / 4
    np.testing.assert_array_equal(gramian.load(path).predict(X), ours.predict(X))


def test_how_often_a_forest_asks_for_each_column() -> None:
    X, y = interactions(1000, 8)
    X[:, 5] = 1.0  # says nothing
    forest = RandomForestRegressor(20, random_state=0, max_depth=3).fit(X, y)
    counts = forest.feature_counts_
    by_tree = [np.bincount(t.feature[t.feature >= 0], minlength=8) for t in forest.forest_]
    np.testing.assert_array_equal(counts, np.sum(by_tree, axis=0))
    assert counts[5] == 0
    assert counts[:3].min() > counts[6:].max()


def test_the_variance_of_a_mean_of_correlated_trees() -> None:
    # r s^2 + (1 - r) s^2 / B for B trees of variance s^2 and correlation r; fewer columns, lower r.
    at = interactions(1, 6, seed=99)[0]
    correlations = []
    for max_features in (1, 6):
        trees, means = [], []
        for seed in range(60):
            X, y = interactions(150, 6, seed=seed)
            model = RandomForestRegressor(12, max_features=max_features, random_state=seed)
            forest = model.fit(X, y).forest_
            trees.append(forest.flat_values[forest.apply(at)[0] + forest.roots[:-1], 0])
            means.append(model.predict(at)[0])
        covariance = np.cov(np.array(trees).T)
        variance = np.trace(covariance) / 12
        correlation = (covariance.sum() - np.trace(covariance)) / (12 * 11) / variance
        expected = correlation * variance + (1 - correlation) * variance / 12
        assert np.var(means, ddof=1) == pytest.approx(expected)
        assert np.var(means, ddof=1) < 0.8 * variance
        correlations.append(correlation)
    assert correlations[0] < correlations[1]


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


def test_more_trees_than_memory_holds_may_be_asked_for_where_a_callback_ends_the_growth() -> None:
    X, y = interactions(3000, 6)
    model = RandomForestRegressor(10**7, max_features=1, random_state=0)
    model.set_callbacks(TimeBudget(1e-6)).fit(X, y)
    assert 0 < len(model.forest_) < 1000


def test_predict_after_a_failed_fit_says_that_nothing_is_fitted() -> None:
    X, y = interactions(50, 6)
    model = RandomForestRegressor(3, oob_score=True, bootstrap=False)
    with pytest.raises(ParameterError, match="oob_score"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X[:2])
