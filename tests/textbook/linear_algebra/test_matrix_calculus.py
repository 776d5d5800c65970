"""Identities of matrix calculus, each against finite differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.objectives import gradient_error, numeric_gradient
from gramian.textbook.linear_algebra import (
    dot_gradient,
    inverse_differential,
    log_det_differential,
    log_det_gradient,
    product_differential,
    quadratic_trace_gradient,
    trace_gradient,
)

RNG = np.random.default_rng(0)
A = RNG.normal(size=(3, 3)) + 3 * np.eye(3)
B, DA, DB = RNG.normal(size=(3, 3, 3))
WIDE = RNG.normal(size=(2, 3))


@pytest.mark.parametrize(
    ("f", "gradient", "at"),
    [
        (lambda x: x @ B[0], lambda x: dot_gradient(B[0]), A[0]),
        (lambda M: np.trace(M @ B), lambda M: trace_gradient(B), A),
        (lambda M: np.trace(M @ WIDE.T), lambda M: trace_gradient(WIDE.T), RNG.normal(size=(2, 3))),
        (lambda M: np.trace(M @ B @ M.T), lambda M: quadratic_trace_gradient(M, B), A),
        (lambda M: np.trace(M @ B @ M.T), lambda M: quadratic_trace_gradient(M, B), WIDE),
        (lambda M: np.linalg.slogdet(M)[1], log_det_gradient, A),
        (lambda M: np.linalg.slogdet(M)[1], log_det_gradient, -A),
    ],
    ids=["x'a", "tr(AB)", "tr(AB), wide", "tr(ABA')", "tr(ABA'), wide", "ln|A|", "ln|-A|"],
)
def test_gradients_with_respect_to_a_matrix(f, gradient, at):
    assert gradient(at).shape == at.shape
    assert_allclose(gradient(at), numeric_gradient(f, at), atol=1e-7)
    assert gradient_error(f, gradient, at) < 1e-7


def rate(f, t=1e-5):
    return (f(t) - f(-t)) / (2 * t)


def test_differentials_along_a_curve_of_matrices():
    product = rate(lambda t: (A + t * DA) @ (B + t * DB))
    assert_allclose(product_differential(A, B, DA, DB), product, atol=1e-8)
    inverse = rate(lambda t: np.linalg.inv(A + t * DA))
    assert_allclose(inverse_differential(A, DA), inverse, atol=1e-8)
    log_det = rate(lambda t: np.linalg.slogdet(A + t * DA)[1])
    assert log_det_differential(A, DA) == pytest.approx(log_det, abs=1e-8)
    assert log_det_differential(A, DA) == pytest.approx(float((log_det_gradient(A) * DA).sum()))


def test_traces_turn_but_do_not_turn_back():
    """E62: tr(ABC) = tr(CAB) = tr(BCA), but not tr(CBA)."""
    assert np.trace(A @ B @ DA) == pytest.approx(np.trace(DA @ A @ B))
    assert np.trace(A @ B @ DA) != pytest.approx(np.trace(DA @ B @ A))


def test_the_numeric_gradient_has_the_shape_of_its_point():
    assert numeric_gradient(lambda M: float((M * M).sum()), WIDE).shape == (2, 3)
    assert numeric_gradient(lambda x: float(x[0] ** 2), 3.0).shape == (1,)


@pytest.mark.parametrize("f", [log_det_gradient, lambda M: inverse_differential(M, M)])
def test_a_matrix_without_inverse_is_refused(f):
    with pytest.raises(ValueError, match="A must be invertible"):
        f(np.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"A must be a square matrix; got shape \(2, 3\)"):
        f(WIDE)
