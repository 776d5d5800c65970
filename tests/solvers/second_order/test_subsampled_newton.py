"""Newton steps from a subsample of the rows."""

import numpy as np
import pytest

from gramian.objectives import L2, LinearProblem, Logistic, Poisson, Softmax, WeightedSum
from gramian.solvers import LBFGS, Newton
from gramian.solvers.second_order.preconditioners import sample_of
from gramian.solvers.second_order.subsampled_newton import SubsampledNewton
from tests.solvers.second_order.weighted_problem import problem


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("loss", [Logistic(), Poisson(), Softmax()])
def test_it_finds_newtons_minimum_in_few_steps(loss, intercept):
    full = problem(loss, intercept=intercept)
    found = SubsampledNewton(rows=600, tol=1e-8).minimize(full)
    exact = Newton(tol=1e-9).minimize(full)
    assert found.converged
    assert found.iterations < 25
    assert found.value == pytest.approx(exact.value, rel=1e-10)
    assert LBFGS(tol=1e-8).minimize(full).iterations > found.iterations


def test_a_poor_sample_still_leads_to_the_minimum():
    full = problem(Logistic())
    found = SubsampledNewton(rows=3, tol=1e-8, refresh=5, max_iter=1000).minimize(full)
    assert found.converged
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(full).value, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_single_precision_at_first_costs_no_digits_at_last(offset, dtype, monkeypatch):
    """At an offset of 1e4 single precision leaves three digits of a column; the answer has all."""
    monkeypatch.setattr("gramian.solvers.second_order.subsampled_newton.FORMED", 10)
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(3000, 6)) + offset).astype(dtype)
    y = ((X - offset) @ rng.normal(size=(6, 4)) + rng.gumbel(size=(3000, 4))).argmax(axis=1)
    full = LinearProblem(X, y, Softmax(), L2(0.0002))
    found = SubsampledNewton(rows=600, tol=1e-7, max_iter=2000).minimize(full)
    # the bias is free, so a shift of the columns leaves the minimum as it is
    centred = LinearProblem(X.astype(float) - offset, y, Softmax(), L2(0.0002))
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(centred).value, rel=1e-6)
    assert found.value == full.value(found.x)  # the last pass is in double precision


def test_values_beyond_single_precision(monkeypatch):
    monkeypatch.setattr("gramian.solvers.second_order.subsampled_newton.FORMED", 10)
    full = problem(Softmax())
    huge = LinearProblem(full.X * 1e45, full.y, Softmax(), None, full.functional)
    plain = LinearProblem(full.X, full.y, Softmax(), None, full.functional)
    solver = SubsampledNewton(rows=600, decrease=1e-9, max_iter=200)
    assert solver.minimize(huge).value == pytest.approx(solver.minimize(plain).value, rel=0.01)


def test_rows_far_from_normal_reach_the_same_minimum(monkeypatch):
    """Skewed columns, a rare class, a constant and a doubled column: the minimum is the same."""
    monkeypatch.setattr("gramian.solvers.second_order.subsampled_newton.FORMED", 30)
    rng = np.random.default_rng(1)
    X = rng.exponential(size=(4000, 10))
    X[:, 8], X[:, 9] = X[:, 0], 0.0
    Z = X[:, :8] @ rng.normal(size=(8, 5)) + np.array([0, 0, 0, 0, -6])
    y = (Z + rng.gumbel(size=Z.shape)).argmax(axis=1)
    full = LinearProblem(X, y, Softmax(), L2(0.0002))
    found = SubsampledNewton(rows=800, tol=1e-7, max_iter=300).minimize(full)
    assert found.converged
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(full).value, rel=1e-8)


def test_a_sample_without_weight_does_not_pass_for_a_minimum():
    rng = np.random.default_rng(0)
    n, d, classes, rows = 3000, 210, 3, 800
    X = rng.standard_normal((n, d))
    y = rng.integers(classes, size=n)
    weights = np.ones(n)
    weights[sample_of(n, rows)] = 0
    full = LinearProblem(X, y, Softmax(), L2(0.2), WeightedSum(weights / weights.sum()))
    result = SubsampledNewton(rows=rows, tol=1e-6, max_iter=300).minimize(full)
    best = LBFGS(tol=1e-8, max_iter=2000).minimize(full)
    assert result.value == pytest.approx(best.value, rel=1e-6)
