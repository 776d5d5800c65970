import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from gramian.base.errors import DataError
from gramian.plot import plot_class_histograms


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
    with pytest.raises(DataError, match="a label for each"):
        plot_class_histograms([1.0, 2.0], [0])
    with pytest.raises(DataError, match="which is not in y"):
        plot_class_histograms([1.0, 2.0], [0, 1], {2: norm.pdf})
