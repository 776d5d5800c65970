"""A list of nodes that becomes a tree."""

import numpy as np

from gramian.tree import DecisionTreeRegressor
from gramian.tree.growth.python_growth import NodeList


def test_a_leaf_that_is_split_becomes_a_test_with_two_children():
    stump = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 0, 4, 4])
    arrays = stump.tree_.arrays()
    leaf = {name: a.copy() for name, a in arrays.items()}
    nodes = NodeList()
    nodes.add(DecisionTreeRegressor(max_depth=0).fit([[0.0]], [2.0]).tree_.arrays(), 0)
    assert (nodes.size, nodes.impurity(0)) == (1, 0.0)
    nodes.add(leaf, 1)
    nodes.add(leaf, 2)
    nodes.split(0, 1, 0.25, 1)
    tree = nodes.tree(2)
    assert (tree.node_count, tree.n_leaves, tree.n_features) == (3, 2, 2)
    predicted = tree.predict(np.array([[9.0, 0.25], [-9.0, 0.26]]))[:, 0, 0]
    assert predicted.tolist() == [0.0, 4.0]
