"""Trees as text and as rules."""

import numpy as np
import pytest
import sklearn.tree
from sklearn.datasets import load_iris

from gramian.base.errors import DataError
from gramian.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ModelTreeRegressor,
    export_rules,
    export_text,
)


@pytest.fixture
def iris():
    bunch = load_iris()
    y = bunch.target_names[bunch.target]
    return DecisionTreeClassifier(max_depth=2).fit(bunch.data, y), bunch.data, y


def test_text_of_regression_trees_and_its_limits(iris):
    model, _, _ = iris
    names = ["sl", "sw", "pl", "pw"]
    assert export_text(model, feature_names=names).splitlines() == [
        "pl <= 2.45: setosa (50)",
        "pl > 2.45",
        "|   pw <= 1.75: versicolor (54/5)",
        "|   pw > 1.75: virginica (46/1)",
    ]
    assert export_text(model, max_depth=1).splitlines() == [
        "x2 <= 2.45: setosa (50)",
        "x2 > 2.45: ...",
    ]
    assert "(" not in export_text(model, show_weights=False)
    with pytest.raises(DataError, match="must have 4 names, one per feature; got 1"):
        export_text(model, feature_names=["a"])


def test_a_tree_of_one_leaf_and_a_regression_tree():
    assert export_text(DecisionTreeClassifier().fit([[1.0]], ["a"])) == "a (1)"
    model = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0], [3.0]], [1, 1, 4, 6])
    assert export_text(model) == "x0 <= 1.5: 1 (2, mse 0)\nx0 > 1.5: 5 (2, mse 1)"


def test_groups_of_categories_are_named():
    X = np.array([["red"], ["blue"], ["green"], ["red"]], dtype=object)
    text = export_text(DecisionTreeClassifier().fit(X, [1, 0, 0, 1]))
    assert "x0 in {blue, green}" in text
    assert "x0 = red" in text


def test_rules_cover_all_rows_and_match_the_predictions(iris):
    model, X, y = iris
    rules = export_rules(model)
    assert sum(rule.support for rule in rules) == pytest.approx(1)
    assert [rule.support for rule in rules] == sorted((r.support for r in rules), reverse=True)
    leaves = model.apply(X)
    for rule in rules:
        covered = leaves == rule.leaf
        assert rule.support == pytest.approx(covered.mean())
        assert rule.accuracy == pytest.approx((y[covered] == rule.prediction).mean())
    assert str(rules[0]).startswith("if x2 > 2.45 and x3 <= 1.75 then versicolor [36.0%")


def test_rules_keep_the_tightest_bound_of_a_column():
    X = np.arange(8.0)[:, None]
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1, 0, 0, 1, 1])
    assert all(len(rule.conditions) <= 2 for rule in export_rules(model))


def test_the_error_of_a_leaf_has_its_name():
    X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0]
    for criterion, name in (("squared_error", "mse"), ("absolute_error", "mae")):
        text = export_text(DecisionTreeRegressor(criterion=criterion, max_depth=1).fit(X, y))
        assert f", {name} " in text


def test_leaves_of_a_model_tree_are_formulas():
    x = np.arange(-20.0, 20.0) / 10
    model = ModelTreeRegressor(smoothing=0).fit(x[:, None], np.where(x < 0, 1 - x, 10 + 2 * x))
    assert export_text(model, feature_names=["t"]).splitlines() == [
        "t <= -0.05: 1 - 1 t (20)",
        "t > -0.05: 10 + 2 t (20)",
    ]


def test_trees_of_other_libraries_are_rejected():
    theirs = sklearn.tree.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(DataError, match="must be an estimator of gramian"):
        export_text(theirs)
