"""Sums of units come close to a function, at the rate that theory gives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.networks import (
    fourier_approximation,
    ramp_approximation,
    step_approximation,
    taylor_approximation,
)

X = np.linspace(0.0, 3.0, 1001)


@pytest.mark.parametrize(("make", "order"), [(step_approximation, 1), (ramp_approximation, 2)])
def test_the_error_of_units_falls_with_their_number(make, order):
    """Piecewise constant: of order 1/units; piecewise linear: of its square."""
    errors = [np.abs(make(np.sin, 0.0, 3.0, m)(X) - np.sin(X)).max() for m in (20, 40, 80)]
    assert_allclose(errors[0] / errors[1], 2.0**order, rtol=0.15)
    assert_allclose(errors[1] / errors[2], 2.0**order, rtol=0.15)


def test_steps_equal_the_function_in_the_middle_of_each_piece():
    found = step_approximation(np.exp, 0.0, 1.0, 4)
    middles = np.arange(5) / 5 + 0.1
    assert_allclose(found(middles), np.exp(middles))
    assert len(found.weights) == 4


def test_ramps_interpolate():
    found = ramp_approximation(np.exp, 0.0, 1.0, 4)
    knots = np.linspace(0, 1, 5)
    assert_allclose(found(knots), np.exp(knots))
    assert_allclose(found(0.125), (1 + np.exp(0.25)) / 2)


def test_taylor_of_the_exponential():
    found = taylor_approximation([1.0] * 12, 0.0)
    assert_allclose(found([0.5, 1.0]), np.exp([0.5, 1.0]), atol=1e-8)


def test_fourier_of_a_square_wave():
    """4/pi (sin u + sin 3u / 3 + ...)."""
    period = 2 * np.pi
    found = fourier_approximation(lambda x: np.sign(np.sin(x)), 0.0, period, 3, points=200_000)
    u = np.array([0.5, 1.5, 4.0])
    assert_allclose(found(u), 4 / np.pi * (np.sin(u) + np.sin(3 * u) / 3), atol=1e-4)


def test_bad_requests():
    with pytest.raises(ValueError, match="low must be below high"):
        ramp_approximation(np.sin, 1.0, 0.0, 3)
    with pytest.raises(ValueError, match="at least 1"):
        step_approximation(np.sin, 0.0, 1.0, 0)
    with pytest.raises(ValueError, match="more than twice"):
        fourier_approximation(np.sin, 0.0, 1.0, 10, points=20)
