"""Linear and quadratic programs: corners, multipliers, optimality conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from gramian.textbook.optimization import linear_program, quadratic_program
from tests.solvers.programs.square import SQUARE


@pytest.mark.parametrize("method", ["simplex", "interior-point"])
def test_a_corner_its_constraints_and_its_multipliers(method):
    found = linear_program([-2, -1], *SQUARE, method=method)
    assert found.status == "optimal"
    np.testing.assert_allclose(found.x, [1, 1], atol=1e-7)
    assert found.active.tolist() == [0, 1]
    assert found.unique
    np.testing.assert_allclose([-2, -1] + SQUARE[0].T @ found.multipliers, 0, atol=1e-7)


def test_an_unbounded_set_is_distinguished_from_an_empty_one():
    """The presolve of HiGHS calls this program infeasible; x = (0.05, 0, -2.35) is inside."""
    A = [[-5, -1, 5], [-13, -10, 1], [-6, -1, 3], [-14, 7, -2], [-8, 7, 14], [1, -1, 2]]
    b, inside = [25, -3, -5, 4, 6, 19], [0.05, 0, -2.35]
    assert (np.array(A) @ inside <= np.array(b) + 1e-9).all()
    assert linear_program([-4, -6, 0], A, b).status == "unbounded"


def test_a_face_of_optima_an_empty_set_and_an_open_one():
    face = linear_program([0, -1], *SQUARE)
    assert not face.unique
    assert face.other @ [0, -1] == pytest.approx(face.value)
    assert np.abs(face.other - face.x).max() > 0.01
    assert linear_program([1.0], [[1.0], [-1.0]], [0.0, -1.0]).status == "infeasible"
    assert linear_program([1.0], [[1.0]], [0.0]).value == -np.inf


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), d=st.integers(1, 5), m=st.integers(0, 8), flat=st.booleans())
def test_the_quadratic_program_satisfies_its_conditions(seed, d, m, flat):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d))
    Q = root @ root.T + 0.1 * np.eye(d)
    if flat and d > 1:  # semidefinite, but bounded by a box
        Q = np.outer(root[0], root[0])
    c = rng.normal(size=d)
    A = np.vstack([rng.normal(size=(m, d)), np.eye(d), -np.eye(d)])
    b = np.concatenate([rng.uniform(0.1, 1, size=m), np.full(2 * d, 2.0)])
    found = quadratic_program(Q, c, A, b)
    assert found.status == "optimal"
    assert (A @ found.x <= b + 1e-7).all()
    assert (found.multipliers >= 0).all()
    np.testing.assert_allclose(2 * Q @ found.x + c + A.T @ found.multipliers, 0, atol=1e-6)
    assert np.abs(found.multipliers * (b - A @ found.x)).max() <= 1e-6
    peer = minimize(
        lambda x: x @ Q @ x + c @ x,
        np.zeros(d),
        jac=lambda x: 2 * Q @ x + c,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda x: b - A @ x},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.value <= peer.fun + 1e-6


def test_an_indefinite_form_is_refused_and_an_open_valley_is_unbounded():
    with pytest.raises(ValueError, match="NP-hard"):
        quadratic_program([[1, 0], [0, -1]], [0, 0], *SQUARE)
    assert quadratic_program([[1, 0], [0, 0]], [0, 1], [[1, 0]], [1]).status == "unbounded"
    assert quadratic_program([[1.0]], [0], [[1.0], [-1.0]], [0, -1]).status == "infeasible"
    assert quadratic_program(np.eye(2), [-1, 0], np.zeros((0, 2)), []).x[0] == pytest.approx(0.5)
    with pytest.raises(ValueError, match="use start=None"):
        quadratic_program(np.eye(2), [0, 0], *SQUARE, start=[5, 5])


def test_the_margin_of_two_points():
    """T35: (1, 1)+ and (-1, -1)-: w = (1/2, 1/2), w0 = 0, multipliers 1/4 of 1/2 |w|^2."""
    A = -np.array([[1.0, 1, 1], [1, 1, -1]])
    found = quadratic_program(np.diag([0.5, 0.5, 0]), [0, 0, 0], A, [-1, -1])
    np.testing.assert_allclose(found.x, [0.5, 0.5, 0], atol=1e-9)
    np.testing.assert_allclose(found.multipliers, [0.25, 0.25], atol=1e-9)
