"""Restarts, condition numbers, tuned rates, schedules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.objectives import Function, LinearProblem, SquaredError, ThroughSigmoid
from gramian.solvers import (
    LBFGS,
    Adam,
    GradientDescent,
    InverseRoot,
    InverseTime,
    Newton,
    Staircase,
    StochasticGradient,
    condition,
    restarts,
    tune_step,
)
from tests.solvers.problems import bowls, logistic, quadratic

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
    problem = LinearProblem(x, [1.0, 0.0, 0.0, 0.0, 1.0], ThroughSigmoid(SquaredError()))
    found = restarts(problem, LBFGS(), 20, scale=5.0, random_state=0)
    assert found.spread > 1e-3
    assert found.best.value <= LBFGS().minimize(problem).value + 1e-12


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


def test_the_rate_is_tuned_on_some_rows_and_carried_over():
    problem = logistic(n=400, d=3)
    rule = StochasticGradient(batch_size=10, max_iter=5, random_state=0)
    tuning = tune_step(rule, problem, [1e-5, 0.3, 1e3], rows=0.25, random_state=0)
    assert tuning.solver.step == 0.3
    assert tuning.solver.batch_size == 10
    assert tuning.steps.tolist() == [1e-5, 0.3, 1e3]
    assert np.argmin(tuning.values) == 1
    best = Newton().minimize(problem).value
    assert tuning.solver.minimize(problem).value - best < 0.02
    assert rule.step == 0.01  # the given solver is not changed


def test_only_the_part_of_the_rows_is_used(monkeypatch):
    problem = logistic(n=400, d=3)
    sizes = []
    subset = LinearProblem.subset
    monkeypatch.setattr(
        LinearProblem, "subset", lambda self, rows: sizes.append(len(rows)) or subset(self, rows)
    )
    tune_step(Adam(max_iter=2), problem, [0.1], rows=0.05, random_state=0)
    assert sizes == [20]


def test_rates_that_all_diverge_are_reported():
    X = np.linspace(-10, 10, 50)[:, None]
    problem = LinearProblem(X, X[:, 0], SquaredError())
    rule = GradientDescent(halve=False, max_iter=500)
    with pytest.raises(ParameterError, match="every rate diverged"):
        tune_step(rule, problem, [10.0, 100.0], rows=1.0)
    assert np.isinf(tune_step(rule, problem, [10.0, 1e-3], rows=1.0).values[0])
    with pytest.raises(ParameterError, match="Newton has no step"):
        tune_step(Newton(), problem)
    with pytest.raises(ParameterError, match=r"rows must be a number in \(0, 1\]; got 0"):
        tune_step(rule, problem, rows=0)


@given(t=st.integers(1, 1000))
def test_schedules(t):
    assert InverseTime(2.0, half=5.0)(t) == pytest.approx(2 / (1 + (t - 1) / 5))
    assert InverseRoot(2.0)(t) == pytest.approx(2 / t**0.5)
    assert Staircase(2.0, every=10, factor=0.9)(t) == pytest.approx(2 * 0.9 ** ((t - 1) // 10))
    assert all(s(1) == 2.0 for s in (InverseTime(2.0), InverseRoot(2.0), Staircase(2.0)))


def test_the_fields_of_schedules_are_checked():
    with pytest.raises(ParameterError, match="InverseRoot: step must be a number > 0; got -1"):
        InverseRoot(-1)
    with pytest.raises(ParameterError, match="Staircase: every must be an integer >= 1; got 0"):
        Staircase(1.0, every=0)
