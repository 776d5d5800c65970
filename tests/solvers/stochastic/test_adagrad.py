"""AdaGrad."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.objectives import Function
from gramian.solvers import AdaGrad
from tests.solvers.problems import logistic


def test_steps_follow_the_published_equation():
    """G <- G + g^2, x <- x - epsilon g / sqrt(G + delta), one unknown at a time."""
    problem, rule = logistic(), AdaGrad(0.2, delta=1e-3, max_iter=7, tol=0.0)
    x, G = np.linspace(-1, 1, problem.size), np.zeros(problem.size)
    found = rule.minimize(problem, x).x
    for _ in range(7):
        g = problem.gradient(x)
        x = x.copy()
        for j in range(len(x)):
            G[j] += g[j] ** 2
            x[j] -= 0.2 * g[j] / (G[j] + 1e-3) ** 0.5
    assert_allclose(found, x, rtol=1e-10)


def test_the_first_step_of_every_unknown_is_the_rate():
    """g / sqrt(g^2) is the sign, whatever the scale of an unknown."""
    scaled = Function(lambda x: 1e6 * x[0] + 1e-3 * x[1], lambda x: [1e6, 1e-3])
    found = AdaGrad(0.5, delta=0.0, max_iter=1).minimize(scaled, [0.0, 0.0])
    assert_allclose(found.x, [-0.5, -0.5])
