"""Drawings of trees."""

import pytest

from gramian.base.errors import DataError
from gramian.plot import (
    draw_tree,
)


def test_a_tree_has_a_text_for_every_node(ax):
    probabilities = [[0.5, 0.5], [1, 0], [0, 1]]
    texts, edges = ["ask", "a", "b"], ["", "yes", "no"]
    draw_tree([-1, 0, 0], texts, edges=edges, probabilities=probabilities, ax=ax)
    assert [t.get_text() for t in ax.texts] == ["yes", "no", "ask", "a", "b"]
    with pytest.raises(DataError, match="one entry for each of 3 nodes"):
        draw_tree([-1, 0, 0], ["ask"])
