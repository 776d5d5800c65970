"""Losses of a margin y z, with labels -1 and 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.objectives import (
    Exponential,
    Hinge,
    Logistic,
    LogitMargin,
    ModifiedHuber,
    PerceptronLoss,
    SquaredHinge,
    ZeroOne,
)


@given(y=st.integers(0, 1), z=st.floats(-20, 20))
def test_labels_of_0_and_1_or_minus_1_and_1_give_one_loss(y, z):
    assert_allclose(Logistic().value(y, z), LogitMargin(1.0).value(2 * y - 1, z), atol=1e-12)
    assert_allclose(LogitMargin(2.0).value(1, z), LogitMargin(1.0).value(1, 2 * z), atol=1e-12)
    assert_allclose(Exponential(2.0).value(1, z), Exponential().value(1, 2 * z))


def test_the_perceptron_loss_is_not_the_hinge():
    assert PerceptronLoss().value(1, 0.5) == 0
    assert Hinge().value(1, 0.5) == 0.5
    assert PerceptronLoss().derivative(1, 0.0) == -1  # a descent from zero moves


def test_the_modified_huber_loss_is_a_squared_hinge_with_a_straight_end():
    m = np.array([-1.0, 0.0, 0.5, 2.0])
    assert_allclose(ModifiedHuber().value(1, m), SquaredHinge().value(1, m))
    assert ModifiedHuber().value(1, [-3.0]) == [12.0]
    assert ModifiedHuber().derivative(-1, [3.0]) == [4.0]


@pytest.mark.parametrize(
    "loss", [Hinge(), SquaredHinge(), ModifiedHuber(), Exponential()], ids=repr
)
def test_convex_losses_lie_above_the_zero_one_loss(loss):
    z = np.linspace(-3, 3, 25)
    assert (loss.value(1, z) >= ZeroOne().value(1, z)).all()


def test_the_best_constant_of_exponential_loss_is_half_the_log_odds():
    y = np.array([1, 1, 1, -1])
    assert Exponential().best_constant(y, None) == pytest.approx(np.log(3) / 2)
    assert Exponential(2.0).best_constant(y, None) == pytest.approx(np.log(3) / 4)
    assert Exponential().mean(np.log(3) / 2) == pytest.approx(0.75)
