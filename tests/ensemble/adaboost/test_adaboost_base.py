"""AdaBoost: weights, votes, importances, staged scores."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from gramian import AdaBoostClassifier, AdaBoostRegressor, Ridge
from tests.ensemble.problems import curved

MODELS = [
    AdaBoostClassifier(n_estimators=4),
    AdaBoostRegressor(n_estimators=4, random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("factor", [1e-300, 7.0, 1e300])
def test_scaling_all_weights_has_no_effect(model, factor):
    X, y = curved()
    y = y > 1 if isinstance(model, AdaBoostClassifier) else y
    w = 1.0 + np.arange(len(y)) % 3
    plain, scaled = (clone(model).fit(X, y, sample_weight=v) for v in (w, w * factor))
    assert_allclose(scaled.estimator_errors_, plain.estimator_errors_, rtol=1e-9)
    assert_allclose(scaled.estimator_weights_, plain.estimator_weights_, rtol=1e-8)
    assert w.tolist() == (1.0 + np.arange(len(y)) % 3).tolist()  # not changed by the fit


@pytest.mark.parametrize("kind", [AdaBoostClassifier, AdaBoostRegressor])
def test_each_learner_has_a_vote_and_an_error(kind):
    X, y = curved()
    model = kind(n_estimators=3, random_state=0).fit(X, y > 1)
    assert len(model.estimators_) == len(model.estimator_weights_) == 3
    assert ((model.estimator_errors_ > 0) & (model.estimator_errors_ < 0.5)).all()


@pytest.mark.parametrize("kind", [AdaBoostClassifier, AdaBoostRegressor])
def test_importances_match_the_trees_weighted_by_their_votes(kind, rng):
    X = rng.normal(size=(90, 4))
    model = kind(n_estimators=5, random_state=0).fit(X, X[:, 1] + 0.5 * X[:, 2] > 0)
    votes = model.estimator_weights_
    each = [e.tree_.compute_feature_importances() for e in model.estimators_]
    assert_allclose(model.feature_importances_, np.average(each, axis=0, weights=votes))
    assert model.feature_importances_.argmax() == 1


def test_importances_need_tree_learners():
    model = AdaBoostRegressor(Ridge(), n_estimators=2).fit(*curved())
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(AttributeError, match="AdaBoostRegressor: feature importances need tree"):
        model.feature_importances_  # noqa: B018


def test_last_staged_score_equals_score():
    X, y = curved(60)
    for model, target in (
        (AdaBoostClassifier(n_estimators=4), (y > np.median(y)).astype(int)),
        (AdaBoostRegressor(n_estimators=4, random_state=0), y),
    ):
        scores = list(model.fit(X, target).staged_score(X, target))
        assert len(scores) == len(model)
        assert scores[-1] == pytest.approx(model.score(X, target))
