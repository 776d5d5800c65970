"""Finite differences, gradient checks, and a user's own function."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.objectives import (
    Function,
    directional_derivative,
    gradient_error,
    numeric_gradient,
    numeric_hessian,
)

points = arrays(float, 3, elements=st.floats(-2, 2))


def f(x):
    return float(np.exp(x[0] / 2) * x[1] + np.sin(x[2]) * x[0])


def gradient(x):
    e = np.exp(x[0] / 2)
    return np.array([e * x[1] / 2 + np.sin(x[2]), e, np.cos(x[2]) * x[0]])


def hessian(x):
    e = np.exp(x[0] / 2)
    return np.array(
        [
            [e * x[1] / 4, e / 2, np.cos(x[2])],
            [e / 2, 0, 0],
            [np.cos(x[2]), 0, -np.sin(x[2]) * x[0]],
        ]
    )


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


@given(x=points)
def test_a_function_uses_what_it_is_given_and_computes_the_rest(x):
    for given_ in ({}, {"gradient": gradient}, {"gradient": gradient, "hessian": hessian}):
        problem = Function(f, **given_)
        J, g, H = problem.second_order(x)
        assert f(x) == J
        assert_allclose(g, gradient(x), atol=1e-8)
        assert_allclose(H, hessian(x), atol=1e-5)
        assert_allclose(problem.hessian_product(x, np.ones(3)), H.sum(axis=1), atol=1e-12)


def test_what_a_function_lacks():
    assert {"prox", "rows", "least squares"} <= set(Function(f).lacking())
    assert "gradient" not in Function(f).lacking()
    assert "non-smooth" in Function(f, smooth=False).lacking()["gradient"]
    rows = Function(f, rows_gradient=lambda x, rows: x, n_rows=3)
    assert "rows" not in rows.lacking()
    assert rows.rows_gradient(np.ones(3), np.array([0])).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Function(3), TypeError, "f must be a function"),
        (lambda: Function(lambda x: x).value(np.ones(2)), DataError, "must return one number"),
        (lambda: Function(f, lambda x: [1.0]).gradient(np.ones(3)), DataError, r"shape \(3,\)"),
        (lambda: Function(f).start(), DataError, "give a start, or the size"),
        (lambda: Function(f, n_rows=3), DataError, "give both or neither"),
    ],
)
def test_bad_functions_say_what_is_wrong(make, error, words):
    with pytest.raises(error, match=words):
        make()
