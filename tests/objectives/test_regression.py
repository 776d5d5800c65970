"""Losses of numeric targets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.objectives import (
    AbsoluteError,
    EpsilonInsensitive,
    Huber,
    Quantile,
    SquaredEpsilonInsensitive,
    SquaredError,
)
from gramian.objectives.regression import weighted_quantile


def test_squared_error_with_and_without_the_half():
    assert SquaredError().value(1.0, 4.0) == 4.5


def test_huber_joins_a_parabola_and_lines():
    loss, r = Huber(1.5), np.array([-4.0, -1.5, 0.5, 1.5, 3.0])
    expected = np.where(np.abs(r) <= 1.5, r**2 / 2, 1.5 * np.abs(r) - 1.125)
    assert_allclose(loss.value(0.0, r), expected)
    assert loss.derivative(0.0, r).tolist() == [-1.5, -1.5, 0.5, 1.5, 1.5]


def test_half_the_absolute_error_is_the_pinball_loss_of_the_median():
    z = np.linspace(-2, 2, 9)
    assert_allclose(2 * Quantile(0.5).value(0.3, z), AbsoluteError().value(0.3, z))
    assert Quantile(0.9).value(1.0, [0.0, 2.0]).tolist() == pytest.approx([0.9, 0.1])


def test_a_squared_tube_is_the_square_of_the_tube():
    z = np.linspace(-2, 2, 9)
    tube, squared = EpsilonInsensitive(0.4), SquaredEpsilonInsensitive(0.4)
    assert_allclose(squared.value(0.3, z), tube.value(0.3, z) ** 2)
    assert EpsilonInsensitive(0.0).value(0.3, z).tolist() == AbsoluteError().value(0.3, z).tolist()


@pytest.mark.parametrize("q", [0.0, 0.1, 0.5, 0.75, 1.0])
def test_the_weighted_quantile_minimises_the_weighted_pinball_loss(q, rng):
    y, weights = rng.normal(size=15), rng.integers(1, 4, size=15).astype(float)
    cost = lambda z: weights @ Quantile(q).value(y, z)  # noqa: E731
    assert cost(weighted_quantile(y, weights, q)) <= min(map(cost, y)) + 1e-12
    repeated = np.repeat(y, weights.astype(int))
    assert weighted_quantile(repeated, None, q) == pytest.approx(weighted_quantile(y, weights, q))


def test_the_median_of_an_even_number_is_the_midpoint():
    assert weighted_quantile(np.array([4.0, 1.0, 2.0, 9.0]), None, 0.5) == 3.0
    assert weighted_quantile(np.array([4.0, 1.0]), np.array([3.0, 1.0]), 0.5) == 4.0


@pytest.mark.parametrize("make", [lambda: Huber(0.0), lambda: Quantile(1.5)])
def test_parameters_outside_their_range(make):
    with pytest.raises(ParameterError, match="must be a number"):
        make()


def test_the_slope_just_below_a_kink():
    y, z = np.zeros(3), np.array([-1.0, 0.0, 1.0])
    assert AbsoluteError().left_derivative(y, z).tolist() == [-1.0, -1.0, 1.0]
    assert Quantile(0.75).left_derivative(y, z).tolist() == [-0.75, -0.75, 0.25]
    for loss in (AbsoluteError(), Quantile(0.75), SquaredError(), Huber()):
        assert_allclose(loss.left_derivative(y, z - 1e-9), loss.derivative(y, z - 1e-9))
