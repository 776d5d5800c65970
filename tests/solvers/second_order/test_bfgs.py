"""BFGS."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.solvers import BFGS, Secant
from gramian.solvers.second_order.bfgs import _update
from tests.solvers.problems import bowls, quadratic


@given(bowl=bowls(d=st.integers(2, 5)), seed=st.integers(0, 99))
def test_the_update_obeys_the_secant_equation(bowl, seed):
    """H+ y = s, symmetric and positive definite if s'y > 0."""
    A, _ = bowl
    s = np.random.default_rng(seed).normal(size=len(A))
    y = A @ s
    H = _update(np.eye(len(A)), s, y)
    assert_allclose(H @ y, s, atol=1e-8)
    assert_allclose(H, H.T, atol=1e-12)
    assert np.linalg.eigvalsh(H)[0] > 0
    rho, identity = 1 / (y @ s), np.eye(len(A))
    left = identity - rho * np.outer(s, y)
    assert_allclose(H, left @ left.T + rho * np.outer(s, s), atol=1e-8)


@given(bowl=bowls(kappa=st.floats(1, 20)))
def test_bfgs_with_exact_searches_ends_after_d_steps_on_a_quadratic(bowl):
    A, b = bowl
    solver = BFGS(search=Secant(tol=1e-13), tol=1e-7)
    result = solver.minimize(quadratic(A, b))
    assert result.converged
    assert result.iterations <= len(b)
