"""How an iteration of AdaBoost fits its learner."""

import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine

from gramian import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
)
from tests.ensemble.problems import sphere


def test_other_learners_by_weights_and_by_draws():
    X, y = sphere(400, 5)
    short = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=30).fit(X, y)
    line = AdaBoostClassifier(LogisticRegression(), n_estimators=5).fit(X, y)
    assert short.score(X, y) > 0.9
    assert line.score(X, y) > 0.5
    with pytest.raises(ValueError, match="sampling='draw'"):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, y)
    drawn = AdaBoostClassifier(KNeighborsClassifier(3), sampling="draw", random_state=0)
    assert drawn.fit(X, y).score(X, y) > 0.8


def test_drawing_rows_learns_several_classes():
    X, y = load_wine(return_X_y=True)
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), sampling="draw", n_estimators=20, random_state=0
    ).fit(X, y)
    assert model.score(X, y) > 0.97
    again = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), sampling="draw", n_estimators=20, random_state=0
    ).fit(X, y)
    assert_array_equal(model.estimator_errors_, again.estimator_errors_)
