"""Members are handed out as objects of the replaced classes."""

import numpy as np
import sklearn.ensemble
import sklearn.tree
from numpy.testing import assert_array_equal

import gramian
from gramian.accelerate import estimators
from gramian.accelerate.conversion import read_attribute, to_sklearn
from gramian.accelerate.tree_arrays import TreeArrays

X, Y = [[0.0], [1.0], [2.0]], [0, 1, 1]


def test_estimators_lists_and_arrays_of_them():
    tree = gramian.DecisionTreeClassifier().fit(X, Y)
    assert type(to_sklearn(tree)) is estimators.DecisionTreeClassifier
    assert type(to_sklearn([tree])[0]) is estimators.DecisionTreeClassifier
    several = np.array([[tree]], dtype=object)
    assert type(to_sklearn(several)[0, 0]) is estimators.DecisionTreeClassifier
    assert type(several[0, 0]) is gramian.DecisionTreeClassifier


def test_other_values_are_unchanged():
    numbers = np.arange(3)
    assert to_sklearn(numbers) is numbers
    assert to_sklearn("text") == "text"


def test_trees_are_read_by_scikit_learns_names():
    assert isinstance(
        read_attribute(gramian.DecisionTreeClassifier().fit(X, Y), "tree_"), TreeArrays
    )
    boosted = gramian.HistGradientBoostingRegressor(max_iter=2).fit(
        np.arange(80.0)[:, None], np.arange(80.0)
    )
    assert [len(trees) for trees in read_attribute(boosted, "_predictors")] == [1, 1]


def test_indexed_and_iterated_members_are_of_replaced_classes(accelerated, table):
    rows, y = table
    forest = sklearn.ensemble.RandomForestClassifier(2, random_state=0).fit(rows, y)
    stages = sklearn.ensemble.GradientBoostingRegressor(n_estimators=2).fit(rows, rows[:, 0])
    for member in (forest[0], *forest, *forest[:2], stages[0, 0], stages[1][0]):
        tree = member.tree_
        assert_array_equal(tree.threshold[tree.feature < 0], -2)


def test_stumps_of_adaboost_are_trees_of_one_split(accelerated, table):
    rows, y = table
    boosted = sklearn.ensemble.AdaBoostClassifier(n_estimators=3, random_state=0).fit(rows, y)
    for member in boosted.estimators_:
        assert isinstance(member, sklearn.tree.DecisionTreeClassifier)
        assert sklearn.tree.export_text(member).count("<=") == 1
        assert member.get_depth() == member.max_depth == 1
        assert_array_equal(
            member.predict(rows), member.classes_[member.predict_proba(rows).argmax(1)]
        )
    assert_array_equal(boosted[0].predict(rows), boosted.estimators_[0].predict(rows))
