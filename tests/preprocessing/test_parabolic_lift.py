"""The paraboloid lift: spheres of the space are planes of the lifted space."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression

from gramian.base.errors import DataError
from gramian.preprocessing import ParabolicLift
from tests.preprocessing.planes import separable

NUMBERS = st.floats(-5, 5).map(lambda v: round(v, 3))


@given(
    center=st.tuples(NUMBERS, NUMBERS, NUMBERS),
    radius=st.floats(0.1, 9),
    a=st.sampled_from([-3.0, -0.2, 1.0, 7.0]),
)
def test_the_sphere_of_a_linear_function_is_recovered(center, radius, a):
    """a |x - m|^2 = a r^2 is linear in (x, |x|^2)."""
    m = np.array(center)
    sphere = ParabolicLift().sphere([*(-2 * a * m), a], a * (m @ m - radius**2))
    assert_allclose(sphere.center, m, atol=1e-12)
    assert sphere.radius == pytest.approx(radius, rel=1e-9)


def test_a_circle_is_linear_after_the_lift_and_not_before(rng):
    X = rng.uniform(-2, 2, size=(300, 2))
    inside = ((X - [0.5, -0.3]) ** 2).sum(axis=1) < 1
    assert not separable(X, inside)
    assert separable(ParabolicLift().fit_transform(X), inside)


def test_a_linear_model_over_the_lift_finds_the_circle(rng):
    X = rng.uniform(-2, 2, size=(2000, 2))
    inside = ((X - [0.5, -0.3]) ** 2).sum(axis=1) < 1
    lift = ParabolicLift()
    model = LogisticRegression(C=1e6, max_iter=2000).fit(lift.fit_transform(X), inside)
    sphere = lift.sphere(model.coef_, model.intercept_[0])
    assert_allclose(sphere.center, [0.5, -0.3], atol=0.03)
    assert sphere.radius == pytest.approx(1, abs=0.03)


def test_names_and_columns():
    lift = ParabolicLift().fit(np.zeros((1, 3)))
    assert list(lift.get_feature_names_out()) == ["x0", "x1", "x2", "|x|^2"]
    assert list(lift.get_feature_names_out(["a", "b", "c"])) == ["a", "b", "c", "|x|^2"]
    with pytest.raises(DataError, match="input_features should have length"):
        lift.get_feature_names_out(["a"])


@pytest.mark.parametrize(
    ("coef", "intercept", "message"),
    [([1.0, 2.0, 0.0], 1.0, "whose boundary is a plane"), ([0.0, 0.0, 1.0], 1.0, "has no zeros")],
)
def test_a_boundary_that_is_no_sphere_is_refused(coef, intercept, message):
    with pytest.raises(DataError, match=message):
        ParabolicLift().sphere(coef, intercept)
