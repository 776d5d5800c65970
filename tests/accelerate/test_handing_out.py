"""Members are handed out as objects of the replaced classes."""

import numpy as np

import gramian
from gramian.accelerate import estimators
from gramian.accelerate.handing_out import handed_out, read
from gramian.accelerate.tree_arrays import TreeArrays

X, Y = [[0.0], [1.0], [2.0]], [0, 1, 1]


def test_estimators_lists_and_arrays_of_them():
    tree = gramian.DecisionTreeClassifier().fit(X, Y)
    assert type(handed_out(tree)) is estimators.DecisionTreeClassifier
    assert type(handed_out([tree])[0]) is estimators.DecisionTreeClassifier
    several = np.array([[tree]], dtype=object)
    assert type(handed_out(several)[0, 0]) is estimators.DecisionTreeClassifier
    assert type(several[0, 0]) is gramian.DecisionTreeClassifier


def test_other_things_stay_what_they_are():
    numbers = np.arange(3)
    assert handed_out(numbers) is numbers
    assert handed_out("text") == "text"


def test_trees_are_read_by_scikit_learns_names():
    assert isinstance(read(gramian.DecisionTreeClassifier().fit(X, Y), "tree_"), TreeArrays)
    boosted = gramian.HistGradientBoostingRegressor(max_iter=2).fit(
        np.arange(80.0)[:, None], np.arange(80.0)
    )
    assert [len(trees) for trees in read(boosted, "_predictors")] == [1, 1]
