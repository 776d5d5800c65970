import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.plot import plot_voronoi_cells, voronoi_cells

BOX = (-1.0, 2.0, -1.0, 1.0)
SPOTS = st.integers(-8, 8).map(lambda v: v / 8)


def area(polygon):
    """Shoelace formula."""
    x, y = polygon.T
    return abs((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2


@given(arrays(np.float64, st.tuples(st.integers(1, 7), st.just(2)), elements=SPOTS))
def test_the_cells_fill_the_box_and_hold_what_is_nearest(centers):
    cells = voronoi_cells(centers, BOX)
    assert sum(area(cell) for cell in cells if len(cell)) == pytest.approx(3.0 * 2.0)
    for own, cell in zip(centers, cells, strict=True):
        if len(cell):
            corners = ((cell[:, None] - centers) ** 2).sum(axis=2)
            assert_allclose(((cell - own) ** 2).sum(axis=1), corners.min(axis=1), atol=1e-12)


def test_a_centre_given_twice_has_one_cell():
    first, second = voronoi_cells([[0, 0], [0, 0]], BOX)
    assert area(first) == 6
    assert len(second) == 0


def test_cells_are_drawn_within_the_box(ax):
    assert plot_voronoi_cells([[0, 0], [1, 0], [0, 0.5]], box=BOX, ax=ax) is ax
    assert len(ax.patches) == 3
    assert ax.get_xlim() == (-1, 2)
    assert ax.get_ylim() == (-1, 1)
    assert len({patch.get_facecolor() for patch in ax.patches}) == 3


def test_without_a_box_all_centres_are_seen(ax):
    plot_voronoi_cells([[0, 0], [10, 4]], ax=ax)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < 0 < 10 < right
    assert bottom < 0 < 4 < top
