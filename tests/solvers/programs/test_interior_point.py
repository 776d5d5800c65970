"""Interior points: quadratic programs of margins and deviations end at their minimum."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize as scipy_minimize
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from gramian.objectives import (
    L2,
    AbsoluteError,
    EpsilonInsensitive,
    Hinge,
    LinearProblem,
    Max,
    Mean,
    PerceptronLoss,
    WeightedSum,
)
from gramian.solvers import QuadraticProgram, choose_solver, minimize

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
REAL = X @ [1.0, -2.0, 0.5] + RNG.standard_t(2, size=80) + 3
SIGN = np.where(X[:, 0] + RNG.normal(size=80) > 0.4, 1.0, -1.0)


@pytest.mark.parametrize("penalised", [False, True])
@pytest.mark.parametrize("functional", [Mean(), WeightedSum(np.arange(80.0) % 5), Max()], ids=repr)
@pytest.mark.parametrize(
    ("loss", "y"),
    [
        (Hinge(), SIGN),
        (AbsoluteError(), REAL),
        (EpsilonInsensitive(0.5), REAL),
        (PerceptronLoss(), SIGN),
    ],
    ids=lambda part: type(part).__name__,
)
def test_every_composition_is_solved_and_no_step_lowers_it(loss, y, functional, penalised):
    problem = LinearProblem(X, y, loss, L2(0.1, bias=penalised), functional)
    choice = choose_solver(problem)
    assert (type(choice.solver), choice.kind) == (QuadraticProgram, "quadratic program")
    found = minimize(problem)
    assert found.converged, found.message
    rng = np.random.default_rng(1)
    for size in (1e-1, 1e-2, 1e-3, 1e-4):
        for _ in range(20):
            near = found.x + size * rng.normal(size=4)
            assert problem.value(near) >= found.value - 1e-8 * (1 + found.value)


def test_hinge_is_the_support_vector_machine_of_libsvm():
    data = load_breast_cancer()
    rows, y = StandardScaler().fit_transform(data.data), np.where(data.target == 1, 1.0, -1.0)
    C = 0.7
    problem = LinearProblem(rows, y, Hinge(), L2(1.0), WeightedSum(C))
    theirs = SVC(kernel="linear", C=C, tol=1e-8).fit(rows, y)
    found = minimize(problem)
    assert found.converged
    assert_allclose(found.x[:-1], theirs.coef_[0], atol=1e-5)
    assert found.value <= problem.value(np.append(theirs.coef_[0], theirs.intercept_)) * (1 + 1e-9)


def test_the_tube_is_support_vector_regression_of_libsvm():
    problem = LinearProblem(X, REAL, EpsilonInsensitive(0.3), L2(1.0), WeightedSum(2.0))
    theirs = SVR(kernel="linear", C=2.0, epsilon=0.3, tol=1e-10).fit(X, REAL)
    assert_allclose(minimize(problem).x[:-1], theirs.coef_[0], atol=1e-5)


def test_deviations_without_a_tube_are_a_tube_of_no_width():
    absolute = minimize(LinearProblem(X, REAL, AbsoluteError(), L2(0.2)))
    tube = minimize(LinearProblem(X, REAL, EpsilonInsensitive(0.0), L2(0.2)), "dual", tol=1e-9)
    assert absolute.value == pytest.approx(tube.value, rel=1e-9)


def test_sparse_rows_give_the_same():
    thin = X * (np.random.default_rng(2).random(X.shape) < 0.4)
    for functional in (Mean(), Max()):
        dense = minimize(LinearProblem(thin, SIGN, Hinge(), L2(0.2), functional))
        csr = minimize(LinearProblem(sp.csr_array(thin), SIGN, Hinge(), L2(0.2), functional))
        assert csr.value == pytest.approx(dense.value, rel=1e-9)


def test_the_largest_hinge_matches_a_general_solver():
    problem = LinearProblem(X, REAL, AbsoluteError(), L2(0.4), Max())
    unknowns = np.append(np.zeros(4), np.abs(REAL).max() + 1)
    gaps = {
        "type": "ineq",
        "fun": lambda v: np.concatenate(
            [v[4] - (X @ v[:3] + v[3] - REAL), v[4] + (X @ v[:3] + v[3] - REAL)]
        ),
    }
    theirs = scipy_minimize(
        lambda v: v[4] + 0.2 * v[:3] @ v[:3], unknowns, constraints=gaps, method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )  # fmt: skip
    assert minimize(problem).value == pytest.approx(theirs.fun, rel=1e-6)


@given(st.integers(0, 10**6), st.sampled_from([1e-4, 1.0, 1e4]), st.floats(1e-4, 10.0))
@settings(max_examples=40, deadline=None)
def test_hard_rows_end_too(seed, unit, strength):
    """Columns in other units, twins, a constant one, few rows: the minimum is found."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(12, 3)) * [1.0, unit, 1.0]
    rows = np.column_stack([rows, rows[:, 0], np.ones(12)])
    y = np.where(rng.random(12) < 0.5, 1.0, -1.0)
    problem = LinearProblem(rows, y, Hinge(), L2(2 * strength))
    found = minimize(problem)
    assert found.converged, found.message
    assert found.value <= 1 + 1e-9  # what w = 0 costs at most
    again = minimize(problem, "dual", tol=1e-6, max_iter=20)
    assert found.value <= again.value * (1 + 1e-7) + 1e-9


def test_convergence_does_not_depend_on_the_units_of_the_columns():
    """A column in large units must not pass for convergence of the others."""
    units = np.array([1e-6, 1e6, 1.0])
    plain = minimize(LinearProblem(X, SIGN, Hinge(), L2(np.full(3, 2e-3))))
    scaled = minimize(LinearProblem(X * units, SIGN, Hinge(), L2(0.002 * units**2)))
    assert scaled.converged
    assert scaled.value == pytest.approx(plain.value, rel=1e-8)
    assert_allclose(scaled.x[:3] * units, plain.x[:3], rtol=1e-4)


def test_a_start_at_the_minimum_stays():
    problem = LinearProblem(X, SIGN, Hinge(), L2(0.2))
    found = minimize(problem)
    again = minimize(problem, start=found.x)
    assert again.value == pytest.approx(found.value, rel=1e-9)


def test_many_unknowns_go_to_the_dual():
    wide = LinearProblem(np.eye(3, 3000), [1.0, -1.0, 1.0], Hinge(), L2(2.0))
    assert type(choose_solver(wide).solver).__name__ == "DualCoordinate"
