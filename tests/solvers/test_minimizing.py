"""The function `minimize`: every solver, starts, and agreement with a peer on real data."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge

from gramian.base.errors import DataError
from gramian.objectives import L2, LinearProblem, Logistic, SquaredError
from gramian.solvers import InverseTime, Newton, minimize
from gramian.solvers.solver_names import SOLVERS
from tests.solvers.problems import logistic, rosenbrock
from tests.solvers.solver_cases import ADAPTIVE, PROGRAMS

SMOOTH = ["lbfgs", "bfgs", "newton", "newton-cg", "irls", "conjugate", "proximal"]


SPECIAL = {"dual", "irls", "proximal", "sgd", *PROGRAMS}


GENERAL = [name for name in SOLVERS if name not in SPECIAL]


@pytest.mark.parametrize("name", GENERAL)
def test_every_solver_takes_a_users_own_function(name):
    settings = {"step": 0.1} if name in {*ADAPTIVE, "gradient"} else {}
    result = minimize(
        lambda x: (x[0] - 1) ** 2 + 2 * (x[1] + 0.5) ** 2, name, start=[0.0, 0.0], **settings
    )
    assert_allclose(result.x, [1, -0.5], atol=0.1 if name == "rmsprop" else 1e-2)


@pytest.mark.parametrize("name", sorted(set(SOLVERS) - PROGRAMS - {"rmsprop"}))
def test_every_solver_finds_the_same_logistic_fit(name):
    settings = {"step": 0.5, "max_iter": 3000} if name in ADAPTIVE else {}
    if name == "sgd":
        settings = {
            "step": InverseTime(1.0, 30),
            "random_state": 0,
            "max_iter": 200,
        }
    problem = logistic(n=40, d=2, strength=0.1)
    best = Newton(tol=1e-10).minimize(problem)
    assert minimize(problem, name, **settings).value == pytest.approx(best.value, abs=1e-4)


def test_starts():
    assert_array_equal(minimize(rosenbrock(), "gradient", max_iter=0).x, [0, 0])
    assert_array_equal(minimize(rosenbrock(), "gradient", [3.0, 4.0], max_iter=0).x, [3, 4])
    random = [
        minimize(rosenbrock(), "gradient", "random", max_iter=0, random_state=seed).x
        for seed in (0, 0, 1)
    ]
    assert_array_equal(random[0], random[1])
    assert (random[0] != random[2]).all()
    with pytest.raises(ValueError, match="numbers or 'random'; got 'ones'"):
        minimize(rosenbrock(), "gradient", "ones")
    with pytest.raises(DataError, match="pass start or size"):
        minimize(lambda x: x[0] ** 2)


def test_the_start_is_not_changed():
    start = np.array([-1.2, 1.0])
    minimize(rosenbrock(), "lbfgs", start)
    assert start.tolist() == [-1.2, 1.0]


def test_errors_of_a_users_function_pass_through():
    def broken(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        minimize(broken, "lbfgs", [0.0])


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    problem = LinearProblem((X - X.mean(0)) / X.std(0), y, Logistic(), L2(1.0 / len(y)))
    theirs = LogisticRegression(tol=1e-12, solver="newton-cholesky").fit(problem.X, y)
    return problem, problem.value(np.append(theirs.coef_[0], theirs.intercept_[0]))


@pytest.mark.parametrize("solver", SMOOTH)
def test_logistic_regression_of_tumours(cancer, solver):
    problem, objective = cancer
    result = minimize(problem, solver, max_iter=5000, trace=False)
    assert result.converged
    assert result.value == pytest.approx(objective, rel=1e-6)


@pytest.mark.parametrize("solver", ["irls", "newton", "newton-cg"])
def test_second_order_methods_converge_on_unscaled_columns(solver):
    """Columns from 0.001 to 4000."""
    X, y = load_breast_cancer(return_X_y=True)
    result = minimize(LinearProblem(X, y, Logistic(), L2(1.0 / len(y))), solver)
    assert result.converged
    assert result.iterations < 40


@pytest.mark.parametrize("solver", SMOOTH)
def test_ridge_regression_of_diabetes(solver):
    X, y = load_diabetes(return_X_y=True)
    problem = LinearProblem(X, y, SquaredError(), L2(1.0 / len(y)))
    theirs = Ridge(alpha=1.0).fit(X, y)
    objective = problem.value(np.append(theirs.coef_, theirs.intercept_))
    result = minimize(problem, solver, max_iter=5000)
    assert result.converged
    assert result.value == pytest.approx(objective, rel=1e-9)
