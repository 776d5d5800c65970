"""What every solver inherits: traces, callbacks, stopping, solvers of the user's own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.base.errors import ParameterError
from gramian.base.fields import Positive, params
from gramian.objectives import L2, AbsoluteError, Function, LinearProblem, Logistic, Loss
from gramian.solvers import GradientDescent, Iterate, Solver, choose_solver, minimize
from gramian.solvers.solver_names import SOLVERS
from tests.solvers.problems import logistic, rosenbrock
from tests.solvers.solver_cases import PROGRAMS, X, Y


@pytest.mark.parametrize("name", SOLVERS)
def test_the_trace_is_the_path(name):
    problem = LinearProblem(X, Y, AbsoluteError()) if name in PROGRAMS else logistic(n=20, d=2)
    start = np.full(problem.size, 0.1)
    result = minimize(problem, name, start, max_iter=5 if name != "linear-program" else 100)
    trace = result.trace
    assert trace.iterates.shape == (result.iterations + 1, problem.size)
    assert len(trace.values) == len(trace.gradient_norms) == result.iterations + 1
    assert_array_equal(trace.iterates[0], start)
    assert_allclose(trace.values, [problem.value(x) for x in trace.iterates], rtol=1e-12)
    assert result.value == problem.value(result.x)
    if name != "proximal":  # its gradient is that of the mapping
        norms = [np.linalg.norm(problem.gradient(x)) for x in trace.iterates]
        assert_allclose(trace.gradient_norms, norms, rtol=1e-10)
    assert result.message


def test_iterates_are_kept_by_default_where_they_are_few():
    wide = LinearProblem(np.ones((2, 200)), [1.0, 1.0], Logistic(), L2(2.0))
    assert minimize(wide, "gradient", max_iter=2).trace.iterates is None
    assert minimize(wide, "gradient", max_iter=2, trace=True).trace.iterates.shape == (3, 201)
    assert minimize(rosenbrock(), "gradient", max_iter=2, trace=False).trace.iterates is None
    assert len(minimize(wide, "gradient", max_iter=2).trace.values) == 3


def test_a_callback_sees_every_iterate_and_may_stop():
    seen = []
    result = GradientDescent().minimize(
        rosenbrock(), callback=lambda t, now: seen.append((t, now.value)) or t == 3
    )
    assert [t for t, _ in seen] == [0, 1, 2, 3]
    assert [value for _, value in seen] == result.trace.values.tolist()
    assert not result.converged
    assert "callback after 3" in result.message


def test_a_start_where_the_cost_is_infinite_is_reported():
    f = Function(lambda x: np.log(x[0]), lambda x: 1 / x)
    result = minimize(f, "lbfgs", [0.0])
    assert not result.converged
    assert "diverged" in result.message


def test_a_loss_and_a_solver_of_ones_own():
    """Those of the user guide."""

    class Huber(Loss):
        smoothness = "once"

        def value(self, y, z):
            r = np.abs(z - y)
            return np.where(r <= 1, r**2 / 2, r - 1 / 2)

        def derivative(self, y, z):
            return np.clip(z - y, -1, 1)

    @params
    class SignDescent(Solver):
        """x <- x - step sign(grad J)."""

        step: Positive = 0.01

        def _iterates(self, problem, x):
            while True:
                J, g = problem.value_and_gradient(x)
                yield Iterate(x, J, g)
                x = x - self.step * np.sign(g)

    x = np.linspace(-1, 1, 21)[:, None]
    y = 2 * x[:, 0] + 1
    y[3] = 50.0
    problem = LinearProblem(x, y, Huber())
    assert choose_solver(problem).kind == "gradient"
    assert_allclose(minimize(problem).x, [2, 1], atol=0.2)
    with pytest.raises(ValueError, match="Newton: needs a Hessian; but Huber has no second deriv"):
        minimize(problem, "newton")
    assert_allclose(SignDescent().minimize(problem).x, minimize(problem).x, atol=0.02)
    with pytest.raises(ParameterError, match="SignDescent: step must be a number > 0; got 0"):
        minimize(problem, SignDescent(0))
