"""Bounds of fitted classifiers beside what is measured."""

import math

import numpy as np
import pandas as pd
import pytest
import sklearn.neighbors
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
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
from gramian.textbook.learning_theory import (
    HoeffdingBound,
    VapnikChervonenkisBound,
    bound,
    cover_count,
)


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(8000, 3, n_informative=3, n_redundant=0, random_state=1)
    return X[:6000], y[:6000], X[6000:], y[6000:]


def only(report, name):
    (found,) = [one for one in report.bounds if one.name == name]
    return found


def names(report):
    return [one.name for one in report.bounds]


def test_hyperplanes_have_the_theorem_with_covers_count(data):
    X, y, X_test, y_test = data
    model = LogisticRegression().fit(X, y)
    report = bound(model, X, y, X_test=X_test, y_test=y_test)
    found = only(report, "hyperplanes")
    epsilon = math.sqrt(8 / 6000 * math.log(4 * cover_count(12_000, 3) / 0.05))
    assert found.value == pytest.approx(np.mean(model.predict(X) != y) + epsilon)
    assert report.test_error == found.measured <= found.value
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


def test_adaboost_and_the_perceptron_have_their_own_bounds(data):
    X, y, *_ = data
    boosted = AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
    found = only(bound(boosted, X, y), "boosting")
    assert found.about == "training error"
    assert found.measured <= found.value == boosted.training_bound_[-1]
    line = X[:, :1] + np.where(y == 1, 4.0, -4.0)[:, None]
    report = bound(Perceptron().fit(line[:50], y[:50]), line[:50], y[:50])
    found = only(report, "separable rows")
    assert 1 <= found.measured <= found.value
    assert names(bound(Perceptron().fit(X, y), X, y)) == ["hyperplanes"]


def test_one_neighbour_bounds_the_bayes_error_from_below():
    generator = np.random.default_rng(0)
    X = generator.random((4000, 1))
    y = (X[:, 0] > 0.5) ^ (generator.random(4000) < 0.1)
    found = only(bound(KNeighborsClassifier(1).fit(X, y), X, y), "one neighbour")
    assert found.about == "Bayes error"
    assert found.value == pytest.approx(0.1, abs=0.02)


def test_a_classifier_without_a_bound_needs_test_rows(data):
    X, y, X_test, y_test = data
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="pass X_test and y_test"):
        bound(forest, X, y)
    assert names(bound(forest, X, y, X_test=X_test, y_test=y_test)) == ["test rows"]


def test_what_is_no_fitted_classifier_is_refused(data):
    X, y, X_test, _ = data
    with pytest.raises(ValueError, match="must be a classifier; got LinearRegression"):
        bound(LinearRegression().fit(X, y), X, y)
    with pytest.raises(ValueError, match="not fitted"):
        bound(LogisticRegression(), X, y)
    with pytest.raises(ValueError, match="both X_test and y_test"):
        bound(LogisticRegression().fit(X, y), X, y, X_test=X_test)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.floats(0.05, 3.0), st.booleans())
def test_a_perceptron_makes_no_more_mistakes_than_its_bound(seed, gap, fit_intercept):
    """T13: at most (R / gamma)^2, in any order of the rows."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=3)
    X = rng.normal(size=(40, 3))
    y = np.where(X @ w > 0, 1, -1)
    X += gap * y[:, None] * w / np.linalg.norm(w)
    model = Perceptron(
        fit_intercept=fit_intercept, tol=None, max_iter=100_000, random_state=seed % 1000
    ).fit(X, y)
    found = only(bound(model, X, y), "separable rows")
    assert model.converged_
    assert found.measured == model.mistakes_[0] <= found.value


@pytest.mark.parametrize(
    "settings", [{"penalty": "l2"}, {"margin": 1.0}, {"method": "batch"}, {"init": "ones"}]
)
def test_other_perceptrons_have_no_mistake_bound(settings):
    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0], [-2.0, 1.0]]), [1, 1, 0, 0]
    assert names(bound(Perceptron(**settings).fit(X, y), X, y)) == ["hyperplanes"]


def test_trees_with_categories_or_missing_values_have_no_bound(data):
    X, y, X_test, y_test = data
    frame = pd.DataFrame({"town": np.where(y == 1, "A", "B"), "size": X[:, 0]})
    tree = DecisionTreeClassifier(max_depth=2)
    with pytest.raises(ValueError, match="no bound from the training rows"):
        bound(tree.fit(frame, y), frame, y)
    gaps = X.copy()
    gaps[::5, 0] = np.nan
    report = bound(tree.fit(gaps, y), gaps, y, X_test=X_test, y_test=y_test)
    assert names(report) == ["test rows"]


def test_scikit_learns_trees_and_neighbours_have_the_same_bounds(data):
    X, y, *_ = data
    for ours, theirs in (
        (DecisionTreeClassifier(max_depth=1), sklearn.tree.DecisionTreeClassifier(max_depth=1)),
        (KNeighborsClassifier(1), sklearn.neighbors.KNeighborsClassifier(1)),
    ):
        assert bound(ours.fit(X, y), X, y) == bound(theirs.fit(X, y), X, y)


def test_labels_that_do_not_match_the_rows_are_refused(data):
    X, y, X_test, y_test = data
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match=r"y must be one-dimensional.*got shape \(6000, 1\)"):
        bound(model, X, y[:, None])
    with pytest.raises(ValueError, match="X and y must have the same number of rows"):
        bound(model, X, y[:10])
    with pytest.raises(ValueError, match="X_test and y_test must have the same number of rows"):
        bound(model, X, y, X_test=X_test, y_test=y_test[:5])
