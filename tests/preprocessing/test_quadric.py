"""Shapes of quadrics by the signs of their eigenvalues."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ortho_group

from gramian.base.errors import DataError
from gramian.preprocessing import classify_quadric

# Canonical equations of analytic geometry: diagonal of A, b, c.
SHAPES = [
    ([1, 1], [0, 0], -1, "circle"),
    ([1, 4], [0, 0], -1, "ellipse"),
    ([1, 4], [0, 0], 1, "empty"),
    ([1, 4], [0, 0], 0, "point"),
    ([1, -4], [0, 0], -1, "hyperbola"),
    ([1, -4], [0, 0], 0, "crossing lines"),
    ([1, 0], [0, -1], 0, "parabola"),
    ([1, 0], [0, 0], -1, "parallel lines"),
    ([1, 0], [0, 0], 0, "line"),
    ([1, 0], [0, 0], 1, "empty"),
    ([0, 0], [1, 2], 3, "line"),
    ([0, 0], [0, 0], 3, "empty"),
    ([0, 0], [0, 0], 0, "everything"),
    ([2, 2, 2], [0, 0, 0], -1, "sphere"),
    ([1, 2, 3], [0, 0, 0], -1, "ellipsoid"),
    ([1, 2, -3], [0, 0, 0], -1, "hyperboloid of one sheet"),
    ([1, -2, -3], [0, 0, 0], -1, "hyperboloid of two sheets"),
    ([1, 2, -3], [0, 0, 0], 0, "cone"),
    ([1, 2, 0], [0, 0, -1], 0, "elliptic paraboloid"),
    ([1, -2, 0], [0, 0, -1], 0, "hyperbolic paraboloid"),
    ([1, 2, 0], [0, 0, 0], -1, "cylinder over an ellipse"),
    ([1, -2, 0], [0, 0, 0], -1, "cylinder over a hyperbola"),
    ([1, 0, 0], [0, -1, 0], 0, "cylinder over a parabola"),
    ([1, -2, 0], [0, 0, 0], 0, "crossing planes"),
    ([1, 0, 0], [0, 0, 0], -1, "parallel planes"),
    ([1, 0, 0], [0, 0, 0], 0, "plane"),
    ([1, 2, 0], [0, 0, 0], 0, "line"),
    ([0, 0, 0], [1, 0, 0], 1, "plane"),
    ([1, 2, -3, 0], [0, 0, 0, 0], -1, "cylinder over a hyperboloid of one sheet"),
    ([0, 0, 0, 0], [0, 0, 0, 1], -1, "hyperplane"),
    ([1], [0], -1, "two points"),
    ([1], [0], 0, "point"),
    ([1], [0], 1, "empty"),
    ([0], [2], 1, "point"),
]


@pytest.mark.parametrize(("diagonal", "linear", "constant", "name"), SHAPES)
def test_canonical_equations(diagonal, linear, constant, name):
    assert classify_quadric(np.diag(diagonal), linear, constant) == name


@given(
    shape=st.sampled_from([s for s in SHAPES if len(s[0]) > 1]),
    seed=st.integers(0, 99),
    factor=st.sampled_from([-2.0, 1.0, 1e-6, 1e6]),
)
def test_a_rotation_a_shift_and_a_factor_do_not_change_the_shape(shape, seed, factor):
    diagonal, b, c, name = shape
    rng = np.random.default_rng(seed)
    Q, t = ortho_group.rvs(len(b), random_state=seed), rng.normal(size=len(b))
    A = Q.T @ np.diag(diagonal) @ Q  # x -> Q (x - t)
    b = Q.T @ np.array(b, dtype=float)
    constant = t @ A @ t - b @ t + c
    assert classify_quadric(factor * A, factor * (b - 2 * A @ t), factor * constant) == name


def test_a_larger_tolerance_names_what_a_boundary_nearly_is():
    A, b = np.diag([1.0, 1e-4]), [0, -1]
    assert classify_quadric(A, b) == "ellipse"
    assert classify_quadric(A, b, tol=1e-3) == "parabola"


@pytest.mark.parametrize(
    ("matrix", "linear", "message"),
    [
        (np.eye(2), [1, 2, 3], r"got shapes \(2, 2\) and \(3,\)"),
        ([[np.nan, 0], [0, 1]], [0, 0], "must be finite"),
    ],
)
def test_invalid_quadrics_are_refused(matrix, linear, message):
    with pytest.raises(DataError, match=message):
        classify_quadric(matrix, linear)
