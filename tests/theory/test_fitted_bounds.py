"""Bounds of fitted classifiers beside what is measured."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification

from gramian import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    RandomForestClassifier,
)
from gramian.theory import HoeffdingBound, VapnikChervonenkisBound, bound, cover_count


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(8000, 3, n_informative=3, n_redundant=0, random_state=1)
    return X[:6000], y[:6000], X[6000:], y[6000:]


def only(report, name):
    (found,) = [limit for limit in report.limits if limit.name == name]
    return found


def test_hyperplanes_have_the_theorem_with_covers_count(data):
    X, y, X_test, y_test = data
    model = LogisticRegression().fit(X, y)
    report = bound(model, X, y, X_test=X_test, y_test=y_test)
    limit = only(report, "hyperplanes")
    epsilon = math.sqrt(8 / 6000 * math.log(4 * cover_count(12_000, 3) / 0.05))
    assert limit.value == pytest.approx(np.mean(model.predict(X) != y) + epsilon)
    assert report.test_error == limit.measured <= limit.value
    rows = only(report, "test rows")
    assert rows.value == pytest.approx(report.test_error + HoeffdingBound(1).epsilon(2000, 0.05))


def test_three_classes_take_three_hyperplanes():
    X, y = load_iris(return_X_y=True)
    report = bound(LogisticRegression(max_iter=1000).fit(X, y), X, y)
    theorem = VapnikChervonenkisBound(lambda n: 3 * math.log(cover_count(n, 4)), log=True)
    assert only(report, "hyperplanes").value == report.training_error + theorem.epsilon(150, 0.05)
    assert not only(report, "hyperplanes").informative  # 150 rows say nothing


def test_smaller_trees_have_tighter_bounds(data):
    X, y, *_ = data
    gaps = []
    for leaves in (2, 4, 8):
        report = bound(
            DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X, y), X, y
        )
        gaps.append(only(report, "trees of this size").value - report.training_error)
    assert gaps == sorted(gaps)
    assert gaps[0] < 0.3


def test_adaboost_and_the_perceptron_have_theirs(data):
    X, y, *_ = data
    boosted = AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
    limit = only(bound(boosted, X, y), "boosting")
    assert limit.about == "training error"
    assert limit.measured <= limit.value == boosted.training_bound_[-1]
    line = X[:, :1] + np.where(y == 1, 4.0, -4.0)[:, None]
    report = bound(Perceptron().fit(line[:50], y[:50]), line[:50], y[:50])
    assert only(report, "separable rows").value >= 1
    assert [limit.name for limit in bound(Perceptron().fit(X, y), X, y).limits] == ["hyperplanes"]


def test_one_neighbour_tells_how_small_the_bayes_error_can_be():
    generator = np.random.default_rng(0)
    X = generator.random((4000, 1))
    y = (X[:, 0] > 0.5) ^ (generator.random(4000) < 0.1)
    limit = only(bound(KNeighborsClassifier(1).fit(X, y), X, y), "one neighbour")
    assert limit.about == "Bayes error"
    assert limit.value == pytest.approx(0.1, abs=0.02)


def test_a_classifier_without_a_bound_needs_test_rows(data):
    X, y, X_test, y_test = data
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="give X_test and y_test"):
        bound(forest, X, y)
    assert [limit.name for limit in bound(forest, X, y, X_test=X_test, y_test=y_test).limits] == [
        "test rows"
    ]


def test_what_is_no_fitted_classifier_is_refused(data):
    X, y, X_test, _ = data
    with pytest.raises(ValueError, match="must be a classifier; got LinearRegression"):
        bound(LinearRegression().fit(X, y), X, y)
    with pytest.raises(ValueError, match="not fitted"):
        bound(LogisticRegression(), X, y)
    with pytest.raises(ValueError, match="both X_test and y_test"):
        bound(LogisticRegression().fit(X, y), X, y, X_test=X_test)
