import numpy as np
import pytest
from matplotlib.patches import Circle, Rectangle
from numpy.testing import assert_allclose

from gramian.textbook.figures import plot_boxes

INF = np.inf
LOW, HIGH = [[-INF, -INF], [1, -INF]], [[1, INF], [INF, INF]]
POINTS = [[0, 0], [2, 1]]


def test_boxes_fill_the_frame_and_visited_ones_are_shaded(ax):
    drawn = plot_boxes(
        LOW, HIGH, POINTS, visited=[True, False], query=[0.5, 0.5], radius=0.7, ax=ax
    )
    assert drawn is ax
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    area = sum(box.get_width() * box.get_height() for box in boxes)
    assert area == pytest.approx((right - left) * (top - bottom))
    assert boxes[0].get_facecolor() != boxes[1].get_facecolor()
    (circle,) = (patch for patch in ax.patches if isinstance(patch, Circle))
    assert circle.radius == 0.7
    assert_allclose(circle.center, [0.5, 0.5])


def test_boxes_must_fit_together():
    with pytest.raises(ValueError, match="one entry per box"):
        plot_boxes(LOW, HIGH, POINTS, visited=[True])


def test_points_found_get_rings(ax):
    plot_boxes(LOW, HIGH, POINTS, found=[[2, 1]], ax=ax)
    assert_allclose(ax.collections[-1].get_offsets(), [[2, 1]])
