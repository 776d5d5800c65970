"""Subtree raising."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    raise_subtrees,
)
from gramian.tree.structure.tree import Tree


def noisy(rng, n=240):
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] > 0).astype(int) ^ (rng.random(n) < 0.25)


def test_raising_is_what_c45_does_after_growth(rng):
    X, y = noisy(rng)
    X[rng.random(X.shape) < 0.1] = np.nan
    grown = C45Classifier(pruning=None).fit(X, y)
    for raising in (True, False):
        whole = C45Classifier(subtree_raising=raising).fit(X, y)
        after, curve = raise_subtrees(grown, X, y, raising=raising)
        assert curve.n_leaves[0] == grown.get_n_leaves()
        assert curve.n_leaves[curve.chosen] == after.get_n_leaves()
        assert curve.n_leaves[-1] == 1
        for name, array in whole.tree_.arrays().items():
            assert_allclose(after.tree_.arrays()[name], array, err_msg=name)


def test_raising_replaces_a_node_by_its_largest_branch():
    """The root's question is idle: nearly all rows are on one side, where the tree is."""
    x = np.arange(40.0)
    X = np.column_stack([np.r_[np.zeros(38), 1, 1], x])
    y = (x >= 20).astype(int)
    good = DecisionTreeClassifier().fit(X[:, 1:], y).tree_
    tree = Tree(
        first_child=[1, 3, 0, 0, 0],
        n_children=[2, 2, 0, 0, 0],
        kind=[1, 1, 0, 0, 0],
        feature=[0, 1, -1, -1, -1],
        threshold=[0.5, good.threshold[0], np.nan, np.nan, np.nan],
        bits=[],
        bit_start=[0] * 5,
        missing=[0] * 5,
        samples=[40, 38, 2, 20, 18],
        weight=[40, 38, 2, 20, 18],
        impurity=[0.0] * 5,
        value=np.array([[0.5, 0.5], [20 / 38, 18 / 38], [0, 1], [1, 0], [0, 1]])[:, None],
        levels=[0, 0],
    )
    model = DecisionTreeClassifier().fit(X, y)
    model.tree_ = tree
    raised = raise_subtrees(model, X, y).estimator.tree_
    assert raised.node_count == 3
    assert raised.feature[0] == 1
    assert_array_equal(raised.weight, [40, 20, 20])
