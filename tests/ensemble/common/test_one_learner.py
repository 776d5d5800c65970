"""Ensembles of copies of one learner, and attributes shared with scikit-learn."""

import numpy as np
import pytest
import sklearn.ensemble as peers

import gramian
from gramian import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    Ridge,
)

X, Y = np.arange(12.0)[:, None] % 5, np.arange(12) % 3


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (AdaBoostClassifier(), DecisionStump),
        (AdaBoostRegressor(), DecisionTreeRegressor),
        (AdaBoostRegressor(Ridge()), Ridge),
        (BaggingClassifier(), DecisionTreeClassifier),
        (BaggingRegressor(Ridge()), Ridge),
    ],
)
def test_estimator_is_available_after_fit(model, kind):
    assert not hasattr(model, "estimator_")
    model.set_params(n_estimators=2).fit(X, Y)
    assert type(model.estimator_) is kind
    assert type(model.estimators_[0]) is kind


@pytest.mark.parametrize(
    "kind", [AdaBoostClassifier, BaggingClassifier, GradientBoostingClassifier]
)
def test_the_number_of_classes_matches_scikit_learn(kind):
    model, peer = (kind(n_estimators=2), getattr(peers, kind.__name__)(n_estimators=2))
    assert not hasattr(model, "n_classes_")
    assert model.fit(X, Y).n_classes_ == peer.fit(X, Y).n_classes_ == 3


@pytest.mark.parametrize(
    "name",
    [
        "AdaBoostClassifier",
        "BaggingClassifier",
        "GradientBoostingClassifier",
        "NearestCentroid",
    ],
)
def test_classifiers_with_probabilities_have_their_logarithm(name):
    model = getattr(gramian, name)().fit(X, Y)
    p = np.exp(model.predict_log_proba(X))
    assert p.shape == (12, 3)
    np.testing.assert_allclose(p, model.predict_proba(X), rtol=1e-12)
