"""Lagrangians, weak duality and multipliers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.textbook.optimization import Lagrangian, equality_multipliers


@settings(max_examples=30, deadline=None)
@given(x=st.floats(1, 5), w=st.floats(0, 10))
def test_weak_duality(x, w):
    problem = Lagrangian(lambda v: float(v @ v), [lambda v: 1 - v[0]])
    assert problem.gap([x], [w], [0.0]) >= -1e-6
    assert problem.worst([0.5]) == np.inf
    assert problem.value([x], [w]) <= problem.worst([x]) + 1e-9


def test_lagrange_multipliers_of_an_equality():
    x, w = equality_multipliers(lambda v: v[0] * v[1], [lambda v: v[0] + v[1] - 4], [1.0, 2.0])
    np.testing.assert_allclose(x, [2, 2], atol=1e-6)
    np.testing.assert_allclose(w, [2], atol=1e-6)


def test_the_dual_of_a_parabola_by_hand():
    """min x^2 with x >= 1: L = x^2 + w (1 - x), dual w - w^2 / 4, equal to 1 at w = 2."""
    problem = Lagrangian(lambda v: float(v @ v), [lambda v: 1 - v[0]])
    for w in (0.0, 1.0, 2.0, 3.0):
        assert problem.dual([w], [0.0]) == pytest.approx(w - w**2 / 4, abs=1e-8)
        np.testing.assert_allclose(problem.minimiser([w], [0.0]), [w / 2], atol=1e-5)
    assert problem.gap([1.0], [2.0]) == pytest.approx(0, abs=1e-8)


def test_a_start_that_leads_nowhere_says_so():
    with pytest.raises(ValueError, match="Try another start"):
        equality_multipliers(lambda v: v[0], [lambda v: v[0] ** 2 + 1], [0.5])
