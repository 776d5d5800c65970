"""Coordinate descent, and single coordinates in closed form."""

import numpy as np
import pytest

from gramian.objectives import L2, Function, LinearProblem, Logistic
from gramian.solvers import CoordinateDescent, Newton, clipped_step, minimize, soft_threshold
from tests.solvers.problems import labelled_rows


def test_coordinate_descent_is_gauss_and_seidel():
    A, c = np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    bowl = Function(lambda x: x @ A @ x / 2 - c @ x, lambda x: A @ x - c, lambda x: A, size=2)
    path = CoordinateDescent(max_iter=1, tol=0).minimize(bowl, trace=True).trace.iterates
    first = c[0] / 4
    np.testing.assert_allclose(path[1], [first, (c[1] - first) / 3])
    found = CoordinateDescent(tol=1e-10).minimize(bowl)
    np.testing.assert_allclose(found.x, np.linalg.solve(A, c), atol=1e-9)


def test_coordinate_descent_finds_the_logistic_fit_in_any_order():
    X, y = labelled_rows()
    problem = LinearProblem(X, (y > 0) * 1.0, Logistic(), L2(0.1))
    best = Newton(tol=1e-10).minimize(problem).value
    assert minimize(problem, "coordinate", tol=1e-7).value == pytest.approx(best, abs=1e-10)
    shuffled = CoordinateDescent(random_order=True, tol=1e-7).minimize(problem)
    assert shuffled.value == pytest.approx(best, abs=1e-10)


def test_single_coordinates_in_closed_form():
    np.testing.assert_array_equal(soft_threshold([-2.0, 0.3], 0.5), [-1.5, 0.0])
    assert clipped_step(0.4, margin=-3.0, square=1.0, high=1.0) == 1.0
    assert clipped_step(0.4, margin=5.0, square=1.0) == 0.0
