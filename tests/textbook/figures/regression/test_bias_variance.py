"""Fits to many training sets, and the parts of their error."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.figures import plot_bias_variance_curve, plot_bias_variance_fits
from tests.plot.conftest import legend_texts


def test_fits_show_bias_and_spread_at_the_point(ax):
    fits = np.array([[0.0, 1.0, 1.0], [0.0, 3.0, 1.0]])
    plot_bias_variance_fits([0, 1, 2], fits, [0.0, 1.5, 1.0], noise=0.25, point=1.1, ax=ax)
    assert legend_texts(ax)[-2:] == ["bias at 1: 0.5", "one deviation of the fits: 1"]
    bias, spread = ax.lines[-2:]
    assert_allclose(bias.get_ydata(), [1.5, 2.0])
    assert_allclose(spread.get_ydata(), [1.0, 3.0])
    mean = next(line for line in ax.lines if line.get_label() == "mean fit")
    assert_allclose(mean.get_ydata(), [0, 2, 1])


def test_the_parts_of_the_error_add_up(ax):
    plot_bias_variance_curve(
        [1, 2, 3], [0.5, 0.1, 0.0], [0.0, 0.1, 0.4], 0.1, test_error=[0.6, 0.3, 0.5], ax=ax
    )
    total = next(line for line in ax.lines if line.get_label() == "sum")
    assert_allclose(total.get_ydata(), [0.6, 0.3, 0.5])
    assert "least: complexity = 2, 0.3" in legend_texts(ax)
    assert "error on new data" in legend_texts(ax)


def test_parts_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="entry for each x"):
        plot_bias_variance_fits([0, 1], [[1.0]], [0, 1])
    with pytest.raises(ValueError, match="must have one entry for each of values"):
        plot_bias_variance_curve([1], [1, 2], [1], 0)
