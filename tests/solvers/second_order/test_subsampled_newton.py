"""Newton on a sample, then L-BFGS on all rows."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.objectives import L2, LinearProblem, Logistic, Poisson, Softmax, WeightedSum
from gramian.solvers import LBFGS, Newton
from gramian.solvers.second_order.preconditioners import (
    Bound,
    bound_preconditioner,
    hessian_preconditioner,
    sample_of,
)
from gramian.solvers.second_order.split_preconditioner import split_preconditioner
from gramian.solvers.second_order.subsampled_newton import SampledNewton


def problem(loss, n=3000, d=6, seed=0, **settings):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.logspace(0, 2, d)
    if isinstance(loss, Softmax):
        y = (X @ rng.normal(size=(d, 4)) / 10 + rng.gumbel(size=(n, 4))).argmax(axis=1)
    else:
        z = X @ rng.normal(size=d) / 100
        y = rng.poisson(np.exp(z)) if isinstance(loss, Poisson) else (z > rng.logistic(size=n)) * 1
    return LinearProblem(X, y, loss, L2(1e-4), WeightedSum(rng.random(n) / n), **settings)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("loss", [Logistic(), Poisson(), Softmax()])
def test_it_finds_newtons_minimum_in_few_steps(loss, intercept):
    full = problem(loss, intercept=intercept)
    found = SampledNewton(rows=600, tol=1e-8).minimize(full)
    exact = Newton(tol=1e-9).minimize(full)
    assert found.converged
    assert found.iterations < 25
    assert found.value == pytest.approx(exact.value, rel=1e-10)
    assert LBFGS(tol=1e-8).minimize(full).iterations > found.iterations


def test_a_poor_sample_still_leads_to_the_minimum():
    full = problem(Logistic())
    found = SampledNewton(rows=3, tol=1e-8, refresh=5, max_iter=1000).minimize(full)
    assert found.converged
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(full).value, rel=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_single_precision_at_first_costs_no_digits_at_last(offset, dtype, monkeypatch):
    """At an offset of 1e4 single precision leaves three digits of a column; the answer has all."""
    monkeypatch.setattr("gramian.solvers.second_order.subsampled_newton.FORMED", 10)
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(3000, 6)) + offset).astype(dtype)
    y = ((X - offset) @ rng.normal(size=(6, 4)) + rng.gumbel(size=(3000, 4))).argmax(axis=1)
    full = LinearProblem(X, y, Softmax(), L2(1e-4))
    found = SampledNewton(rows=600, tol=1e-7, max_iter=2000).minimize(full)
    # the bias is free, so a shift of the columns leaves the minimum as it is
    centred = LinearProblem(X.astype(float) - offset, y, Softmax(), L2(1e-4))
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(centred).value, rel=1e-6)
    assert found.value == full.value(found.x)  # the last pass is in double precision


def test_values_beyond_single_precision(monkeypatch):
    monkeypatch.setattr("gramian.solvers.second_order.subsampled_newton.FORMED", 10)
    full = problem(Softmax())
    huge = LinearProblem(full.X * 1e45, full.y, Softmax(), None, full.functional)
    plain = LinearProblem(full.X, full.y, Softmax(), None, full.functional)
    solver = SampledNewton(rows=600, decrease=1e-9, max_iter=200)
    assert solver.minimize(huge).value == pytest.approx(solver.minimize(plain).value, rel=0.01)


@pytest.mark.parametrize("loss", [Logistic(), Softmax()])
def test_the_bound_is_above_the_hessian(loss, rng):
    """v' H(x) v <= v' B v for all x and v: Boehning 1992."""
    full = problem(loss, n=50)
    inverse = bound_preconditioner(full)
    for _ in range(20):
        H = full.hessian(rng.normal(size=full.size))
        g = H @ rng.normal(size=full.size)
        # H <= B is, on the range of H, H B^-1 H <= H
        assert g @ inverse(g) <= g @ np.linalg.lstsq(H, g)[0] * (1 + 1e-6)


def test_preconditioner_of_a_singular_hessian(rng):
    H = np.diag([1.0, 4.0, 0.0])
    np.testing.assert_allclose(
        hessian_preconditioner(H)(np.array([1.0, 4.0, 0.0])), [1, 1, 0], atol=1e-8
    )


def test_the_sample_is_the_same_at_every_call():
    rows = sample_of(1000, 50)
    np.testing.assert_array_equal(rows, sample_of(1000, 50))
    assert (np.diff(rows) >= 0).all()
    assert rows.min() >= 0
    assert rows.max() < 1000


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("loss", [Logistic(), Softmax()])
def test_the_split_preconditioner_is_the_hessian_where_it_is_formed(loss, intercept, sparse, rng):
    """With as many scores as columns (and one for their mean) nothing is left to approximate."""
    K = 4 if isinstance(loss, Softmax) else 1
    X = rng.normal(size=(200, 2 if K > 1 else 1)) + 0.5
    y = rng.integers(0, max(K, 2), 200)
    X = sp.csr_array(X) if sparse else X
    full = LinearProblem(X, y, loss, L2(1e-3), intercept=intercept)
    x = rng.normal(size=full.size)
    g = full.gradient(x)
    step = split_preconditioner(full, x, Bound.of(full), 100)(g)
    np.testing.assert_allclose(full.hessian(x) @ step, g, atol=1e-6)


@pytest.mark.parametrize("loss", [Logistic(), Softmax()])
def test_the_split_preconditioner_is_nearly_the_hessian_for_normal_rows(loss):
    rng = np.random.default_rng(0)
    n, d, K = 40_000, 12, 3 if isinstance(loss, Softmax) else 1
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 1
    W = 0.5 * rng.normal(size=(d + 1, K))
    y = rng.integers(0, max(K, 2), n)
    full = LinearProblem(X, y, loss, L2(1e-6))
    bound = Bound.of(full)
    split = split_preconditioner(full, W.reshape(-1), bound, 100)
    H = full.hessian(W.reshape(-1))

    def error(preconditioner):
        """The largest part by which a step differs from Newton's, in the norm of H."""
        worst = 0.0
        for _ in range(10):
            g = H @ rng.normal(size=full.size)
            newton = np.linalg.lstsq(H, g)[0]
            off = preconditioner(g) - newton
            worst = max(worst, float(np.sqrt(off @ H @ off / (newton @ H @ newton))))
        return worst

    assert error(split) < 0.1 < 0.3 < error(bound_preconditioner(full, bound))


def test_rows_far_from_normal_are_served_as_well(monkeypatch):
    """Skewed columns, a rare class, a constant and a doubled column: the minimum is the same."""
    monkeypatch.setattr("gramian.solvers.second_order.subsampled_newton.FORMED", 30)
    rng = np.random.default_rng(1)
    X = rng.exponential(size=(4000, 10))
    X[:, 8], X[:, 9] = X[:, 0], 0.0
    Z = X[:, :8] @ rng.normal(size=(8, 5)) + np.array([0, 0, 0, 0, -6])
    y = (Z + rng.gumbel(size=Z.shape)).argmax(axis=1)
    full = LinearProblem(X, y, Softmax(), L2(1e-4))
    found = SampledNewton(rows=800, tol=1e-7, max_iter=300).minimize(full)
    assert found.converged
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(full).value, rel=1e-8)


def test_a_sample_without_weight_does_not_pass_for_a_minimum():
    rng = np.random.default_rng(0)
    n, d, classes, rows = 3000, 210, 3, 800
    X = rng.standard_normal((n, d))
    y = rng.integers(classes, size=n)
    weights = np.ones(n)
    weights[sample_of(n, rows)] = 0
    full = LinearProblem(X, y, Softmax(), L2(0.1), WeightedSum(weights / weights.sum()))
    result = SampledNewton(rows=rows, tol=1e-6, max_iter=300).minimize(full)
    best = LBFGS(tol=1e-8, max_iter=2000).minimize(full)
    assert result.value == pytest.approx(best.value, rel=1e-6)
