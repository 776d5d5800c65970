import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.plot import plot_densities

SAMPLE = [0.0, 1.0, 3.0]


def bell(X):
    return np.exp(-0.5 * X[:, 0] ** 2) / np.sqrt(2 * np.pi)


def test_every_estimate_is_a_curve_over_the_sample(ax):
    assert plot_densities(SAMPLE, {"bell": bell, "flat": lambda X: 0.1 + 0 * X[:, 0]}, ax=ax) is ax
    bells, flat, ticks = ax.lines
    assert_allclose(bells.get_ydata(), bell(bells.get_xdata()[:, None]))
    assert_allclose(flat.get_ydata(), 0.1)
    assert_allclose(ticks.get_xdata(), SAMPLE)
    assert ax.get_ylim()[0] == 0


def test_the_truth_is_an_area(ax):
    plot_densities(SAMPLE, {}, truth=bell, ax=ax)
    assert len(ax.collections) == 1
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["truth"]


def test_samples_without_numbers_are_refused():
    for sample in ([], [np.nan]):
        with pytest.raises(ValueError, match="plot_densities: sample must contain"):
            plot_densities(sample, {})
