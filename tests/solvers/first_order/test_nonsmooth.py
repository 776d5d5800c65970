"""Kinked costs: subgradients, proximal gradient, linear programs."""

import sys

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.optimize import linprog
from sklearn.linear_model import ElasticNet as TheirElasticNet
from sklearn.linear_model import Lasso, QuantileRegressor

from gramian.objectives import (
    L1,
    L2,
    AbsoluteError,
    ElasticNet,
    EpsilonInsensitive,
    Function,
    Hinge,
    LinearProblem,
    Logistic,
    Lq,
    LqBall,
    Max,
    Mean,
    PerceptronLoss,
    Poisson,
    SquaredError,
    WeightedSum,
)
from gramian.solvers import (
    LBFGS,
    LinearProgram,
    Newton,
    ProximalGradient,
    Subgradient,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 4))
Y = X @ [1.0, 0.0, -2.0, 0.5] + 0.3 + RNG.standard_t(3, size=40)
SIGNS = np.where(Y > 0, 1.0, -1.0)


def test_the_subgradient_method_keeps_the_best_iterate():
    problem = LinearProblem(X, Y, AbsoluteError())
    result = Subgradient(0.5, max_iter=200).minimize(problem)
    assert result.value == result.trace.values.min()
    assert (np.diff(result.trace.values) > 0).any()
    assert problem.value(result.x) == result.value


def test_its_best_value_converges_with_falling_steps():
    """min_t f(x_t) - f* <= (|x_0 - x*|^2 + G^2 sum eps^2) / (2 sum eps), Boyd's bound."""
    problem = LinearProblem(X, Y, AbsoluteError())
    exact = LinearProgram().minimize(problem)
    result = Subgradient(max_iter=3000).minimize(problem)
    steps = 1 / np.sqrt(np.arange(1, 3001))
    G = result.trace.gradient_norms.max()
    bound = (exact.x @ exact.x + G**2 * (steps**2).sum()) / (2 * steps.sum())
    assert 0 <= result.value - exact.value <= bound
    assert result.value - exact.value < 1e-2


def test_a_kinked_function_of_ones_own():
    f = Function(lambda x: abs(x[0] - 1) + abs(x[1]), smooth=False)
    assert_allclose(Subgradient(max_iter=5000).minimize(f, [0.0, 2.0]).x, [1, 0], atol=0.05)


def test_proximal_gradient_is_the_lasso_of_scikit_learn():
    ours = ProximalGradient(tol=1e-9).minimize(LinearProblem(X, Y, SquaredError(), L1(0.3)))
    theirs = Lasso(alpha=0.3, tol=1e-12).fit(X, Y)
    assert ours.converged
    assert_allclose(ours.x, [*theirs.coef_, theirs.intercept_], atol=1e-6)
    assert ours.x[1] == 0  # exactly


def test_proximal_gradient_is_the_elastic_net_of_scikit_learn():
    problem = LinearProblem(sp.csr_array(X), Y, SquaredError(), ElasticNet(0.4, 0.7))
    ours = ProximalGradient(tol=1e-9).minimize(problem)
    theirs = TheirElasticNet(alpha=0.4, l1_ratio=0.7, tol=1e-12).fit(X, Y)
    assert_allclose(ours.x, [*theirs.coef_, theirs.intercept_], atol=1e-6)


def test_small_columns_get_long_steps():
    """The first step is 1 / L, whatever the units of X."""
    problem = LinearProblem(1e-3 * X, Y, SquaredError(), L1(3e-4), intercept=False)
    large = LinearProblem(X, Y, SquaredError(), L1(0.3), intercept=False)
    small = ProximalGradient(tol=1e-10, max_iter=500).minimize(problem)
    assert small.converged
    assert_allclose(1e-3 * small.x, ProximalGradient(tol=1e-9).minimize(large).x, atol=1e-5)


def test_counts_with_an_l1_penalty():
    counts = np.round(np.exp(np.clip(Y, -2, 2)))
    result = ProximalGradient(max_iter=5000).minimize(LinearProblem(X, counts, Poisson(), L1(0.1)))
    assert result.converged


def test_the_optimality_conditions_of_an_l1_logistic_fit():
    """|df/dw_j| <= lambda where w_j = 0, = -lambda sign(w_j) elsewhere; df/db = 0."""
    problem = LinearProblem(X, (SIGNS + 1) / 2, Logistic(), L1(0.1))
    x = ProximalGradient(tol=1e-9, max_iter=5000).minimize(problem).x
    g = problem.smooth_part(x)[1]
    zero = x[:4] == 0
    assert zero.any()
    assert (np.abs(g[:4][zero]) <= 0.1 + 1e-7).all()
    assert_allclose(g[:4][~zero], -0.1 * np.sign(x[:4][~zero]), atol=1e-6)
    assert abs(g[4]) < 1e-7


@pytest.mark.parametrize("q", [1.0, 1.5, 2.0, 3.0])
def test_penalty_and_constraint_have_the_same_solution(q):
    """With the budget that the penalised weights spend."""
    penalised = ProximalGradient(tol=1e-9, max_iter=20_000).minimize(
        LinearProblem(X, Y, SquaredError(), Lq(q, 0.6))
    )
    budget = Lq(q).budget(penalised.x[:4])
    ball = LinearProblem(X, Y, SquaredError(), LqBall(q, budget))
    assert_allclose(
        ProximalGradient(tol=1e-9, max_iter=20_000).minimize(ball).x, penalised.x, atol=1e-4
    )


def test_proximal_gradient_of_a_smooth_problem_is_gradient_descent_accelerated():
    problem = LinearProblem(X, Y, SquaredError(), L2(0.1))
    assert_allclose(
        ProximalGradient(tol=1e-9).minimize(problem).x, Newton().minimize(problem).x, atol=1e-7
    )


def test_least_absolute_deviations_agree_with_scikit_learn():
    ours = LinearProgram().minimize(LinearProblem(X, Y, AbsoluteError()))
    theirs = QuantileRegressor(quantile=0.5, alpha=0.0).fit(X, Y)
    assert ours.converged
    assert ours.value == pytest.approx(np.abs(theirs.predict(X) - Y).mean(), abs=1e-9)


def test_the_minimax_fit_alternates():
    """Chebyshev: at the optimum at least d + 2 residuals reach the maximum, in size."""
    t = np.linspace(0, 1, 50)
    powers = np.column_stack([t, t**2])
    problem = LinearProblem(powers, np.exp(t), AbsoluteError(), None, Max())
    result = LinearProgram().minimize(problem)
    losses = problem.losses(result.x)
    assert (losses >= result.value - 1e-9).sum() >= 4
    least = LBFGS().minimize(LinearProblem(powers, np.exp(t), SquaredError()))
    assert result.value < problem.value(least.x)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("penalty", [None, L1(0.05), L1([0.1, 0.0, 0.2, 0.05])], ids=repr)
@pytest.mark.parametrize(
    "functional", [Mean(), WeightedSum(np.linspace(0, 1, 40)), Max()], ids=repr
)
@pytest.mark.parametrize(
    ("loss", "y"), [(AbsoluteError(), Y), (EpsilonInsensitive(0.2), Y), (Hinge(), SIGNS)], ids=repr
)
def test_no_point_is_below_the_program_s_minimum(loss, y, functional, penalty, intercept):
    problem = LinearProblem(X, y, loss, penalty, functional, intercept=intercept)
    result = LinearProgram().minimize(problem)
    assert result.converged
    for scale in (1e-3, 0.1, 1.0):
        for move in RNG.normal(size=(20, problem.size)):
            assert problem.value(result.x + scale * move) >= result.value - 1e-9


def test_a_program_takes_sparse_rows_and_a_penalised_bias():
    problem = LinearProblem(sp.csr_array(X), Y, AbsoluteError(), L1(10.0, bias=True))
    assert_allclose(LinearProgram().minimize(problem).x, 0, atol=1e-9)


def test_separable_classes_have_perceptron_loss_zero():
    problem = LinearProblem(X, np.where(X[:, 0] > 0, 1.0, -1.0), PerceptronLoss())
    assert LinearProgram().minimize(problem).value == pytest.approx(0, abs=1e-12)


def test_a_program_that_cannot_end_says_so(monkeypatch):
    monkeypatch.setattr(
        sys.modules[LinearProgram.__module__],
        "linprog",
        lambda *a, **k: linprog([-1.0], bounds=(None, None)),
    )
    result = LinearProgram().minimize(LinearProblem(X, Y, AbsoluteError()))
    assert not result.converged
    assert "HiGHS found no minimum" in result.message
