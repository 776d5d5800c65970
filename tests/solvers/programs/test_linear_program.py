"""Piecewise linear costs as linear programs."""

import sys

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.optimize import linprog
from sklearn.linear_model import QuantileRegressor

from gramian.objectives import (
    L1,
    AbsoluteError,
    EpsilonInsensitive,
    Hinge,
    LinearProblem,
    Max,
    Mean,
    PerceptronLoss,
    SquaredError,
    WeightedSum,
)
from gramian.solvers import LBFGS, LinearProgram
from tests.solvers.nonsmooth_data import SIGNS, X, Y


def test_least_absolute_deviations_agree_with_scikit_learn():
    ours = LinearProgram().minimize(LinearProblem(X, Y, AbsoluteError()))
    theirs = QuantileRegressor(quantile=0.5, alpha=0.0).fit(X, Y)
    assert ours.converged
    assert ours.value == pytest.approx(np.abs(theirs.predict(X) - Y).mean(), abs=1e-9)


def test_the_minimax_fit_alternates():
    """Chebyshev: at the optimum at least d + 2 residuals reach the maximum, in size."""
    t = np.linspace(0, 1, 50)
    powers = np.column_stack([t, t**2])
    problem = LinearProblem(powers, np.exp(t), AbsoluteError(), None, Max())
    result = LinearProgram().minimize(problem)
    losses = problem.losses(result.x)
    assert (losses >= result.value - 1e-9).sum() >= 4
    least = LBFGS().minimize(LinearProblem(powers, np.exp(t), SquaredError()))
    assert result.value < problem.value(least.x)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("penalty", [None, L1(0.05), L1([0.1, 0.0, 0.2, 0.05])], ids=repr)
@pytest.mark.parametrize(
    "functional", [Mean(), WeightedSum(np.linspace(0, 1, 40)), Max()], ids=repr
)
@pytest.mark.parametrize(
    ("loss", "y"), [(AbsoluteError(), Y), (EpsilonInsensitive(0.2), Y), (Hinge(), SIGNS)], ids=repr
)
def test_no_point_is_below_the_program_s_minimum(loss, y, functional, penalty, intercept):
    problem = LinearProblem(X, y, loss, penalty, functional, intercept=intercept)
    result = LinearProgram().minimize(problem)
    assert result.converged
    rng = np.random.default_rng(1)
    for scale in (1e-3, 0.1, 1.0):
        for move in rng.normal(size=(20, problem.size)):
            assert problem.value(result.x + scale * move) >= result.value - 1e-9


def test_a_program_takes_sparse_rows_and_a_penalised_bias():
    problem = LinearProblem(sp.csr_array(X), Y, AbsoluteError(), L1(10.0, bias=True))
    assert_allclose(LinearProgram().minimize(problem).x, 0, atol=1e-9)


def test_separable_classes_have_perceptron_loss_zero():
    problem = LinearProblem(X, np.where(X[:, 0] > 0, 1.0, -1.0), PerceptronLoss())
    assert LinearProgram().minimize(problem).value == pytest.approx(0, abs=1e-12)


def test_a_program_that_cannot_end_says_so(monkeypatch):
    monkeypatch.setattr(
        sys.modules[LinearProgram.__module__],
        "linprog",
        lambda *a, **k: linprog([-1.0], bounds=(None, None)),
    )
    result = LinearProgram().minimize(LinearProblem(X, Y, AbsoluteError()))
    assert not result.converged
    assert "HiGHS found no minimum" in result.message
