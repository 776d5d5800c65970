"""Iterations of AdaBoost with stumps or any learner."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine

from gramian import (
    AdaBoostClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
)
from gramian.ensemble.adaboost.iterations import LearnerIterations, StumpIterations
from tests.ensemble.problems import sphere


def test_other_learners_with_weights_or_resampling():
    X, y = sphere(400, 5)
    fewer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=30).fit(X, y)
    line = AdaBoostClassifier(LogisticRegression(), n_estimators=5).fit(X, y)
    assert fewer.score(X, y) > 0.9
    assert line.score(X, y) > 0.5
    with pytest.raises(ValueError, match="sampling='draw'"):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, y)
    drawn = AdaBoostClassifier(KNeighborsClassifier(3), sampling="draw", random_state=0)
    assert drawn.fit(X, y).score(X, y) > 0.8


def test_resampling_supports_several_classes():
    X, y = load_wine(return_X_y=True)
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), sampling="draw", n_estimators=20, random_state=0
    ).fit(X, y)
    assert model.score(X, y) > 0.97
    again = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), sampling="draw", n_estimators=20, random_state=0
    ).fit(X, y)
    assert_array_equal(model.estimator_errors_, again.estimator_errors_)


def test_binned_stumps_equal_stumps_fitted_as_any_learner(rng):
    X, codes = rng.normal(size=(60, 3)), np.sort(rng.integers(2, size=60))
    classes, w = np.array(["a", "b"]), rng.dirichlet(np.ones(60))
    fast = StumpIterations(DecisionStump(), X, codes, classes).fit_learner(w, 0)
    owner = AdaBoostClassifier(DecisionStump())
    owner.classes_ = classes
    slow = LearnerIterations(owner, DecisionStump(), X, codes, 0).fit_learner(w, 0)
    assert fast.learner.feature_ == slow.learner.feature_
    assert fast.learner.threshold_ == slow.learner.threshold_
    assert_array_equal(fast.wrong, slow.wrong)
    assert_array_equal(fast.wrong, fast.learner.predict(X) != classes[codes])


def test_rows_are_drawn_in_proportion_to_their_weights(rng):
    X, codes = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    owner = AdaBoostClassifier(DecisionTreeClassifier(), sampling="draw")
    owner.classes_ = np.array([0, 1])
    source = LearnerIterations(owner, DecisionTreeClassifier(), X, codes, 5)
    w = np.array([0.5, 0.0, 0.5, 0.0])
    for number in range(20):
        tree = source.fit_learner(w, number).learner.tree_
        assert tree.samples[0] <= 2 or tree.weight[0] == 4
        assert set(tree.threshold[~np.isnan(tree.threshold)]) <= {1.0}
