"""L-BFGS."""

from collections import deque

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.objectives import L2, Function, LinearProblem, Softmax
from gramian.solvers import BFGS, LBFGS
from gramian.solvers.second_order.bfgs import _update
from tests.solvers.problems import bowls, logistic, rosenbrock


@given(bowl=bowls(d=st.integers(2, 5)), pairs=st.integers(1, 4), seed=st.integers(0, 99))
def test_the_two_loops_are_the_product_with_the_matrix(bowl, pairs, seed):
    A, g = bowl
    rng = np.random.default_rng(seed)
    remembered = deque()
    for s in rng.normal(size=(pairs, len(A))):
        remembered.append((s, A @ s, 1 / float(s @ A @ s)))
    _, y, rho = remembered[-1]
    H = np.eye(len(A)) / (rho * (y @ y))
    for s, y, _ in remembered:
        H = _update(H, s, y)
    assert_allclose(LBFGS()._times_inverse_hessian(g, remembered), H @ g, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("solver", [BFGS(tol=1e-8), LBFGS(tol=1e-8)], ids=repr)
def test_rosenbrock(solver):
    result = solver.minimize(rosenbrock(), [-1.2, 1.0])
    assert result.converged
    assert result.iterations < 60
    assert_allclose(result.x, [1, 1], atol=1e-7)
    assert (np.diff(result.trace.values) <= 1e-15).all()


@pytest.mark.parametrize("ours", [BFGS(tol=1e-9), LBFGS(tol=1e-9)], ids=repr)
@pytest.mark.parametrize("d", [3, 30])
def test_they_agree_with_scipy_on_a_logistic_regression(ours, d):
    problem = logistic(n=300, d=d, strength=0.01)
    theirs = scipy.optimize.minimize(
        problem.value_and_gradient,
        np.zeros(problem.size),
        jac=True,
        method="L-BFGS-B",
        options={"gtol": 1e-9, "ftol": 1e-16},
    )
    result = ours.minimize(problem)
    assert result.converged
    assert result.iterations <= 2 * theirs.nit
    assert_allclose(result.x, theirs.x, atol=1e-6)
    assert result.value <= theirs.fun + 1e-12


def test_softmax_by_lbfgs():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), rng.integers(3, size=90)
    problem = LinearProblem(X, y, Softmax(), L2(0.02))
    result = LBFGS().minimize(problem)
    assert result.converged
    assert_allclose(problem.unpack(result.x)[0].sum(axis=1), 0, atol=1e-5)  # the penalty centres


def test_a_preconditioner_saves_steps():
    """A factorised bound of the Hessian in place of the scaled identity."""
    rng = np.random.default_rng(0)
    scales = np.geomspace(0.01, 10, 8)
    base = logistic(n=300, d=8, strength=0.001)
    problem = LinearProblem(base.X * scales, base.y, base.loss, L2(2e-05))
    del rng
    design = np.column_stack([problem.X, np.ones(300)])
    bound = design.T @ design / (4 * 300) + 2e-5 * np.eye(9)
    plain = LBFGS(tol=1e-7).minimize(problem)
    helped = LBFGS(tol=1e-7, preconditioner=lambda v: np.linalg.solve(bound, v)).minimize(problem)
    assert helped.converged
    assert 2 * helped.iterations < plain.iterations
    assert helped.value <= plain.value + 1e-10


def test_bfgs_takes_kinked_functions():
    """Lewis and Overton's nonsmooth Rosenbrock: |1 - x| + 8 |x^2 - y|."""
    f = Function(
        lambda x: abs(1 - x[0]) + 8 * abs(x[0] ** 2 - x[1]),
        lambda x: np.array(
            [
                -np.sign(1 - x[0]) + 16 * x[0] * np.sign(x[0] ** 2 - x[1]),
                -8 * np.sign(x[0] ** 2 - x[1]),
            ]
        ),
        smooth=False,
    )
    assert BFGS().minimize(f, [-1.2, 0.5]).value < 1e-4
    with pytest.raises(ValueError, match="LBFGS: needs a gradient; but the function was declared"):
        LBFGS().minimize(f, [-1.2, 0.5])


def test_they_stop_where_rounding_ends_progress():
    for solver in (BFGS(tol=0.0), LBFGS(tol=0.0)):
        result = solver.minimize(rosenbrock(), [-1.2, 1.0])
        assert result.iterations < 1000
        assert result.gradient_norm < 1e-6
