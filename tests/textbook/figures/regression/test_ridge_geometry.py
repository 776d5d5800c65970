import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_ridge_geometry

G = np.array([[6.0, 3.0], [3.0, 4.0]])
BEST = np.array([3.0, 1.2])
ALPHAS = [1.0, 4.0, 15.0]


def ridge(alpha):
    return np.linalg.solve(G + alpha * np.eye(2), G @ BEST)


def labelled(ax, label):
    return next(line for line in ax.lines if line.get_label() == label)


def test_points_are_the_ridge_weights_and_lie_on_their_circles(ax):
    assert plot_ridge_geometry(G, BEST, ALPHAS, ax=ax) is ax
    points = next(line for line in ax.lines if line.get_marker() == "o").get_xydata()
    assert_allclose(points, [ridge(alpha) for alpha in ALPHAS])
    circles = [line for line in ax.lines if len(line.get_xydata()) == 200]
    for circle, point in zip(circles, points, strict=True):
        assert_allclose(np.linalg.norm(circle.get_xydata(), axis=1), np.linalg.norm(point))


def test_ellipses_of_equal_error_go_through_the_points_and_touch_the_circles(ax):
    """At the ridge weights the gradient of the RSS is -2 alpha w: along the circle's radius."""
    plot_ridge_geometry(G, BEST, ALPHAS, ax=ax)
    (ellipses,) = [c for c in ax.collections if hasattr(c, "levels")]
    heights = [(w - BEST) @ G @ (w - BEST) for w in map(ridge, ALPHAS)]
    assert_allclose(ellipses.levels, sorted(heights))
    for path, height, w in zip(ellipses.get_paths(), heights, map(ridge, ALPHAS), strict=True):
        away = path.vertices - BEST
        assert_allclose(((away @ G) * away).sum(axis=1), height, rtol=0.02)
        # the ellipse stays outside the circle, but for the point at which they touch
        assert np.linalg.norm(path.vertices, axis=1).min() > np.linalg.norm(w) * 0.99


def test_the_path_goes_from_least_squares_to_the_origin(ax):
    plot_ridge_geometry(G, BEST, ALPHAS, ax=ax)
    path = labelled(ax, r"$w(\alpha)$").get_xydata()
    assert_allclose(path[0], BEST)
    assert_allclose(path[-1], 0, atol=1e-4)
    assert (np.diff(np.linalg.norm(path, axis=1)) < 0).all()


def test_a_singular_gram_matrix_can_be_drawn(ax):
    plot_ridge_geometry([[1, 1], [1, 1]], [1, 1], [0.5], ax=ax)
    assert len(labelled(ax, r"$w(\alpha)$").get_xydata()) == 401


@pytest.mark.parametrize(
    "arguments",
    [(np.eye(3), BEST, [1]), (G, [1.0], [1]), (G, BEST, [0.0]), (G, BEST, [-1]), (G, [0, 0], [1])],
)
def test_what_cannot_be_drawn_is_refused(arguments):
    with pytest.raises(DataError, match="plot_ridge_geometry: gram must have shape"):
        plot_ridge_geometry(*arguments)
