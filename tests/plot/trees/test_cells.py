"""Cells of the plane and steps of a surface."""

import numpy as np
import pytest
from mpl_toolkits.mplot3d import Axes3D
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_cells, plot_step_surface
from gramian.plot.canvas import pale

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def test_cells_are_drawn_in_the_colours_of_their_points(ax):
    plot_cells([SQUARE, SQUARE + np.array([1, 0])], ["a", "b"], X=[[0.5, 0.5]], y=["b"], ax=ax)
    assert_allclose([patch.get_xy()[0] for patch in ax.patches], [[0, 0], [1, 0]])
    point = ax.collections[0].get_facecolor()[0, :3]
    faces = [np.array(patch.get_facecolor()[:3]) for patch in ax.patches]
    assert_allclose(faces[1], pale(point, 0.3), atol=1e-6)
    assert not np.allclose(faces[0], faces[1])
    assert ax.get_xlim() == (0, 2)
    with pytest.raises(DataError, match="a label for each of 1 cells"):
        plot_cells([SQUARE], [])


def test_steps_have_the_given_heights(monkeypatch):
    bars = []
    monkeypatch.setattr(Axes3D, "bar3d", lambda _, *bar, **__: bars.append(bar))
    space = plot_step_surface([[0, 0], [1, 0]], [[1, 1], [3, 1]], [1.0, 3.0])
    assert space.name == "3d"
    across, up, base, wide, deep, height = bars[0]
    assert (across.tolist(), up.tolist()) == ([0, 1], [0, 0])
    assert (wide.tolist(), deep.tolist()) == ([1, 2], [1, 1])
    assert base < 1
    assert_allclose(base + height, [1.0, 3.0])
    with pytest.raises(DataError, match="the same finite boxes"):
        plot_step_surface([[0, 0]], [[np.inf, 1]], [1.0])
