"""The l_q penalty and the l_q ball against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.objectives import Lq, LqBall

weights = arrays(float, 3, elements=st.floats(-3, 3))


@pytest.mark.slow
@given(w=weights, q=st.sampled_from([1.0, 1.5, 2.0, 3.0]), budget=st.floats(0.05, 5))
def test_the_ball_projects_to_its_nearest_point(w, q, budget):
    ball = LqBall(q, budget)
    found = ball.prox(w, 1.0)
    assert ball.value(found) == 0.0
    if Lq(q).budget(w) <= budget:
        assert_allclose(found, w)
    else:
        assert_allclose(Lq(q).budget(found), budget, rtol=1e-6)
        # w - found is along the normal of the set
        other = found * 0.9
        assert (w - found) @ (other - found) <= 1e-9


def test_outside_the_ball_costs_infinity():
    assert LqBall(2, 1.0).value(np.array([1.0, 1.0])) == np.inf
    assert LqBall(2, 1.0).subgradient(np.ones(2)).tolist() == [0, 0]


@given(w=weights, q=st.sampled_from([1.0, 1.5, 2.0, 3.0]), budget=st.floats(0.05, 5))
def test_no_point_of_the_ball_is_nearer_than_the_projection(w, q, budget):
    """(w - p) . (v - p) <= 0 for every v of a convex set: here its corners along the axes."""
    p = LqBall(q, budget).prox(w, 1.0)
    corner = budget ** (1 / q)
    for v in corner * np.vstack([np.eye(3), -np.eye(3)]):
        assert (w - p) @ (v - p) <= 1e-6 * (1 + corner)


def test_the_value_and_derivatives_of_a_power():
    """lambda/2 sum |w|^q with q = 4, lambda = 2: the sum of fourth powers."""
    penalty, w = Lq(4, 2.0), np.array([1.0, -2.0])
    assert penalty.value(w) == 17.0
    assert penalty.subgradient(w).tolist() == [4.0, -32.0]
    assert_allclose(penalty.hessian(w), np.diag([12.0, 48.0]))
    assert (Lq(2).smooth, Lq(1.5).smooth, Lq(0.5).convex) == (True, False, False)
