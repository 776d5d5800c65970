"""The boxes of leaves and of their rows."""

import numpy as np

import gramian
from gramian.tree import DecisionTreeRegressor
from tests.tree.table import interactions


def test_boxes_are_a_partition() -> None:
    X, y = interactions(400, 6)
    model = DecisionTreeRegressor(max_depth=4).fit(X, y)
    boxes = model.leaf_boxes()
    inside = (boxes.lower[None] < X[:, None]) & (X[:, None] <= boxes.upper[None])
    inside = inside.all(axis=2)
    assert (inside.sum(axis=1) == 1).all()
    np.testing.assert_array_equal(boxes.leaf[inside.argmax(axis=1)], model.apply(X))


def test_edges_that_overflow():
    X = np.array([[-1.7e308], [1.7e308], [0.0]])
    tree = gramian.DecisionTreeRegressor(min_box_edge=1.0).fit(X, [0.0, 1.0, 2.0])
    assert tree.get_n_leaves() == 3
