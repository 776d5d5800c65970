"""The compiled passes and NumPy's give a linear problem the same numbers."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.objectives import (
    L2,
    BinaryCrossEntropy,
    LinearProblem,
    Logistic,
    Poisson,
    SigmoidLoss,
    Softmax,
    SquaredError,
)
from gramian.objectives.native_passes import NativePasses, NativeSoftmaxPasses, passes, policy_of
from gramian.objectives.passes import NumPyPasses

LOSSES = [Logistic(), Poisson(), SquaredError(), SigmoidLoss(SquaredError()), Softmax()]


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kind", ["dense", "csr"])
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: policy_of(loss))
def test_native_passes_equal_those_in_numpy(loss, kind, intercept, rng):
    X = rng.normal(size=(83, 5))
    X = X if kind == "dense" else sp.csr_array(np.where(np.abs(X) > 0.8, X, 0))
    many = isinstance(loss, Softmax)
    y = rng.integers(0, 3, 83).astype(np.int32) if many else rng.random(83)
    w = rng.normal(size=(5 + intercept, 3) if many else 5 + intercept)
    v, omega = rng.normal(size=w.size), rng.random(83)
    ours, reference = passes(loss, X, intercept), NumPyPasses(loss, X, intercept)
    assert isinstance(ours, NativePasses | NativeSoftmaxPasses)
    assert ours.value(y, omega, w) == pytest.approx(reference.value(y, omega, w))
    for method in ("gradient", "hessian"):
        for a, b in zip(
            getattr(ours, method)(y, omega, w), getattr(reference, method)(y, omega, w), strict=True
        ):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)
    for _ in range(2):  # the second product uses the curvature kept by the first
        np.testing.assert_allclose(
            ours.hessian_product(y, omega, w, v),
            reference.hessian_product(y, omega, w, v),
            rtol=1e-9,
            atol=1e-11,
        )
    np.testing.assert_allclose(
        ours.hessian_product(y, omega, 2 * w, v),
        reference.hessian_product(y, omega, 2 * w, v),
        rtol=1e-9,
        atol=1e-11,
    )


def test_soft_classes_and_many_outputs(rng):
    X, omega = rng.normal(size=(40, 3)), rng.random(40)
    shares, w = rng.dirichlet(np.ones(4), 40), rng.normal(size=(4, 4))
    for loss in (Softmax(), Logistic()):  # Logistic: four independent outputs
        ours, reference = passes(loss, X, True), NumPyPasses(loss, X, True)
        for a, b in zip(
            ours.gradient(shares, omega, w), reference.gradient(shares, omega, w), strict=True
        ):
            np.testing.assert_allclose(a, b, rtol=1e-10)


def test_a_loss_of_the_users_own_is_never_replaced():
    class Cautious(Logistic):
        def value(self, y, z):
            return 2 * super().value(y, z)

    assert policy_of(Cautious()) is None
    assert policy_of(SigmoidLoss(BinaryCrossEntropy())) is None
    assert isinstance(passes(Cautious(), np.eye(3), True), NumPyPasses)
    assert type(passes(Logistic(), np.asfortranarray(np.ones((3, 2))), True)) is NumPyPasses


def test_products_of_wide_sparse_rows(rng):
    X = sp.random_array((30, 2100), density=0.01, rng=rng, format="csr")
    y, omega = rng.random(30), rng.random(30)
    for intercept in (True, False):
        w, v = rng.normal(size=(2, 2100 + intercept))
        ours = passes(Logistic(), X, intercept).hessian_product(y, omega, w, v)
        reference = NumPyPasses(Logistic(), X, intercept).hessian_product(y, omega, w, v)
        np.testing.assert_allclose(ours, reference, atol=1e-12)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_diagonal_of_the_hessian(kind, intercept, rng):
    X = np.where(rng.random((40, 5)) < 0.5, rng.normal(size=(40, 5)), 0)
    problem = LinearProblem(kind(X), rng.random(40), Logistic(), L2(0.6), intercept=intercept)
    x = rng.normal(size=problem.size)
    np.testing.assert_allclose(problem.hessian_diagonal(x), np.diag(problem.hessian(x)))
    many = LinearProblem(kind(X), rng.integers(0, 3, 40), Softmax())
    assert many.hessian_diagonal(np.zeros(many.size)) is None
