"""Cells of equal sets of nearest points."""

import numpy as np
import pytest

from gramian.textbook.figures import nearest_sets, plot_voronoi_sets


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
