"""The subgradient method."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.objectives import AbsoluteError, Function, LinearProblem
from gramian.solvers import LinearProgram, Subgradient
from tests.solvers.nonsmooth_data import X, Y


def test_the_subgradient_method_keeps_the_best_iterate():
    problem = LinearProblem(X, Y, AbsoluteError())
    result = Subgradient(0.5, max_iter=200).minimize(problem)
    assert result.value == result.trace.values.min()
    assert (np.diff(result.trace.values) > 0).any()
    assert problem.value(result.x) == result.value


def test_its_best_value_converges_with_falling_steps():
    """min_t f(x_t) - f* <= (|x_0 - x*|^2 + G^2 sum eps^2) / (2 sum eps), Boyd's bound."""
    problem = LinearProblem(X, Y, AbsoluteError())
    exact = LinearProgram().minimize(problem)
    result = Subgradient(max_iter=3000).minimize(problem)
    steps = 1 / np.sqrt(np.arange(1, 3001))
    G = result.trace.gradient_norms.max()
    bound = (exact.x @ exact.x + G**2 * (steps**2).sum()) / (2 * steps.sum())
    assert 0 <= result.value - exact.value <= bound
    assert result.value - exact.value < 1e-2


def test_a_kinked_function_of_ones_own():
    f = Function(lambda x: abs(x[0] - 1) + abs(x[1]), smooth=False)
    assert_allclose(Subgradient(max_iter=5000).minimize(f, [0.0, 2.0]).x, [1, 0], atol=0.05)
