"""Bars of class probabilities."""

import pytest

from gramian.base.errors import DataError
from gramian.plot import (
    plot_leaf_probabilities,
)


def test_bar_widths_are_leaf_weights(ax):
    plot_leaf_probabilities([[1, 0], [0.5, 0.5]], [1, 3], names=["a", "b"], ax=ax)
    widths = [bar.get_width() for bar in ax.patches[:2]]
    assert widths[1] == pytest.approx(3 * widths[0])
    with pytest.raises(DataError, match="one entry, for each leaf"):
        plot_leaf_probabilities([[1, 0]], [1, 2])
