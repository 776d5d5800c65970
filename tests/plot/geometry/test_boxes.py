import numpy as np
import pytest
from matplotlib.patches import Circle, Rectangle
from numpy.testing import assert_allclose

from gramian.plot import nearest_sets, plot_boxes, plot_voronoi_sets

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


def test_points_found_get_rings(ax):
    plot_boxes(LOW, HIGH, POINTS, found=[[2, 1]], ax=ax)
    assert_allclose(ax.collections[-1].get_offsets(), [[2, 1]])


def test_boxes_must_fit_together():
    with pytest.raises(ValueError, match="as long as there are boxes"):
        plot_boxes(LOW, HIGH, POINTS, visited=[True])


@pytest.mark.parametrize("p", [1, 2, 3, np.inf])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_places_with_the_same_nearest_points_share_a_number(rng, k, p):
    points, grid = rng.normal(size=(5, 2)), rng.normal(size=(200, 2))
    numbers = nearest_sets(points, grid, k, p)
    away = np.linalg.norm(grid[:, None] - points, ord=p, axis=2)
    sets = [frozenset(np.argsort(row)[:k].tolist()) for row in away]
    assert len(set(zip(numbers.tolist(), sets, strict=True))) == len(set(sets)) == numbers.max() + 1


def test_other_orders_and_norms_are_drawn(ax):
    assert plot_voronoi_sets([[0, 0], [1, 0], [0, 1]], k=2, p=1.5, resolution=30, ax=ax) is ax
    assert ax.get_title() == "order 2, p = 1.5"
    image = ax.images[0].get_array()
    assert len(np.unique(image.reshape(-1, 3), axis=0)) == 3
    with pytest.raises(ValueError, match="k must be between 1 and 3"):
        plot_voronoi_sets([[0, 0], [1, 0], [0, 2]], k=4)
