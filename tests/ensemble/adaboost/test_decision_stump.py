"""Decision stumps."""

from gramian import (
    AdaBoostClassifier,
    DecisionStump,
)
from tests.ensemble.problems import sphere


def test_weighted_error_as_the_criterion(rng):
    X, y = sphere(300, 6)
    by_error = DecisionStump(criterion="error").fit(X, y)
    gini = DecisionStump().fit(X, y)
    assert by_error.score(X, y) >= gini.score(X, y)
    assert AdaBoostClassifier(by_error, n_estimators=30).fit(X, y).score(X, y) > 0.8
