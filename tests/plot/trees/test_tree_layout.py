"""Positions of the nodes of a tree."""

import pytest

from gramian.base.errors import DataError
from gramian.plot import (
    tree_layout,
)


def test_parents_are_centred_above_their_children():
    places = tree_layout([-1, 0, 0, 1, 1, 1])
    assert places[:, 1].tolist() == [0, 1, 1, 2, 2, 2]
    assert places[1, 0] == places[3:, 0].mean()
    assert len({tuple(p) for p in places}) == 6


@pytest.mark.parametrize("parent", [[], [0], [-1, 1], [-1, -1]])
def test_invalid_trees_raise(parent):
    with pytest.raises(DataError, match="tree_layout"):
        tree_layout(parent)
