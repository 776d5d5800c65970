"""RMSprop."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.solvers import AdaGrad, RMSprop
from tests.solvers.problems import logistic


def test_steps_follow_the_published_equation():
    """v <- rho v + (1 - rho) g^2, x <- x - epsilon g / sqrt(v + delta), one unknown at a time."""
    problem, rule = logistic(), RMSprop(0.2, rho=0.8, delta=1e-3, max_iter=7, tol=0.0)
    x, v = np.linspace(-1, 1, problem.size), np.zeros(problem.size)
    found = rule.minimize(problem, x).x
    for _ in range(7):
        g = problem.gradient(x)
        x = x.copy()
        for j in range(len(x)):
            v[j] = 0.8 * v[j] + 0.2 * g[j] ** 2
            x[j] -= 0.2 * g[j] / (v[j] + 1e-3) ** 0.5
    assert_allclose(found, x, rtol=1e-10)


def test_step_sizes_rise_again_after_large_gradients():
    """Where AdaGrad's can only fall."""
    sizes = {}
    for rule in (RMSprop(0.1, rho=0.5), AdaGrad(0.1)):
        memory = rule._remember(np.zeros(1))
        steps = []
        for t, g in enumerate([100.0, 1.0, 1.0, 1.0, 1.0, 1.0], 1):
            step, memory = rule._move(np.array([g]), memory, t)
            steps.append(float(abs(step[0])) / g)
        sizes[type(rule)] = steps
    assert sizes[RMSprop][-1] > 3 * sizes[RMSprop][1]
    assert sizes[AdaGrad][-1] <= sizes[AdaGrad][1]
