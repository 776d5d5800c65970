"""Many trees in one set of arrays."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.base.errors import DataError
from gramian.tree.growth.grow import numeric_targets
from gramian.tree.structure.forest import Forest
from tests.tree.structure.test_tree import small_tree

ROWS = np.array([[0.5, 0.0], [0.0, 1.0], [0.6, 0.0]])


def forest_of(*trees):
    names = [name for name in trees[0].arrays() if name != "levels"]
    nodes = {name: np.concatenate([t.arrays()[name] for t in trees]) for name in names}
    roots = np.cumsum([0, *(t.node_count for t in trees)])
    words = np.cumsum([0, *(len(t.bits) for t in trees)])
    return Forest(roots, words, {**nodes, "levels": trees[0].levels})


@pytest.fixture
def trees():
    other = small_tree(value=np.array([0.0, 0.0, 9.0, 5.0, 7.0]).reshape(5, 1, 1), bits=[0b010])
    return small_tree(), other, small_tree().cut([1])


def test_a_tree_of_the_forest_is_the_tree(trees):
    forest = forest_of(*trees)
    assert len(forest) == 3
    for mine, tree in zip(forest, trees, strict=True):
        assert_array_equal(mine.apply(ROWS), tree.apply(ROWS))
    assert_array_equal(forest[-1].threshold, trees[2].threshold)
    with pytest.raises(IndexError):
        forest[3]
    copy = pickle.loads(pickle.dumps(forest))
    assert_array_equal(copy.mean(ROWS), forest.mean(ROWS))
    assert repr(copy) == "<Forest: 3 trees, 13 nodes>"


def test_mean_leaves_and_importances_match_the_trees(trees):
    forest = forest_of(*trees)
    assert_allclose(forest.mean(ROWS), np.mean([t.predict(ROWS) for t in trees], axis=0))
    assert_array_equal(forest.apply(ROWS), np.column_stack([t.apply(ROWS) for t in trees]))
    expected = np.mean([t.compute_feature_importances() for t in trees], axis=0)
    assert_allclose(forest.importances(), expected)


def test_trees_of_another_shape_cannot_be_added(trees):
    forest = forest_of(*trees)
    one = numeric_targets("Forest", np.zeros((2, 1)), None, "squared_error")
    two = numeric_targets("Forest", np.zeros((2, 2)), None, "squared_error")
    levels = np.array([0, 3], dtype=np.int32)
    assert forest.is_compatible(one, levels)
    assert not forest.is_compatible(two, levels)
    assert not forest.is_compatible(one, levels + 1)


def test_damaged_arrays_are_refused(trees):
    forest = forest_of(*trees)
    with pytest.raises(DataError, match="words must be ascending"):
        Forest(forest.roots, forest.words[::-1], forest.nodes)
    with pytest.raises(DataError, match="do not form trees"):
        Forest(forest.roots, forest.words, {**forest.nodes, "feature": np.full(13, 7)})
    with pytest.raises(DataError, match="an entry per node"):
        Forest(forest.roots, forest.words, {**forest.nodes, "weight": np.ones(3)})
