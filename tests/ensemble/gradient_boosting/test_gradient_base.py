"""Gradient boosting of exact trees: iterations, early stopping, warm starts, model files."""

import numpy as np
import pytest
import sklearn.ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes

import gramian
from gramian import GradientBoostingClassifier, GradientBoostingRegressor
from gramian.base.errors import DataError, ParameterError

X, y = load_diabetes(return_X_y=True)
C, labels = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_depth": 5, "learning_rate": 0.3, "min_samples_leaf": 7},
        {"max_leaf_nodes": 6, "max_depth": None},
        {"init": "zero", "min_impurity_decrease": 5.0},
        {"ccp_alpha": 20.0},
    ],
)
def test_regression_equals_scikit_learn(settings):
    ours = GradientBoostingRegressor(n_estimators=20, **settings).fit(X, y)
    theirs = sklearn.ensemble.GradientBoostingRegressor(
        n_estimators=20, random_state=0, **settings
    ).fit(X, y)
    np.testing.assert_allclose(ours.train_score_, theirs.train_score_, rtol=1e-3)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=5e-3)


@pytest.mark.parametrize("classes", [2, 3])
def test_classification_equals_scikit_learn(classes):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(400, 5))
    b = np.digitize(A[:, 0] + A[:, 1] ** 2, [0.5] if classes == 2 else [0.2, 1.5])
    ours = GradientBoostingClassifier(n_estimators=20).fit(A, b)
    theirs = sklearn.ensemble.GradientBoostingClassifier(n_estimators=20, random_state=0).fit(A, b)
    np.testing.assert_allclose(ours.predict_proba(A), theirs.predict_proba(A), atol=1e-9)
    np.testing.assert_allclose(ours.decision_function(A), theirs.decision_function(A), atol=1e-8)
    np.testing.assert_allclose(ours.train_score_, theirs.train_score_)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-4)
    assert ours.estimators_.shape == theirs.estimators_.shape
    assert ours.n_trees_per_iteration_ == theirs.n_trees_per_iteration_
    assert ours.apply(A).shape == theirs.apply(A).shape


def test_members_are_trees_that_sum_to_the_model():
    model = GradientBoostingRegressor(n_estimators=7, learning_rate=0.5).fit(X, y)
    total = model.init_.predict(X) + 0.5 * sum(tree.predict(X) for tree in model.estimators_[:, 0])
    np.testing.assert_allclose(model.predict(X), total)
    assert len(model) == 7
    np.testing.assert_array_equal(model.apply(X)[:, 2], model[2][0].apply(X))


def test_stages_end_at_the_model():
    model = GradientBoostingClassifier(n_estimators=5).fit(C, labels)
    for stage, whole in (
        (model.staged_decision_function, model.decision_function),
        (model.staged_predict_proba, model.predict_proba),
        (model.staged_predict, model.predict),
    ):
        parts = list(stage(C))
        assert len(parts) == 5
        np.testing.assert_allclose(parts[-1], whole(C), atol=1e-12)


def test_a_warm_start_continues():
    whole = GradientBoostingRegressor(n_estimators=12, subsample=0.6, random_state=1).fit(X, y)
    parts = GradientBoostingRegressor(
        n_estimators=5, subsample=0.6, random_state=1, warm_start=True
    ).fit(X, y)
    parts.set_params(n_estimators=12).fit(X, y)
    np.testing.assert_allclose(parts.predict(X), whole.predict(X))
    np.testing.assert_allclose(parts.oob_improvement_, whole.oob_improvement_)
    with pytest.raises(ParameterError, match="must be larger or equal to"):
        parts.set_params(n_estimators=3).fit(X, y)


def test_out_of_bag_rows_measure_the_improvement():
    model = GradientBoostingClassifier(n_estimators=20, subsample=0.5, random_state=0)
    model.fit(C, labels)
    assert model.oob_improvement_.shape == model.oob_scores_.shape == (20,)
    assert model.oob_improvement_[:5].min() > 0
    assert model.oob_score_ == model.oob_scores_[-1]
    np.testing.assert_allclose(-np.diff(model.oob_scores_), model.oob_improvement_[1:])


def test_early_stopping_by_held_out_rows():
    model = GradientBoostingRegressor(
        n_estimators=500, n_iter_no_change=5, learning_rate=0.5, random_state=0
    ).fit(X, y)
    assert model.n_estimators_ < 500
    assert len(model.validation_score_) == model.n_estimators_
    with_rows = GradientBoostingRegressor(n_estimators=500, n_iter_no_change=5, learning_rate=0.5)
    with_rows.fit(X[:300], y[:300], X_val=X[300:], y_val=y[300:])
    assert with_rows.n_estimators_ < 500
    with pytest.raises(DataError, match="must be passed together"):
        with_rows.fit(X, y, X_val=X)


def test_custom_losses():
    def squares(y, z):
        return z - y, np.ones_like(z)

    own = GradientBoostingRegressor(loss=squares, n_estimators=10).fit(X, y)
    known = GradientBoostingRegressor(n_estimators=10).fit(X, y)
    np.testing.assert_allclose(own.predict(X), known.predict(X), rtol=1e-9)
    assert np.isnan(own.train_score_).all()
    with pytest.raises(ParameterError, match="n_iter_no_change needs a loss with values"):
        own.set_params(n_iter_no_change=2).fit(X, y)
    with pytest.raises(NotImplementedError):
        GradientBoostingRegressor(loss=gramian.objectives.AbsoluteError()).fit(X, y)


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_losses_with_a_logarithmic_link(loss):
    model = GradientBoostingRegressor(loss=loss, n_estimators=20).fit(X, y)
    assert (np.diff(model.train_score_) < 0).all()
    assert model.predict(X).min() > 0
    assert model.init_.predict(X)[0] == pytest.approx(y.mean())
    start = GradientBoostingRegressor(
        loss=loss, n_estimators=1, learning_rate=0.0, init=gramian.DecisionTreeRegressor()
    )
    np.testing.assert_allclose(start.fit(X, y).predict(X), y)
    with pytest.raises(DataError, match=f"loss='{loss}' requires"):
        model.fit(X, y - 100)


def test_a_monitor_ends_the_fit():
    seen = []

    def monitor(number, model, local):
        seen.append((number, model.estimators_.shape[0]))
        return number == 3

    model = GradientBoostingRegressor(n_estimators=50).fit(X, y, monitor=monitor)
    assert seen == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert model.n_estimators_ == 4


def test_an_initial_model_is_corrected():
    line = gramian.Ridge().fit(X, y)
    model = GradientBoostingRegressor(n_estimators=1, learning_rate=1e-12, init=gramian.Ridge())
    np.testing.assert_allclose(model.fit(X, y).predict(X), line.predict(X))
    start = GradientBoostingClassifier(
        n_estimators=1, learning_rate=1e-12, init=gramian.LogisticRegression()
    ).fit(C, labels)
    p = gramian.LogisticRegression().fit(C, labels).predict_proba(C)
    np.testing.assert_allclose(start.predict_proba(C), p, atol=1e-9)


def test_verbose_prints_the_loss(capsys):
    GradientBoostingRegressor(n_estimators=12, verbose=1, subsample=0.8).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Iter", "Train", "Loss", "OOB", "Improve", "Remaining", "Time"]
    assert [int(line.split()[0]) for line in lines[1:]] == [*range(1, 11)]


def test_rows_of_weight_zero_are_ignored():
    weights = np.r_[np.ones(300), np.zeros(len(y) - 300)]
    for loss in ("squared_error", "absolute_error", "huber", "quantile"):
        model = GradientBoostingRegressor(n_estimators=10, loss=loss)
        weighted = model.fit(X, y, sample_weight=weights).predict(X)
        np.testing.assert_allclose(weighted, model.fit(X[:300], y[:300]).predict(X), rtol=1e-9)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="y contains 1 class"):
        GradientBoostingClassifier().fit(C, labels, sample_weight=labels)


def test_a_saved_model_predicts_the_same(tmp_path):
    for init in (None, "zero", gramian.LogisticRegression()):
        model = GradientBoostingClassifier(n_estimators=3, init=init).fit(C, labels)
        gramian.save(model, tmp_path / "model.gram")
        again = gramian.load(tmp_path / "model.gram")
        np.testing.assert_array_equal(again.predict_proba(C), model.predict_proba(C))


def test_impossible_validation_split_is_reported():
    X = np.arange(20.0)[:, None]
    y = np.repeat([0, 1], 10)
    y[0] = 2
    model = gramian.GradientBoostingClassifier(n_iter_no_change=20)
    with pytest.raises(
        ValueError, match=r"GradientBoostingClassifier: cannot hold out rows .* Pass X_val"
    ):
        model.fit(X, y)
    with pytest.raises(ValueError, match="GradientBoostingRegressor: cannot hold out rows"):
        gramian.GradientBoostingRegressor(n_iter_no_change=2).fit(X[:1], [1.0])
