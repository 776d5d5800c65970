"""Trees as nodes of the native C4.5, and back."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.tree import C45Classifier, entropy
from gramian.tree.growth.native_nodes import from_native, to_native


@pytest.mark.parametrize("splits", ["each", "numeric"])
def test_round_trip_keeps_the_tree(rng, splits):
    X = rng.normal(size=(200, 3)).astype(object)
    if splits == "each":
        X[:, 0] = rng.choice(list("abcd"), 200)
    y = np.digitize(X[:, 1].astype(float) + (X[:, 0] == "a"), [-0.5, 0.5])
    y = np.where(rng.random(200) < 0.1, 0, y)
    tree = C45Classifier(pruning=None).fit(X, y).tree_
    again = from_native(to_native(tree), tree.levels, 3)
    assert tree.node_count >= 5
    for name in ("first_child", "n_children", "kind", "feature", "threshold", "samples"):
        assert_array_equal(getattr(again, name), getattr(tree, name), err_msg=name)
    assert_allclose(again.value, tree.value, atol=1e-12)
    assert_allclose(again.impurity, entropy(tree.value[:, 0]), atol=1e-9)


def test_an_empty_branch_has_the_proportions_of_its_parent():
    X = np.array([["a"], ["a"], ["b"], ["b"], ["b"]], dtype=object)
    tree = C45Classifier(pruning=None).fit(X, [0, 0, 1, 1, 0]).tree_
    nodes = to_native(tree)
    back = from_native(nodes, tree.levels, 2)
    empty = np.flatnonzero(back.weight == 0)
    assert_array_equal(back.value[empty], back.value[back.parent[empty]])
    assert_allclose(back.value.sum(axis=2), 1)
