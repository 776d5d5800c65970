"""Newton's method: one step on quadratics, digits that double, singular and indefinite Hessians."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from gramian.objectives import L2, Function, LinearProblem, Logistic, SquaredError
from gramian.solvers import LBFGS, Newton, stationary_kind
from tests.solvers.problems import bowls, logistic, quadratic, rosenbrock


@given(bowl=bowls())
def test_a_quadratic_takes_one_step(bowl):
    A, b = bowl
    result = Newton(tol=1e-8).minimize(quadratic(A, b), np.ones(len(b)))
    assert result.iterations <= 1
    assert_allclose(result.x, np.linalg.solve(A, b), rtol=1e-8, atol=1e-9)


def test_the_step_has_the_inverse_of_the_hessian():
    """x - H^-1 g, not x - H g: on 2 x^2 the two differ."""
    problem = quadratic([[4.0]], [4.0])
    assert_allclose(Newton(max_iter=1).minimize(problem, [3.0]).x, [1.0])


def test_correct_digits_double():
    f = Function(lambda x: x[0] - np.log(x[0]), lambda x: 1 - 1 / x, lambda x: [1 / x**2])
    error = np.abs(Newton(tol=1e-14, damped=False).minimize(f, [0.5]).trace.iterates[:, 0] - 1)
    assert_allclose(error[1:5], error[:4] ** 2, rtol=1e-6)  # for this f exactly e -> e^2


def test_a_singular_hessian_gets_the_least_norm_step():
    X = np.array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])  # rank 1
    y = np.array([1.0, 3.0, 5.0])
    problem = LinearProblem(X, y, SquaredError(), intercept=False)
    result = Newton().minimize(problem)
    assert result.converged
    assert_allclose(result.x, np.linalg.pinv(X) @ y, atol=1e-12)


def test_a_ridge_regularises_the_singular_system():
    X, y = np.array([[1.0, 1.0], [2.0, 2.0]]), np.array([1.0, 3.0])
    result = Newton(ridge=1e-3).minimize(LinearProblem(X, y, SquaredError(), intercept=False))
    assert result.converged
    assert_allclose(result.x, np.linalg.pinv(X) @ y, atol=1e-5)


def test_undamped_it_finds_saddles_and_maxima_and_reports_them():
    saddle = quadratic([[2.0, 0.0], [0.0, -1.0]], [2.0, 1.0])
    found = Newton(damped=False).minimize(saddle)
    assert found.converged
    assert_allclose(found.x, [1.0, -1.0])
    assert stationary_kind(saddle, found.x) == "saddle"
    hill = quadratic([[-2.0]], [1.0])
    assert stationary_kind(hill, Newton(damped=False).minimize(hill).x) == "maximum"
    assert stationary_kind(quadratic([[2.0]], [1.0]), np.zeros(1)) == "minimum"
    assert stationary_kind(quadratic([[1.0, 0], [0, 0]], [1.0, 0]), np.zeros(2)) == "degenerate"


@pytest.mark.parametrize("system", ["auto", "cg"])
def test_damped_it_descends_where_the_hessian_is_indefinite(system):
    """x^4/4 - x^2/2 + y^2: a saddle at 0, minima at (+-1, 0)."""
    f = Function(
        lambda x: x[0] ** 4 / 4 - x[0] ** 2 / 2 + x[1] ** 2,
        lambda x: np.array([x[0] ** 3 - x[0], 2 * x[1]]),
        lambda x: np.diag([3 * x[0] ** 2 - 1, 2.0]),
    )
    result = Newton(system=system).minimize(f, [0.1, 1.0])
    assert result.converged
    assert_allclose(np.abs(result.x), [1.0, 0.0], atol=1e-6)
    assert (np.diff(result.trace.values) <= 1e-15).all()


@pytest.mark.parametrize("system", ["auto", "cg"])
def test_rosenbrock(system):
    result = Newton(system=system).minimize(rosenbrock(), [-1.2, 1.0])
    assert result.converged
    assert_allclose(result.x, [1, 1], atol=1e-6)


@pytest.mark.parametrize("system", ["auto", "cg"])
def test_a_logistic_regression(system):
    problem = logistic(n=200, d=8)
    result = Newton(system=system, tol=1e-10).minimize(problem)
    reference = LBFGS(tol=1e-10).minimize(problem)
    assert result.converged
    assert result.iterations < 15
    assert_allclose(result.x, reference.x, atol=1e-8)


def test_the_full_step_needs_damping_on_a_logistic_cost():
    """From far away the undamped step overshoots; the damped one does not."""
    problem = LinearProblem([[1.0], [1.0], [-1.0]], [1.0, 0.0, 0.0], Logistic(), intercept=False)
    far = [8.0]
    assert Newton().minimize(problem, far).converged
    wild = Newton(damped=False, max_iter=3).minimize(problem, far)
    assert wild.trace.values.max() > wild.trace.values[0]


@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-9])
def test_no_hessian_is_formed_after_the_last_step(tol):
    """The gradient falls as its square, so the step that ends the loop is known before it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    problem = LinearProblem(X, (X[:, 0] > rng.normal(size=300)) * 1.0, Logistic(), L2(0.002))
    formed, plain = [], []
    second_order, value_and_gradient = problem.second_order, problem.value_and_gradient
    problem.second_order = lambda x: formed.append(x.copy()) or second_order(x)
    problem.value_and_gradient = lambda x: plain.append(x.copy()) or value_and_gradient(x)
    found = Newton(tol=tol).minimize(problem)
    assert found.converged
    assert len(formed) == found.iterations  # at every point but the last
    np.testing.assert_array_equal(plain, [found.x])


def test_near_the_minimum_one_hessian_may_do(monkeypatch):
    X = np.random.default_rng(0).normal(size=(2000, 4))
    problem = LinearProblem(X, (X.sum(axis=1) > 0.3) * 1.0, Logistic(), L2(0.02))
    best = Newton(tol=1e-12).minimize(problem).x
    formed = []
    second_order = LinearProblem.second_order
    monkeypatch.setattr(
        LinearProblem, "second_order", lambda p, x: formed.append(x) or second_order(p, x)
    )
    near = Newton(keep=10, tol=1e-9).minimize(problem, best + 1e-3)
    assert near.converged
    assert len(formed) == 1
    assert_allclose(near.x, best, atol=1e-8)
    far = Newton(keep=10, tol=1e-9).minimize(problem)  # whose first steps gain too little
    assert far.converged
    assert len(formed) > 2
    assert_allclose(far.x, best, atol=1e-8)
