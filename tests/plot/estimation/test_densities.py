import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from gramian.base.errors import DataError
from gramian.plot import plot_class_histograms, plot_scaled_densities
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


def test_histograms_have_area_one_and_fits_on_top(ax):
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(size=300), rng.normal(5, 1, size=200)]
    y = np.repeat([0, 1], [300, 200])
    plot_class_histograms(x, y, {0: norm(0, 1).pdf, 1: norm(5, 1).pdf}, bins=20, ax=ax)
    areas = [sum(p.get_width() * p.get_height() for p in c.patches) for c in ax.containers]
    assert_allclose(areas, [1, 1])
    peaks = [
        line.get_xdata()[line.get_ydata().argmax()] for line in ax.lines if len(line.get_xdata())
    ]
    assert_allclose(peaks, [0, 5], atol=0.05)


def test_bad_input():
    with pytest.raises(DataError, match="at least two classes"):
        plot_scaled_densities(GRID, CURVES[:1])
    with pytest.raises(DataError, match="names must be 2"):
        plot_scaled_densities(GRID, CURVES, names=["a"])
    with pytest.raises(DataError, match="a label for each"):
        plot_class_histograms([1.0, 2.0], [0])
    with pytest.raises(DataError, match="which is not in y"):
        plot_class_histograms([1.0, 2.0], [0, 1], {2: norm.pdf})
