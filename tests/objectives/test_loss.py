"""What every loss promises: derivatives, subgradients, lines, constants, targets."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.objectives import (
    LOSSES,
    AbsoluteError,
    BinaryCrossEntropy,
    CrossEntropy,
    EpsilonInsensitive,
    Exponential,
    Gamma,
    Hinge,
    Huber,
    Logistic,
    LogitMargin,
    Loss,
    ModifiedHuber,
    PerceptronLoss,
    Poisson,
    Quantile,
    SigmoidLoss,
    Softmax,
    SquaredEpsilonInsensitive,
    SquaredError,
    SquaredHinge,
    ZeroOne,
)

VECTOR = (Softmax, CrossEntropy)  # losses of a row of scores
PROBABILITY = (BinaryCrossEntropy, CrossEntropy)  # their scores lie in (0, 1)


SCALAR = [cls() for cls in LOSSES if cls not in VECTOR]


SLOPED = [loss for loss in SCALAR if loss.smoothness != "steps"]


CURVED = [*(loss for loss in SLOPED if loss.smoothness == "twice"), SigmoidLoss(SquaredError())]


MORE = [EpsilonInsensitive(0.5), Exponential(2.0), LogitMargin(1.0)]


unit = st.floats(0, 1)


def target(loss: Loss, u: float) -> float:
    """A target that the loss takes, from a number in [0, 1]."""
    kind = loss.loss.targets if isinstance(loss, SigmoidLoss) else loss.targets
    sign = 1.0 if u > 0.5 else -1.0
    by_kind = {"real": 6 * u - 3, "unit": u, "sign": sign, "count": 5 * u, "positive": 0.1 + 5 * u}
    return by_kind[kind]


def score(loss: Loss, u: float) -> float:
    return 0.05 + 0.9 * u if isinstance(loss, PROBABILITY) else 8 * u - 4


def kinks(loss: Loss, y: float) -> list[float]:
    return {
        AbsoluteError: [y],
        EpsilonInsensitive: [y - getattr(loss, "epsilon", 0), y + getattr(loss, "epsilon", 0)],
        Huber: [y - getattr(loss, "epsilon", 0), y + getattr(loss, "epsilon", 0)],
        ModifiedHuber: [y, -y],
        Quantile: [y],
        SquaredEpsilonInsensitive: [y - 0.1, y + 0.1],
        PerceptronLoss: [0.0],
        Hinge: [y],
        SquaredHinge: [y],
    }.get(type(loss), [])


@pytest.mark.slow
@pytest.mark.parametrize("loss", SLOPED + MORE, ids=repr)
@given(u=unit, v=unit)
def test_the_derivative_agrees_with_the_value(loss, u, v):
    y, z, h = target(loss, u), score(loss, v), 1e-5
    assume(all(abs(z - kink) > 2 * h for kink in kinks(loss, y)))
    numeric = (loss.value(y, z + h) - loss.value(y, z - h)) / (2 * h)
    assert_allclose(loss.derivative(y, z), numeric, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("loss", CURVED + MORE[1:], ids=repr)
@given(u=unit, v=unit)
def test_the_curvature_is_the_derivative_of_the_derivative(loss, u, v):
    y, z, h = target(loss, u), score(loss, v), 1e-5
    assume(all(abs(z - kink) > 2 * h for kink in kinks(loss, y)))
    numeric = (loss.derivative(y, z + h) - loss.derivative(y, z - h)) / (2 * h)
    assert_allclose(loss.curvature(y, z), numeric, rtol=1e-4, atol=1e-6)
    assert loss.curvature(y, z) <= loss.curvature_bound * (1 + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("loss", [s for s in SLOPED + MORE if s.convex], ids=repr)
@given(u=unit, v=unit, to=unit, at_kink=st.booleans())
def test_the_derivative_is_a_subgradient_of_a_convex_loss(loss, u, v, to, at_kink):
    """L(y, z') >= L(y, z) + L'(y, z) (z' - z), at kinks too."""
    y, z, other = target(loss, u), score(loss, v), score(loss, to)
    if at_kink and kinks(loss, y):
        z = kinks(loss, y)[0]
    line = loss.value(y, z) + loss.derivative(y, z) * (other - z)
    assert loss.value(y, other) >= line - 1e-9 * (1 + abs(line))


@pytest.mark.parametrize(
    "loss", [AbsoluteError(), EpsilonInsensitive(0.3), Hinge(), PerceptronLoss()], ids=repr
)
@given(u=unit, z=st.floats(-5, 5))
def test_a_piecewise_linear_loss_is_the_largest_of_its_lines(loss, u, z):
    y = np.array([target(loss, u)])
    lines = [slope * z + height for slope, height in loss.pieces(y)]
    assert_allclose(loss.value(y, z), np.max(lines, axis=0), atol=1e-12)


def test_smooth_losses_have_no_lines():
    assert SquaredError().pieces(np.ones(2)) == []


def test_the_mean_of_a_score():
    assert_allclose(Poisson().mean(np.log(3.0)), 3.0)
    assert_allclose(Logistic().mean(np.log(3.0)), 0.75)
    assert_allclose(LogitMargin(2.0).mean(np.log(3.0) / 2), 0.75)
    assert_allclose(SquaredError().mean(3.0), 3.0)


def test_losses_without_slope_say_so():
    with pytest.raises(NotImplementedError, match="ZeroOne has no derivative"):
        ZeroOne().derivative([1], [0.0])
    with pytest.raises(NotImplementedError, match="Hinge has no curvature"):
        Hinge().curvature([1], [0.0])


@pytest.mark.parametrize(
    ("loss", "targets", "words"),
    [
        (
            Logistic(),
            [0.0, 1.5],
            r"Logistic: targets must be numbers in \[0, 1\]; got 1.5 at row 1",
        ),
        (Logistic(), [-1, 1], "got -1.0 at row 0"),
        (Hinge(), [0, 1], "must be -1 or 1; got 0.0 at row 0"),
        (Poisson(), [-2.0], "numbers >= 0"),
        (SquaredError(), [np.nan], "finite numbers"),
        (Softmax(), [0.5, 1.0], "class numbers"),
        (Softmax(), [[0.5, 0.4]], "sum to 1"),
        (Softmax(), ["a", "b"], "Encode labels as numbers"),
        (SigmoidLoss(BinaryCrossEntropy()), [2.0], r"\[0, 1\]"),
    ],
)
def test_targets_that_a_loss_cannot_take(loss, targets, words):
    with pytest.raises(DataError, match=words):
        loss.check_targets(targets)


def test_parameters_of_losses_are_checked():
    with pytest.raises(ParameterError, match="epsilon must be a number >= 0; got -1"):
        EpsilonInsensitive(-1)
    with pytest.raises(ParameterError, match="scale must be a number > 0; got 0"):
        Exponential(0)
    with pytest.raises(ParameterError, match="elementwise"):
        SigmoidLoss(Hinge())
    assert repr(EpsilonInsensitive(0.2)) == "EpsilonInsensitive(epsilon=0.2)"


@pytest.mark.parametrize(
    "loss",
    [SquaredError(), AbsoluteError(), Quantile(0.8), Poisson(), Gamma(), Logistic(), Exponential()],
    ids=repr,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_constant_has_the_least_sum_of_losses(loss, weighted):
    rng = np.random.default_rng(0)
    y = np.array([target(loss, u) for u in rng.random(41)])
    weights = rng.random(41) if weighted else None
    total = lambda z: np.average(loss.value(y, np.full(41, z)), weights=weights)  # noqa: E731
    (best,) = loss.best_constant(y, weights)
    assert all(total(best) <= total(best + move) + 1e-15 for move in (-0.1, -1e-3, 1e-3, 0.1))
