"""Dual coordinate descent finds the minimum of the primal."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.objectives import (
    L2,
    EpsilonInsensitive,
    Hinge,
    LinearProblem,
    Logistic,
    SquaredError,
    SquaredHinge,
    WeightedSum,
)
from gramian.solvers import DualCoordinate, Newton, minimize

LOSSES = [Logistic(), Hinge(), SquaredHinge(), EpsilonInsensitive(0.2)]


def problem(loss, *, intercept=True, bias=False, sparse=False, n=120, d=6, strength=0.02):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d)) + 0.5
    z = X @ rng.normal(size=d) - 1 + rng.normal(size=n)
    y = {"unit": (z > 0) * 1.0, "sign": np.where(z > 0, 1.0, -1.0), "real": z}[loss.targets]
    omega = rng.integers(0, 3, size=n) / n
    X = sp.csr_array(X) if sparse else X
    return LinearProblem(
        X, y, loss, L2(2 * strength, bias=bias), WeightedSum(omega), intercept=intercept
    )


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("intercept", "bias"), [(True, False), (True, True), (False, False)])
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)
def test_the_minimum_agrees_with_other_solvers(loss, intercept, bias, sparse):
    p = problem(loss, intercept=intercept, bias=bias, sparse=sparse)
    found = DualCoordinate(tol=1e-9, max_iter=500).minimize(p)
    assert found.converged
    if isinstance(loss, Logistic | SquaredHinge):
        best = Newton(tol=1e-12).minimize(p).value
        assert found.value == pytest.approx(best, rel=1e-10)
    else:  # no other exact solver: nothing nearby is lower
        rng = np.random.default_rng(0)
        steps = rng.normal(size=(200, len(found.x))) * 10.0 ** -rng.integers(1, 7, size=(200, 1))
        assert min(p.value(found.x + s) for s in steps) >= found.value - 1e-10


def test_a_warm_start_ends_at_the_same_minimum_sooner():
    p = problem(Logistic(), sparse=True)
    cold = DualCoordinate(tol=1e-10, sweeps=1).minimize(p)
    warm = DualCoordinate(tol=1e-10, sweeps=1).minimize(p, cold.x)
    assert warm.value == pytest.approx(cold.value, rel=1e-12)
    assert warm.iterations < cold.iterations / 2


def test_slow_sweeps_hand_over_to_newton():
    p = problem(Logistic(), strength=1e-9)  # almost no penalty: a dual of very long valleys
    found = DualCoordinate(tol=1e-9, patience=20).minimize(p)
    assert found.converged
    assert found.value == pytest.approx(Newton(tol=1e-11).minimize(p).value, rel=1e-9)


@pytest.mark.parametrize(
    ("p", "why"),
    [
        (problem(SquaredError()), "the dual of SquaredError"),
        (LinearProblem([[1.0]], [0.5], Logistic(), L2(2.0)), "between 0 and 1"),
        (LinearProblem([[1.0]], [1.0], Logistic()), "there is no penalty"),
        (LinearProblem([[1.0]], [1.0], Logistic(), L2([1.0])), "one positive strength"),
    ],
)
def test_what_has_no_such_dual_is_refused(p, why):
    with pytest.raises(ValueError, match=why):
        minimize(p, "dual")
