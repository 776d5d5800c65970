import pytest
from numpy.testing import assert_allclose

from gramian.textbook.figures import plot_bounds


def test_limits_are_lines_and_measurements_points(ax):
    assert plot_bounds([10, 100], {"a": [1, 0.5], "b": [1, 0.2]}, measured=[0.3, 0.1], ax=ax) is ax
    assert [line.get_label() for line in ax.lines] == ["a", "b", "measured"]
    assert [line.get_linestyle() for line in ax.lines] == ["-", "-", "None"]
    assert_allclose(ax.lines[1].get_ydata(), [1, 0.2])
    assert ax.get_xscale() == "log"


def test_every_curve_has_a_value_for_each_n(ax):
    with pytest.raises(ValueError, match="'a' must have one value for each n"):
        plot_bounds([10, 100], {"a": [1]}, ax=ax)
