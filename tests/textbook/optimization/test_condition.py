"""The condition number, and the steps and rate that follow from it."""

import numpy as np
import pytest
from hypothesis import given

from gramian.solvers import GradientDescent
from gramian.textbook.optimization import condition
from tests.solvers.problems import bowls, quadratic


@given(bowl=bowls())
def test_the_condition_number(bowl):
    A, b = bowl
    shape = condition(quadratic(A, b))
    assert shape.number == pytest.approx(np.linalg.cond(A), rel=1e-6)
    assert shape.rate == pytest.approx((shape.number - 1) / (shape.number + 1), abs=1e-9)
    assert shape.step_limit == pytest.approx(2 / shape.largest)


def test_a_flat_direction_has_an_infinite_condition():
    shape = condition(quadratic(np.diag([2.0, 0.0]), np.zeros(2)))
    assert shape.number == np.inf
    assert shape.rate == 1.0


def test_a_worse_condition_needs_more_steps():
    """f = 2 w1^2 + w2^2 against 10 w1^2 + w2^2, each with its own best step."""
    steps = []
    for bend in (2.0, 10.0):
        bowl = quadratic(np.diag([2 * bend, 2.0]), np.zeros(2))
        rule = GradientDescent(condition(bowl).best_step, halve=False)
        steps.append(rule.minimize(bowl, [1.0, 1.0]).iterations)
    assert steps[1] > 3 * steps[0]
