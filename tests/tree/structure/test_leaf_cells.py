"""The regions of a tree over two features."""

import numpy as np
import pytest

from gramian.tree import (
    ObliqueTreeClassifier,
    leaf_cells,
)


def test_cells_tile_the_box(diagonal):
    X, y = diagonal
    model = ObliqueTreeClassifier(max_depth=3).fit(X, y)
    cells = leaf_cells(model, (-1, 1, -1, 1))
    areas = [
        abs(np.dot(c[:, 0], np.roll(c[:, 1], -1)) - np.dot(c[:, 1], np.roll(c[:, 0], -1))) / 2
        for c in cells.values()
        if len(c)
    ]
    assert sum(areas) == pytest.approx(4)
    for leaf, cell in cells.items():
        if len(cell):
            assert model.apply(cell.mean(axis=0)[None])[0] == leaf
