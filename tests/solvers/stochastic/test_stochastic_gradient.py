"""Stochastic gradients, batches, arrivals, and the rules with a memory."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.objectives import (
    Function,
    Hinge,
    LinearProblem,
    Logistic,
    PerceptronLoss,
    SquaredError,
)
from gramian.solvers import (
    AdaGrad,
    Adam,
    AMSGrad,
    InverseRoot,
    InverseTime,
    Momentum,
    RMSprop,
    StochasticGradient,
)
from gramian.solvers.stochastic.update import UpdateSolver
from tests.solvers.problems import logistic

RULES = [StochasticGradient, Momentum, AdaGrad, RMSprop, Adam, AMSGrad]
XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
EXCLUSIVE = np.array([0.0, 1.0, 1.0, 0.0])


@pytest.mark.parametrize("batch_size", [1, 7, 60])
@pytest.mark.parametrize("order", ["shuffle", "sample"])
def test_falling_rates_converge(batch_size, order):
    problem = logistic()
    rule = StochasticGradient(
        InverseTime(0.5, half=200), batch_size=batch_size, order=order, max_iter=100, random_state=0
    )
    best = Adam(0.1).minimize(problem).value
    result = rule.minimize(problem)
    assert result.value - best < 0.01
    assert result.value < result.trace.values[0]


def test_exact_data_are_fitted_with_a_constant_rate():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    problem = LinearProblem(X, X @ [1.0, -2.0] + 3, SquaredError())
    result = StochasticGradient(0.1, batch_size=1, random_state=0).minimize(problem)
    assert result.converged
    assert_allclose(result.x, [1, -2, 3], atol=1e-5)


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


def test_the_perceptron_ends_on_classes_that_no_line_separates():
    """T26: XOR is not separable; with the product x1 x2 it is."""
    y = 2 * EXCLUSIVE - 1
    rule = StochasticGradient(1.0, batch_size=1, max_iter=200, random_state=0)
    plain = LinearProblem(XOR, y, PerceptronLoss())
    result = rule.minimize(plain, [0.3, -0.2, 0.1])
    assert not result.converged
    w, b = plain.unpack(result.x)
    assert (y * (XOR @ w + b) <= 0).any()

    product = np.column_stack([XOR, XOR[:, 0] * XOR[:, 1]])
    separable = LinearProblem(product, y, PerceptronLoss())
    w, b = separable.unpack(rule.minimize(separable).x)
    assert (y * (product @ w + b) > 0).all()


def test_kinked_losses_too():
    y = np.where(np.arange(30) % 2, 1.0, -1.0)
    X = np.random.default_rng(0).normal(size=(30, 2)) + 3 * y[:, None]
    problem = LinearProblem(X, y, Hinge())
    result = StochasticGradient(InverseRoot(0.5), batch_size=1, max_iter=50, random_state=0)
    assert result.minimize(problem).value < 0.01


def textbook(rule: UpdateSolver, gradient, x, steps):
    """The printed equations, one unknown at a time, with numbers in place of arrays."""
    x = list(map(float, x))
    memory = [{"a": 0.0, "b": 0.0, "c": 0.0} for _ in x]
    for t in range(1, steps + 1):
        g = gradient(np.array(x))
        for j, m in enumerate(memory):
            match rule:
                case StochasticGradient():
                    x[j] -= rule.step * g[j]
                case Momentum():
                    m["a"] = -rule.step * g[j] + rule.beta * m["a"]
                    x[j] += m["a"]
                case AdaGrad():
                    m["a"] += g[j] ** 2
                    x[j] -= rule.step * g[j] / (m["a"] + rule.delta) ** 0.5
                case RMSprop():
                    m["a"] = rule.rho * m["a"] + (1 - rule.rho) * g[j] ** 2
                    x[j] -= rule.step * g[j] / (m["a"] + rule.delta) ** 0.5
                case Adam() | AMSGrad():
                    m["a"] = rule.beta1 * m["a"] + (1 - rule.beta1) * g[j]
                    m["b"] = rule.beta2 * m["b"] + (1 - rule.beta2) * g[j] ** 2
                    m["c"] = max(m["c"], m["b"])
                    v = m["b"] if isinstance(rule, Adam) else m["c"]
                    m_hat = m["a"] / (1 - rule.beta1**t)
                    v_hat = v / (1 - rule.beta2**t)
                    x[j] -= rule.step * m_hat / (v_hat**0.5 + rule.delta)
    return x


@pytest.mark.parametrize("cls", RULES)
def test_the_rules_follow_their_equations(cls):
    problem = logistic()
    start = np.linspace(-1, 1, problem.size)
    rule = cls(0.2, max_iter=7, tol=0.0)
    assert_allclose(
        rule.minimize(problem, start).x, textbook(rule, problem.gradient, start, 7), rtol=1e-10
    )


@pytest.mark.parametrize(
    ("cls", "copies"),
    [(StochasticGradient, 1), (Momentum, 2), (AdaGrad, 2), (RMSprop, 2), (Adam, 3), (AMSGrad, 4)],
)
def test_the_state_is_so_many_times_the_parameters(cls, copies):
    x = np.ones(11)
    _, memory = cls()._move(x, cls()._remember(x), 1)
    held = x.size + sum(part.size for part in memory)
    assert held == copies * x.size
    assert cls.copies == copies


@pytest.mark.parametrize("cls", RULES[1:])
def test_the_rules_minimise_with_batches(cls):
    problem = logistic()
    best = Adam(0.1).minimize(problem).value
    step = 0.3 if cls is AdaGrad else InverseRoot(0.1)  # AdaGrad's rates fall by themselves
    rule = cls(step, batch_size=10, max_iter=60, random_state=0)
    assert rule.minimize(problem).value - best < 0.02


def test_momentum_is_faster_in_a_narrow_bowl():
    bowl = Function(lambda x: 50 * x[0] ** 2 + x[1] ** 2 / 2, lambda x: [100 * x[0], x[1]])
    plain = StochasticGradient(0.01, max_iter=5000).minimize(bowl, [1.0, 1.0])
    heavy = Momentum(0.01, max_iter=5000).minimize(bowl, [1.0, 1.0])
    assert heavy.converged
    assert 2 * heavy.iterations < plain.iterations


def test_amsgrad_never_raises_a_rate():
    rule = AMSGrad(0.1)
    memory = rule._remember(np.zeros(1))
    largest = []
    for t, g in enumerate([1.0, 10.0, 0.0, 0.0, 0.1], 1):
        _, memory = rule._move(np.array([g]), memory, t)
        largest.append(float(memory[2][0]))
    assert all(a <= b for a, b in pairwise(largest))
