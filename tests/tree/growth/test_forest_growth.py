"""A growing forest: arrays to which trees are appended."""

import numpy as np
from numpy.testing import assert_array_equal

from gramian import _native
from gramian.tree import DecisionTreeRegressor
from gramian.tree.growth.forest_growth import GrowingForest
from gramian.tree.growth.grow import numeric_targets
from tests.tree.table import interactions


def grown(n_trees, added, kept=None):
    X, y = interactions(80, 6, dtype=np.float64)
    trees = [DecisionTreeRegressor(max_depth=d).fit(X, y).tree_ for d in added]
    targets = numeric_targets("Forest", y[:, None], None, "squared_error")
    growing = GrowingForest(
        n_trees, np.zeros(6, dtype=np.int32), targets, _native.GrowOptions(), kept
    )
    for tree in trees:
        arrays = {name: a for name, a in tree.arrays().items() if name != "levels"}
        growing.add_arrays(arrays)
    return growing, trees


def test_trees_come_out_as_they_were_added():
    growing, trees = grown(4, [0, 3, 1, 5])
    assert len(growing) == 4
    forest = growing.forest(copy=False)
    for mine, tree in zip(forest, trees, strict=True):
        for name, array in tree.arrays().items():
            assert_array_equal(getattr(mine, name), array, err_msg=name)


def test_a_copy_does_not_change_as_growth_continues():
    growing, trees = grown(100, [2, 4])
    copy = growing.forest(copy=True)
    before = copy.nodes["value"].copy()
    growing.add_arrays({n: a for n, a in trees[0].arrays().items() if n != "levels"})
    assert (len(copy), len(growing)) == (2, 3)
    assert_array_equal(copy.nodes["value"], before)
    assert_array_equal(growing.forest(copy=False)[2].threshold, trees[0].threshold)


def test_earlier_trees_come_first():
    first, trees = grown(2, [1, 2])
    kept = first.forest(copy=False)
    forest = grown(3, [3], kept)[0].forest(copy=False)
    assert [t.max_depth for t in forest] == [1, 2, 3]
    assert_array_equal(forest[1].value, trees[1].value)
