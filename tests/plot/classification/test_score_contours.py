"""Contours of a decision function."""

import matplotlib.pyplot as plt
import numpy as np

from gramian.plot import plot_score_contours
from tests.plot.conftest import legend_texts

X, Y = np.array([[1.0, 1.0], [-1.0, -1.0], [2.0, 0.5]]), np.array([1, -1, 1])


def test_contours_lie_where_the_score_has_their_level(ax):
    plot_score_contours(lambda Z: Z[:, 0] - 0.5, X, Y, levels=(1.0, 0.0), ax=ax)
    (contours,) = [c for c in ax.collections if hasattr(c, "levels")]
    for path, level, width in zip(contours.get_paths(), (0.0, 1.0), (2.0, 0.9), strict=True):
        np.testing.assert_allclose(path.vertices[:, 0], level + 0.5)
        assert width == contours.get_linewidths()[int(level)]
    assert legend_texts(ax) == ["-1", "1"]


def test_on_axes_of_three_dimensions_the_score_is_a_surface():
    surface = plt.figure().add_subplot(projection="3d")
    assert plot_score_contours(lambda Z: Z[:, 0], X, Y, resolution=20, ax=surface) is surface
    np.testing.assert_allclose(surface.zz_dataLim.intervalx, [-1.18, 2.18])
    assert (surface.get_xlabel(), surface.get_ylabel()) == ("$x_1$", "$x_2$")
