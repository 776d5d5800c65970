"""Accelerated proximal gradient."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.linear_model import ElasticNet as TheirElasticNet
from sklearn.linear_model import Lasso

from gramian.objectives import (
    L1,
    L2,
    ElasticNet,
    LinearProblem,
    Logistic,
    Lq,
    LqBall,
    Poisson,
    SquaredError,
)
from gramian.solvers import Newton, ProximalGradient
from tests.solvers.nonsmooth_data import SIGNS, X, Y


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


@pytest.mark.slow
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
    problem = LinearProblem(X, Y, SquaredError(), L2(0.2))
    assert_allclose(
        ProximalGradient(tol=1e-9).minimize(problem).x, Newton().minimize(problem).x, atol=1e-7
    )
