"""The passes in NumPy against sums over single rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from gramian.objectives import Logistic, Softmax
from gramian.objectives.passes import NumPyPasses

N, D = 7, 3


@pytest.fixture
def rows(rng):
    return rng.normal(size=(N, D)), rng.random(N)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
def test_sums_of_a_loss_of_one_score(rows, rng, kind, intercept):
    X, omega = rows
    y, loss = rng.random(N), Logistic()
    w, v = rng.normal(size=(2, D + intercept))
    extended = np.column_stack([X, np.ones(N)])[:, : D + intercept]
    J, g, H = 0.0, np.zeros(len(w)), np.zeros((len(w), len(w)))
    for x, t, o in zip(extended, y, omega, strict=True):
        z = x @ w
        J += o * loss.value(t, z)
        g += o * loss.derivative(t, z) * x
        H += o * loss.curvature(t, z) * np.outer(x, x)
    passes = NumPyPasses(loss, kind(X), intercept)
    assert passes.value(y, omega, w) == pytest.approx(J)
    for found, expected in zip(passes.hessian(y, omega, w), (J, g, H), strict=True):
        assert_allclose(found, expected, rtol=1e-12)
    assert_allclose(passes.hessian_product(y, omega, w, v), H @ v, rtol=1e-10)


def test_sums_of_a_loss_of_several_scores(rows, rng):
    """The Hessian of K outputs has a block C_jk x x' for every pair of outputs."""
    X, omega = rows
    y, loss, W = np.arange(N) % 3, Softmax(), rng.normal(size=(D, 3))
    H = np.zeros((D, 3, D, 3))
    for x, t, o in zip(X, y, omega, strict=True):
        C = loss.curvature([t], (x @ W)[None])[0]
        H += o * np.einsum("a,jk,b->ajbk", x, C, x)
    passes = NumPyPasses(loss, X, False)
    assert_allclose(passes.hessian(y, omega, W)[2], H.reshape(9, 9), atol=1e-12)
    v = rng.normal(size=9)
    product = passes.hessian_product(y, omega, W, v)
    assert_allclose(product.reshape(-1), H.reshape(9, 9) @ v, atol=1e-12)


def test_scores_and_their_adjoint_are_transposes(rows, rng):
    """s . (Xw + b) = adjoint(s) . (w, b)."""
    X, s = rows
    passes, w = NumPyPasses(Logistic(), X, True), rng.normal(size=D + 1)
    assert s @ passes.scores(w) == pytest.approx(passes.adjoint(s) @ w)
