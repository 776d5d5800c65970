import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_activations, plot_approximations


def test_the_curves_are_the_functions_and_the_broad_parts_are_flat():
    ax = plot_activations(["sigmoid", "relu"], margin=0.05)
    by_name = {line.get_label(): line for line in ax.lines if line.get_label() != "_flat"}
    x, y = by_name["sigmoid"].get_data()
    np.testing.assert_allclose(y, 1 / (1 + np.exp(-x)))
    flat = ax.lines[0].get_ydata()
    shown = flat[np.isfinite(flat)]
    assert ((shown < 0.05) | (shown > 0.95)).all()
    assert len(shown)
    assert np.nanmax(ax.lines[2].get_ydata()) == 0.0


def test_unknown_names_are_refused():
    with pytest.raises(DataError, match="'swish'"):
        plot_activations(["swish"])


def test_approximations_are_drawn_over_the_function():
    ax = plot_approximations([0, 1], [0, 2], {"one": [0, 1], "two": [1, 2]})
    np.testing.assert_array_equal(ax.lines[2].get_ydata(), [1, 2])
    with pytest.raises(DataError, match="each of the 2 points; got 3"):
        plot_approximations([0, 1], [0, 2], {"one": [0, 1, 2]})
