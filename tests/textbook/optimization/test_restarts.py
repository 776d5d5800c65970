"""Random restarts: the best of several local minima."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.objectives import Function, LinearProblem, SigmoidLoss, SquaredError
from gramian.solvers import LBFGS, Newton
from gramian.textbook.optimization import restarts
from tests.solvers.problems import logistic

WAVES = Function(lambda x: x[0] ** 2 / 20 + np.sin(3 * x[0]), size=1)


def test_restarts_find_the_lowest_of_many_minima():
    found = restarts(WAVES, LBFGS(), 30, scale=4.0, random_state=0)
    grid = np.linspace(-10, 10, 20_001)
    lowest = (grid**2 / 20 + np.sin(3 * grid)).min()
    assert found.best.value == pytest.approx(lowest, abs=1e-6)
    assert found.best.value == found.values.min()
    assert len(found.results) == 30
    assert found.spread == pytest.approx(np.ptp(found.values))
    assert found.spread > 0.1


def test_all_restarts_agree_on_a_convex_problem():
    assert restarts(logistic(), Newton(), 5, random_state=0).spread < 1e-9


def test_restarts_are_reproducible_and_take_a_sampler():
    values = [restarts(WAVES, LBFGS(), 3, random_state=7).values for _ in "ab"]
    assert_allclose(values[0], values[1])
    near = restarts(WAVES, LBFGS(), 3, sample=lambda rng: rng.uniform(1.0, 1.8, 1), random_state=0)
    assert near.spread < 1e-6
    with pytest.raises(ParameterError, match="starts must be an integer >= 1; got 0"):
        restarts(WAVES, LBFGS(), 0)


def test_squared_sigmoids_have_local_minima_that_restarts_escape():
    x = np.array([[0.3], [0.4], [5.0], [-3.0], [1.2]])
    problem = LinearProblem(x, [1.0, 0.0, 0.0, 0.0, 1.0], SigmoidLoss(SquaredError()))
    found = restarts(problem, LBFGS(), 20, scale=5.0, random_state=0)
    assert found.spread > 1e-3
    assert found.best.value <= LBFGS().minimize(problem).value + 1e-12
