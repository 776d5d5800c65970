"""Gradient descent: the limits of its step, and its control."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.objectives import Function, LinearProblem, SquaredError
from gramian.solvers import GradientDescent, InverseTime, Secant, Staircase
from gramian.textbook.optimization import GoldenSection, NewtonRaphson, condition
from tests.solvers.problems import bowls, logistic, quadratic, rosenbrock

ROUND = Function(lambda w: 2 * w[0] ** 2 + w[1] ** 2, lambda w: [4 * w[0], 2 * w[1]], size=2)
NARROW = Function(lambda w: 10 * w[0] ** 2 + w[1] ** 2, lambda w: [20 * w[0], 2 * w[1]], size=2)


def test_a_step_that_converges_in_a_round_bowl_diverges_in_a_narrow_one():
    """T20: the limits 2 / lambda_max are 1/2 and 1/10."""
    fixed = GradientDescent(0.3, halve=False, max_iter=10_000)
    assert fixed.minimize(ROUND, [1.0, 1.0]).converged
    apart = fixed.minimize(NARROW, [1.0, 1.0])
    assert not apart.converged
    assert apart.message.startswith("diverged")
    assert apart.trace.values[5] > 1000
    for bowl, limit in ((ROUND, 0.5), (NARROW, 0.1)):
        assert condition(bowl).step_limit == pytest.approx(limit, rel=1e-6)
        below = GradientDescent(0.99 * limit, halve=False, max_iter=5000)
        assert below.minimize(bowl, [1.0, 1.0]).converged
        above = GradientDescent(1.01 * limit, halve=False, max_iter=5000)
        assert not above.minimize(bowl, [1.0, 1.0]).converged


@given(bowl=bowls(), part=st.floats(0.01, 0.99))
def test_every_step_below_2_over_l_lowers_a_quadratic(bowl, part):
    A, b = bowl
    step = part * 2 / np.linalg.eigvalsh(A)[-1]
    values = GradientDescent(step, halve=False, max_iter=30).minimize(quadratic(A, b)).trace.values
    assert (np.diff(values) <= 1e-12 * np.abs(values[:-1]) + 1e-15).all()


@given(bowl=bowls(d=st.integers(2, 4)))
def test_the_error_falls_by_kappa_minus_1_over_kappa_plus_1(bowl):
    """With the best fixed step, |x_t - x*| <= rate^t |x_0 - x*|."""
    A, b = bowl
    problem = quadratic(A, b)
    shape = condition(problem)
    path = GradientDescent(shape.best_step, halve=False, max_iter=25, tol=0).minimize(problem).trace
    error = np.linalg.norm(path.iterates - np.linalg.solve(A, b), axis=1)
    bound = shape.rate ** np.arange(len(error)) * error[0]
    assert (error <= bound * (1 + 1e-6) + 1e-9).all()


def test_one_over_l_lowers_a_logistic_cost_at_every_step():
    result = GradientDescent("lipschitz", halve=False, max_iter=200).minimize(logistic())
    assert (np.diff(result.trace.values) < 0).all()


def test_a_step_that_would_raise_the_cost_is_halved_for_good():
    result = GradientDescent(1.0).minimize(NARROW, [1.0, 1.0])
    assert result.converged
    assert (np.diff(result.trace.values) < 0).all()
    first, second = np.diff(result.trace.iterates[:3], axis=0)
    gradients = [np.array([20 * x[0], 2 * x[1]]) for x in result.trace.iterates[:2]]
    assert_allclose(first, -1 / 16 * gradients[0])  # 1 halved four times
    assert_allclose(second, -1 / 16 * gradients[1])


def test_a_schedule_sets_every_step():
    steps = Staircase(0.1, every=2, factor=0.5)
    path = GradientDescent(steps, halve=False, max_iter=4, tol=0).minimize(ROUND, [1.0, 1.0]).trace
    used = -np.diff(path.iterates[:, 1]) / (2 * path.iterates[:-1, 1])
    assert_allclose(used, [0.1, 0.1, 0.05, 0.05])
    assert GradientDescent(InverseTime(0.4, 50.0)).minimize(ROUND, [1.0, 1.0]).converged


@pytest.mark.parametrize("search", [Secant(), NewtonRaphson(), GoldenSection()], ids=repr)
def test_a_line_search_can_set_every_step(search):
    result = GradientDescent(search=search).minimize(NARROW, [1.0, 3.0])
    assert result.converged
    assert_allclose(result.x, 0, atol=1e-6)


def test_the_stopping_rules():
    assert "tol=" in GradientDescent(0.1).minimize(ROUND, [1.0, 1.0]).message
    few = GradientDescent(0.01, max_iter=3).minimize(ROUND, [1.0, 1.0])
    assert (few.converged, few.iterations) == (False, 3)
    assert "max_iter=3" in few.message
    slow = GradientDescent(0.01, decrease=0.01).minimize(ROUND, [1.0, 1.0])
    assert slow.converged
    assert "lowered J by" in slow.message
    there = GradientDescent().minimize(ROUND, [0.0, 0.0])
    assert (there.converged, there.iterations) == (True, 0)


def test_it_ends_where_rounding_allows_no_lower_value():
    result = GradientDescent(tol=0.0, max_iter=10**6).minimize(logistic(n=20))
    assert result.iterations < 10**6
    assert result.gradient_norm < 1e-6


def test_it_agrees_with_least_squares():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    problem = LinearProblem(X, y, SquaredError(), intercept=False)
    found = GradientDescent("lipschitz", tol=1e-10).minimize(problem)
    assert_allclose(found.x, np.linalg.lstsq(X, y)[0], atol=1e-8)


def test_rosenbrock_is_slow_but_falls():
    result = GradientDescent(max_iter=500).minimize(rosenbrock(), [-1.2, 1.0])
    assert not result.converged
    assert (np.diff(result.trace.values) < 0).all()


def test_the_fields_are_checked():
    with pytest.raises(ParameterError, match="GradientDescent: step must be"):
        GradientDescent(-1.0).minimize(ROUND, [1.0, 1.0])
    with pytest.raises(ParameterError, match="tol must be a number >= 0"):
        GradientDescent(tol=-1).minimize(ROUND, [1.0, 1.0])
    with pytest.raises(ParameterError, match="a line search"):
        GradientDescent(search="secant").minimize(ROUND, [1.0, 1.0])
    assert repr(GradientDescent(0.5, halve=False)) == "GradientDescent(step=0.5, halve=False)"
