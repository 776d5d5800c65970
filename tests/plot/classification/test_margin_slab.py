"""Figures of hyperplanes draw what they say."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import (
    plot_margin_slab,
)

X, Y = np.array([[1.0, 1.0], [-1.0, -1.0], [2.0, 0.5]]), np.array([1, -1, 1])


def test_the_slab_has_its_width():
    ax = plot_margin_slab(X, Y, [0.5, 0.5], 0.0, support=[0, 1])
    assert ax.get_title() == "slab 2.83 wide, 2 support vectors"
    rings = ax.collections[-1].get_offsets()
    np.testing.assert_array_equal(rings, X[:2])
    with pytest.raises(DataError, match="not both 0"):
        plot_margin_slab(X, Y, [0.0, 0.0], 1.0)
