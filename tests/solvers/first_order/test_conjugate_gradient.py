"""Conjugate gradients: d steps on a quadratic, restarts, general functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.solvers import ConjugateGradient, GradientDescent, Secant
from gramian.textbook.optimization import NewtonRaphson
from tests.solvers.problems import bowls, logistic, quadratic, rosenbrock

BETAS = ["polak-ribiere", "fletcher-reeves"]


@pytest.mark.slow
@pytest.mark.parametrize("beta", BETAS)
@given(bowl=bowls(kappa=st.floats(1, 50)))
def test_a_quadratic_of_d_unknowns_takes_at_most_d_steps(beta, bowl):
    A, b = bowl
    for search in (Secant(tol=1e-14), NewtonRaphson(tol=1e-14)):
        result = ConjugateGradient(beta=beta, search=search, tol=1e-7).minimize(quadratic(A, b))
        assert result.converged
        assert result.iterations <= len(b)


@given(bowl=bowls(d=st.integers(3, 5), kappa=st.floats(2, 50)))
def test_the_directions_are_conjugate(bowl):
    A, b = bowl
    path = ConjugateGradient(search=Secant(tol=1e-14), tol=1e-9).minimize(quadratic(A, b)).trace
    moves = np.diff(path.iterates, axis=0)[: len(b)]
    moves = moves / np.sqrt(np.einsum("ti,ij,tj->t", moves, A, moves))[:, None]
    products = moves @ A @ moves.T
    assert_allclose(products, np.eye(len(moves)), atol=1e-4)


@pytest.mark.parametrize("beta", BETAS)
def test_rosenbrock_and_logistic(beta):
    valley = ConjugateGradient(beta=beta, max_iter=5000).minimize(rosenbrock(), [-1.2, 1.0])
    assert valley.converged
    assert_allclose(valley.x, [1, 1], atol=1e-4)
    problem = logistic(n=200, d=10)
    result = ConjugateGradient(beta=beta).minimize(problem)
    assert result.converged
    assert result.iterations < GradientDescent().minimize(problem).iterations


def test_restarting_at_every_step_is_steepest_descent():
    problem = quadratic(np.diag([1.0, 5.0]), [1.0, 1.0])
    search = Secant(tol=1e-13)
    ours = ConjugateGradient(restart=1, search=search, max_iter=6).minimize(problem)
    steepest = GradientDescent(search=search, max_iter=6).minimize(problem)
    assert_allclose(ours.trace.iterates, steepest.trace.iterates, atol=1e-10)
