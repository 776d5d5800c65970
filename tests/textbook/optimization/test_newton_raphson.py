"""Newton-Raphson on the slope along a line."""

import numpy as np
import pytest

from gramian.textbook.optimization import NewtonRaphson
from tests.solvers.line_search.line_search_data import line


def test_a_parabola_takes_one_tangent():
    slopes = []
    along = line(lambda a: (a - 3) ** 2, lambda a: slopes.append(a) or 2 * (a - 3), lambda a: 2.0)
    assert NewtonRaphson(tol=1e-12).find(along, 1.0) == pytest.approx(3)
    assert slopes == [0.0, 1.0, 3.0]


def test_the_second_step_matches_newtons_formula():
    """c = b - phi'(b) / phi''(b) for phi = a^4 / 4 - a, from b = 2."""
    seen = []
    along = line(lambda a: a**4 / 4 - a, lambda a: seen.append(a) or a**3 - 1, lambda a: 3 * a**2)
    found = NewtonRaphson(tol=1e-10).find(along, 2.0)
    assert seen[1:3] == pytest.approx([2.0, 2 - 7 / 12])
    assert found == pytest.approx(1)


def test_where_the_curvature_is_negative_the_bracket_is_halved_or_doubled():
    """phi = -cos(a + 4) has its minimum at 2 pi - 4 and negative curvature at the first step."""
    along = line(lambda a: -np.cos(a + 4.0), lambda a: np.sin(a + 4.0), lambda a: np.cos(a + 4.0))
    assert along.curvature(0.5) < 0
    found = NewtonRaphson(tol=1e-10).find(along, 0.5)
    assert found == pytest.approx(2 * np.pi - 4.0)
