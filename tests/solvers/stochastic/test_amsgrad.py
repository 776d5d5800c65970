"""AMSGrad."""

from itertools import pairwise

import numpy as np
import pytest

from gramian.solvers import AMSGrad


def test_steps_follow_the_published_equation():
    """Gradients that shrink, so that the running maximum u differs from v."""
    rule = AMSGrad(0.2, beta1=0.8, beta2=0.5, delta=1e-3)
    memory, m, v, u = rule._remember(np.zeros(1)), 0.0, 0.0, 0.0
    for t, g in enumerate([1.0, 10.0, 0.5, -0.2, 0.1], 1):
        step, memory = rule._move(np.array([g]), memory, t)
        m = 0.8 * m + 0.2 * g
        v = 0.5 * v + 0.5 * g**2
        u = max(u, v)
        expected = -0.2 * m / (1 - 0.8**t) / ((u / (1 - 0.5**t)) ** 0.5 + 1e-3)
        assert step[0] == pytest.approx(expected)
    assert u > 5 * v


def test_amsgrad_never_raises_a_rate():
    rule = AMSGrad(0.1)
    memory = rule._remember(np.zeros(1))
    largest = []
    for t, g in enumerate([1.0, 10.0, 0.0, 0.0, 0.1], 1):
        _, memory = rule._move(np.array([g]), memory, t)
        largest.append(float(memory[2][0]))
    assert all(a <= b for a, b in pairwise(largest))
