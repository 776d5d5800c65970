import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_training_curves


def test_each_run_is_a_line_over_its_iterations(ax):
    assert plot_training_curves({"a": [3, 2, 1], "b": [5, 4]}, xlabel="epoch", ax=ax) is ax
    assert_allclose(ax.lines[0].get_xydata(), [[0, 3], [1, 2], [2, 1]])
    assert_allclose(ax.lines[1].get_xydata(), [[0, 5], [1, 4]])
    assert (ax.get_xlabel(), ax.get_yscale()) == ("epoch", "linear")


def test_above_the_least_value_the_axis_is_logarithmic_and_the_end_is_left_out(ax):
    plot_training_curves({"a": [9.0, 2.0, 1.0]}, least=1.0, ax=ax)
    assert_allclose(ax.lines[0].get_xydata(), [[0, 8], [1, 1]])
    assert ax.get_yscale() == "log"


def test_other_input_than_lists_raises():
    with pytest.raises(DataError, match=r"'a' must be a list of numbers; got shape \(0,\)"):
        plot_training_curves({"a": []})
