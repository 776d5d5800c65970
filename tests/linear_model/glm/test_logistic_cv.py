"""Logistic regression that chooses its penalty by cross-validation."""

import warnings

import numpy as np
import pytest
import sklearn.linear_model
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

import gramian
from gramian import LogisticRegression, LogisticRegressionCV
from gramian.base.errors import ParameterError
from tests.linear_model.glm.logistic_data import binary, several
from tests.linear_model.real import real


@pytest.mark.parametrize("make", [binary, several])
def test_scores_match_fits_on_the_folds(make):
    X, y = make()
    folds = StratifiedKFold(3)
    model = LogisticRegressionCV(Cs=[0.1, 10.0, 0.001], cv=folds, tol=1e-9).fit(X, y)
    assert model.scores_.shape == (3, 1, 3)
    for f, (train, test) in enumerate(folds.split(X, y)):
        for c, C in enumerate(model.Cs_):
            one = LogisticRegression(C=C, tol=1e-9).fit(X[train], y[train])
            loss = log_loss(y[test], one.predict_proba(X[test]))
            assert model.scores_[f, 0, c] == pytest.approx(-loss, rel=1e-6)
            np.testing.assert_allclose(
                model.coefs_paths_[f, 0, c], np.c_[one.coef_, one.intercept_], atol=1e-6
            )
    assert model.Cs_[model.scores_.mean(axis=(0, 1)).argmax()] == model.C_
    again = LogisticRegression(C=model.C_, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.coef_, again.coef_, atol=1e-6)
    assert model.score(X, y) == pytest.approx(-log_loss(y, model.predict_proba(X)))


def test_cv_agrees_with_scikit_learn(data_folder):
    X, y = real(data_folder, "pimaindiansdiabetes")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    settings = {"Cs": 5, "cv": 4, "scoring": "accuracy", "tol": 1e-8}
    ours = LogisticRegressionCV(**settings).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegressionCV(
        **settings, l1_ratios=(0.0,), use_legacy_attributes=False
    ).fit(X, y)
    np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-12)
    assert ours.C_ == theirs.C_
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)


def test_cv_chooses_the_l1_ratio_as_scikit_learn_does(data_folder):
    X, y = real(data_folder, "pimaindiansdiabetes")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    settings = {"Cs": [0.01, 0.1, 1.0], "cv": 3, "scoring": "neg_log_loss", "tol": 1e-9}
    settings |= {"l1_ratios": (0.0, 0.5, 1.0)}
    ours = LogisticRegressionCV(**settings).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegressionCV(
        **settings, use_legacy_attributes=False, solver="saga", max_iter=10_000, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-5)
    np.testing.assert_allclose(ours.coefs_paths_, theirs.coefs_paths_, atol=1e-4)
    assert (ours.C_, ours.l1_ratio_) == (theirs.C_, theirs.l1_ratio_)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    assert (ours.coefs_paths_[:, 2, 0] == 0).any()
    assert not (ours.coefs_paths_[:, 0] == 0).any()


def test_cv_with_an_l1_penalty_of_several_classes_and_without_refit():
    X, y = several()
    model = LogisticRegressionCV(Cs=[0.05, 0.5], l1_ratios=[0.3, 1.0], cv=3, tol=1e-7, refit=False)
    model.fit(X, y)
    assert model.coefs_paths_.shape[:3] == model.scores_.shape == (3, 2, 2)
    own = model.scores_.reshape(3, 4).argmax(axis=1)
    mean = model.coefs_paths_.reshape(3, 4, len(model.classes_), -1)[np.arange(3), own].mean(axis=0)
    np.testing.assert_allclose(np.c_[model.coef_, model.intercept_], mean)
    assert model.l1_ratio_ == pytest.approx(np.repeat([0.3, 1.0], 2)[own].mean())
    train, _ = next(StratifiedKFold(3).split(X, y))
    one = LogisticRegression(C=0.5, l1_ratio=0.3, tol=1e-7).fit(X[train], y[train])
    np.testing.assert_allclose(model.coefs_paths_[0, 0, 1][:, :-1], one.coef_, atol=1e-4)


def test_cv_without_refit_averages_the_folds():
    X, y = binary()
    model = LogisticRegressionCV(Cs=3, cv=2, refit=False).fit(X, y)
    best = model.scores_[:, 0].argmax(axis=1)
    mean = model.coefs_paths_[np.arange(2), 0, best].mean(axis=0)
    np.testing.assert_allclose(np.c_[model.coef_, model.intercept_], mean)
    assert pytest.approx(model.Cs_[best].mean()) == model.C_


def test_cv_bad_input():
    X, y = binary()
    with pytest.raises(ValueError, match="Cs must be positive numbers"):
        LogisticRegressionCV(Cs=[1.0, -1.0]).fit(X, y)
    with pytest.raises(
        ValueError, match=r"l1_ratios must be numbers in \[0, 1\]; got \(0.0, 2.0\)"
    ):
        LogisticRegressionCV(l1_ratios=(0.0, 2.0)).fit(X, y)
    order = np.argsort(y)
    halves = [(order[:50], order[50:])]
    with pytest.raises(ValueError, match="training rows of fold 0 lack the class"):
        LogisticRegressionCV(cv=halves).fit(X, y)


def test_a_class_rarer_than_the_folds_is_scored():
    """A fold whose left-out rows lack a class has a log loss over all classes nevertheless."""
    X, y = several(n=90, classes=3)
    y[:] = np.arange(90) % 2
    y[[0, 40, 80]] = 2
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        model = LogisticRegressionCV(Cs=[1.0], cv=5).fit(X, y)
    assert np.isfinite(model.scores_).all()
    some = y < 2
    assert np.isfinite(model.score(X[some], y[some]))


NAMES = ["LogisticRegression", "LogisticRegressionCV"]
CHANGED = {"solver", "penalty", "n_jobs", "scoring", "use_legacy_attributes", "l1_ratios", "cv"}


@pytest.mark.parametrize("name", NAMES)
def test_parameters_and_defaults_match_scikit_learn(name):
    ours, theirs = getattr(gramian, name)(), getattr(sklearn.linear_model, name)()
    found = ours.get_params()
    for key, value in theirs.get_params().items():
        if key not in CHANGED:
            assert found[key] == value, key


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"tol": -1.0}, "tol must be a number >= 0; got -1"),
        ({"max_iter": 0}, "max_iter must be an integer >= 1; got 0"),
        ({"solver": "adam"}, "solver must be one of 'auto', 'lbfgs'"),
        ({"class_weight": "even"}, "class_weight must be"),
    ],
)
def test_parameters_out_of_range_are_refused(name, settings, words):
    with pytest.raises(ParameterError, match=f"{name}: {words}"):
        getattr(gramian, name)(**settings).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_are_ignored_change_nothing(name):
    X, y = [[0.0], [1.0], [2.0], [0.5], [1.5], [3.0]], [0, 1, 1, 0, 1, 0]
    folds = {"cv": 2} if name.endswith("CV") else {}
    plain = getattr(gramian, name)(**folds).fit(X, y)
    ignored = {"dual": True, "intercept_scaling": 7.0, "verbose": 1}
    same = getattr(gramian, name)(**folds, **ignored).fit(X, y)
    assert same.coef_.tolist() == plain.coef_.tolist()


def test_a_scoring_function_must_return_a_number():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    model = gramian.LogisticRegressionCV(Cs=2, cv=2, scoring=lambda *arguments, **more: None)
    with pytest.raises(ParameterError, match="LogisticRegressionCV: scoring must be a function"):
        model.fit(X, y)
