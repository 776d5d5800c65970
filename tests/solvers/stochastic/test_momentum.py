"""Gradient descent with momentum."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.objectives import Function
from gramian.solvers import Momentum, StochasticGradient
from tests.solvers.problems import logistic


def test_steps_follow_the_published_equation():
    """Delta <- -epsilon g + beta Delta, x <- x + Delta, one unknown at a time."""
    problem, rule = logistic(), Momentum(0.2, beta=0.7, max_iter=7, tol=0.0)
    x, delta = np.linspace(-1, 1, problem.size), np.zeros(problem.size)
    found = rule.minimize(problem, x).x
    for _ in range(7):
        g = problem.gradient(x)
        for j in range(len(x)):
            delta[j] = -0.2 * g[j] + 0.7 * delta[j]
        x = x + delta
    assert_allclose(found, x, rtol=1e-10)


def test_without_momentum_it_is_gradient_descent():
    problem = logistic()
    plain = StochasticGradient(0.2, max_iter=5, tol=0.0).minimize(problem).x
    assert_allclose(Momentum(0.2, beta=0.0, max_iter=5, tol=0.0).minimize(problem).x, plain)


def test_momentum_is_faster_in_a_narrow_bowl():
    bowl = Function(lambda x: 50 * x[0] ** 2 + x[1] ** 2 / 2, lambda x: [100 * x[0], x[1]])
    plain = StochasticGradient(0.01, max_iter=5000).minimize(bowl, [1.0, 1.0])
    heavy = Momentum(0.01, max_iter=5000).minimize(bowl, [1.0, 1.0])
    assert heavy.converged
    assert 2 * heavy.iterations < plain.iterations
