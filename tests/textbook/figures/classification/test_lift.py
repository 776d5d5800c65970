import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_lift

X = np.array([[0.0, 0.5], [0.5, 0.0], [2.0, 1.0], [-2.0, -2.0]])
Y = np.array(["in", "in", "out", "out"])


def test_points_lie_on_the_paraboloid_and_the_boundary_is_the_circle():
    """x^2 + y^2 - x = 2 is the circle around (1/2, 0) of radius 3/2."""
    space = plt.subplots(subplot_kw={"projection": "3d"})[1]
    assert plot_lift(X, Y, [-1, 0, 1], -2, ax=space) is space
    lifted = [c for c in space.collections if c.get_label() in ("in", "out")]
    for points, name in zip(lifted, ("in", "out"), strict=True):
        across, up, high = points._offsets3d
        assert_allclose(np.column_stack([across, up]), X[name == Y])
        assert_allclose(high, across**2 + up**2)
    (contour,) = [c for c in space.collections if hasattr(c, "levels")]
    (circle,) = contour.get_paths()
    assert_allclose(np.hypot(circle.vertices[:, 0] - 0.5, circle.vertices[:, 1]), 1.5, atol=0.01)


def test_a_circle_out_of_sight_is_not_drawn():
    ax = plot_lift(X, Y, [0, 0, 1], -100)
    assert [c for c in ax.collections if hasattr(c, "levels")] == []


def test_without_axes_it_makes_its_own():
    assert plot_lift(X, Y, [0, 0, 1], -1).name == "3d"


@pytest.mark.parametrize(("y", "coef"), [(Y[:2], [0, 0, 1]), (Y, [0, 1]), (Y, [1, 0, 0])])
def test_what_cannot_be_drawn_is_refused(y, coef):
    with pytest.raises(DataError, match="plot_lift: y must have one class"):
        plot_lift(X, y, coef, 0.0)
