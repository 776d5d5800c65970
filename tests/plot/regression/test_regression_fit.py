import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_regression_line, plot_regression_plane

X = np.array([0.0, 1.0, 2.0, 3.0])
Y = np.array([1.0, 1.5, 4.0, 3.0])


def test_each_residual_goes_from_the_fit_to_its_point(ax):
    assert plot_regression_line(X, Y, lambda Z: 1 + Z[:, 0], ax=ax) is ax
    (residuals,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    ends = np.array(residuals.get_segments())
    assert_allclose(ends[:, :, 0], np.column_stack([X, X]))
    assert_allclose(ends[:, :, 1], np.column_stack([1 + X, Y]))
    assert ax.get_title() == f"RSS = {((Y - 1 - X) ** 2).sum():.4g}"


def test_the_line_is_the_function_given(ax):
    plot_regression_line(X[:, None], Y, lambda Z: Z[:, 0] ** 2, ax=ax)
    (line,) = ax.lines
    assert_allclose(line.get_ydata(), line.get_xdata() ** 2)
    assert line.get_xdata().min() < 0 < 3 < line.get_xdata().max()


def test_a_plane_has_a_residual_for_every_point():
    space = plt.subplots(subplot_kw={"projection": "3d"})[1]
    rows = np.column_stack([X, X[::-1]])
    assert plot_regression_plane(rows, Y, lambda Z: Z @ [1, 0] + 1, ax=space) is space
    ends = np.array([np.array(line.get_data_3d())[2] for line in space.lines])
    assert_allclose(ends, np.column_stack([1 + X, Y]))
    assert space.get_title() == f"RSS = {((Y - 1 - X) ** 2).sum():.4g}"


def test_without_axes_a_plane_makes_its_own():
    ax = plot_regression_plane(np.eye(2), [0, 1], lambda Z: Z[:, 0])
    assert ax.name == "3d"


@pytest.mark.parametrize("y", [[1.0, 2.0], [[1.0]] * 4])
def test_targets_of_another_shape_are_refused(y):
    with pytest.raises(DataError, match="one number for each of the 4 points"):
        plot_regression_line(X, y, lambda Z: Z[:, 0])
    with pytest.raises(DataError, match="one number for each of the 4 points"):
        plot_regression_plane(np.zeros((4, 2)), y, lambda Z: Z[:, 0])
