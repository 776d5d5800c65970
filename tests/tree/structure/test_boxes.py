"""The boxes of leaves and of their rows."""

import numpy as np

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
