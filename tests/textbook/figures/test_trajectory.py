import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_trajectory
from tests.plot.conftest import legend_texts


def bowl(w):
    return 10 * w[:, 0] ** 2 + w[:, 1] ** 2


def descent(step, count, start=(1.0, 2.0)):
    path = [np.array(start)]
    for _ in range(count):
        path.append(path[-1] - step * np.array([20, 2]) * path[-1])
    return np.array(path)


def test_each_path_is_a_line_with_its_start_and_end(ax):
    paths = {"small": descent(0.02, 10), "large": descent(0.09, 1)}
    assert plot_trajectory(bowl, paths, ax=ax) is ax
    walks = [line.get_xydata() for line in ax.lines if len(line.get_xydata()) > 1]
    assert_allclose(walks[0], paths["small"])
    assert_allclose(walks[1], paths["large"])
    ends = [line.get_xydata()[0] for line in ax.lines if len(line.get_xydata()) == 1]
    assert_allclose(ends, [p[i] for p in paths.values() for i in (0, -1)])
    assert legend_texts(ax) == ["small: 10 steps", "large: 1 step"]


def test_without_a_box_every_iterate_is_seen(ax):
    path = descent(0.09, 5)
    plot_trajectory(bowl, path, ax=ax)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < path[:, 0].min() < path[:, 0].max() < right
    assert bottom < path[:, 1].min() < path[:, 1].max() < top


def test_a_path_that_runs_away_keeps_the_box_given(ax):
    """GD diverges on 10 w1^2 + w2^2 for steps above 2 / 20 (worked number T20)."""
    path = descent(0.101, 400)
    assert np.abs(path[-1]).max() > 10
    plot_trajectory(bowl, path, box=(-2, 2, -1, 3), ax=ax)
    assert ax.get_xlim() == (-2, 2)
    assert ax.get_ylim() == (-1, 3)


def test_contours_lie_closer_near_the_least_value(ax):
    plot_trajectory(bowl, descent(0.02, 3), levels=10, ax=ax)
    heights = ax.collections[1].levels
    assert len(heights) == 10
    assert (np.diff(heights, n=2) > 0).all()


def test_a_constant_function_has_no_contours(ax):
    plot_trajectory(lambda w: 0 * w[:, 0], [[0, 0], [1, 1]], ax=ax)
    assert list(ax.collections) == []


def test_points_outside_the_plane_are_refused():
    with pytest.raises(DataError, match=r"2 columns; got shape \(3, 1\)"):
        plot_trajectory(bowl, np.zeros((3, 1)))
