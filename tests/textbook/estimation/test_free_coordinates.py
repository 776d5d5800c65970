import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.textbook.estimation.free_coordinates import FreeCoordinates

BOUNDS = [(None, None), (2, None), (None, -1), (0, 1)]


@given(st.floats(-9, 9), st.floats(2.01, 99), st.floats(-99, -1.01), st.floats(0.001, 0.999))
def test_maps_are_inverses(a, b, c, d):
    theta = np.array([a, b, c, d])
    free = FreeCoordinates.of("me", BOUNDS, theta)
    assert_allclose(free.from_free(free.to_free(theta)), theta, rtol=1e-9, atol=1e-9)


def test_far_coordinates_stay_in_bounds():
    free = FreeCoordinates.of("me", BOUNDS, np.array([0, 3, -2, 0.5]))
    for z in (-800.0, 800.0):
        theta = free.from_free(np.full(4, z))
        assert theta[1] >= 2
        assert theta[2] <= -1
        assert 0 <= theta[3] <= 1


@pytest.mark.parametrize(
    ("bounds", "start", "match"),
    [
        ([(0, 1)], [0.5, 0.5], "each of the 2"),
        ([(0, 1)], [2.0], "starts at 2"),
        (None, [np.nan], "finite"),
    ],
)
def test_bad_input(bounds, start, match):
    with pytest.raises(ParameterError, match=match):
        FreeCoordinates.of("me", bounds, np.array(start))
