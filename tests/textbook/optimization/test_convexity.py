"""Convexity at samples, and the corners of polygons."""

import numpy as np
import pytest

from gramian.textbook.optimization import check_convexity, in_polytope, polygon_vertices
from tests.solvers.programs.square import SQUARE


def test_chords_and_hessians_distinguish_convex_functions():
    bowl = check_convexity(lambda v: float(np.exp(v[0]) + v @ v), [-1, -1], [1, 1])
    assert bowl.chord
    assert bowl.hessian
    wave = check_convexity(lambda v: float(np.sin(3 * v[0])), [-2], [2])
    assert not wave.chord
    assert not wave.hessian
    x, y, beta = wave.counterexample
    f = lambda v: np.sin(3 * v[0])  # noqa: E731
    assert f(x + beta * (y - x)) > f(x) + beta * (f(y) - f(x))


def test_corners_of_a_polygon():
    corners = polygon_vertices(*SQUARE)
    assert corners.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert in_polytope(*SQUARE, corners).all()
    assert not in_polytope(*SQUARE, [[1.1, 0.5]])[0]
    with pytest.raises(ValueError, match="enclose"):
        polygon_vertices([[1, 0], [-1, 0], [0, 1], [0, -1]], [0, -1, 1, 1])


def test_an_open_set_has_no_polygon():
    with pytest.raises(ValueError, match="bound"):
        polygon_vertices([[1, 0], [0, 1], [-1, 0]], [1, 1, 0])
