"""The learning rate tuned on a subsample."""

import numpy as np
import pytest

from gramian.base.errors import ParameterError
from gramian.objectives import LinearProblem, SquaredError
from gramian.solvers import Adam, GradientDescent, Newton, StochasticGradient, tune_step
from tests.solvers.problems import logistic


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
    with pytest.raises(ParameterError, match="Newton has no parameter step"):
        tune_step(Newton(), problem)
    with pytest.raises(ParameterError, match=r"rows must be a number in \(0, 1\]; got 0"):
        tune_step(rule, problem, rows=0)
