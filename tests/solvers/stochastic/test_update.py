"""The loop that stochastic solvers share: batches, arrivals of data, memory."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.objectives import Function, LinearProblem, Logistic
from gramian.solvers import (
    AdaGrad,
    Adam,
    AMSGrad,
    InverseRoot,
    Momentum,
    RMSprop,
    StochasticGradient,
)
from gramian.solvers.solver_names import solver_named
from gramian.solvers.stochastic.update import UpdateSolver
from tests.solvers.problems import logistic
from tests.solvers.solver_cases import ADAPTIVE

RULES = [Momentum, AdaGrad, RMSprop, Adam, AMSGrad]


def test_update_rules_share_one_loop():
    for name in ("sgd", *ADAPTIVE):
        cls = type(solver_named(name, {}))
        assert issubclass(cls, UpdateSolver)
        assert "_iterates" not in vars(cls)


def test_a_pass_visits_every_row_once_in_a_new_order():
    seen = []

    def rows_gradient(x, rows):
        seen.append(rows.copy())
        return 0 * x

    problem = Function(lambda x: 1.0, lambda x: [1.0], rows_gradient=rows_gradient, n_rows=10)
    StochasticGradient(batch_size=4, max_iter=2, random_state=0).minimize(problem, [0.0])
    assert [len(rows) for rows in seen] == [4, 4, 2] * 2
    first, second = np.concatenate(seen[:3]), np.concatenate(seen[3:])
    assert sorted(first) == sorted(second) == list(range(10))
    assert first.tolist() != second.tolist()


def test_sampling_draws_with_replacement():
    seen = []

    def rows_gradient(x, rows):
        seen.extend(rows)
        return 0 * x

    problem = Function(lambda x: 1.0, lambda x: [1.0], rows_gradient=rows_gradient, n_rows=50)
    StochasticGradient(batch_size=5, max_iter=1, order="sample", random_state=0).minimize(
        problem, [0.0]
    )
    assert len(seen) == 50
    assert len(set(seen)) < 50


def test_the_seed_fixes_the_path():
    problem = logistic()
    run = lambda seed: (  # noqa: E731
        Adam(batch_size=3, max_iter=3, random_state=seed).minimize(problem).x
    )
    assert_array_equal(run(1), run(1))
    assert (run(1) != run(2)).any()


def test_points_that_arrive_one_by_one():
    """The same steps as a pass in the order of arrival; later points go on from there."""
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    arrivals = [LinearProblem(X[i : i + 1], y[i : i + 1], Logistic()) for i in range(20)]
    path = list(StochasticGradient(0.3).online(arrivals))
    assert len(path) == 20
    x = np.zeros(3)
    for problem, learnt in zip(arrivals, path, strict=True):
        x = x - 0.3 * problem.gradient(x)
        assert_allclose(learnt, x)
    more = list(StochasticGradient(0.3).online(arrivals[:1], start=path[-1]))
    assert_allclose(more[0], x - 0.3 * arrivals[0].gradient(x))


@pytest.mark.parametrize(
    ("cls", "copies"),
    [(StochasticGradient, 1), (Momentum, 2), (AdaGrad, 2), (RMSprop, 2), (Adam, 3), (AMSGrad, 4)],
)
def test_the_memory_holds_the_stated_number_of_vectors(cls, copies):
    x = np.ones(11)
    _, memory = cls()._move(x, cls()._remember(x), 1)
    held = x.size + sum(part.size for part in memory)
    assert held == copies * x.size
    assert cls.copies == copies


@pytest.mark.parametrize("cls", RULES)
def test_the_rules_minimise_with_batches(cls):
    problem = logistic()
    best = Adam(0.1).minimize(problem).value
    step = 0.3 if cls is AdaGrad else InverseRoot(0.1)  # AdaGrad's rates fall by themselves
    rule = cls(step, batch_size=10, max_iter=60, random_state=0)
    assert rule.minimize(problem).value - best < 0.02
