"""Two class means and their bisector."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_centroids

X, Y = np.array([[1.0, 1.0], [-1.0, -1.0], [2.0, 0.5]]), np.array([1, -1, 1])


def test_the_bisector_is_halfway_between_the_centroids():
    ax = plot_centroids(X, Y, [[0.0, 0.0], [2.0, 2.0]])
    ends = np.column_stack(ax.lines[-1].get_data())
    np.testing.assert_allclose(ends.mean(axis=0), [1, 1], atol=1e-12)
    np.testing.assert_allclose((ends - 1) @ [1, 1], 0, atol=1e-12)
    with pytest.raises(DataError, match="two different points"):
        plot_centroids(X, Y, [[0.0, 0.0], [0.0, 0.0]])
