import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_scaled_densities
from tests.plot.conftest import legend_texts

GRID = np.linspace(-3, 5, 401)
CURVES = np.array([norm.pdf(GRID) / 2, norm.pdf(GRID, 2) / 2])


def test_the_shaded_area_is_the_bayes_risk(ax):
    assert plot_scaled_densities(GRID, CURVES, boundaries=[1.0], ax=ax) is ax
    (shade,) = ax.collections
    (path,) = shade.get_paths()
    corners = path.vertices
    x, height = corners[:, 0], corners[:, 1]
    area = abs(np.sum((x[1:] - x[:-1]) * (height[1:] + height[:-1]) / 2))
    assert area == pytest.approx(norm.cdf(-1), abs=2e-3)
    assert_allclose(ax.lines[2].get_xdata(), [1, 1])


def test_classes_get_a_curve_and_a_name_each(ax):
    plot_scaled_densities(GRID, CURVES, names=["ash", "birch"], ax=ax)
    assert legend_texts(ax) == ["ash", "birch", "Bayes risk"]
    assert_allclose(ax.lines[1].get_ydata(), CURVES[1])


def test_bad_input():
    with pytest.raises(DataError, match="at least two classes"):
        plot_scaled_densities(GRID, CURVES[:1])
    with pytest.raises(DataError, match="names must have 2 entries"):
        plot_scaled_densities(GRID, CURVES, names=["a"])
