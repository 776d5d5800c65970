"""Projections onto simple sets, and gradient descent inside them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.base.errors import DataError
from gramian.objectives import Function
from gramian.textbook.optimization import (
    ProjectedGradient,
    onto_box,
    onto_box_and_plane,
    onto_positive,
)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_the_projection_is_the_nearest_allowed_point(seed):
    rng = np.random.default_rng(seed)
    a, x = np.where(rng.random(6) < 0.5, 1.0, -1.0), 3 * rng.normal(size=6)
    a[:2] = [1, -1]
    p = onto_box_and_plane(0.0, 1.0, a)(x)
    assert a @ p == pytest.approx(0, abs=1e-9)
    assert p.min() >= 0
    assert p.max() <= 1
    for _ in range(30):  # no other allowed point is nearer
        q = onto_box_and_plane(0.0, 1.0, a)(rng.random(6))
        assert np.linalg.norm(x - p) <= np.linalg.norm(x - q) + 1e-9
    np.testing.assert_array_equal(onto_positive(x), np.maximum(x, 0))
    np.testing.assert_array_equal(onto_box(-1, 1)(x), np.clip(x, -1, 1))


def test_a_plane_that_misses_the_box_is_refused():
    with pytest.raises(DataError, match="no point of the box"):
        onto_box_and_plane(0.0, 1.0, [1.0, 1.0], 5.0)([0.0, 0.0])


def test_the_hard_margin_dual_by_projected_ascent():
    """max sum l - 1/2 l'Ql over l >= 0, the machine without a bias; its gradient is 1 - Ql."""
    X, y = np.array([[1.0, 1.0], [-1.0, -1.0], [3.0, 2.0]]), np.array([1.0, -1.0, 1.0])
    Q = (X @ X.T) * np.outer(y, y)
    dual = Function(lambda a: a @ Q @ a / 2 - a.sum(), lambda a: Q @ a - 1, lambda a: Q, size=3)
    found = ProjectedGradient(onto_positive, tol=1e-10, max_iter=10_000).minimize(dual)
    assert found.converged
    np.testing.assert_allclose((found.x * y) @ X, [0.5, 0.5], atol=1e-6)
