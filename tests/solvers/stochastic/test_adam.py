"""Adam."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.objectives import Function
from gramian.solvers import Adam
from tests.solvers.problems import logistic


def test_steps_follow_the_published_equation():
    """m, v, their corrections and the step, one unknown at a time."""
    problem, rule = logistic(), Adam(0.2, beta1=0.8, beta2=0.9, delta=1e-3, max_iter=7, tol=0.0)
    x, m, v = np.linspace(-1, 1, problem.size), np.zeros(problem.size), np.zeros(problem.size)
    found = rule.minimize(problem, x).x
    for t in range(1, 8):
        g = problem.gradient(x)
        x = x.copy()
        for j in range(len(x)):
            m[j] = 0.8 * m[j] + 0.2 * g[j]
            v[j] = 0.9 * v[j] + 0.1 * g[j] ** 2
            x[j] -= 0.2 * m[j] / (1 - 0.8**t) / ((v[j] / (1 - 0.9**t)) ** 0.5 + 1e-3)
    assert_allclose(found, x, rtol=1e-10)


def test_constant_gradients_give_steps_of_the_rate_at_once():
    """The corrected averages of a constant are that constant, from the first step on."""
    slope = Function(lambda x: 7 * x[0], lambda x: [7.0])
    path = Adam(0.1, delta=0.0, max_iter=4).minimize(slope, [0.0]).trace.iterates
    assert_allclose(np.diff(path[:, 0]), -0.1)
