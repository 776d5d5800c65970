"""Finite differences, gradient checks, and a user's own function."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.objectives import (
    directional_derivative,
    gradient_error,
    numeric_gradient,
    numeric_hessian,
)
from tests.objectives.smooth_function import f, gradient, hessian, points


@given(x=points)
def test_numeric_derivatives(x):
    assert_allclose(numeric_gradient(f, x), gradient(x), atol=1e-8)
    assert_allclose(numeric_hessian(f, x), hessian(x), atol=1e-5)
    assert_allclose(numeric_hessian(f, x, gradient), hessian(x), atol=1e-8)
    assert gradient_error(f, gradient, x) < 1e-7


@given(x=points, u=points)
def test_the_directional_derivative_is_the_gradient_along_a_unit_vector(x, u):
    u = u + np.array([3.0, 0.0, 0.0])
    expected = gradient(x) @ u / np.linalg.norm(u)
    assert directional_derivative(f, x, u) == pytest.approx(expected, abs=1e-7)


@given(t=st.floats(-1, 1))
def test_the_chain_rule_along_a_curve(t):
    """dz/dt = dz/dx dx/dt + dz/dy dy/dt."""
    curve = lambda t: np.array([t**2, np.cos(t), 3 * t])  # noqa: E731
    velocity = np.array([2 * t, -np.sin(t), 3.0])
    along = numeric_gradient(lambda s: f(curve(s[0])), [t])[0]
    assert along == pytest.approx(gradient(curve(t)) @ velocity, abs=1e-7)
    slope = directional_derivative(f, curve(t), velocity) * np.linalg.norm(velocity)
    assert along == pytest.approx(slope, abs=1e-7)


def test_a_wrong_gradient_is_found():
    x = np.array([0.3, 1.0, -0.5])
    assert gradient_error(f, lambda x: -gradient(x), x) > 0.5
    assert gradient_error(f, lambda x: gradient(x) + np.array([0, 0, 1]), x) > 0.1
    assert gradient_error(lambda x: 0.0, lambda x: 0 * x, x) == 0.0
